import { totalmem } from 'node:os'
import { type Busy, type BusyMemory, type InProgress, REQUEST } from './busy.ts'
import type { Log, LogFormat } from './log.ts'

/** When the watchdog speaks, and when it ends the process. Octets and milliseconds. */
export interface WatchdogLimits {
  /** The main thread has not come round to its timers for this long. */
  readonly stalledMs: number
  /** After this long without a response the process ends, so that its supervisor starts it again. */
  readonly endMs: number
  /** A request that is not answered is named after this long. */
  readonly requestMs: number
  /** Resident memory above which the work in progress is named, and above which a stalled process ends. */
  readonly warnOctets: number
  readonly endOctets: number
}

export interface WatchdogOptions {
  readonly memory: BusyMemory
  readonly limits: WatchdogLimits
  readonly level: string
  readonly format: LogFormat
}

interface State {
  readonly beats: number
  /** How long the main thread has not responded: the thread's own ticks, which stop with it when the process is paused. */
  readonly stalledMs: number
  readonly isStalled: boolean
  readonly isFull: boolean
  /** Requests that were named, by when they began. */
  readonly named: readonly InProgress[]
}

export const START: State = { beats: -1, stalledMs: 0, isStalled: false, isFull: false, named: [] }

interface Seen {
  readonly beats: number
  readonly work: readonly InProgress[]
  readonly nowMs: number
  /** Resident memory, bytes; null: it could not be read. */
  readonly rss: number | null
}

interface Line {
  readonly level: 'warn' | 'error' | 'fatal' | 'info'
  readonly message: string
  readonly [key: string]: unknown
}

/** Work named in one line. */
const MOST_NAMED = 8
/** A limit that was exceeded is left again below this share of it. */
const LEFT = 0.9
const MIB = 1_048_576

/** What to say about the main thread, and whether the process must end. Pure: `tickMs` is the time since the last look. */
export function judge(
  before: State,
  { beats, work, nowMs, rss }: Seen,
  tickMs: number,
  limits: WatchdogLimits,
): { readonly state: State; readonly lines: readonly Line[]; readonly isOver: boolean } {
  const stalledMs = beats === before.beats ? before.stalledMs + tickMs : 0
  const isStalled = stalledMs >= limits.stalledMs
  const isFull = rss === null ? before.isFull : rss >= limits.warnOctets * (before.isFull ? LEFT : 1)
  const isOver = isStalled && (stalledMs >= limits.endMs || (rss !== null && rss >= limits.endOctets))
  const doing = work.slice(0, MOST_NAMED).map(({ name, beganMs }) => `${name} for ${seconds(nowMs - beganMs)} s`)
  const late = work.filter(({ name, beganMs }) => name.startsWith(REQUEST) && nowMs - beganMs >= limits.requestMs)
  const isNew = ({ name, beganMs }: InProgress) =>
    !before.named.some((one) => one.name === name && one.beganMs === beganMs)
  const memoryMiB = rss === null ? null : Math.round(rss / MIB)
  const lines: Line[] = []
  if (isStalled && !before.isStalled)
    lines.push({
      level: 'error',
      message: 'the main thread does not respond',
      seconds: seconds(stalledMs),
      doing,
      memoryMiB,
    })
  if (before.isStalled && !isStalled)
    lines.push({ level: 'warn', message: 'the main thread responds again', seconds: seconds(before.stalledMs) })
  if (isFull && !before.isFull) lines.push({ level: 'warn', message: 'memory is running out', memoryMiB, doing })
  for (const one of late.filter(isNew))
    lines.push({
      level: 'warn',
      message: 'a request is not answered',
      request: one.name,
      seconds: seconds(nowMs - one.beganMs),
    })
  if (isOver)
    lines.push({
      level: 'fatal',
      message: 'ended, because the main thread does not respond; its supervisor starts it again',
      seconds: seconds(stalledMs),
      doing,
      memoryMiB,
    })
  return { state: { beats, stalledMs, isStalled, isFull, named: late }, lines, isOver }
}

const seconds = (ms: number): number => Math.round(ms / 1000)

const STALLED_MS = 5000
const END_MS = 120_000
const REQUEST_MS = 30_000
const WARN_SHARE = 0.8
const END_SHARE = 0.95
const BEAT_MS = 250

/** Memory that this process may use: that of its container, or of the machine. */
function memoryLimit(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 && constrained < totalmem() ? constrained : totalmem()
}

/**
 * Watches the main thread from a thread of its own, until it is stopped. A stall, work that takes long and memory that
 * runs out are logged with the requests in progress; a process that does not come back is ended.
 */
export function watchMain(
  busy: Busy,
  log: Log,
  format: LogFormat,
  wanted: Partial<WatchdogLimits> = {},
): { stop(): void } {
  const worker = new Worker(new URL('./watchdog-worker.ts', import.meta.url).href, { name: 'watchdog', smol: true })
  worker.onerror = (event: ErrorEvent) => {
    event.preventDefault()
    log.error({ reason: event.message }, 'the watchdog failed: nothing watches the main thread')
  }
  worker.unref()
  const octets = memoryLimit()
  const limits: WatchdogLimits = {
    stalledMs: STALLED_MS,
    endMs: END_MS,
    requestMs: REQUEST_MS,
    warnOctets: octets * WARN_SHARE,
    endOctets: octets * END_SHARE,
    ...wanted,
  }
  const beat = setInterval(busy.beat, BEAT_MS)
  beat.unref()
  worker.postMessage({ memory: busy.memory, limits, level: log.level, format } satisfies WatchdogOptions)
  return {
    stop() {
      clearInterval(beat)
      worker.terminate()
    },
  }
}
