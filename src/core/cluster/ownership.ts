/** A poller as seen by the others. */
export interface PollerNode {
  /** Unique in the cluster, the same after a restart. */
  readonly name: string
  /** Whether it can poll now. */
  readonly living: boolean
  /** Poller groups in its setting `poller.groups`; null: the setting is empty. */
  readonly groups: readonly number[] | null
}

/** The assignment of devices to pollers. */
export interface Ownership {
  /** Name of the poller of a device in this poller group; null: no poller that serves the group is alive. */
  ownerOf(deviceId: number, group: number): string | null
  /** Names of the live pollers that serve a poller group. */
  serving(group: number): readonly string[]
}

/**
 * Distributes the devices of each poller group over its live pollers by rendezvous hashing: each poller has a weight
 * for a device, and the highest wins. All processes that know of the same pollers compute the same owners. When a
 * poller leaves, only its own devices move; when one joins, it takes an equal share from each of the others.
 *
 * A group listed in any poller's `poller.groups` is polled only by those pollers, even while none of them is alive,
 * because others may not be able to reach its devices. All other groups are polled by the pollers without
 * `poller.groups`.
 */
export function createOwnership(nodes: readonly PollerNode[]): Ownership {
  const assigned = new Set(nodes.flatMap(({ groups }) => groups ?? []))
  const living = nodes.filter((node) => node.living).map((node) => ({ ...node, hash: hashOf(node.name) }))
  const general = living.filter(({ groups }) => groups === null)
  const byGroup = new Map(
    [...assigned].map((group) => [group, living.filter(({ groups }) => groups?.includes(group) === true)]),
  )
  const pollersOf = (group: number) => byGroup.get(group) ?? general
  return {
    serving: (group) => pollersOf(group).map(({ name }) => name),
    ownerOf(deviceId, group) {
      const device = mix(deviceId)
      let owner: string | null = null
      let highest = -1
      for (const { name, hash } of pollersOf(group)) {
        const weight = mix(hash ^ device)
        if (weight < highest || (weight === highest && name > (owner ?? ''))) continue
        highest = weight
        owner = name
      }
      return owner
    },
  }
}

/** FNV-1a, 32 bits, of the name in UTF-8. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (const octet of new TextEncoder().encode(name)) hash = Math.imul(hash ^ octet, 0x01000193)
  return hash
}

/** Finalizer of 32-bit MurmurHash3: changing one bit of the input changes half of the output bits on average. */
function mix(number: number): number {
  let h = number
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
