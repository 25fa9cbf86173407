import type { Log } from '../observe/log.ts'
import type { FromWorker, ToWorker, WorkerOptions } from './protocol.ts'

/**
 * Result of a job. `lost`: its worker ended; `stalledBy` is the device whose response stalled the worker, 0 if the
 * cause is another or unknown.
 */
export type JobAnswer =
  | Exclude<Extract<FromWorker, { jobId: number }>, { kind: 'large' }>
  | { readonly kind: 'lost'; readonly stalledBy: number }

type Job = Exclude<Extract<ToWorker, { jobId: number }>, { kind: 'go' }>
/** A job without its id, which the pool assigns. */
export type NewJob = Job extends infer J ? (J extends Job ? Omit<J, 'jobId'> : never) : never

/**
 * A pool of `min` to `max` SNMP workers, depending on the number of jobs in progress. A worker that dies (a crash in
 * native code) or does not respond for `stallMs` is counted and replaced, and its jobs end as `lost`; `max` workers
 * then run for an hour, so that another such failure affects fewer devices.
 */
export interface Pool {
  /** Maximum number of workers. */
  readonly max: number
  /** Resolves when the first `min` workers have opened their sockets. */
  readonly ready: Promise<void>
  /**
   * Sends a job to worker `index mod n` of the n that are running. `large` is called when a discovery becomes large;
   * the discovery then waits until `go` is called.
   */
  run(index: number, job: NewJob, done: (answer: JobAnswer) => void, large?: (go: () => void) => void): void
  /** Sends a message to all workers. */
  tell(message: Extract<ToWorker, { kind: 'forget' | 'limits' }>): void
  /** Sets the listener for addresses that flood a worker; it is called at most once a second per worker and address. */
  onFlood(listener: (address: string) => void): void
  /** Terminates one worker at once, as a crash would. */
  kill(index: number): void
  stats(): PoolStats
  /** Waits for running jobs for at most `graceMs`, then terminates the workers. */
  stop(graceMs: number): Promise<void>
}

export interface PoolStats {
  /** Workers running now. */
  readonly workers: number
  readonly died: number
  /** Workers replaced because they did not respond. */
  readonly stalled: number
  /** Threads of stalled workers that have not ended; each may use a core until the process ends. */
  readonly stuck: number
  readonly jobs: number
  readonly lost: number
  /** Sums of the workers' transport counters. */
  readonly transport: Readonly<Record<string, number>>
}

export interface PoolOptions {
  readonly min: number
  readonly max: number
  /** Milliseconds without a message after which a worker counts as stalled. */
  stallMs(): number
  /** Milliseconds of low load after which a worker above `min` is ended. Default: one minute. */
  readonly quietMs?: number
  readonly log: Log
}

/** Interval of checks for stalled workers, which send a message every second. */
const WATCH_MS = 1000
/** Time allowed for a worker to load, ms; on a busy host that can take longer than `stallMs`. */
const START_MS = 60_000
/** Time allowed for the thread of a stalled worker to end before it counts as stuck, ms. */
const END_MS = 5000

/** Values of a worker's transport that are not counters. */
const GAUGES = new Set(['inFlight', 'queued'])
/** Load per running worker above which another starts, and below which the last one is ended after QUIET_MS. */
const BUSY = 64
const QUIET = 16
const QUIET_MS = 60_000
/** Time for which `max` workers run after one has died or stalled. */
const CAUTION_MS = 3_600_000
/** A discovery costs about as much as this many polls. */
const DISCOVERY_LOAD = 8

interface Running {
  readonly load: number
  done(answer: JobAnswer): void
  large(go: () => void): void
}

interface Seat {
  worker: Worker
  /** Time of its last message, `performance.now()`. */
  heardAt: number
  /** True once it has opened its sockets. */
  loaded: boolean
  current: Int32Array
  readonly jobs: Map<number, Running>
  transport: Readonly<Record<string, number>>
  drained: () => void
}

export function createPool(
  options: Omit<WorkerOptions, 'name' | 'icmp' | 'current'>,
  { min, max, stallMs, quietMs = QUIET_MS, log }: PoolOptions,
): Pool {
  /** Workers by number. Those at or after `active` are starting, or end when their last job is done. */
  const seats: Seat[] = []
  let active = min
  let load = 0
  let quietSince = performance.now()
  let cautiousUntil = 0
  /** Sums of the transport counters of workers that have ended. */
  const ended: Record<string, number> = {}
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
      // messages of a replaced worker are ignored, because its jobs were already reported as lost
      if (s.worker !== worker) return
      s.heardAt = performance.now()
      if (message.kind === 'ready') {
        for (const note of message.notes) log.warn({ worker: i }, note)
        s.loaded = true
        ready.resolve()
        if (i === active) active++
      } else if (message.kind === 'stats') s.transport = message.transport
      else if (message.kind === 'flood') flooded(message.address)
      else if (message.kind === 'drained') s.drained()
      else if (message.kind === 'large') {
        const { jobId } = message
        s.jobs.get(jobId)?.large(() => post(worker, { kind: 'go', jobId }))
      } else {
        const job = s.jobs.get(message.jobId)
        s.jobs.delete(message.jobId)
        load -= job?.load ?? 0
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
      if (s.worker !== worker || seats[i] !== s) return
      if (!stopping) {
        died++
        log.error({ worker: i, jobs: s.jobs.size }, 'worker died and is replaced')
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
    count(seat)
    lost += jobs.length
    for (const job of jobs) load -= job.load
    cautiousUntil = performance.now() + CAUTION_MS
    if (!stopping) spawn(i, seat)
    for (const { done } of jobs) done({ kind: 'lost', stalledBy })
  }

  function watch(): void {
    const now = performance.now()
    const paused = now - watchedAt - WATCH_MS
    watchedAt = now
    for (const [i, seat] of seats.entries()) {
      // this thread was busy itself, so messages from the workers may be waiting
      if (paused > WATCH_MS) seat.heardAt = now
      else if (now - seat.heardAt > (seat.loaded ? stallMs() : Math.max(START_MS, stallMs())))
        end(i, seat, now - seat.heardAt)
    }
    adapt(now)
  }

  /** Starts or ends at most one worker. */
  function adapt(now: number): void {
    if (load >= QUIET * active) quietSince = now
    const last = seats.length - 1
    if (now < cautiousUntil || load > BUSY * active) {
      if (seats[active]?.loaded) active++
      else if (seats.length === active && active < max) spawn(active, null)
    } else if (last >= min && now - quietSince > quietMs) {
      active = Math.min(active, last)
      const seat = seats[last] as Seat
      if (!seat.loaded || seat.jobs.size > 0) return
      seats.pop()
      count(seat)
      seat.worker.terminate()
      quietSince = now
    }
  }

  /** Adds the counters of a worker that ends to the sums. */
  function count(seat: Seat): void {
    for (const [name, value] of Object.entries(seat.transport))
      if (!GAUGES.has(name)) ended[name] = (ended[name] ?? 0) + value
    seat.transport = {}
  }

  function end(i: number, seat: Seat, silentMs: number): void {
    const { worker } = seat
    const deviceId = Atomics.load(seat.current, 0)
    stalled++
    log.error(
      { worker: i, deviceId, silentS: Math.round(silentMs / 1000), jobs: seat.jobs.size },
      'worker stalled and is replaced',
    )
    stuck.add(worker)
    worker.terminate()
    setTimeout(() => {
      if (stuck.has(worker))
        log.error({ worker: i, deviceId }, 'the thread of a stalled worker does not end; restart the server')
    }, END_MS).unref()
    replace(i, seat, deviceId)
  }

  function post(worker: Worker, message: ToWorker): void {
    worker.postMessage(message)
  }

  for (let i = 0; i < min; i++) spawn(i, null)
  const watching = setInterval(watch, WATCH_MS)

  return {
    max,
    ready: Promise.all(starts).then(() => undefined),
    run(index, job, done, large = (go) => go()) {
      const seat = seats[index % active] as Seat
      const jobId = nextJob++
      const weight = job.kind === 'discover' ? DISCOVERY_LOAD : 1
      load += weight
      seat.jobs.set(jobId, { load: weight, done, large })
      post(seat.worker, { ...job, jobId } as Job)
    },
    tell(message) {
      if (message.kind === 'limits') options = { ...options, limits: message.limits }
      for (const seat of seats) post(seat.worker, message)
    },
    onFlood(listener) {
      flooded = listener
    },
    kill(index) {
      seats[index % active]?.worker.terminate()
    },
    stats() {
      const transport: Record<string, number> = { ...ended }
      let jobs = 0
      for (const seat of seats) {
        jobs += seat.jobs.size
        for (const [name, value] of Object.entries(seat.transport)) transport[name] = (transport[name] ?? 0) + value
      }
      return { workers: active, died, stalled, stuck: stuck.size, jobs, lost, transport }
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
