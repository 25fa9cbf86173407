import type { Store } from '../client.ts'

/** Members of the port record that come from its last two samples, by their API names. Text: beyond 2^53. */
export type LiveCounters = Readonly<Record<string, number | string | null>>

/** The last samples of ports that were ever sampled, by port_id. */
export async function liveCounters(
  _store: Store,
  _portIds: readonly number[],
): Promise<ReadonlyMap<number, LiveCounters>> {
  return new Map()
}
