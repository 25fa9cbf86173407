import { hostname } from 'node:os'
import type { Settings } from '../config/schema.ts'
import { BEAT_MS, createLead, LEASE_MS } from '../core/cluster/lead.ts'
import { createOwnership, type Ownership, type PollerNode } from '../core/cluster/ownership.ts'
import { type BeatRow, type ClusterNode, endSessions, joinCluster, type NodeFacts } from '../core/cluster/session.ts'
import type { Store } from '../core/database/client.ts'
import { StoreError, unavailableText } from '../core/database/errors.ts'
import type { MetricName } from '../observe/catalogue.ts'
import { figure } from '../observe/figures.ts'
import type { Log } from '../observe/log.ts'
import type { Metric } from '../observe/metrics.ts'
import type { Roles } from './roles.ts'

/** This process as a member of those that share its database. */
export interface Member {
  /** Its name, unique among the running processes. */
  readonly name: string
  /** Its id in poller_cluster; changes if it has to take another name. */
  readonly id: number
  /** Whether it holds the lead now, judged only by this process's own clock. */
  leads(): boolean
  /** Who polls which device, as far as this process knows. */
  ownership(): Ownership
  /** Ms since a process is known to have led; 0: one leads now. */
  leaderless(): number
  /** Whether other processes are running. */
  readonly others: boolean
  /** Reports at once; resolves when the database has answered. Throws StoreError. */
  report(): Promise<void>
  /** null: it reports to the database. Otherwise one sentence. */
  problem(): string | null
  metrics(): Metric[]
  /** Leaves the cluster cleanly, so that others take over at once. */
  stop(): Promise<void>
}

export interface MemberDeps {
  readonly url: string
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  readonly roles: Roles
  readonly version: string
  /** What this process publishes about itself: small numbers and words. */
  readonly figures: () => Readonly<Record<string, unknown>>
  /** Whether the poller can take over devices. Until then others keep them. */
  readonly polls: () => boolean
  /** Called when the assignment of devices to pollers has changed. */
  readonly moved: () => void
  /** Called when the lead was taken or lost. */
  readonly led: (leads: boolean) => void
}

/** How often this process checks by its own clock whether it still leads, ms. */
const CHECK_MS = 500

/** Joins the processes that share the database. Throws StoreError. */
export async function join(deps: MemberDeps): Promise<Member> {
  const { url, store, settings, log, roles } = deps
  const facts: NodeFacts = {
    name: settings.get('poller.name') || hostname(),
    host: hostname(),
    pid: process.pid,
    version: deps.version,
    roles: roles.names,
    groups: groupsOf(settings),
    mayLead: settings.get('cluster.lead'),
    leaseMs: LEASE_MS,
  }
  const figures = () => ({ ...deps.figures(), ...(roles.poller && { ready: deps.polls() }) })
  let session = await joinCluster(url, { ...facts, figures: figures() })
  if (session.name !== facts.name) log.warn({ name: session.name }, `another process is named ${facts.name}`)
  const lead = createLead()
  let nodes: readonly ClusterNode[] = []
  let ownership = createOwnership([])
  let key = ''
  /** Until then missing nodes count as running: a restart of the database ends everyone's session. */
  let settledAt = Number.NEGATIVE_INFINITY
  let leading = false
  let up = true
  let failure = ''
  let stopped = false
  let aheadMs = 0
  let beating: Promise<void> | null = null
  let ledAt = performance.now()
  const counts = { beats: 0, failed: 0, moves: 0, leads: 0 }

  async function beat(): Promise<void> {
    const sentMs = performance.now()
    const found = await session.beat(lead.leads(sentMs), figures())
    if (found.expelled) {
      log.warn({ name: session.name }, "another process has taken this process's name, joining under a different one")
      lead.beat({ sentMs, locked: false, otherLedMs: null })
      await session.leave()
      session = await joinCluster(url, { ...facts, figures: figures() })
      return
    }
    aheadMs = found.aheadMs
    if (found.restarted) settledAt = performance.now() + LEASE_MS
    lead.beat({ sentMs, locked: found.locked, otherLedMs: found.otherLedMs })
    await follow(found)
  }

  async function follow({ nodes: now }: BeatRow): Promise<void> {
    const before = new Map(nodes.map((node) => [node.id, node]))
    const gone = now.filter(({ id, living }) => !living && before.get(id)?.living === true)
    const settling = performance.now() < settledAt
    if (now.some((node) => node.lead)) ledAt = performance.now()
    nodes = settling ? now.map((node) => (gone.includes(node) ? { ...node, living: true } : node)) : now
    if (!settling && gone.length > 0) {
      log.warn({ gone: gone.map(({ name }) => name) }, 'processes that shared this database are gone')
      await endTheirs(gone)
    }
    const pollers = pollersOf(nodes, { id: session.id, ready: deps.polls() })
    const next = JSON.stringify(pollers)
    if (next === key) return
    key = next
    ownership = createOwnership(pollers)
    counts.moves++
    deps.moved()
  }

  /** Ends the connections of processes that are gone, which could otherwise hold row locks for minutes. */
  async function endTheirs(gone: readonly ClusterNode[]): Promise<void> {
    const instances = gone.flatMap(({ instance }) => (instance === '' ? [] : [instance]))
    await endSessions(store.sql, instances).catch((error: unknown) =>
      log.warn({ err: error }, 'could not end connections of processes that are gone'),
    )
  }

  function check(): void {
    const now = lead.leads(performance.now())
    if (now === leading) return
    leading = now
    if (now) void endTheirs(nodes.filter(({ living, id }) => !living && id !== session.id))
    if (now) counts.leads++
    log.info({ name: session.name }, now ? 'this process now leads' : 'this process no longer leads')
    deps.led(now)
  }

  async function report(): Promise<void> {
    try {
      await beat()
      counts.beats++
      if (!up) log.info('reporting to the database again')
      up = true
    } catch (error) {
      counts.failed++
      if (up) log.warn({ err: error }, 'cannot report to the database, will retry')
      up = false
      failure = error instanceof StoreError ? unavailableText(error) : 'unexpected error'
      throw error
    } finally {
      check()
    }
  }

  function turn(): Promise<void> {
    beating ??= report().finally(() => {
      beating = null
    })
    return beating
  }

  await turn()
  const quiet = (): void => undefined
  const beats = setInterval(() => void turn().catch(quiet), BEAT_MS)
  const checks = setInterval(check, CHECK_MS)

  return {
    get name() {
      return session.name
    },
    get id() {
      return session.id
    },
    get others() {
      return nodes.some(({ id, living }) => living && id !== session.id)
    },
    leads: () => !stopped && lead.leads(performance.now()),
    leaderless: () => (lead.leads(performance.now()) ? 0 : performance.now() - ledAt),
    ownership: () => ownership,
    async report() {
      await beating?.catch(quiet)
      await turn()
    },
    problem: () => (up ? null : `This process cannot report to the database: ${failure}.`),
    metrics() {
      return [
        figure('portlight_cluster_nodes', nodes.filter((n) => n.living).length),
        figure('portlight_lead', leading ? 1 : 0),
        figure('portlight_cluster_lead_taken_total', counts.leads),
        figure('portlight_cluster_beats_total', counts.beats),
        figure('portlight_cluster_beats_failed_total', counts.failed),
        figure('portlight_cluster_moves_total', counts.moves),
        ...nodeMetrics(nodes),
        figure('portlight_cluster_clock_ahead_seconds', aheadMs / 1000),
      ]
    },
    async stop() {
      stopped = true
      clearInterval(beats)
      clearInterval(checks)
      await beating?.catch(quiet)
      await session.leave()
    },
  }
}

/**
 * The pollers among the nodes. One that is still starting counts as gone, so that others keep its devices until it can
 * poll them. This process counts as running, whatever the database says.
 */
function pollersOf(
  nodes: readonly ClusterNode[],
  self: { readonly id: number; readonly ready: boolean },
): PollerNode[] {
  return nodes
    .filter(({ roles }) => roles.includes('poller'))
    .map(({ id, name, living, groups, figures }) => ({
      name,
      living: id === self.id ? self.ready : living && figures['ready'] !== false,
      groups,
    }))
}

/** Poller groups in setting `poller.groups`; null: it is empty. */
function groupsOf(settings: Settings): readonly number[] | null {
  const named = settings.get('poller.groups').map(Number)
  return named.length === 0 ? null : [...new Set(named)].sort((a, b) => a - b)
}

/** What each process published about itself, by name. */
function nodeMetrics(nodes: readonly ClusterNode[]): Metric[] {
  const living = nodes.map(({ name, roles, living, lead }) =>
    figure('portlight_cluster_node_living', living ? 1 : 0, { node: name, roles: roles.join(), lead: String(lead) }),
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
