import type { Settings } from '../../config/schema.ts'
import type { Gateway } from '../../core/base/gateway.ts'
import type { Graphs } from '../../core/base/graphs.ts'
import { connect } from '../../core/database/client.ts'
import type { AskHosts } from '../../core/scans/scan.ts'
import { startScanTurns } from '../../core/scans/scan-turns.ts'
import { MAINTENANCE_ANSWER_S } from '../../core/series/write-roll-ups.ts'
import type { Services } from '../../core/services.ts'
import type { Log } from '../../observe/log.ts'
import type { Metric } from '../../observe/metrics.ts'
import type { Trace } from '../../observe/trace.ts'
import { Stack } from '../stack.ts'
import { type Alerting, startAlerting } from './alerting.ts'
import { type Checks, startChecks } from './checks.ts'
import { type Dependencies, followDependencies } from './dependencies.ts'
import { followDoubles } from './doubles.ts'
import { followInventory } from './groups.ts'
import { keepHouse } from './housekeeping.ts'
import { leaderOnly } from './leader-only.ts'
import { followNeighbours } from './neighbours.ts'

/** Work that the leader does on behalf of all processes that share the database. */
export interface LeaderTasks {
  /** This process became the leader, or is it no longer: starts or stops the work. */
  setLeader(isLeader: boolean): void
  /** Data of these devices was stored, by any process. */
  written(deviceIds: readonly number[], what: readonly string[]): void
  /** Number of alert engine statements waiting for a connection. */
  waiting(): number
  /** null: the running work hears notifications from the database, or none runs. Otherwise one sentence. */
  listenProblem(): string | null
  /** Metrics of the running work; empty while another process is the leader. */
  metrics(): Metric[]
  stop(): Promise<void>
}

export interface LeaderTasksDeps {
  readonly url: string
  readonly settings: Settings
  readonly services: Pick<Services, 'deviceGroups'>
  readonly graphs: Graphs
  readonly log: Log
  readonly trace: Trace | null
  readonly clockSettled: () => boolean
  /** Has the pollers check these devices soon. */
  readonly checkSoon: (deviceIds: readonly number[]) => void
  readonly gateway: Gateway
  /** Asks the addresses of scans and the neighbours of devices. */
  readonly ask: AskHosts
  /** Whether this process is the leader, by its own clock. */
  readonly isLeader: () => boolean
}

interface Work {
  readonly listenProblem: () => string | null
  readonly alerting: Alerting
  readonly checks: Checks
  readonly dependencies: Dependencies
  stop(): Promise<void>
}

/** Prepares the work, which starts when this process becomes the leader. */
export function createLeaderTasks(deps: LeaderTasksDeps): LeaderTasks {
  const work = leaderOnly(() => begin(deps), 'cluster-wide work', deps.log)
  return {
    setLeader: work.setLeader,
    written(deviceIds, what) {
      work.now()?.alerting.written(deviceIds, what)
      work.now()?.checks.changed(deviceIds, what)
      work.now()?.dependencies.written(what)
    },
    waiting: () => work.now()?.alerting.waiting() ?? 0,
    listenProblem: () => work.now()?.listenProblem() ?? null,
    metrics() {
      const now = work.now()
      return now === null ? [] : [...now.alerting.metrics(), ...now.checks.metrics()]
    },
    stop: work.stop,
  }
}

function begin(deps: LeaderTasksDeps): Work {
  const { url, settings, services, graphs, log, trace, isLeader, clockSettled, gateway, ask, checkSoon } = deps
  const stack = new Stack(log)
  const alerting = startAlerting(url, settings, graphs, log, isLeader, trace)
  stack.push('alerting', () => alerting.stop())
  const checks = startChecks(url, settings, log, alerting.written, isLeader)
  stack.push('checks', () => checks.stop())
  const store = connect(url, { max: 2, allowed: isLeader, answerTimeoutS: MAINTENANCE_ANSWER_S })
  stack.push('connections of housekeeping', () => store.close(1))
  alerting.start()
  checks.start()
  const house = keepHouse({ store, settings, log, clockSettled })
  stack.push('housekeeping', () => house.stop())
  const groups = followInventory(store, services.deviceGroups, log)
  stack.push('groups', () => groups.stop())
  const dependencies = followDependencies(store, settings, log, checkSoon)
  stack.push('dependencies', () => dependencies.stop())
  const scans = startScanTurns({ store, settings, gateway, ask, log: log.child({ component: 'scans' }) })
  stack.push('scans', () => scans.stop())
  const neighbours = followNeighbours({ store, settings, gateway, askHosts: ask, log })
  stack.push('neighbours', () => neighbours.stop())
  const doubles = followDoubles({ store, settings, log })
  stack.push('doubles', () => doubles.stop())
  const listenProblem = () => alerting.listenProblem() ?? checks.listenProblem() ?? store.notifications.problem()
  return { alerting, checks, dependencies, listenProblem, stop: () => stack.unwind() }
}
