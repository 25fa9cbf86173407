import { LEASE_MS } from '../../core/cluster/leadership.ts'
import { createOwnership, type Ownership, type PollerNode } from '../../core/cluster/ownership.ts'
import { type BeatRow, type ClusterNode, endSessions } from '../../core/cluster/session.ts'
import type { Store } from '../../core/database/client.ts'
import type { MetricName } from '../../observe/catalogue.ts'
import { figure } from '../../observe/figures.ts'
import type { Log } from '../../observe/log.ts'
import type { Metric } from '../../observe/metrics.ts'

/** This process among the nodes. */
export interface Self {
  readonly id: number
  /** Whether its poller can take over devices. */
  readonly ready: boolean
}

/** What a process knows of those that share its database. */
export interface KnownNodes {
  /** Takes over what the database says. True: the assignment of devices to pollers has changed. */
  follow(found: Pick<BeatRow, 'nodes' | 'restarted'>, self: Self): Promise<boolean>
  /** Ends the connections of all processes that are gone, except of the one with this id. */
  endGone(selfId: number): Promise<void>
  ownership(): Ownership
  /** Whether processes other than the one with this id are running. */
  others(selfId: number): boolean
  /** Reading of `performance.now()` when a process was last known to be the leader; at first, when this was created. */
  leaderSeenAt(): number
  metrics(): Metric[]
}

export function createKnownNodes(store: Store, log: Log): KnownNodes {
  let nodes: readonly ClusterNode[] = []
  let ownership = createOwnership([])
  let key = ''
  /** Until then missing nodes count as running: a restart of the database ends everyone's session. */
  let settledAt = Number.NEGATIVE_INFINITY
  let leaderSeenAt = performance.now()
  let moves = 0

  /** Ends the connections of processes that are gone, which could otherwise hold row locks for minutes. */
  async function endTheirs(gone: readonly ClusterNode[]): Promise<void> {
    const instances = gone.flatMap(({ instance }) => (instance === '' ? [] : [instance]))
    await endSessions(store.sql, instances).catch((error: unknown) =>
      log.warn({ err: error }, 'could not end connections of processes that are gone'),
    )
  }

  return {
    async follow({ nodes: now, restarted }, self) {
      if (restarted) settledAt = performance.now() + LEASE_MS
      const before = new Map(nodes.map((node) => [node.id, node]))
      const gone = now.filter(({ id, living }) => !living && before.get(id)?.living === true)
      const settling = performance.now() < settledAt
      if (now.some((node) => node.isLeader)) leaderSeenAt = performance.now()
      nodes = settling ? now.map((node) => (gone.includes(node) ? { ...node, living: true } : node)) : now
      if (!settling && gone.length > 0) {
        log.warn({ gone: gone.map(({ name }) => name) }, 'processes that shared this database are gone')
        await endTheirs(gone)
      }
      const pollers = pollersOf(nodes, self)
      const next = JSON.stringify(pollers)
      if (next === key) return false
      key = next
      ownership = createOwnership(pollers)
      moves++
      return true
    },
    endGone: (selfId) => endTheirs(nodes.filter(({ living, id }) => !living && id !== selfId)),
    ownership: () => ownership,
    others: (selfId) => nodes.some(({ id, living }) => living && id !== selfId),
    leaderSeenAt: () => leaderSeenAt,
    metrics: () => [
      figure('portlight_cluster_nodes', nodes.filter((n) => n.living).length),
      figure('portlight_cluster_moves_total', moves),
      ...nodeMetrics(nodes),
    ],
  }
}

/**
 * The pollers among the nodes. One that is still starting counts as gone, so that others keep its devices until it can
 * poll them. This process counts as running, whatever the database says.
 */
function pollersOf(nodes: readonly ClusterNode[], self: Self): PollerNode[] {
  return nodes
    .filter(({ roles }) => roles.includes('poller'))
    .map(({ id, name, living, groups, figures }) => ({
      name,
      living: id === self.id ? self.ready : living && figures['ready'] !== false,
      groups,
    }))
}

/** What each process published about itself, by name. */
function nodeMetrics(nodes: readonly ClusterNode[]): Metric[] {
  const living = nodes.map(({ name, roles, living, isLeader }) =>
    figure('portlight_cluster_node_living', living ? 1 : 0, {
      node: name,
      roles: roles.join(),
      lead: String(isLeader),
    }),
  )
  const of = (metric: MetricName, read: (own: ClusterNode['figures']) => unknown, scale = 1): Metric[] =>
    nodes.flatMap(({ name, figures, living }) => {
      const value = read(figures)
      return living && typeof value === 'number' ? [figure(metric, value * scale, { node: name })] : []
    })
  return [
    ...living,
    ...of('portlight_cluster_node_devices', (own) => own['devices']),
    ...of('portlight_cluster_node_polls_waiting', (own) => own['waiting']),
    ...of('portlight_cluster_node_polls_late', (own) => own['late']),
    ...of('portlight_cluster_node_lag_seconds', (own) => own['lag_ms'], 0.001),
    ...of('portlight_cluster_node_samples_waiting', (own) => own['buffered']),
  ]
}
