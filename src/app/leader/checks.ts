import type { Settings } from '../../config/schema.ts'
import { INVENTORY_CHANNEL } from '../../core/base/channels.ts'
import { type Checker, createChecker } from '../../core/checks/run/checker.ts'
import { checkMetrics } from '../../core/checks/run/metrics.ts'
import { createCheckPool } from '../../core/checks/run/pool.ts'
import { CHECK_NOW, SERVICE_CHANNEL } from '../../core/checks/write.ts'
import { connect } from '../../core/database/client.ts'
import { listen } from '../../core/database/listen.ts'
import type { Log } from '../../observe/log.ts'
import type { Metric } from '../../observe/metrics.ts'

/** The service checks of the serving process. */
export interface Checks {
  readonly checker: Checker
  start(): void
  /** Data of these devices was stored. */
  readonly changed: Checker['changed']
  /** null: notifications from the database are heard. Otherwise one sentence. */
  listenProblem(): string | null
  metrics(): Metric[]
  stop(): Promise<void>
}

/** Time allowed for storing results when the server stops. */
const GRACE_MS = 1000

/** Uses its own connections, which work only while this process is the leader, and a thread that runs the checks. */
export function startChecks(
  url: string,
  settings: Settings,
  log: Log,
  written: (deviceIds: readonly number[], what: readonly string[]) => void,
  isLeader: () => boolean,
): Checks {
  const store = connect(url, { max: 2, allowed: isLeader })
  const checkLog = log.child({ component: 'checks' })
  const checker = createChecker({ store, settings, log: checkLog, pool: createCheckPool(checkLog), written })
  const all = (): void => checker.reload('all')
  const one = (payload: string): void => {
    const id = /^(?:check )?(\d{1,10})$/.exec(payload)?.[1]
    if (id === undefined) return
    if (payload.startsWith(CHECK_NOW)) checker.hasten(Number(id))
    else checker.reload({ services: [Number(id)] })
  }
  let listening: readonly { stop(): Promise<void> }[] = []
  return {
    checker,
    start() {
      listening = [
        listen(store, SERVICE_CHANNEL, one, all, checkLog),
        listen(store, INVENTORY_CHANNEL, all, () => undefined, checkLog),
      ]
      checker.start()
    },
    changed: checker.changed,
    listenProblem: () => store.notifications.problem(),
    metrics: () => [...checkMetrics(checker.stats()), ...checker.times.metrics()],
    async stop() {
      await Promise.all(listening.map((one) => one.stop()))
      await checker.stop(GRACE_MS)
      await store.close(1)
    },
  }
}
