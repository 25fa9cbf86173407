import type { Log } from '../observe/log.ts'
import { createPoolSize, type PoolSizeOptions } from './pool-size.ts'
import type { ToWorker } from './protocol.ts'
import { createStuckThreads } from './stuck-threads.ts'
import { createTransportSums } from './transport-sums.ts'
import { type JobAnswer, type SlotOptions, WorkerSlot } from './worker-slot.ts'

export type { JobAnswer } from './worker-slot.ts'

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

export interface PoolOptions extends PoolSizeOptions {
  /** Milliseconds without a message after which a worker counts as stalled. */
  stallMs(): number
  readonly log: Log
}

/** Interval of checks for stalled workers, which send a message every second. */
const WATCH_MS = 1000
/** Time allowed for a worker to load, ms; on a busy host that can take longer than `stallMs`. */
const START_MS = 60_000
/** A discovery costs about as much as this many polls. */
const DISCOVERY_LOAD = 8

export function createPool(given: SlotOptions, { stallMs, log, ...sizes }: PoolOptions): Pool {
  let options = given
  /** Workers by number. Those at or after `size.active` are starting, or end when their last job is done. */
  const slots: WorkerSlot[] = []
  const size = createPoolSize(sizes)
  const transports = createTransportSums()
  const stuck = createStuckThreads(log)
  let nextJob = 1
  const counts = { died: 0, lost: 0, stalled: 0 }
  let watchedAt = performance.now()
  let stopping = false
  let flooded: (address: string) => void = () => undefined

  function spawn(): WorkerSlot {
    const slot = new WorkerSlot(slots.length, options, {
      log,
      loaded: size.loaded,
      flooded: (address) => flooded(address),
      freed: (job) => size.add(-job.load),
      closed,
    })
    slots.push(slot)
    return slot
  }

  function closed(slot: WorkerSlot, worker: Worker): void {
    stuck.ended(worker)
    if (slot.worker !== worker || slots[slot.number] !== slot) return
    if (!stopping) {
      counts.died++
      log.error({ worker: slot.number, jobs: slot.jobs.size }, 'worker died and is replaced')
    }
    replace(slot, 0)
  }

  /** Starts a new worker in place of another, whose jobs end as `lost`. */
  function replace(slot: WorkerSlot, stalledBy: number): void {
    const jobs = [...slot.jobs.values()]
    slot.jobs.clear()
    slot.drained()
    retire(slot)
    counts.lost += jobs.length
    for (const job of jobs) size.add(-job.load)
    size.worry(performance.now())
    if (!stopping) slot.renew(options)
    for (const { done } of jobs) done({ kind: 'lost', stalledBy })
  }

  function retire(slot: WorkerSlot): void {
    transports.ended(slot.transport)
    slot.transport = {}
  }

  function watch(): void {
    const now = performance.now()
    const paused = now - watchedAt - WATCH_MS
    watchedAt = now
    for (const slot of slots) {
      const silentMs = now - slot.heardAt
      // this thread was busy itself, so messages from the workers may be waiting
      if (paused > WATCH_MS) slot.heardAt = now
      else if (silentMs > (slot.loaded ? stallMs() : Math.max(START_MS, stallMs()))) {
        const deviceId = slot.attendedDevice
        counts.stalled++
        stuck.end(slot, silentMs)
        replace(slot, deviceId)
      }
    }
    const step = size.adapt(slots, now)
    if (step === 'start') spawn()
    if (step === 'end') endLast()
  }

  function endLast(): void {
    const slot = slots.pop() as WorkerSlot
    retire(slot)
    slot.worker.terminate()
  }

  const ready = Promise.all(Array.from({ length: sizes.min }, () => spawn().ready)).then(() => undefined)
  const watching = setInterval(watch, WATCH_MS)

  return {
    max: sizes.max,
    ready,
    run(index, job, done, large = (go) => go()) {
      const slot = slots[index % size.active] as WorkerSlot
      const jobId = nextJob++
      const weight = job.kind === 'discover' ? DISCOVERY_LOAD : 1
      size.add(weight)
      slot.jobs.set(jobId, { load: weight, done, large })
      slot.post({ ...job, jobId } as Job)
    },
    tell(message) {
      if (message.kind === 'limits') options = { ...options, limits: message.limits }
      for (const slot of slots) slot.post(message)
    },
    onFlood(listener) {
      flooded = listener
    },
    kill(index) {
      slots[index % size.active]?.worker.terminate()
    },
    stats: () => ({
      workers: size.active,
      ...counts,
      stuck: stuck.size,
      jobs: slots.reduce((jobs, slot) => jobs + slot.jobs.size, 0),
      transport: transports.with(slots.map(({ transport }) => transport)),
    }),
    async stop(graceMs) {
      if (stopping) return
      stopping = true
      clearInterval(watching)
      await Promise.race([Promise.all(slots.map(drain)), Bun.sleep(graceMs)])
      for (const slot of slots) slot.worker.terminate()
    },
  }
}

/** Has the worker end its jobs; resolves when it has. */
function drain(slot: WorkerSlot): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  slot.drained = resolve
  slot.post({ kind: 'drain' })
  return promise
}
