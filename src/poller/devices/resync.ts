import type { Upstream } from '../../core/pollers/upstream.ts'
import { slices } from '../../lib/slices.ts'
import type { PolledDevice } from './polled-device.ts'

/** Number of devices whose digests are compared at a time. */
const COMPARED_AT_ONCE = 200
/** Number of devices read at a time, lower because rows that arrive together block the main thread while they are decoded. */
const READ_AT_ONCE = 20
/** Pause after each step, as a multiple of the time it took. */
const REST = 3

export interface Resync {
  readonly upstream: Pick<Upstream, 'digests'>
  readonly devices: ReadonlyMap<number, PolledDevice>
  /** Ids of this poller's devices; drops all others. */
  ownIds(): Promise<number[]>
  reload(deviceIds: readonly number[], digests: ReadonlyMap<number, string>): Promise<void>
}

/**
 * Reads the devices again that changed without a notification. Slow, resting longer than it works, because nobody waits
 * for it and the API has to answer meanwhile.
 */
export async function resync({ upstream: centre, devices: entries, ownIds, reload }: Resync): Promise<void> {
  for (const ids of slices(await ownIds(), COMPARED_AT_ONCE)) {
    const digests = await rested(() => centre.digests(ids))
    const changed = ids.filter((id) => {
      const digest = entries.get(id)?.digest ?? null
      return digest === null || digest !== digests.get(id)
    })
    for (const part of slices(changed, READ_AT_ONCE)) await rested(() => reload(part, digests))
  }
}

async function rested<T>(step: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await step()
  await Bun.sleep(REST * (performance.now() - began))
  return result
}
