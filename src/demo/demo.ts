import type { Log } from '../observe/log.ts'
import type { PastAnswer, PastQuestion } from './past.ts'
import type { FromFleet, StartedFleet, ToFleet } from './protocol.ts'
import type { ServeOptions } from './serve.ts'

export interface DemoFleetOptions extends Omit<ServeOptions, 'now'> {
  readonly log: Log
}

export interface DemoFleet extends StartedFleet {
  /**
   * What polls of a device would have read at past times. Rejects for an unknown device, and if the thread has died or
   * been stopped.
   */
  past(device: string, question: PastQuestion): Promise<PastAnswer>
  /** Closes the sockets and ends the thread; resolves when the sockets are closed. */
  stop(): Promise<void>
}

/** Time limit for an answer from the thread, which a busy machine may not let run for a while. */
const DEADLINE_MS = 60_000

/**
 * Starts the simulated fleet of `serve --demo` in its own thread. Rejects if no port is free or `base` is not a
 * loopback address. Values are functions of the clock, so a restarted fleet continues as if it had never stopped.
 */
export async function startDemoFleet({ log, ...options }: DemoFleetOptions): Promise<DemoFleet> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url).href, { smol: true })
  const ask = questions(worker, (reason) => log.error({ reason }, 'demo fleet failed'))
  const { devices, unknown, webPort } = await started(worker, ask({ kind: 'start', options }))
  log.info({ devices: devices.length, address: devices[0]?.address, port: devices[0]?.port }, 'demo fleet started')
  let stopping: Promise<void> | null = null
  return {
    devices,
    unknown,
    webPort,
    async past(device, question) {
      if (stopping !== null) throw new Error('the demo fleet is stopped')
      const message = await ask({ kind: 'past', device, question })
      if (message.kind === 'past') return message.answer
      throw new Error(message.kind === 'failed' ? message.message : 'unexpected answer from the demo fleet')
    },
    stop() {
      stopping ??= (async () => {
        try {
          const last = await ask({ kind: 'stop' })
          log.info({ answered: last.kind === 'stopped' ? last.answered : 0 }, 'demo fleet stopped')
        } finally {
          worker.terminate()
        }
      })()
      return stopping
    },
  }
}

async function started(worker: Worker, first: Promise<FromFleet>): Promise<StartedFleet> {
  try {
    const message = await first
    if (message.kind === 'started') return message
    throw new Error(message.kind === 'failed' ? message.message : 'demo fleet did not start')
  } catch (error) {
    worker.terminate()
    throw error
  }
}

interface Waiting {
  readonly resolve: (message: FromFleet) => void
  readonly reject: (error: Error) => void
}

/** The thread answers in order. A question is rejected if the thread dies or does not answer in time. */
function questions(worker: Worker, died: (reason: string) => void): (message: ToFleet) => Promise<FromFleet> {
  const waiting: Waiting[] = []
  worker.onmessage = ({ data }: MessageEvent<FromFleet>) => waiting.shift()?.resolve(data)
  worker.onerror = ({ message }) => {
    died(message)
    for (const { reject } of waiting.splice(0)) reject(new Error(`demo fleet failed: ${message}`))
  }
  return (message) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('demo fleet does not answer')), DEADLINE_MS)
      const settled = <T>(settle: (value: T) => void): ((value: T) => void) => {
        return (value) => {
          clearTimeout(timer)
          settle(value)
        }
      }
      waiting.push({ resolve: settled(resolve), reject: settled(reject) })
      worker.postMessage(message)
    })
}
