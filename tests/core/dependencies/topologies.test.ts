import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { type Adjacency, waysOf } from '../../../src/core/dependencies/reach.ts'
import { type Observed, type Relation, reachabilityOf } from '../../../src/core/dependencies/reachability.ts'
import { withStations } from '../../../src/core/dependencies/stations.ts'

// Random networks with random dead devices, against the plainest possible oracle: what can be reached from the poller over
// living devices.

setDefaultTimeout(120_000)

interface Network {
  readonly size: number
  readonly links: readonly (readonly [number, number])[]
  readonly attached: ReadonlySet<number>
}

const link = (a: number, b: number): Adjacency => ({ a, b, viaA: `to ${b}`, viaB: `to ${a}` })

/** Devices are 1 to `size`. Trees, rings and meshes; parts may be without any connection. */
const networks: fc.Arbitrary<Network> = fc.integer({ min: 1, max: 14 }).chain((size) => {
  const device = fc.integer({ min: 1, max: size })
  return fc.record({
    size: fc.constant(size),
    links: fc.array(fc.tuple(device, device), { maxLength: size * 2 }),
    attached: fc.uniqueArray(device, { maxLength: 3 }).map((ids) => new Set(ids)),
  })
})

const subset = (size: number) => fc.uniqueArray(fc.integer({ min: 1, max: size })).map((ids) => new Set(ids))

const all = ({ size }: Network): number[] => Array.from({ length: size }, (_, i) => i + 1)

const neighboursOf = ({ links }: Network, id: number): number[] =>
  links.flatMap(([a, b]) => (a === b ? [] : a === id ? [b] : b === id ? [a] : []))

/** Devices that answer the poller: reached over living devices. */
function answering(network: Network, dead: ReadonlySet<number>): Set<number> {
  const reached = new Set([...network.attached].filter((id) => !dead.has(id)))
  for (const id of reached) for (const next of neighboursOf(network, id)) if (!dead.has(next)) reached.add(next)
  return reached
}

async function relationsOf({ links, attached }: Network): Promise<Relation[]> {
  const ways = await waysOf(
    links.map(([a, b]) => link(a, b)),
    attached,
  )
  return [...ways].flatMap(([child, parents]) => parents.map(({ parent }): Relation => [child, parent]))
}

const NOW = 1_000_000
const WAIT = 30_000

interface Fate {
  readonly answers: ReadonlySet<number>
  readonly mute?: ReadonlySet<number>
  readonly disabled?: ReadonlySet<number>
  /** Does not answer, but has not been asked since. */
  readonly stale?: ReadonlySet<number>
}

function observed(network: Network, { answers, mute, disabled, stale }: Fate): Observed[] {
  return all(network).map((id) => {
    const isUp = answers.has(id)
    const status = disabled?.has(id) ? 'unknown' : isUp || stale?.has(id) ? 'up' : 'down'
    return {
      id,
      status,
      mute: mute?.has(id) === true || disabled?.has(id) === true,
      heardAt: status === 'unknown' ? null : isUp ? NOW : 500_000 + id,
      downAt: status === 'down' ? 600_000 + id : null,
      upAt: null,
    }
  })
}

/** The poller reaches what is next to it, or it is next to the poller. */
const hasLivingWay = (network: Network, id: number, answers: ReadonlySet<number>): boolean =>
  network.attached.has(id) || neighboursOf(network, id).some((next) => answers.has(next))

describe('random networks', () => {
  test('a device is held exactly when all of its ways are down', async () => {
    await fc.assert(
      fc.asyncProperty(
        networks.chain((network) => fc.tuple(fc.constant(network), subset(network.size), subset(network.size))),
        async ([network, dead, late]) => {
          const answers = answering(network, dead)
          const known = answering(network, new Set())
          const held = (id: number) => known.has(id) && !answers.has(id) && !hasLivingWay(network, id, answers)
          const relations = await relationsOf(network)
          const reachability = reachabilityOf(observed(network, { answers }), relations, WAIT)
          expect(all(network).filter((id) => reachability.unreachable.has(id))).toEqual(all(network).filter(held))
          // while not everything has been asked again, none is held that would not be in the end
          const stale = new Set([...late].filter((id) => !answers.has(id)))
          const early = reachabilityOf(observed(network, { answers, stale }), relations, WAIT)
          for (const id of early.unreachable.keys()) expect(held(id)).toBe(true)
          for (const [id, { cause }] of reachability.unreachable) {
            expect(dead.has(cause)).toBe(true)
            expect(hasLivingWay(network, cause, answers)).toBe(true)
            expect(reachability.whoIsBehind(cause, 100)).toContain(id)
          }
        },
      ),
      { numRuns: 3000 },
    )
  })

  test('devices without alerts, and those that nobody looks at, silence nobody', async () => {
    await fc.assert(
      fc.asyncProperty(
        networks.chain((network) =>
          fc.tuple(fc.constant(network), subset(network.size), subset(network.size), subset(network.size)),
        ),
        async ([network, dead, mute, disabled]) => {
          const answers = answering(network, dead)
          const reachability = reachabilityOf(
            observed(network, { answers, mute, disabled }),
            await relationsOf(network),
            WAIT,
          )
          const heard = (id: number) => !mute.has(id) && !disabled.has(id)
          const down = all(network).filter((id) => !answers.has(id) && heard(id))
          for (const id of down) {
            if (hasLivingWay(network, id, answers)) expect(reachability.unreachable.has(id)).toBe(false)
            const cause = reachability.unreachable.get(id)?.cause
            // behind what is held there is an alert
            if (cause !== undefined) expect([heard(cause), reachability.unreachable.has(cause)]).toEqual([true, false])
          }
          if (down.length > 0) expect(down.some((id) => !reachability.unreachable.has(id))).toBe(true)
        },
      ),
      { numRuns: 3000 },
    )
  })

  test('any parents whatever, circles among them, silence not everything', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }).chain((size) => {
          const device = fc.integer({ min: 1, max: size })
          return fc.tuple(fc.constant(size), fc.array(fc.tuple(device, device), { maxLength: 20 }), subset(size))
        }),
        ([size, relations, dead]) => {
          const network = { size, links: [], attached: new Set<number>() }
          const answers = new Set(all(network).filter((id) => !dead.has(id)))
          const reachability = reachabilityOf(observed(network, { answers }), relations, WAIT)
          if (dead.size > 0) expect([...dead].some((id) => !reachability.unreachable.has(id))).toBe(true)
          for (const { cause } of reachability.unreachable.values()) {
            expect(dead.has(cause)).toBe(true)
            expect(reachability.unreachable.has(cause)).toBe(false)
          }
          for (const id of reachability.unreachable.keys()) expect(dead.has(id)).toBe(true)
        },
      ),
      { numRuns: 5000 },
    )
  })

  test('where the poller is attached is unknown, or a part is an island: no parents', async () => {
    const links = [link(1, 2), link(2, 3), link(8, 9)]
    expect(await waysOf(links, new Set())).toEqual(new Map())
    const ways = await waysOf(links, new Set([1]))
    expect([...ways.keys()]).toEqual([1, 2, 3])
  })
})

describe('known networks', () => {
  const parents = async (links: readonly (readonly [number, number])[], attached: readonly number[]) => {
    const ways = await waysOf(
      links.map(([a, b]) => link(a, b)),
      new Set(attached),
    )
    return Object.fromEntries([...ways].map(([id, list]) => [id, list.map(({ parent }) => parent)]))
  }

  test('a tree: each device has the one above it', async () => {
    expect(
      await parents(
        [
          [1, 2],
          [1, 3],
          [3, 4],
        ],
        [1],
      ),
    ).toEqual({ 1: [], 2: [1], 3: [1], 4: [3] })
  })

  test('several uplinks: all of them', async () => {
    // two cores, two distribution switches with a link between them, an access switch
    const links = [
      [1, 2],
      [1, 3],
      [1, 4],
      [2, 3],
      [2, 4],
      [3, 4],
      [3, 5],
      [4, 5],
    ] as const
    expect(await parents(links, [1])).toEqual({ 1: [], 2: [1, 3, 4], 3: [1, 2, 4], 4: [1, 2, 3], 5: [3, 4] })
  })

  test('a ring that the poller enters at one place: both ways around', async () => {
    const links = [
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 1],
    ] as const
    expect(await parents(links, [1])).toEqual({ 1: [], 2: [1], 3: [2, 4], 4: [1] })
  })

  test('a ring that the poller enters at two places: also the way around', async () => {
    const ways = await waysOf([link(1, 2), link(2, 3), link(3, 4)], new Set([1, 4]))
    expect(ways.get(2)).toEqual([
      { parent: 1, further: false, via: 'to 1' },
      { parent: 3, further: true, via: 'to 3' },
    ])
  })

  test('several links between two devices are one way, which names them', async () => {
    const links = [
      { a: 1, b: 2, viaA: '', viaB: 'LLDP link Gi1' },
      { a: 2, b: 1, viaA: 'LLDP link Gi2', viaB: '' },
      { a: 2, b: 1, viaA: 'LLDP link Gi2', viaB: '' },
    ]
    expect((await waysOf(links, new Set([1]))).get(2)).toEqual([
      { parent: 1, further: false, via: 'LLDP link Gi1, LLDP link Gi2' },
    ])
  })
})

describe('devices without links', () => {
  test('are reached through the devices at which they are seen, and nothing is reached through them', async () => {
    const links = await waysOf([link(1, 2)], new Set([1]))
    const seen = (child: number, parent: number) => ({ child, parent, via: `at ${parent}` })
    // 5 is seen at 2 and at 3, of which it is not known where it is; 6 is seen at 4, a switch without links behind 2
    const ways = withStations(links, [seen(5, 2), seen(5, 3), seen(4, 2), seen(6, 4), seen(2, 5)])
    expect(Object.fromEntries([...ways].map(([id, list]) => [id, list.map(({ parent }) => parent)]))).toEqual({
      1: [],
      2: [1],
      4: [2],
      5: [2],
      6: [4],
    })
  })
})
