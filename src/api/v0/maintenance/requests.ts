import { invalid } from '../../../core/base/errors.ts'
import type { MaintenanceRequest } from '../../../core/maintenance/service.ts'
import { members } from '../../body.ts'
import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { documented, Ok } from '../envelope.ts'

/** Length of column alert_schedule.title. */
const MAX_TITLE = 255

/** The body of a maintenance operation; null if empty. */
export function maintenanceBody(json: unknown): Readonly<Record<string, unknown>> | null {
  const body = members(json)
  return Object.keys(body).length === 0 ? null : body
}

/** Parses the body. Throws 400 without a duration. */
export function maintenanceRequest(body: Readonly<Record<string, unknown>>): MaintenanceRequest {
  const duration = text(body['duration'])
  if (duration === null) throw invalid('Duration not provided')
  const title = text(body['title'])
  if (title !== null && title.length > MAX_TITLE) {
    throw invalid(`Invalid title: longer than ${MAX_TITLE} characters`)
  }
  const behavior = Number(text(body['behavior']) ?? Number.NaN)
  return {
    title,
    behavior: Number.isInteger(behavior) ? behavior : null,
    notes: text(body['notes']) ?? '',
    start: text(body['start']),
    duration,
  }
}

/** The message of the answer, with start and duration as sent. */
export function maintenanceMessage(subject: string, { start, duration }: MaintenanceRequest): string {
  return start === null
    ? `${subject} moved into maintenance mode for ${duration}h`
    : `${subject} will begin maintenance mode at ${start} for ${duration}h`
}

/** Text, or a number as text; null for anything else and for empty text. */
function text(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

export const MaintenanceModel = {
  hostname: documented(t.Object({ hostname: t.String({ description: 'Hostname or numeric device id' }) })),
  group: documented(t.Object({ name: t.String({ description: 'Name, or numeric id' }) })),
  location: documented(t.Object({ location: t.String({ description: 'Name, or numeric id' }) })),
  body: documented(
    t.Object({
      duration: t.String({ description: 'H:i, hours may exceed 23' }),
      start: t.Optional(t.String({ description: 'Y-m-d H:i:00, server time; default now' })),
      title: t.Optional(t.String()),
      notes: t.Optional(t.String()),
      behavior: t.Optional(
        whole({ description: '1 no alert checks, 2 no notifications, 3 alerts as usual; default: the setting' }),
      ),
    }),
  ),
  done: documented(t.Object({ status: Ok, message: t.String() })),
  state: documented(t.Object({ status: Ok, is_under_maintenance: t.Boolean() })),
}
