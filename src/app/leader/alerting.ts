import type { Settings } from '../../config/schema.ts'
import { createDispatcher } from '../../core/alerts/dispatcher.ts'
import { createEngine } from '../../core/alerts/engine.ts'
import { createFaultService } from '../../core/alerts/faults/service.ts'
import { createAlertLinks } from '../../core/alerts/links/service.ts'
import { sendingDefaults } from '../../core/alerts/messages/limits.ts'
import { alertMetrics } from '../../core/alerts/metrics.ts'
import type { OnCall } from '../../core/alerts/operations/read-recipients.ts'
import { createPushSubscriptions } from '../../core/alerts/push/push-subscriptions.ts'
import { createAlertService } from '../../core/alerts/service.ts'
import { createSignedGraphs } from '../../core/alerts/signed-graphs.ts'
import { createDeliver } from '../../core/alerts/transports/deliver.ts'
import { createTrapEngine } from '../../core/alerts/trap-engine.ts'
import type { Graphs } from '../../core/base/graphs.ts'
import { connect } from '../../core/database/client.ts'
import { resolveOnCall } from '../../core/on-call/read-on-call.ts'
import type { Log } from '../../observe/log.ts'
import type { Metric } from '../../observe/metrics.ts'
import type { Trace } from '../../observe/trace.ts'

/** The alert engine of the serving process. */
export interface Alerting {
  start(): void
  /** Data of these devices was stored. */
  readonly written: (deviceIds: readonly number[], what: readonly string[]) => void
  /** Number of statements waiting for a connection. */
  waiting(): number
  /** null: notifications from the database are heard. Otherwise one sentence. */
  listenProblem(): string | null
  metrics(): Metric[]
  stop(): Promise<void>
}

/**
 * Uses its own connections, so that a slow rule delays neither the poller nor the API. They work only while this
 * process leads.
 */
export function startAlerting(
  url: string,
  settings: Settings,
  graphs: Graphs,
  log: Log,
  isLeader: () => boolean,
  trace: Trace | null,
): Alerting {
  const store = connect(url, { max: 12, allowed: isLeader })
  const alertLog = log.child({ component: 'alerts' })
  const pictures = { graphs, signed: createSignedGraphs({ store, settings, graphs }) }
  const links = createAlertLinks({
    ...{ store, settings, alerts: createAlertService({ store }), faults: createFaultService({ store }) },
  })
  const deliver = createDeliver({
    settings,
    log: alertLog,
    trapEngine: createTrapEngine(store),
    push: createPushSubscriptions(store),
  })
  const dispatcher = createDispatcher({
    store,
    log: alertLog,
    deliver,
    pictures,
    links,
    defaults: () => sendingDefaults(settings),
    ...(trace !== null && { trace }),
  })
  const onCall: OnCall = async (sql, schedule, at, severity, attempt) =>
    (await resolveOnCall(sql, [schedule], at, severity, attempt)).map(({ transportId }) => transportId)
  const engine = createEngine({ store, settings, log: alertLog, notified: dispatcher.wake, onCall })
  return {
    start() {
      engine.start()
      dispatcher.start()
    },
    written: engine.written,
    waiting: () => store.waiting(),
    listenProblem: () => store.notifications.problem(),
    metrics: () => alertMetrics(engine.stats(), dispatcher.stats()),
    async stop() {
      await engine.stop()
      await dispatcher.stop()
      await store.close(1)
    },
  }
}
