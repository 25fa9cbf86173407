import { durationsOf, figure } from './figures.ts'
import { heapBytes } from './memory.ts'
import type { Metric } from './metrics.ts'

/** Broadcast channel over which the threads of this process report. */
const CHANNEL = 'portlight-threads'
const TICK_MS = 250
/** Interval of the main thread's timer; requests wait as long as it is late. */
const DELAY_TICK_MS = 20
const DELAY_BOUNDS_S = [0.001, 0.002, 0.004, 0.006, 0.008, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1, 0.25, 1]
const REPORT_MS = 5000
const WINDOW_MS = 15_000
/** A thread that has not reported for this long counts as ended; a stalled one reports again once it continues. */
const GONE_MS = 120_000

interface Report {
  readonly thread: string
  /** Longest delay of a timer in the current window and the one before, seconds. */
  readonly lagS: number
  /** Null: it could not be read. */
  readonly heapBytes: number | null
}

/** Measures how late this thread's timers are, and its heap. `report` returns the current values. */
export function watchThread(thread: string): { report(): Report; stop(): void } {
  let expected = performance.now() + TICK_MS
  let windowEnds = expected + WINDOW_MS
  let before = 0
  let current = 0
  const timer = setInterval(() => {
    const now = performance.now()
    current = Math.max(current, now - expected)
    expected = now + TICK_MS
    if (now < windowEnds) return
    before = current
    current = 0
    windowEnds = now + WINDOW_MS
  }, TICK_MS)
  timer.unref()
  return {
    report: () => ({ thread, lagS: Math.max(before, current) / 1000, heapBytes: heapBytes() }),
    stop: () => clearInterval(timer),
  }
}

/**
 * Measures a worker thread and reports to the main thread until the worker ends. `thread` must come from the program.
 */
export function reportThread(thread: string): void {
  const watch = watchThread(thread)
  const channel = new BroadcastChannel(CHANNEL)
  const timer = setInterval(() => channel.postMessage(watch.report()), REPORT_MS)
  timer.unref()
  channel.unref()
}

/** Measures how late a timer of this thread is, which is the time a request waits before this thread handles it. */
function watchDelay(): { metrics(): Metric[]; stop(): void } {
  const delays = durationsOf('portlight_event_loop_delay_seconds', DELAY_BOUNDS_S)
  let expected = performance.now() + DELAY_TICK_MS
  const timer = setInterval(() => {
    const now = performance.now()
    delays.observe(Math.max(0, now - expected) / 1000)
    expected = now + DELAY_TICK_MS
  }, DELAY_TICK_MS)
  timer.unref()
  return { metrics: delays.metrics, stop: () => clearInterval(timer) }
}

/** Metrics of this thread, called `main`, and of those that report to it. */
export function createThreadMetrics(): { metrics(): Metric[]; stop(): void } {
  const own = watchThread('main')
  const delay = watchDelay()
  const others = new Map<string, { readonly report: Report; readonly at: number }>()
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }) => {
    const report = reportOf(data)
    if (report !== null) others.set(report.thread, { report, at: performance.now() })
  }
  channel.unref()
  return {
    metrics() {
      const now = performance.now()
      for (const [name, { at }] of others) if (now - at > GONE_MS) others.delete(name)
      const threads = [own.report(), ...[...others.values()].map(({ report }) => report)].flatMap(
        ({ thread, lagS, heapBytes: used }) => [
          figure('portlight_event_loop_lag_seconds', lagS, { thread }),
          ...(used === null ? [] : [figure('portlight_heap_bytes', used, { thread })]),
        ],
      )
      return [...threads, ...delay.metrics()]
    },
    stop() {
      own.stop()
      delay.stop()
      channel.close()
    },
  }
}

function reportOf(data: unknown): Report | null {
  if (typeof data !== 'object' || data === null) return null
  const { thread, lagS, heapBytes: used }: { thread?: unknown; lagS?: unknown; heapBytes?: unknown } = data
  return typeof thread === 'string' && typeof lagS === 'number'
    ? { thread, lagS, heapBytes: typeof used === 'number' ? used : null }
    : null
}
