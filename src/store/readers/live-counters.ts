import type { Store } from '../client.ts'
import { livePortCounters } from './state.ts'

/** Members of the port record that come from its last samples, by their API names. Text: beyond 2^53. */
export type LiveCounters = Readonly<Record<string, number | string | null>>

/** Columns that are exact in the store and whole in the API record: rates per second, times and periods in seconds. */
const WHOLE = /_rate$|^poll_/

/** The last samples of ports, by port_id, in the whole numbers of the API record; ports that were never read are absent. */
export async function liveCounters(
  store: Store,
  portIds: readonly number[],
): Promise<ReadonlyMap<number, LiveCounters>> {
  const exact = await livePortCounters(store, portIds)
  const shown = new Map<number, LiveCounters>()
  for (const [portId, counters] of exact) {
    const record: Record<string, number | string | null> = {}
    for (const name in counters) {
      const value = counters[name] ?? null
      record[name] = typeof value === 'number' && WHOLE.test(name) ? Math.round(value) : value
    }
    shown.set(portId, record)
  }
  return shown
}
