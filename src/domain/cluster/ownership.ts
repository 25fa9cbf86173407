/** A poller as the others see it. */
export interface PollerNode {
  /** Unique in the cluster, the same after a restart. */
  readonly name: string
  readonly living: boolean
  /** Poller groups that it names; null: none, it serves the groups that no poller names. */
  readonly groups: readonly number[] | null
}

/** Which poller polls which device. */
export interface Ownership {
  /** Name of the device's poller; null: no living poller serves its group. */
  ownerOf(deviceId: number, group: number): string | null
  /** Names of the living pollers that serve a group. */
  serving(group: number): readonly string[]
}

/**
 * Spreads the devices of each poller group over its living pollers by rendezvous hashing: the same answer in every
 * process that sees the same pollers; a poller that goes gives away its own devices only, one that comes takes its share
 * from all others. A group that a poller names, living or not, is served by pollers that name it and by no others, since
 * those may not reach its devices; every other group by the pollers that name none.
 */
export function createOwnership(nodes: readonly PollerNode[]): Ownership {
  const named = new Set(nodes.flatMap(({ groups }) => groups ?? []))
  const living = nodes.filter((node) => node.living).map((node) => ({ ...node, seed: seedOf(node.name) }))
  const general = living.filter(({ groups }) => groups === null)
  const byGroup = new Map(
    [...named].map((group) => [group, living.filter(({ groups }) => groups?.includes(group) === true)]),
  )
  const of = (group: number) => byGroup.get(group) ?? general
  return {
    serving: (group) => of(group).map(({ name }) => name),
    ownerOf(deviceId, group) {
      const device = mixed(deviceId)
      let owner: string | null = null
      let best = -1
      for (const { name, seed } of of(group)) {
        const weight = mixed(seed ^ device)
        if (weight < best || (weight === best && name > (owner ?? ''))) continue
        best = weight
        owner = name
      }
      return owner
    },
  }
}

/** FNV-1a of the name's UTF-8. */
function seedOf(name: string): number {
  let hash = 0x811c9dc5
  for (const octet of new TextEncoder().encode(name)) hash = Math.imul(hash ^ octet, 0x01000193)
  return hash
}

/** The finalizer of MurmurHash3, 32 bits: every bit of the number changes half of the result's. */
function mixed(number: number): number {
  let h = number
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
