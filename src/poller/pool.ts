import type { Log } from '../observe/log.ts'
import type { FromWorker, ToWorker, WorkerOptions } from './protocol.ts'

/** A job's answer, or that its worker died with it. */
export type JobAnswer = Extract<FromWorker, { jobId: number }> | { readonly kind: 'lost' }

type Job = Extract<ToWorker, { jobId: number }>
/** A job without its number: the pool gives it one. */
export type NewJob = Job extends infer J ? (J extends Job ? Omit<J, 'jobId'> : never) : never

/**
 * The fixed pool of SNMP workers. Workers live as long as the pool; one that dies all the same (a crash in native code)
 * answers its jobs with `lost`, is counted and replaced.
 */
export interface Pool {
  readonly size: number
  /** Resolves when every worker has its sockets. */
  readonly ready: Promise<void>
  /** Sends a job to worker `index mod size`. */
  run(index: number, job: NewJob, done: (answer: JobAnswer) => void): void
  /** To all workers. */
  tell(message: Extract<ToWorker, { kind: 'forget' | 'limits' }>): void
  /** Ends the thread of one worker at once, as a crash would. */
  kill(index: number): void
  stats(): PoolStats
  /** Lets running jobs end for at most `graceMs`, then ends the threads. */
  stop(graceMs: number): Promise<void>
}

export interface PoolStats {
  readonly workers: number
  readonly died: number
  readonly jobs: number
  readonly lost: number
  /** Sums of the workers' transport counters. */
  readonly transport: Readonly<Record<string, number>>
}

interface Seat {
  worker: Worker
  readonly jobs: Map<number, (answer: JobAnswer) => void>
  transport: Readonly<Record<string, number>>
  drained: () => void
}

export function createPool(count: number, options: Omit<WorkerOptions, 'name' | 'icmp'>, log: Log): Pool {
  const seats: Seat[] = []
  let nextJob = 1
  let died = 0
  let lost = 0
  let stopping = false
  const starts: Promise<void>[] = []

  function spawn(i: number, seat: Seat | null): void {
    const worker = new Worker(new URL('./worker/main.ts', import.meta.url).href, { name: `snmp-${i}` })
    const ready = Promise.withResolvers<void>()
    starts[i] = ready.promise
    const s: Seat = seat ?? { worker, jobs: new Map(), transport: {}, drained: () => undefined }
    s.worker = worker
    seats[i] = s
    worker.onmessage = (event: MessageEvent<FromWorker>) => {
      const message = event.data
      if (message.kind === 'ready') {
        for (const note of message.notes) log.warn({ worker: i }, note)
        ready.resolve()
      } else if (message.kind === 'stats') s.transport = message.transport
      else if (message.kind === 'drained') s.drained()
      else {
        const done = s.jobs.get(message.jobId)
        s.jobs.delete(message.jobId)
        done?.(message)
      }
    }
    worker.onerror = (event: ErrorEvent) => {
      event.preventDefault()
      log.error({ worker: i, reason: event.message }, 'worker failed')
    }
    worker.addEventListener('close', () => {
      ready.resolve()
      if (s.worker !== worker) return
      const jobs = [...s.jobs.values()]
      s.jobs.clear()
      s.drained()
      lost += jobs.length
      if (!stopping) {
        died++
        log.error({ worker: i, jobs: jobs.length }, 'worker died, another takes its place')
        spawn(i, s)
      }
      for (const done of jobs) done({ kind: 'lost' })
    })
    post(worker, { kind: 'start', options: { ...options, name: `snmp-${i}`, icmp: i === 0 } })
  }

  function post(worker: Worker, message: ToWorker): void {
    worker.postMessage(message)
  }

  for (let i = 0; i < count; i++) spawn(i, null)

  return {
    size: count,
    ready: Promise.all(starts).then(() => undefined),
    run(index, job, done) {
      const seat = seats[index % count] as Seat
      const jobId = nextJob++
      seat.jobs.set(jobId, done)
      post(seat.worker, { ...job, jobId } as Job)
    },
    tell(message) {
      for (const seat of seats) post(seat.worker, message)
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
      return { workers: count, died, jobs, lost, transport }
    },
    async stop(graceMs) {
      stopping = true
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
