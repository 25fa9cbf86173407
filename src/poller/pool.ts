import type { Log } from '../observe/log.ts'
import type { FromWorker, ToWorker, WorkerOptions } from './protocol.ts'

/** Result of a job. `lost`: its worker ended; `stalledBy` is the device whose response stalled it, 0 if another cause or unknown. */
export type JobAnswer =
  | Exclude<Extract<FromWorker, { jobId: number }>, { kind: 'large' }>
  | { readonly kind: 'lost'; readonly stalledBy: number }

type Job = Exclude<Extract<ToWorker, { jobId: number }>, { kind: 'go' }>
/** A job without its id, which the pool assigns. */
export type NewJob = Job extends infer J ? (J extends Job ? Omit<J, 'jobId'> : never) : never

/**
 * A pool of SNMP workers of fixed size. A worker that dies (a crash in native code) or does not respond for `stallMs` is
 * counted and replaced, and its jobs end as `lost`.
 */
export interface Pool {
  readonly size: number
  /** Resolves when all workers have opened their sockets. */
  readonly ready: Promise<void>
  /** Sends a job to worker `index mod size`. `large` is called when a discovery becomes large: it waits until `go` is called. */
  run(index: number, job: NewJob, done: (answer: JobAnswer) => void, large?: (go: () => void) => void): void
  /** Sends a message to all workers. */
  tell(message: Extract<ToWorker, { kind: 'forget' | 'limits' }>): void
  /** Sets the listener for addresses that flood a worker with datagrams; called at most once a second per worker and address. */
  onFlood(listener: (address: string) => void): void
  /** Terminates one worker at once, like a crash. */
  kill(index: number): void
  stats(): PoolStats
  /** Waits for running jobs for at most `graceMs`, then terminates the workers. */
  stop(graceMs: number): Promise<void>
}

export interface PoolStats {
  readonly workers: number
  readonly died: number
  /** Workers replaced because they did not respond. */
  readonly stalled: number
  /** Threads of such workers that have not ended: each may use a core until the process ends. */
  readonly stuck: number
  readonly jobs: number
  readonly lost: number
  /** Sums of the workers' transport counters. */
  readonly transport: Readonly<Record<string, number>>
}

export interface PoolOptions {
  /** Milliseconds without a message after which a worker counts as stalled. */
  stallMs(): number
  readonly log: Log
}

/** Interval of checks for stalled workers, which send a message every second. */
const WATCH_MS = 1000
/** Time that a worker has to load; on a busy host that can take longer than `stallMs`. */
const START_MS = 60_000
/** Time that the thread of a stalled worker has to end before it counts as stuck. */
const END_MS = 5000

interface Running {
  done(answer: JobAnswer): void
  large(go: () => void): void
}

interface Seat {
  worker: Worker
  /** Time of its last message, `performance.now()`. */
  heardAt: number
  /** True when it has opened its sockets. */
  loaded: boolean
  current: Int32Array
  readonly jobs: Map<number, Running>
  transport: Readonly<Record<string, number>>
  drained: () => void
}

export function createPool(
  count: number,
  options: Omit<WorkerOptions, 'name' | 'icmp' | 'current'>,
  { stallMs, log }: PoolOptions,
): Pool {
  const seats: Seat[] = []
  let nextJob = 1
  let died = 0
  let lost = 0
  let stalled = 0
  const stuck = new Set<Worker>()
  let watchedAt = performance.now()
  let stopping = false
  let flooded: (address: string) => void = () => undefined
  const starts: Promise<void>[] = []

  function spawn(i: number, seat: Seat | null): void {
    const worker = new Worker(new URL('./worker/main.ts', import.meta.url).href, { name: `snmp-${i}` })
    const ready = Promise.withResolvers<void>()
    starts[i] = ready.promise
    const current = new Int32Array(new SharedArrayBuffer(4))
    const heardAt = performance.now()
    const s: Seat = seat ?? {
      worker,
      heardAt,
      loaded: false,
      current,
      jobs: new Map(),
      transport: {},
      drained: () => undefined,
    }
    s.worker = worker
    s.heardAt = heardAt
    s.loaded = false
    s.current = current
    seats[i] = s
    worker.onmessage = (event: MessageEvent<FromWorker>) => {
      const message = event.data
      // late messages of a replaced worker are ignored: its jobs were reported as lost
      if (s.worker !== worker) return
      s.heardAt = performance.now()
      if (message.kind === 'ready') {
        for (const note of message.notes) log.warn({ worker: i }, note)
        s.loaded = true
        ready.resolve()
      } else if (message.kind === 'stats') s.transport = message.transport
      else if (message.kind === 'flood') flooded(message.address)
      else if (message.kind === 'drained') s.drained()
      else if (message.kind === 'large') {
        const { jobId } = message
        s.jobs.get(jobId)?.large(() => post(worker, { kind: 'go', jobId }))
      } else {
        const job = s.jobs.get(message.jobId)
        s.jobs.delete(message.jobId)
        job?.done(message)
      }
    }
    worker.onerror = (event: ErrorEvent) => {
      event.preventDefault()
      log.error({ worker: i, reason: event.message }, 'worker failed')
    }
    worker.addEventListener('close', () => {
      ready.resolve()
      stuck.delete(worker)
      if (s.worker !== worker) return
      if (!stopping) {
        died++
        log.error({ worker: i, jobs: s.jobs.size }, 'worker died, another takes its place')
      }
      replace(i, s, 0)
    })
    post(worker, { kind: 'start', options: { ...options, name: `snmp-${i}`, icmp: i === 0, current } })
  }

  /** Starts a new worker in place of another, whose jobs end as `lost`. */
  function replace(i: number, seat: Seat, stalledBy: number): void {
    const jobs = [...seat.jobs.values()]
    seat.jobs.clear()
    seat.drained()
    lost += jobs.length
    if (!stopping) spawn(i, seat)
    for (const { done } of jobs) done({ kind: 'lost', stalledBy })
  }

  function watch(): void {
    const now = performance.now()
    const paused = now - watchedAt - WATCH_MS
    watchedAt = now
    for (const [i, seat] of seats.entries()) {
      // this thread was busy itself, so messages may be waiting
      if (paused > WATCH_MS) seat.heardAt = now
      else if (now - seat.heardAt > (seat.loaded ? stallMs() : Math.max(START_MS, stallMs())))
        end(i, seat, now - seat.heardAt)
    }
  }

  function end(i: number, seat: Seat, silentMs: number): void {
    const { worker } = seat
    const deviceId = Atomics.load(seat.current, 0)
    stalled++
    log.error(
      { worker: i, deviceId, silentS: Math.round(silentMs / 1000), jobs: seat.jobs.size },
      'worker stalled, another takes its place',
    )
    stuck.add(worker)
    worker.terminate()
    setTimeout(() => {
      if (stuck.has(worker))
        log.error({ worker: i, deviceId }, 'thread of a stalled worker does not end: restart the server')
    }, END_MS).unref()
    replace(i, seat, deviceId)
  }

  function post(worker: Worker, message: ToWorker): void {
    worker.postMessage(message)
  }

  for (let i = 0; i < count; i++) spawn(i, null)
  const watching = setInterval(watch, WATCH_MS)

  return {
    size: count,
    ready: Promise.all(starts).then(() => undefined),
    run(index, job, done, large = (go) => go()) {
      const seat = seats[index % count] as Seat
      const jobId = nextJob++
      seat.jobs.set(jobId, { done, large })
      post(seat.worker, { ...job, jobId } as Job)
    },
    tell(message) {
      for (const seat of seats) post(seat.worker, message)
    },
    onFlood(listener) {
      flooded = listener
    },
    kill(index) {
      seats[index % count]?.worker.terminate()
    },
    stats() {
      const transport: Record<string, number> = {}
      let jobs = 0
      for (const seat of seats) {
        jobs += seat.jobs.size
        for (const [name, value] of Object.entries(seat.transport)) transport[name] = (transport[name] ?? 0) + value
      }
      return { workers: count, died, stalled, stuck: stuck.size, jobs, lost, transport }
    },
    async stop(graceMs) {
      if (stopping) return
      stopping = true
      clearInterval(watching)
      const drained = seats.map((seat) => {
        const { promise, resolve } = Promise.withResolvers<void>()
        seat.drained = resolve
        post(seat.worker, { kind: 'drain' })
        return promise
      })
      await Promise.race([Promise.all(drained), Bun.sleep(graceMs)])
      for (const seat of seats) seat.worker.terminate()
    },
  }
}
