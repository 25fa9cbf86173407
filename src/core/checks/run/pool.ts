import type { Log } from '../../../observe/log.ts'
import type { CheckJob, FromCheckWorker, ToCheckWorker } from './protocol.ts'
import type { CheckResult } from './result.ts'

export interface Checked {
  readonly result: CheckResult
  readonly tookMs: number
}

/** The thread that runs checks, where starting processes and TLS delay no other work. The first check starts it. */
export interface CheckPool {
  /** Null: the check was lost with its thread, and the state of the service is unknown. */
  run(job: CheckJob): Promise<Checked | null>
  /** Threads that died or hung and were replaced. */
  readonly died: number
  /** Terminates the thread at once, like a crash; plugins that it started keep running until they end. */
  kill(): void
  /** Kills running plugins and ends the thread. */
  stop(): Promise<void>
}

/** How long after its time limit a check may report, ms; after that its thread counts as hung. */
const LATE_MS = 15_000
const STOP_MS = 1000

interface Waiting {
  readonly settle: (checked: Checked | null) => void
  readonly timer: ReturnType<typeof setTimeout>
}

export function createCheckPool(log: Log): CheckPool {
  const waiting = new Map<number, Waiting>()
  let nextId = 1
  let died = 0
  let stopping = false
  const stopped = Promise.withResolvers<void>()
  /** Null before the first check. */
  let worker: Worker | null = null

  function spawn(): Worker {
    const made = new Worker(new URL('./check-worker.ts', import.meta.url).href, { name: 'checks' })
    made.onmessage = (event: MessageEvent<FromCheckWorker>) => {
      const message = event.data
      if (message.kind === 'stopped') stopped.resolve()
      if (message.kind === 'checked') settle(message.id, { result: message.result, tookMs: message.tookMs })
    }
    made.onerror = (event: ErrorEvent) => {
      event.preventDefault()
      log.error({ reason: event.message }, 'the thread for service checks failed')
    }
    made.addEventListener('close', () => replace(made, 'the thread for service checks died and is replaced'))
    return made
  }

  function replace(old: Worker, why: string): void {
    if (old !== worker || stopping) return
    died++
    log.error({ checks: waiting.size }, why)
    worker = null
    old.terminate()
    for (const id of [...waiting.keys()]) settle(id, null)
  }

  function settle(id: number, checked: Checked | null): void {
    const found = waiting.get(id)
    if (found === undefined) return
    waiting.delete(id)
    clearTimeout(found.timer)
    found.settle(checked)
  }

  return {
    get died() {
      return died
    },
    run(job) {
      if (stopping) return Promise.resolve(null)
      const id = nextId++
      worker ??= spawn()
      const used = worker
      const { promise, resolve } = Promise.withResolvers<Checked | null>()
      const timer = setTimeout(
        () => replace(used, 'the thread for service checks does not respond and is replaced'),
        job.timeoutMs + LATE_MS,
      )
      waiting.set(id, { settle: resolve, timer })
      used.postMessage({ kind: 'check', id, job } satisfies ToCheckWorker)
      return promise
    },
    kill: () => worker?.terminate(),
    async stop() {
      stopping = true
      if (worker === null) return
      worker.postMessage({ kind: 'stop' } satisfies ToCheckWorker)
      await Promise.race([stopped.promise, Bun.sleep(STOP_MS)])
      worker.terminate()
      for (const id of [...waiting.keys()]) settle(id, null)
    },
  }
}
