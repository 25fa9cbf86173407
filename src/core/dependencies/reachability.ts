/** A device as far as its parents and children are concerned. Times are epoch ms; null: never, or unknown. */
export interface Observed {
  readonly id: number
  /** `unknown`: it is not polled, because it is disabled. */
  readonly status: 'up' | 'down' | 'unknown'
  /** No alerts are sent for it: it is ignored, or in maintenance. */
  readonly mute: boolean
  /** Its last answer to a ping or poll. */
  readonly heardAt: number | null
  /** When its present outage began. Only if it is down. */
  readonly downAt: number | null
  /** When its last outage ended. Only if it is up. */
  readonly upAt: number | null
}

/** A child that is reached through a parent, among other ways. */
export type Relation = readonly [child: number, parent: number]

/** A device that cannot be reached, because each of its ways is down. */
export interface Unreachable {
  /** A device that is down although a way to it is up: alerts are sent for it instead. */
  readonly cause: number
  /** When the last of its ways went down, epoch ms. */
  readonly since: number
  /** It has not been seen down itself yet. */
  readonly presumed: boolean
}

/** Which devices are unreachable rather than down, and for which that is not known yet. */
export interface Reachability {
  readonly unreachable: ReadonlyMap<number, Unreachable>
  /** Number of devices that are unreachable because this one is down, without those for which no alerts are sent. */
  behind(cause: number): number
  /** Their ids, at most `limit`. */
  whoIsBehind(cause: number, limit: number): readonly number[]
  /**
   * Until when it is not known whether a device that is down is itself the reason, epoch ms: its parents have not answered
   * yet since it went down, or one of them has only just come back. null: it is known.
   */
  openUntil(deviceId: number): number | null
  /** Devices to ask now (epoch ms), because it depends on their answer: at most `limit`. */
  toAsk(now: number, limit: number): readonly number[]
}

/** How long an answer may be older than the end of what it is compared with, ms: times of outages are whole seconds. */
const SLACK_MS = 5000
const SECOND_MS = 1000

interface Node extends Observed {
  readonly parents: Node[]
  readonly children: Node[]
  /** Parents that are not blocked. */
  waysUp: number
  /** Nothing passes it: since when, epoch ms. null: something may. */
  blockedAt: number | null
  /** Each of its ways is blocked: since when, epoch ms. null: not so. */
  closedAt: number | null
  /** Why it is unreachable; null: it is not. */
  cause: number | null
}

/**
 * Which devices are unreachable. A device is, if it has parents and each of them is down, or unreachable itself, and
 * nothing has been heard from it since. A parent for which no alerts are sent, or that is disabled, counts as down only if
 * its own parents do, so that it silences nobody. Neither do loops: for each unreachable device there is one that is down
 * although a way to it is up. Linear in devices and relations.
 *
 * `waitMs`: how long to wait for the answers of parents, and of a device whose parent is back.
 */
export function reachabilityOf(
  devices: Iterable<Observed>,
  relations: Iterable<Relation>,
  waitMs: number,
): Reachability {
  const nodes = new Map<number, Node>()
  for (const one of devices)
    nodes.set(one.id, { ...one, parents: [], children: [], waysUp: 0, blockedAt: null, closedAt: null, cause: null })
  for (const [child, parent] of relations) {
    const [below, above] = [nodes.get(child), nodes.get(parent)]
    if (below === undefined || above === undefined || below === above) continue
    below.parents.push(above)
    above.children.push(below)
    below.waysUp++
  }
  close(nodes)
  const causes = blame(nodes)
  const unreachable = new Map<number, Unreachable>()
  for (const { id, cause, closedAt, status } of nodes.values())
    if (cause !== null && closedAt !== null)
      unreachable.set(id, { cause, since: closedAt, presumed: status !== 'down' })
  const whoIsBehind = (id: number, limit: number): number[] => {
    const cause = nodes.get(id)
    return cause === undefined || !causes.has(cause) ? [] : behindOf(cause, limit)
  }
  return {
    unreachable,
    behind: (id) => whoIsBehind(id, Number.POSITIVE_INFINITY).length,
    whoIsBehind,
    openUntil(id) {
      const node = nodes.get(id)
      return node === undefined || node.status !== 'down' ? null : openUntil(node, waitMs)
    },
    toAsk(now, limit) {
      const ids = new Set<number>()
      for (const node of nodes.values()) {
        if (ids.size >= limit) break
        if (node.status !== 'down' || (openUntil(node, waitMs) ?? 0) <= now) continue
        ids.add(node.id)
        for (const { id, status, blockedAt } of node.parents)
          if (status !== 'unknown' && blockedAt === null) ids.add(id)
      }
      return [...ids].slice(0, limit)
    },
  }
}

/** It is down, and nothing was heard from it since: an answer shows that something passes it. */
const isDead = ({ status, heardAt, downAt }: Observed): boolean =>
  status === 'down' && (heardAt === null || downAt === null || heardAt <= downAt + SLACK_MS)

/** Spreads from the devices that are down to those behind them. */
function close(nodes: ReadonlyMap<number, Node>): void {
  const queue: Node[] = []
  const block = (node: Node, at: number): void => {
    if (node.blockedAt !== null) return
    node.blockedAt = at
    queue.push(node)
  }
  for (const node of nodes.values()) if (isDead(node) && !node.mute) block(node, node.downAt ?? 0)
  for (let head = 0; head < queue.length; head++) {
    for (const child of queue[head]?.children ?? []) {
      child.waysUp--
      if (child.waysUp > 0) continue
      const at = Math.max(...child.parents.map(({ blockedAt }) => blockedAt ?? 0))
      // what has answered since then has a way that is not known
      if (child.heardAt !== null && child.heardAt > at + SLACK_MS) continue
      child.closedAt = at
      block(child, at)
    }
  }
}

/** Marks what is behind devices that are down although a way to them is up; returns these. */
function blame(nodes: ReadonlyMap<number, Node>): ReadonlySet<Node> {
  const causes = new Set<Node>()
  for (const node of nodes.values()) if (node.blockedAt !== null && node.closedAt === null) causes.add(node)
  const queue = [...causes]
  for (let head = 0; head < queue.length; head++) {
    const node = queue[head] as Node
    for (const child of node.children) {
      if (child.closedAt === null || child.cause !== null) continue
      child.cause = node.cause ?? node.id
      queue.push(child)
    }
  }
  return causes
}

function behindOf(cause: Node, limit: number): number[] {
  const seen = new Set([cause])
  const ids: number[] = []
  for (const node of seen) {
    if (node !== cause && !node.mute && node.status !== 'unknown') ids.push(node.id)
    if (ids.length >= limit) break
    for (const child of node.children) if (child.cause !== null) seen.add(child)
  }
  return ids
}

function openUntil(node: Node, waitMs: number): number | null {
  if (node.parents.length === 0 || node.cause !== null) return null
  const downAt = node.downAt ?? 0
  const ways = node.parents.filter(({ blockedAt }) => blockedAt === null)
  // an answer that is newer than the outage shows that the way is up
  const isHeard = ways.some(({ heardAt }) => heardAt !== null && heardAt > downAt + SECOND_MS)
  const askedUntil = isHeard || ways.length === 0 ? 0 : downAt + waitMs
  // it was unreachable until the first of its parents came back
  const back = Math.min(...ways.map((way) => (way.status === 'down' ? (way.heardAt ?? 0) : (way.upAt ?? 0))))
  const backUntil = Number.isFinite(back) && back > downAt ? back + waitMs : 0
  const until = Math.max(askedUntil, backUntil)
  return until === 0 ? null : until
}
