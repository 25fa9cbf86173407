import type { Store } from '../database/client.ts'
import { type LivePortCounters, type LiveRow, liveOf, livePortCounters } from './read-port-state.ts'

/** Members of the port record derived from its latest samples, by API name. Text: an integer beyond 2^53. */
export type LiveCounters = Readonly<Record<string, number | string | null>>

/**
 * Columns that are fractional in the store and integers in the API record: rates per second, times and periods in
 * seconds.
 */
const WHOLE = /_rate$|^poll_/

/** Latest samples of ports by port_id, as integers for the API record; ports that were never polled are absent. */
export async function liveCounters(
  store: Store,
  portIds: readonly number[],
): Promise<ReadonlyMap<number, LiveCounters>> {
  const exact = await livePortCounters(store, portIds)
  const shown = new Map<number, LiveCounters>()
  for (const [portId, counters] of exact) shown.set(portId, whole(counters))
  return shown
}

/** The same for a row of LIVE_SQL; null: the port was never polled. */
export function liveCountersOf(row: LiveRow): LiveCounters | null {
  const exact = liveOf(row)
  return exact === null ? null : whole(exact)
}

function whole(counters: LivePortCounters): LiveCounters {
  const record: Record<string, number | string | null> = {}
  for (const name in counters) {
    const value = counters[name] ?? null
    record[name] = typeof value === 'number' && WHOLE.test(name) ? Math.round(value) : value
  }
  return record
}
