import type { Settings } from '../config/schema.ts'
import type { ObservedHost, ProbeTarget } from '../core/candidates/observed-host.ts'
import { credentialTrials } from '../core/devices/credentials.ts'
import { agentPorts } from '../core/scans/network-options.ts'
import { type AskHosts, type AskOptions, type ProbeTargets, targetIterator } from '../core/scans/scan.ts'
import type { Log } from '../observe/log.ts'
import { type FromScanner, type HostAnswer, type JobOptions, SILENT, type ToScanner, type Trial } from './protocol.ts'
import { windowOf } from './window.ts'

/** Asks hosts from a thread of its own, which starts when it is first needed and ends when it is idle. */
export interface Scanner {
  readonly ask: AskHosts
  /** As `ask`, with options from the settings of another process. */
  readonly askAs: AskAs
  close(): void
}

/** Asks as `AskHosts` does. */
export type AskAs = (targets: ProbeTargets, signal: AbortSignal, options: JobOptions) => AsyncGenerator<ObservedHost>

/** Most addresses of a job that the thread has at a time. */
const MAX_WINDOW = 4000
/** Addresses of one message to the thread, and milliseconds for which they are collected. */
const BATCH = 128
const GATHER_MS = 5
/** Milliseconds after the last job until the thread is ended. */
const IDLE_MS = 30_000

interface Running {
  results(message: Extract<FromScanner, { kind: 'hosts' }>): void
  failed(problem: string): void
}

export interface ScannerDeps {
  readonly settings: Settings
  readonly log: Log
}

export function createScanner({ settings, log }: ScannerDeps): Scanner {
  let worker: Worker | null = null
  let idle: ReturnType<typeof setTimeout> | null = null
  let lastJob = 0
  const jobs = new Map<number, Running>()

  function failAll(problem: string): void {
    log.error({ reason: problem }, 'the scanner failed')
    for (const job of [...jobs.values()]) job.failed(problem)
    stop()
  }

  function stop(): void {
    worker?.terminate()
    worker = null
  }

  function start(): Worker {
    if (idle !== null) clearTimeout(idle)
    idle = null
    if (worker !== null) return worker
    const started = new Worker(new URL('./scan-worker.ts', import.meta.url).href, {
      name: 'scanner',
      smol: true,
    })
    worker = started
    started.onmessage = ({ data }: MessageEvent<FromScanner>) => {
      if (data.kind === 'hosts') jobs.get(data.job)?.results(data)
      else if (data.problem !== null) failAll(data.problem)
    }
    started.onerror = (event: ErrorEvent) => {
      event.preventDefault()
      if (worker === started) failAll(event.message)
    }
    return started
  }

  async function* askAs(targets: ProbeTargets, signal: AbortSignal, options: JobOptions): AsyncGenerator<ObservedHost> {
    const job = ++lastJob
    const thread = start()
    const post = (message: ToScanner): void => thread.postMessage(message)
    const flow = new Flow(targets, windowOf(options, MAX_WINDOW), (ids, addresses) =>
      post({ kind: 'hosts', job, ids, addresses }),
    )
    jobs.set(job, flow)
    const aborted = (): void => flow.stop()
    signal.addEventListener('abort', aborted)
    if (signal.aborted) flow.stop()
    try {
      post({ kind: 'begin', job, options })
      yield* flow.hosts()
    } finally {
      signal.removeEventListener('abort', aborted)
      jobs.delete(job)
      post({ kind: 'end', job })
      if (jobs.size === 0 && idle === null) {
        idle = setTimeout(stop, IDLE_MS)
        idle.unref()
      }
    }
  }

  return {
    ask: (targets, signal, options = {}) => askAs(targets, signal, jobOptions(settings, options)),
    askAs,
    close() {
      if (idle !== null) clearTimeout(idle)
      for (const job of [...jobs.values()]) job.failed('the program is stopping')
      stop()
    },
  }
}

/** Targets on their way to the thread and results on their way back. */
class Flow implements Running {
  private readonly pending = new Map<number, ProbeTarget>()
  private readonly ready: ObservedHost[] = []
  private readonly source: Iterator<ProbeTarget> | AsyncIterator<ProbeTarget>
  private nextId = 0
  private exhausted = false
  private stopped = false
  private problem: Error | null = null
  private wake: (() => void) | null = null
  private readonly room: (() => void)[] = []
  private readonly batch: { readonly id: number; readonly address: string }[] = []
  private flushing: ReturnType<typeof setTimeout> | null = null

  constructor(
    targets: ProbeTargets,
    /** Most addresses that are asked or wait to be taken. */
    private readonly window: number,
    private readonly send: (ids: number[], addresses: string[]) => void,
  ) {
    this.source = targetIterator(targets)
  }

  async *hosts(): AsyncGenerator<ObservedHost> {
    void this.feed().catch((error: unknown) => {
      this.problem = error instanceof Error ? error : new Error(String(error))
      this.stop()
    })
    try {
      for (;;) {
        for (let host = this.ready.shift(); host !== undefined && !this.stopped; host = this.ready.shift()) {
          for (const go of this.room.splice(0)) go()
          yield host
        }
        if (this.stopped || (this.exhausted && this.pending.size === 0)) break
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
      }
      if (this.problem !== null) throw this.problem
    } finally {
      this.stop()
      // not awaited: a source that waits for something would hold up the stop
      void this.source.return?.()
    }
  }

  /**
   * Takes targets while there is room in the window, and sends them a few milliseconds later, some at a time. What waits to
   * be recorded counts: a database that is slower than the network must not fill the memory.
   */
  private async feed(): Promise<void> {
    const isFull = () => this.pending.size + this.ready.length >= this.window
    while (!this.stopped) {
      while (isFull() && !this.stopped) await new Promise<void>((resolve) => this.room.push(resolve))
      const given = this.source.next()
      const { done, value } = given instanceof Promise ? await given : given
      if (done === true) break
      this.pending.set(this.nextId, value)
      this.batch.push({ id: this.nextId++, address: value.address })
      if (this.batch.length >= BATCH) this.flush()
      else this.flushing ??= setTimeout(() => this.flush(), GATHER_MS)
    }
    this.flush()
    this.exhausted = true
    this.wake?.()
  }

  private flush(): void {
    if (this.flushing !== null) clearTimeout(this.flushing)
    this.flushing = null
    const batch = this.batch.splice(0)
    if (batch.length === 0 || this.stopped) return
    this.send(
      batch.map(({ id }) => id),
      batch.map(({ address }) => address),
    )
  }

  results({ answered, silent, outside }: Extract<FromScanner, { kind: 'hosts' }>): void {
    for (const { id, pingMs, snmp, failure } of answered) this.settle(id, { pingMs, snmp, failure })
    for (const id of silent) this.settle(id, SILENT)
    for (const id of outside) this.pending.delete(id)
    this.wake?.()
    for (const go of this.room.splice(0)) go()
  }

  private settle(id: number, answer: HostAnswer): void {
    const target = this.pending.get(id)
    if (target === undefined) return
    this.pending.delete(id)
    this.ready.push({ target, ...answer })
  }

  failed(problem: string): void {
    this.problem = new Error(problem)
    this.stop()
  }

  stop(): void {
    this.stopped = true
    this.wake?.()
    for (const go of this.room.splice(0)) go()
  }
}

/** Seconds that a response is waited for at most, because a scan waits for every address. */
const MAX_TIMEOUT_S = 5

/** How hosts are asked, by the settings and what a caller wants otherwise. */
export function jobOptions(settings: Settings, { rate, ping = true, snmp = true }: AskOptions): JobOptions {
  return {
    rate: rate ?? settings.get('autodiscovery.rate'),
    ping,
    trials: snmp ? trialsOf(settings) : [],
    ...agentPorts(settings),
    timeoutMs: Math.min(MAX_TIMEOUT_S, settings.get('snmp.timeout')) * 1000,
    pingTimeoutMs: Math.min(MAX_TIMEOUT_S * 1000, settings.get('ping.timeout')),
    own: settings.get('nets'),
    exclude: settings.get('autodiscovery.nets-exclude'),
  }
}

/** The credentials of the settings, in the order of snmp.version. */
function trialsOf(settings: Settings): Trial[] {
  const defaults = {
    versions: settings.get('snmp.version'),
    communities: settings.get('snmp.community'),
    v3: settings.get('snmp.v3'),
  }
  return credentialTrials({}, defaults).flatMap(({ credentials, number }) =>
    number === null ? [] : [{ version: credentials.snmpver, index: number - 1, credentials }],
  )
}
