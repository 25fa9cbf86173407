import { MAX_CONTACT_METHODS, type Way } from './reach.ts'

/** A device without links that is seen at a port of another one, which it is reached through. */
export interface Station {
  readonly child: number
  readonly parent: number
  /** What shows it, for example `MAC address seen on Gi1/0/17`. */
  readonly via: string
}

/**
 * Adds devices without links to those that are reached over links: each through the devices at which it is seen, if these
 * are reached themselves. Nothing is reached through a device but what is seen at its own ports. Linear.
 */
export function withStations(
  ways: ReadonlyMap<number, readonly Way[]>,
  stations: readonly Station[],
): ReadonlyMap<number, readonly Way[]> {
  const below = Map.groupBy(
    stations.filter(({ child, parent }) => child !== parent && !ways.has(child)),
    ({ parent }) => parent,
  )
  const result = new Map(ways)
  const level = new Map([...ways.keys()].map((id) => [id, 0]))
  const queue = [...ways.keys()]
  for (const parent of queue) {
    const next = (level.get(parent) ?? 0) + 1
    for (const { child, via } of below.get(parent) ?? []) {
      const at = level.get(child)
      if (at === undefined) {
        level.set(child, next)
        queue.push(child)
      }
      const before = result.get(child) ?? []
      if (before.some((way) => way.parent === parent)) continue
      result.set(child, [...before, { parent, further: at !== undefined && at < next, via }])
    }
  }
  for (const [id, list] of result) if (list.length > MAX_CONTACT_METHODS) result.set(id, [])
  return result
}
