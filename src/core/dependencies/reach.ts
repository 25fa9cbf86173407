/** Two devices that are next to each other, in either direction. */
export interface Adjacency {
  readonly a: number
  readonly b: number
  /** What shows it, as a child's page says it: with `a` as the child, and with `b` as the child. */
  readonly viaA: string
  readonly viaB: string
}

/** A device next to another one through which the poller reaches it. */
export interface Way {
  readonly parent: number
  /** The parent is not nearer to the poller than the child: it is one of several ways around. */
  readonly further: boolean
  /** What it was computed from, for example `LLDP link Gi1/0/1`. */
  readonly via: string
}

/** Called between steps; lets other work of the thread run (see `createYielder`). */
export type Rest = () => Promise<void> | null

/** A device with more ways than this gets none, so that it is never held behind others. */
export const MAX_CONTACT_METHODS = 100
/** Links followed to find out whether a way leads through others; a way for which more would be needed is listed. */
const MAX_LOOKED = 64
/** Up to this many ways through devices as near as the device itself are listed even if they are not needed. */
const MAX_LEVEL = 2
const STEPS = 64
const MAX_VIA = 200

/**
 * The devices through which each one is reached from where the pollers are attached (`attached`): a neighbour is one of
 * them if the poller reaches it without the device itself, so a device cannot be reached exactly while none of them
 * answers. Neighbours nearer to the poller are all listed, and up to MAX_LEVEL that are as near (pairs, several uplinks);
 * others only where they are reached by a way that does not lead through another listed one (rings). Attached devices
 * have none (an empty list). Devices without a known way from the poller are not in the result. Linear in devices and
 * adjacencies.
 */
export async function waysOf(
  adjacencies: Iterable<Adjacency>,
  attached: ReadonlySet<number>,
  rest: Rest = () => null,
): Promise<ReadonlyMap<number, readonly Way[]>> {
  if (attached.size === 0) return new Map()
  const graph = await graphOf(adjacencies, attached, rest)
  const distance = await distances(graph, rest)
  const entries = await entriesOf(graph, rest)
  const marks = createMarks(graph.ids.length)
  const result = new Map<number, readonly Way[]>()
  for (let node = 1; node < graph.ids.length; node++) {
    const resting = rest()
    if (resting !== null) await resting
    if (distance[node] === UNREACHED) continue
    result.set(
      graph.ids[node] as number,
      isAttached(graph, node) ? [] : listed(graph, node, { distance, entries, marks }),
    )
  }
  return result
}

const UNREACHED = -1
/** More than the number of devices. */
const KEY = 2 ** 24

/** Devices as numbers from 1; 0 is the poller, next to the attached devices. */
interface Graph {
  readonly ids: readonly number[]
  readonly neighbours: readonly (readonly number[])[]
  readonly attached: ReadonlySet<number>
  via(child: number, parent: number): string
}

const isAttached = (graph: Graph, node: number): boolean => graph.attached.has(graph.ids[node] as number)

async function graphOf(adjacencies: Iterable<Adjacency>, attached: ReadonlySet<number>, rest: Rest): Promise<Graph> {
  const ids: number[] = [0]
  const nodes = new Map<number, number>()
  const neighbours: number[][] = [[]]
  const vias = new Map<number, string>()
  const nodeOf = (id: number): number => {
    const known = nodes.get(id)
    if (known !== undefined) return known
    nodes.set(id, ids.length)
    ids.push(id)
    neighbours.push([])
    return ids.length - 1
  }
  const note = (child: number, parent: number, via: string): void => {
    const key = child * KEY + parent
    const before = vias.get(key)
    if (before === undefined) {
      vias.set(key, via)
      neighbours[child]?.push(parent)
    } else if (before.length + via.length + 2 <= MAX_VIA && !before.split(', ').includes(via)) {
      vias.set(key, `${before}, ${via}`)
    }
  }
  for (const id of attached) {
    note(nodeOf(id), 0, '')
    note(0, nodeOf(id), '')
  }
  let steps = 0
  for (const { a, b, viaA, viaB } of adjacencies) {
    if (++steps % STEPS === 0) await rest()
    if (a === b) continue
    const [x, y] = [nodeOf(a), nodeOf(b)]
    note(x, y, viaA)
    note(y, x, viaB)
  }
  return { ids, neighbours, attached, via: (child, parent) => vias.get(child * KEY + parent) ?? '' }
}

/** Hops from the poller to each device; UNREACHED: there is no way. */
async function distances({ ids, neighbours }: Graph, rest: Rest): Promise<Int32Array> {
  const distance = new Int32Array(ids.length).fill(UNREACHED)
  distance[0] = 0
  const queue = [0]
  for (let head = 0; head < queue.length; head++) {
    if (head % STEPS === 0) await rest()
    const node = queue[head] as number
    for (const next of neighbours[node] ?? []) {
      if (distance[next] !== UNREACHED) continue
      distance[next] = (distance[node] as number) + 1
      queue.push(next)
    }
  }
  return distance
}

/**
 * For each device, those neighbours that can be reached without it. One depth-first search from the poller: a neighbour
 * above the device in its tree always can; one below it can if its branch has a link to above the device.
 */
async function entriesOf({ ids, neighbours }: Graph, rest: Rest): Promise<number[][]> {
  const size = ids.length
  const entries: number[][] = Array.from({ length: size }, () => [])
  const found = new Int32Array(size).fill(UNREACHED)
  const low = new Int32Array(size)
  const depth = new Int32Array(size)
  const at = new Int32Array(size)
  /** The search's current branch, from the poller down. */
  const branch = [0]
  /** Neighbours below a device, with the child of the device in whose branch each one is. */
  const below: [neighbour: number, child: number][][] = Array.from({ length: size }, () => [])
  let count = 0
  found[0] = count++
  let steps = 0
  while (branch.length > 0) {
    if (++steps % STEPS === 0) await rest()
    const node = branch[branch.length - 1] as number
    const next = neighbours[node]?.[at[node] as number]
    at[node] = (at[node] as number) + 1
    if (next === undefined) {
      branch.pop()
      const above = branch[branch.length - 1]
      if (above !== undefined) low[above] = Math.min(low[above] as number, low[node] as number)
      for (const [neighbour, child] of below[node] ?? [])
        if ((low[child] as number) < (found[node] as number)) entries[node]?.push(neighbour)
      continue
    }
    if (found[next] === UNREACHED) {
      found[next] = count
      low[next] = count++
      depth[next] = branch.length
      branch.push(next)
      below[node]?.push([next, next])
      entries[next]?.push(node)
    } else if ((found[next] as number) < (found[node] as number) && next !== branch[branch.length - 2]) {
      low[node] = Math.min(low[node] as number, found[next] as number)
      entries[node]?.push(next)
      below[next]?.push([node, branch[(depth[next] as number) + 1] as number])
    }
  }
  return entries
}

interface Found {
  readonly distance: Int32Array
  /** See `entriesOf`. */
  readonly entries: readonly number[][]
  readonly marks: ReturnType<typeof createMarks>
}

/** Two sets of devices that are cleared in constant time. */
function createMarks(size: number) {
  const marks = { known: new Int32Array(size), seen: new Int32Array(size) }
  const rounds = { known: 0, seen: 0 }
  return {
    /** Empties a set. Returns what adds a device to it, and whether it was new. */
    begin(which: 'known' | 'seen'): (node: number) => boolean {
      const round = ++rounds[which]
      const mark = marks[which]
      return (node) => {
        if (mark[node] === round) return false
        mark[node] = round
        return true
      }
    },
    isKnown: (node: number): boolean => marks.known[node] === rounds.known,
  }
}

/** The ways of a device that are listed: see `waysOf`. */
function listed(graph: Graph, node: number, { distance, entries, marks }: Found): Way[] {
  const all = entries[node] ?? []
  const known = marks.begin('known')
  for (const way of all) known(way)
  const isNearer = (way: number) => (distance[way] as number) < (distance[node] as number)
  /** Every way to it leads through the device or another neighbour: where it answers, that one does too. */
  const isImplied = (way: number): boolean => {
    const isFirst = marks.begin('seen')
    isFirst(way)
    const seen = [way]
    let looked = 0
    for (const one of seen) {
      for (const next of graph.neighbours[one] ?? []) {
        if (next === 0 || ++looked > MAX_LOOKED) return false
        if (next !== node && !marks.isKnown(next) && isFirst(next)) seen.push(next)
      }
    }
    return true
  }
  const level = all.filter((way) => distance[way] === distance[node])
  const shown = new Set(level.length <= MAX_LEVEL ? level : [])
  const ways = all.filter((way) => isNearer(way) || shown.has(way) || !isImplied(way))
  if (ways.length > MAX_CONTACT_METHODS) return []
  return ways
    .map((way) => ({ parent: graph.ids[way] as number, further: !isNearer(way), via: graph.via(node, way) }))
    .toSorted((a, b) => a.parent - b.parent)
}
