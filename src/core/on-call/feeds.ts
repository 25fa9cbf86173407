import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Settings } from '../../config/schema.ts'
import { baseUrl } from '../base/base-url.ts'
import { isId } from '../base/ids.ts'
import { signingKey } from '../base/signing-key.ts'
import type { Store } from '../database/client.ts'
import { calendarOf } from './calendar.ts'
import { type Person, readSchedules, type StoredSchedule } from './read-on-call.ts'
import { MAX_RANGE_MS, type Piece } from './rotation.ts'

/** Path under which calendars are served without signing in. */
export const CALENDAR_PATH = '/on-call/calendar'

/** How far back a calendar reaches. */
const PAST_MS = 14 * 86_400_000
const WEEK_MS = 7 * 86_400_000

interface ShiftOf extends Piece {
  readonly person: Person | null
  readonly layer: number | null
  readonly override: number | null
}

/**
 * Calendars of schedules at secret addresses: the id, and a signature (HMAC-SHA-256, RFC 2104) of it and of the version
 * that ends when the address is renewed.
 */
export function createFeeds({
  store,
  settings,
  now,
}: {
  readonly store: Store
  readonly settings: Settings
  readonly now: () => number
}) {
  let key: Uint8Array | null = null

  async function secretOf({ id, feed }: { readonly id: number; readonly feed: number }): Promise<string> {
    key ??= await signingKey(store, 'on-call')
    const signature = createHmac('sha256', key).update(`calendar ${id} ${feed}`).digest().subarray(0, 18)
    return `${id}-${signature.toString('base64url')}`
  }

  return {
    /** The address of a calendar, without scheme and host if the base URL is not set; null: it has none. */
    async urlOf({ id, feed }: StoredSchedule): Promise<string | null> {
      return feed === null ? null : `${baseUrl(settings)}${CALENDAR_PATH}/${await secretOf({ id, feed })}.ics`
    },

    /** The calendar at an address; null: there is none. */
    async open(
      secret: string,
      shiftsOf: (schedule: StoredSchedule, fromMs: number, toMs: number) => readonly ShiftOf[],
    ): Promise<{ name: string; text: string } | null> {
      const id = Number(/^(\d{1,10})-[\w-]{24}$/.exec(secret)?.[1] ?? 0)
      const fromMs = now() - PAST_MS
      const [schedule] = isId(id) ? await readSchedules(store.sql, [id], fromMs - MAX_RANGE_MS) : []
      if (schedule === undefined || schedule.feed === null) return null
      const wanted = Buffer.from(await secretOf({ id, feed: schedule.feed }))
      const given = Buffer.from(secret)
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null
      const shown = shiftsOf(schedule, fromMs, fromMs + MAX_RANGE_MS)
      const begun = beginOf(shown[0], (from, to) => shiftsOf(schedule, from, to))
      const all = begun === null ? shown : shown.with(0, begun)
      const shifts = all.flatMap(({ person, layer, fromMs, toMs }) => {
        const why = layer === null ? 'Stands in' : (schedule.layers[layer]?.name ?? '')
        return person === null ? [] : [{ fromMs, toMs, person: person.name, why }]
      })
      return {
        name: schedule.name,
        text: calendarOf(schedule, shifts, URL.parse(baseUrl(settings))?.hostname ?? '', now()),
      }
    },
  }
}

/**
 * The first shift of a range with its own beginning instead of that of the range, so that its UID is the same whenever it
 * is read; null: there is none. Of one that lasts longer than is worked out it is a fixed moment, the same for a week.
 */
function beginOf(
  first: ShiftOf | undefined,
  shiftsOf: (fromMs: number, toMs: number) => readonly ShiftOf[],
): ShiftOf | null {
  if (first === undefined) return null
  const earliest = first.fromMs - MAX_RANGE_MS
  const before = shiftsOf(earliest, first.fromMs).at(-1)
  const isSame =
    before !== undefined &&
    before.person?.id === first.person?.id &&
    before.layer === first.layer &&
    before.override === first.override
  if (!isSame) return first
  const fromMs = before.fromMs > earliest ? before.fromMs : Math.floor(first.fromMs / WEEK_MS) * WEEK_MS
  return { ...first, fromMs }
}
