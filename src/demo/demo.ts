import type { Log } from '../observe/log.ts'
import type { FromFleet, ToFleet } from './protocol.ts'
import type { DemoDevice } from './serve.ts'

export interface DemoFleetOptions {
  readonly log: Log
  /** First UDP port to try; default 1161. A device keeps its port as long as it is free. */
  readonly port?: number
  /** Address of the first device, inside 127.0.0.0/8; default 127.42.0.1. */
  readonly base?: string
  /** Another seed is another fleet: other serial numbers, traffic and moments of trouble. */
  readonly seed?: string
}

export interface DemoFleet {
  readonly devices: readonly DemoDevice[]
  /** Closes the sockets and lets the thread end; resolves when they are closed. */
  stop(): Promise<void>
}

/** Milliseconds that the thread has to answer to `start` and to `stop`. */
const DEADLINE_MS = 10_000

/**
 * Starts the simulated fleet of `serve --demo` in a thread of its own. Rejects when no port is free or `base` is not on
 * loopback. The values are functions of the clock: a fleet that is started again goes on as if it had never stopped.
 */
export async function startDemoFleet({ log, ...options }: DemoFleetOptions): Promise<DemoFleet> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url).href)
  const tell = (message: ToFleet) => worker.postMessage(message)
  const devices = await started(worker, () => tell({ kind: 'start', options }))
  log.info({ devices: devices.length, address: devices[0]?.address, port: devices[0]?.port }, 'demo fleet started')
  worker.onerror = ({ message }) => log.error({ reason: message }, 'demo fleet failed')
  let stopping: Promise<void> | null = null
  return {
    devices,
    stop() {
      stopping ??= (async () => {
        try {
          const stopped = answer(worker)
          tell({ kind: 'stop' })
          const last = await stopped
          log.info({ answered: last.kind === 'stopped' ? last.answered : 0 }, 'demo fleet stopped')
        } finally {
          worker.terminate()
        }
      })()
      return stopping
    },
  }
}

async function started(worker: Worker, start: () => void): Promise<readonly DemoDevice[]> {
  const first = answer(worker)
  start()
  try {
    const message = await first
    if (message.kind === 'started') return message.devices
    throw new Error(message.kind === 'failed' ? message.message : 'demo fleet did not start')
  } catch (error) {
    worker.terminate()
    throw error
  }
}

/** The thread's next message; rejects when it dies or says nothing in time. */
function answer(worker: Worker): Promise<FromFleet> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('demo fleet does not answer')), DEADLINE_MS)
    worker.onmessage = ({ data }: MessageEvent<FromFleet>) => {
      clearTimeout(timer)
      resolve(data)
    }
    worker.onerror = (event) => {
      clearTimeout(timer)
      reject(new Error(`demo fleet failed: ${event.message}`))
    }
  })
}
