import { type AnyElysia, Elysia } from '../api/elysia.ts'
import { CALENDAR_PATH } from '../core/on-call/feeds.ts'
import type { Services } from '../core/services.ts'
import { troubleOf } from './shell/errors.tsx'

/** Calendars of on-call schedules, for programs that have the secret address. */
export function calendarRoutes({ onCall, log }: Pick<Services, 'onCall' | 'log'>): AnyElysia {
  return new Elysia({ name: 'web.calendars', detail: { hide: true } }).get(
    `${CALENDAR_PATH}/:file`,
    async ({ request, params }) => {
      try {
        const calendar = params.file.endsWith('.ics') ? await onCall.calendar(params.file.slice(0, -4)) : null
        if (calendar === null) return plainText('There is no calendar at this address.', 404)
        return new Response(calendar.text, {
          headers: {
            'Content-Type': 'text/calendar; charset=utf-8',
            'Content-Disposition': 'inline; filename="on-call.ics"',
            'Cache-Control': 'private, max-age=300',
            'X-Robots-Tag': 'noindex, nofollow',
          },
        })
      } catch (error) {
        const { status, title } = troubleOf(error, request, log)
        return plainText(title, status)
      }
    },
  )
}

const plainText = (text: string, status: number) =>
  new Response(`${text}\n`, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
