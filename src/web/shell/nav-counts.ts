import type { Actor } from '../../domain/actor.ts'
import type { Services } from '../../domain/services.ts'
import type { NavCounts } from './layout.tsx'

/** How long the numbers are kept. */
const FRESH_MS = 5000
const REMEMBERED = 1000

/** Numbers beside the navigation for an actor: what needs someone, at most five seconds old. */
export function createNavCounts({ fleet }: Pick<Services, 'fleet'>): (actor: Actor) => Promise<NavCounts> {
  const known = new Map<number, { readonly atMs: number; readonly counts: Promise<NavCounts> }>()
  return (actor) => {
    const key = actor.userId ?? 0
    const last = known.get(key)
    if (last !== undefined && Date.now() - last.atMs < FRESH_MS) return last.counts
    const counts = fleet.deviceCounts(actor).then(({ down }): NavCounts => ({ '/devices': down }))
    counts.catch(() => known.delete(key))
    if (known.size >= REMEMBERED) known.clear()
    known.set(key, { atMs: Date.now(), counts })
    return counts
  }
}
