import { reasonOf } from './connection.ts'
import { createPlanBucket, type PlanBucketOptions } from './plan-bucket.ts'

/** Writes the devices and settings of a remote poller to its bucket, sealed for that poller, and follows changes. */
export interface PlanPublisher {
  /** Call when a device was added, changed, moved or deleted. */
  refresh(deviceId: number): void
  /** Call when settings, or possibly anything, changed. */
  refreshAll(): void
  stop(): Promise<void>
}

/** How often everything is compared, ms: devices change in many ways, and the bucket may have been recreated. */
const COMPARE_MS = 300_000
const RETRY_MS = 5000
/** Changes are batched for this long, ms. */
const DELAY_MS = 200
/** How long a stop waits for what is being written, ms. */
const STOP_MS = 5000

export function createPlanPublisher(o: PlanBucketOptions): PlanPublisher {
  const wanted = new Set<number>()
  let all = true
  let stopping = false
  const bucket = createPlanBucket(o, () => stopping)
  let wake: () => void = () => undefined
  let comparedAt = 0

  async function run(): Promise<void> {
    let quiet = false
    while (!stopping) {
      if (performance.now() - comparedAt > COMPARE_MS) all = true
      if (!all && wanted.size === 0) await rest(COMPARE_MS)
      if (stopping) return
      await Bun.sleep(DELAY_MS)
      const everything = all
      const some = [...wanted]
      all = false
      wanted.clear()
      try {
        await bucket.publish(everything ? null : some)
        if (everything) comparedAt = performance.now()
        quiet = false
      } catch (error) {
        if (!quiet && !stopping)
          o.log.warn(
            { poller: o.poller.name, reason: reasonOf(error) },
            'cannot write the devices of a remote poller to NATS; trying again',
          )
        quiet = true
        all ||= everything
        for (const id of some) wanted.add(id)
        await rest(RETRY_MS)
      }
    }
  }

  async function rest(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    wake = resolve
    await promise
    clearTimeout(timer)
  }

  const running = run()
  return {
    refresh(deviceId) {
      wanted.add(deviceId)
      wake()
    },
    refreshAll() {
      all = true
      wake()
    },
    async stop() {
      stopping = true
      wake()
      await Promise.race([running, Bun.sleep(STOP_MS)])
    },
  }
}
