import type { Log } from '../observe/log.ts'
import type { FromWorker, ToWorker, WorkerOptions } from './protocol.ts'

/**
 * Result of a job. `lost`: its worker ended; `stalledBy` is the device whose response stalled the worker, 0 if the
 * cause is another or unknown.
 */
export type JobAnswer =
  | Exclude<Extract<FromWorker, { jobId: number }>, { kind: 'large' }>
  | { readonly kind: 'lost'; readonly stalledBy: number }

/** A job that a worker has not answered yet. */
export interface RunningJob {
  readonly load: number
  done(answer: JobAnswer): void
  large(go: () => void): void
}

/** Options of all workers; each has a name of its own, and one of them pings. */
export type SlotOptions = Omit<WorkerOptions, 'name' | 'icmp' | 'current'>

export interface SlotEvents {
  readonly log: Log
  /** Its worker has opened its sockets. */
  loaded(slot: WorkerSlot): void
  flooded(address: string): void
  /** Called when a job is answered, before its caller is. */
  freed(job: RunningJob): void
  /** The thread of a worker has ended, which may be one that was replaced. */
  closed(slot: WorkerSlot, worker: Worker): void
}

/** The place of a worker in the pool; a worker that dies or stalls is replaced by another in the same slot. */
export class WorkerSlot {
  worker: Worker
  /** Settles when its present worker has opened its sockets or has ended. */
  ready = Promise.resolve()
  /** Time of its last message, `performance.now()`. */
  heardAt = 0
  /** True once it has opened its sockets. */
  loaded = false
  readonly jobs = new Map<number, RunningJob>()
  /** Its transport's counters. */
  transport: Readonly<Record<string, number>> = {}
  /** Called when the worker has ended its jobs and will send nothing more. */
  drained: () => void = () => undefined
  private current: Int32Array = new Int32Array(1)

  constructor(
    readonly number: number,
    options: SlotOptions,
    private readonly events: SlotEvents,
  ) {
    this.worker = this.start(options)
  }

  /** Starts a new worker in place of the present one. */
  renew(options: SlotOptions): void {
    this.worker = this.start(options)
  }

  /** Device whose response is being processed; 0: none or unknown. */
  get attendedDevice(): number {
    return Atomics.load(this.current, 0)
  }

  post(message: ToWorker): void {
    this.worker.postMessage(message)
  }

  private start(options: SlotOptions): Worker {
    const { number, events } = this
    const name = `snmp-${number}`
    const worker = new Worker(new URL('./worker/main.ts', import.meta.url).href, { name })
    const ready = Promise.withResolvers<void>()
    this.ready = ready.promise
    this.current = new Int32Array(new SharedArrayBuffer(4))
    this.heardAt = performance.now()
    this.loaded = false
    worker.onmessage = (event: MessageEvent<FromWorker>) => {
      // messages of a replaced worker are ignored, because its jobs were already reported as lost
      if (this.worker !== worker) return
      this.heardAt = performance.now()
      if (event.data.kind === 'ready') ready.resolve()
      this.hear(event.data)
    }
    worker.onerror = (event: ErrorEvent) => {
      event.preventDefault()
      events.log.error({ worker: number, reason: event.message }, 'worker failed')
    }
    worker.addEventListener('close', () => {
      ready.resolve()
      events.closed(this, worker)
    })
    const start: ToWorker = { kind: 'start', options: { ...options, name, icmp: number === 0, current: this.current } }
    worker.postMessage(start)
    return worker
  }

  private hear(message: FromWorker): void {
    const { number, events } = this
    if (message.kind === 'ready') {
      for (const note of message.notes) events.log.warn({ worker: number }, note)
      this.loaded = true
      events.loaded(this)
    } else if (message.kind === 'stats') this.transport = message.transport
    else if (message.kind === 'flood') events.flooded(message.address)
    else if (message.kind === 'drained') this.drained()
    else if (message.kind === 'large') {
      const { worker } = this
      const { jobId } = message
      const go: ToWorker = { kind: 'go', jobId }
      this.jobs.get(jobId)?.large(() => worker.postMessage(go))
    } else {
      const job = this.jobs.get(message.jobId)
      if (job === undefined) return
      this.jobs.delete(message.jobId)
      events.freed(job)
      job.done(message)
    }
  }
}
