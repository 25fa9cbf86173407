import { hostname } from 'node:os'
import type { Settings } from '../../config/schema.ts'
import { BEAT_MS, createLeadership, LEASE_MS } from '../../core/cluster/leadership.ts'
import type { Ownership } from '../../core/cluster/ownership.ts'
import { joinCluster, type NodeFacts } from '../../core/cluster/session.ts'
import type { Store } from '../../core/database/client.ts'
import { StoreError, unavailableText } from '../../core/database/errors.ts'
import { createTopic } from '../../lib/topic.ts'
import { figure } from '../../observe/figures.ts'
import type { Log } from '../../observe/log.ts'
import type { Metric } from '../../observe/metrics.ts'
import type { Roles } from '../roles.ts'
import { createKnownNodes } from './nodes.ts'

/** This process as a member of those that share its database. */
export interface Member {
  /** Its name, unique among the running processes. */
  readonly name: string
  /** Its id in poller_cluster; changes if it has to take another name. */
  readonly id: number
  /** Whether it is the leader now, judged only by this process's own clock. */
  isLeader(): boolean
  /** Who polls which device, as far as this process knows. */
  ownership(): Ownership
  /** Ms since a process is known to have been the leader; 0: one is now. */
  leaderless(): number
  /** Whether other processes are running. */
  readonly others: boolean
  /** Calls `turned` now, with whether this process is the leader, and whenever that changes. */
  followLeadership(turned: (isLeader: boolean) => void): void
  /** Calls `moved` whenever the assignment of devices to pollers has changed. */
  followMoves(moved: () => void): void
  /** Publishes small numbers and words about this process, from the next report on. */
  publish(figures: () => Readonly<Record<string, unknown>>): void
  /** Its poller can take over devices; until then others keep them. Resolves as `report` does. Throws StoreError. */
  takeDevices(): Promise<void>
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
}

/** How often this process checks by its own clock whether it is still the leader, ms. */
const CHECK_MS = 500

/** Joins the processes that share the database. Throws StoreError. */
export async function join({ url, store, settings, log, roles, version }: MemberDeps): Promise<Member> {
  const facts = factsOf(settings, roles, version)
  let ready = false
  const published: (() => Readonly<Record<string, unknown>>)[] = roles.poller ? [() => ({ ready })] : []
  const figures = () => Object.assign({}, ...published.map((one) => one()))
  let session = await joinCluster(url, { ...facts, figures: figures() })
  if (session.name !== facts.name) log.warn({ name: session.name }, `another process is named ${facts.name}`)
  const leadership = createLeadership()
  const leaderTurns = createTopic<[isLeader: boolean]>()
  const moves = createTopic<[]>()
  const nodes = createKnownNodes(store, log)
  let isLeader = false
  let failure: string | null = null
  let stopped = false
  let aheadMs = 0
  let beating: Promise<void> | null = null
  const counts = { beats: 0, failed: 0, becameLeader: 0 }

  async function beat(): Promise<void> {
    const sentMs = performance.now()
    const found = await session.beat(leadership.isLeader(sentMs), figures())
    if (found.expelled) {
      log.warn({ name: session.name }, "another process has taken this process's name, joining under a different one")
      leadership.beat({ sentMs, locked: false, otherLeaderMs: null })
      await session.leave()
      session = await joinCluster(url, { ...facts, figures: figures() })
      return
    }
    aheadMs = found.aheadMs
    leadership.beat({ sentMs, locked: found.locked, otherLeaderMs: found.otherLeaderMs })
    if (await nodes.follow(found, { id: session.id, ready })) moves.tell()
  }

  function check(): void {
    const now = leadership.isLeader(performance.now())
    if (now === isLeader) return
    isLeader = now
    if (now) void nodes.endGone(session.id)
    if (now) counts.becameLeader++
    log.info({ name: session.name }, now ? 'this process is now the leader' : 'this process is no longer the leader')
    leaderTurns.tell(now)
  }

  async function tell(): Promise<void> {
    try {
      await beat()
      counts.beats++
      if (failure !== null) log.info('reporting to the database again')
      failure = null
    } catch (error) {
      counts.failed++
      if (failure === null) log.warn({ err: error }, 'cannot report to the database, will retry')
      failure = error instanceof StoreError ? unavailableText(error) : 'unexpected error'
      throw error
    } finally {
      check()
    }
  }

  function turn(): Promise<void> {
    beating ??= tell().finally(() => {
      beating = null
    })
    return beating
  }

  async function report(): Promise<void> {
    await beating?.catch(quiet)
    await turn()
  }

  await turn()
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
      return nodes.others(session.id)
    },
    isLeader: () => !stopped && leadership.isLeader(performance.now()),
    leaderless: () => (leadership.isLeader(performance.now()) ? 0 : performance.now() - nodes.leaderSeenAt()),
    ownership: nodes.ownership,
    followLeadership(turned) {
      leaderTurns.follow(turned)
      turned(isLeader)
    },
    followMoves: moves.follow,
    publish: (more) => void published.push(more),
    async takeDevices() {
      ready = true
      await report()
    },
    report,
    problem: () => (failure === null ? null : `This process cannot report to the database: ${failure}.`),
    metrics: () => [
      ...nodes.metrics(),
      figure('portlight_lead', isLeader ? 1 : 0),
      figure('portlight_cluster_lead_taken_total', counts.becameLeader),
      figure('portlight_cluster_beats_total', counts.beats),
      figure('portlight_cluster_beats_failed_total', counts.failed),
      figure('portlight_cluster_clock_ahead_seconds', aheadMs / 1000),
    ],
    async stop() {
      stopped = true
      clearInterval(beats)
      clearInterval(checks)
      await beating?.catch(quiet)
      await session.leave()
    },
  }
}

const quiet = (): void => undefined

function factsOf(settings: Settings, roles: Roles, version: string): NodeFacts {
  return {
    name: settings.get('poller.name') || hostname(),
    host: hostname(),
    pid: process.pid,
    version,
    roles: roles.names,
    groups: groupsOf(settings),
    mayBeLeader: settings.get('cluster.lead'),
    leaseMs: LEASE_MS,
  }
}

/** Poller groups in setting `poller.groups`; null: it is empty. */
function groupsOf(settings: Settings): readonly number[] | null {
  const named = settings.get('poller.groups').map(Number)
  return named.length === 0 ? null : [...new Set(named)].sort((a, b) => a - b)
}
