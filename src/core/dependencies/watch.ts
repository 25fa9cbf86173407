import type { Settings } from '../../config/schema.ts'
import { clocksOf } from '../../lib/steady.ts'
import type { Store } from '../database/client.ts'
import type { Reachability } from './reachability.ts'
import { readReachability } from './read-reachability.ts'
import { storeUnreachable } from './write-unreachable.ts'

export interface WatchDeps {
  readonly store: Store
  readonly settings: Settings
  /** Has the pollers ask these devices soon. */
  readonly ask: (deviceIds: readonly number[]) => void
  readonly maintenance: (at: number) => Promise<Maintenance>
  /** Epoch ms. Default: the clock. */
  readonly now?: () => number
}

/** Devices asked at a time. */
const MAX_ASKED = 2000

/** Behaviour of the maintenance windows that devices are in, by device_id. */
type Maintenance = ReadonlyMap<number, 1 | 2 | 3>

/** Which devices are unreachable at a time, epoch ms. `told`: see `ReachabilityOptions`. Throws StoreError. */
export async function reachabilityNow(
  store: Store,
  settings: Settings,
  { maintenance, at, told }: { readonly maintenance: Maintenance; readonly at: number; readonly told: boolean },
): Promise<Reachability> {
  const maintained = new Set([...maintenance].flatMap(([id, behavior]) => (behavior === 3 ? [] : [id])))
  return await readReachability(store, { waitS: settings.get('dependencies.wait'), maintained, now: at, told })
}

/** Keeps track of which devices are unreachable, and asks those on whose answer it depends. */
export function createWatch({ store, settings, ask, maintenance, now: given }: WatchDeps) {
  const { now, steady } = clocksOf(given)
  /** By `steadyNow`. */
  const askedAt = new Map<number, number>()
  return {
    /** One look. Returns whether it depends on answers that are still to come. Throws StoreError. */
    async look(): Promise<boolean> {
      const at = now()
      const reachability = await reachabilityNow(store, settings, {
        maintenance: await maintenance(at),
        at,
        told: false,
      })
      await storeUnreachable(store, reachability, at)
      const wanted = reachability.toAsk(at, MAX_ASKED)
      const askedMs = steady()
      const since = askedMs - settings.get('status.retry') * 1000
      for (const [id, when] of askedAt) if (when <= since) askedAt.delete(id)
      const due = wanted.filter((id) => !askedAt.has(id))
      for (const id of due) askedAt.set(id, askedMs)
      if (due.length > 0) ask(due)
      return wanted.length > 0
    },
  }
}
