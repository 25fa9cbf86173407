import type { Actor } from '../../core/base/actor.ts'
import { isAllowed } from '../../core/base/permissions.ts'
import type { Services } from '../../core/services.ts'
import { steadyNow } from '../../lib/steady.ts'
import type { NavCounts } from './layout.tsx'

/** How long counts are cached. */
const FRESH_MS = 5000
/** The same after a change: shorter than a page waits before it asks, so the counts include the change. */
export const NEW_MS = 200
const REMEMBERED = 1000

/** Returns the counts in an actor's navigation: what needs attention, at most `freshMs` old. */
export function createNavCounts({
  fleet,
  alertList,
  candidates,
  config,
}: Pick<Services, 'fleet' | 'alertList' | 'candidates' | 'config'>) {
  const known = new Map<number, { readonly atMs: number; readonly counts: Promise<NavCounts> }>()
  /** What needs attention, by address of the page; 0 for pages that the actor may not open. */
  async function read(actor: Actor): Promise<NavCounts> {
    const [devices, alerts, found] = await Promise.all([
      isAllowed(actor, 'Device.viewAny', config) ? fleet.deviceCounts(actor) : null,
      isAllowed(actor, 'Alert.viewAny', config) ? alertList.waiting(actor) : 0,
      candidates.waiting(actor),
    ])
    return { '/devices': devices?.down ?? 0, '/alerts': alerts, '/found': found }
  }
  return (actor: Actor, freshMs = FRESH_MS): Promise<NavCounts> => {
    const key = actor.userId ?? 0
    const last = known.get(key)
    if (last !== undefined && steadyNow() - last.atMs < freshMs) return last.counts
    const counts = read(actor)
    counts.catch(() => known.delete(key))
    if (known.size >= REMEMBERED) known.clear()
    known.set(key, { atMs: steadyNow(), counts })
    return counts
  }
}
