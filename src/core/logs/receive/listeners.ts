import type { Log } from '../../../observe/log.ts'
import { NONE, sumOf } from './metrics.ts'
import type { Counts, FromWorker, LiveOptions, StartOptions, ToWorker } from './protocol.ts'

export interface ListenersDeps {
  readonly options: StartOptions
  readonly log: Log
  /** Called after messages from these devices were stored. */
  readonly stored: (table: 'syslog' | 'eventlog', deviceIds: readonly number[]) => void
  /** Called when traps from these devices ask for a poll. */
  readonly poll: (deviceIds: readonly number[]) => void
}

/** The listeners, which run in their own thread. */
export interface Listeners {
  /** Ports by setting (`syslog.udp`), once they are open. Those that could not be opened are missing and logged. */
  readonly ready: Promise<Readonly<Record<string, number>>>
  configure(live: LiveOptions): void
  counts(): Counts
  /** Stops listening, and waits at most `graceMs` until received messages are stored. */
  stop(graceMs: number): Promise<void>
}

const AGAIN_MS = 5000

/** Starts the thread, and a new one whenever it dies. */
export function startListeners({ options, log, stored, poll }: ListenersDeps): Listeners {
  let live = options.live
  let stopping = false
  let before = NONE
  let current = NONE
  let worker: Worker | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  const ready = Promise.withResolvers<Readonly<Record<string, number>>>()
  const stopped = Promise.withResolvers<void>()

  function spawn(): void {
    timer = null
    const thread = new Worker(new URL('./listener-worker.ts', import.meta.url).href, { name: 'listeners' })
    worker = thread
    thread.onmessage = (event: MessageEvent<FromWorker>) => {
      const message = event.data
      switch (message.kind) {
        case 'ready':
          for (const problem of message.problems) log.error(problem)
          log.info({ ports: message.ports }, 'listening')
          ready.resolve(message.ports)
          return
        case 'counts':
          current = message.counts
          return
        case 'stored':
          stored(message.table, message.deviceIds)
          return
        case 'poll':
          poll(message.deviceIds)
          return
        case 'log':
          log[message.level](message.text)
          return
        default:
          stopped.resolve()
      }
    }
    thread.onerror = (event: ErrorEvent) => {
      event.preventDefault()
      log.error({ reason: event.message }, 'the thread for the listeners failed')
    }
    thread.addEventListener('close', () => {
      stopped.resolve()
      if (stopping || worker !== thread) return
      worker = null
      before = sumOf(before, current)
      current = NONE
      log.error('the thread for the listeners died and is replaced')
      timer = setTimeout(spawn, AGAIN_MS)
    })
    post({ kind: 'start', options: { ...options, live } })
  }
  const post = (message: ToWorker): void => worker?.postMessage(message)
  spawn()

  return {
    ready: ready.promise,
    configure(changed) {
      live = changed
      post({ kind: 'live', live })
    },
    counts: () => sumOf(before, current),
    async stop(graceMs) {
      stopping = true
      if (timer !== null) clearTimeout(timer)
      if (worker === null) return
      post({ kind: 'stop' })
      await Promise.race([stopped.promise, Bun.sleep(graceMs)])
      worker.terminate()
    },
  }
}
