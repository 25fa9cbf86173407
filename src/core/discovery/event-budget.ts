import { steadyNow } from '../../lib/steady.ts'
import type { Store } from '../database/client.ts'
import { type Event, writeEvents } from './events.ts'

/**
 * Limits the events of one type that a device gets in an hour, so that a device whose names change at every poll does not
 * fill the event log. What is beyond the limit becomes one event with its number once the hour is over.
 *
 * Counts are kept in memory, by each process for what it stores: after a restart an hour begins anew, and the number of events
 * that were not listed in the hour before it is lost.
 */
export interface EventBudget {
  /** Divides events into those to be stored and the others. Changes nothing, because storing them may fail. */
  choose(events: readonly Event[]): EventChoice
  /** Counts a choice whose events are stored. */
  count(choice: EventChoice): void
  /** Events with the numbers of what was not listed, of hours that are over. They stay due until `reported`. */
  due(): readonly Event[]
  reported(events: readonly Event[]): void
  /** Events not listed since the start. */
  readonly unlisted: number
  /** What was not listed lately; null: everything was. */
  recent(): UnlistedEvents | null
}

export interface EventChoice {
  readonly listed: readonly Event[]
  readonly unlisted: readonly Event[]
}

export interface UnlistedEvents {
  readonly count: number
  /** The devices with most of them first, at most MAX_NAMED. */
  readonly deviceIds: readonly number[]
  readonly devices: number
}

const HOUR_MS = 3_600_000
/** Maximum number of pairs of device and type whose events are counted; beyond it the oldest hours end early. */
const MAX_COUNTED = 20_000
/** Maximum number of devices named in `recent`. */
const MAX_NAMED = 5

/** Events of one type of one device in the hour that began with the first of them. */
interface Hour {
  readonly deviceId: number
  readonly type: string
  readonly since: number
  listed: number
  unlisted: number
}

/** `limit`: events per hour, device and type; 0: any number. `now`: ms by a clock that nobody sets. */
export function createEventBudget(limit: () => number, now: () => number = steadyNow): EventBudget {
  /** In the order in which the hours began. */
  const hours = new Map<string, Hour>()
  /** Hours that are over, with events that were not listed and have not been reported. */
  let over: Hour[] = []
  let reported: Hour[] = []
  let total = 0

  const keyOf = ({ deviceId, type }: Event): string => `${deviceId} ${type}`
  const isOver = ({ since }: Hour): boolean => now() - since >= HOUR_MS || since > now()

  function end(key: string, hour: Hour): void {
    hours.delete(key)
    if (hour.unlisted > 0 && over.length < MAX_COUNTED) over.push(hour)
  }

  function endHours(): void {
    for (const [key, hour] of hours) {
      if (!isOver(hour)) return
      end(key, hour)
    }
  }

  function hourOf(event: Event): Hour {
    const key = keyOf(event)
    const known = hours.get(key)
    if (known !== undefined && !isOver(known)) return known
    if (known !== undefined) end(key, known)
    if (hours.size >= MAX_COUNTED) endHours()
    for (const [oldest, hour] of hours) {
      if (hours.size < MAX_COUNTED) break
      end(oldest, hour)
    }
    const hour = { deviceId: event.deviceId, type: event.type, since: now(), listed: 0, unlisted: 0 }
    hours.set(key, hour)
    return hour
  }

  return {
    choose(events) {
      const most = limit()
      if (most === 0) return { listed: events, unlisted: [] }
      const used = new Map<string, number>()
      const [listed, unlisted]: [Event[], Event[]] = [[], []]
      for (const event of events) {
        const key = keyOf(event)
        const hour = hours.get(key)
        const before = used.get(key) ?? (hour === undefined || isOver(hour) ? 0 : hour.listed)
        used.set(key, before + 1)
        if (before < most) listed.push(event)
        else unlisted.push(event)
      }
      return { listed, unlisted }
    },
    count({ listed, unlisted }) {
      if (limit() === 0) return
      for (const event of listed) hourOf(event).listed++
      for (const event of unlisted) hourOf(event).unlisted++
      total += unlisted.length
    },
    due() {
      endHours()
      return over.map(({ deviceId, type, unlisted }) => ({
        deviceId,
        message: `${unlisted} further ${type} events in the last hour were not listed`,
        type,
        reference: null,
        severity: 4,
      }))
    },
    reported(events) {
      reported = [...reported, ...over.slice(0, events.length)].slice(-MAX_COUNTED)
      over = over.slice(events.length)
    },
    get unlisted() {
      return total
    },
    recent() {
      reported = reported.filter(({ since }) => now() - since < 2 * HOUR_MS)
      const byDevice = new Map<number, number>()
      for (const { deviceId, unlisted } of [...reported, ...over, ...hours.values()])
        if (unlisted > 0) byDevice.set(deviceId, (byDevice.get(deviceId) ?? 0) + unlisted)
      if (byDevice.size === 0) return null
      const most = [...byDevice].sort(([, a], [, b]) => b - a)
      const count = most.reduce((sum, [, n]) => sum + n, 0)
      return { count, deviceIds: most.slice(0, MAX_NAMED).map(([id]) => id), devices: most.length }
    },
  }
}

/** Lists everything. */
export const UNLIMITED_EVENTS: EventBudget = createEventBudget(() => 0)

/** Stores the events that say how many were not listed, of devices that still exist. Throws StoreError. */
export async function writeUnlisted(store: Store, budget: EventBudget): Promise<void> {
  const due = budget.due()
  if (due.length === 0) return
  await store.sql.begin(async (tx) => {
    const ids = [...new Set(due.map(({ deviceId }) => deviceId))]
    const found = await tx<{ device_id: number }[]>`select device_id from devices where device_id = any(${ids}::int[])`
    const existing = new Set(found.map(({ device_id }) => device_id))
    await writeEvents(
      tx,
      due.filter(({ deviceId }) => existing.has(deviceId)),
    )
  })
  budget.reported(due)
}
