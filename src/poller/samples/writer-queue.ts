import type { Log } from '../../observe/log.ts'
import type { SampleBatch } from '../../series/samples.ts'
import { type BatchBuilder, createBatch } from './batch.ts'

export interface WriterQueueOptions {
  readonly write: (batch: SampleBatch) => Promise<void>
  /** True for an error after which the same batch can be written later, because the database is unavailable. */
  readonly retryable: (error: unknown) => boolean
  /** True for an error that was logged already. Default: none. */
  readonly reported?: (error: unknown) => boolean
  readonly log: Log
  /** Maximum number of sample rows kept while the database is unavailable. */
  readonly bufferRows: number
  /** A batch is written when it has this many rows ... */
  readonly batchRows?: number
  /** ... or when its first row has waited this long, ms. */
  readonly delayMs?: number
  /** Time between tries while the database is unavailable, ms. */
  readonly retryMs?: number
}

export interface WriterQueueStats {
  readonly written: number
  readonly waiting: number
  /** Maximum number of rows kept while the database is unavailable. */
  readonly limit: number
  /** Rows dropped because the buffer was full, oldest first. */
  readonly dropped: number
  /** Rows of batches that the database refused permanently. */
  readonly refused: number
  /** False while the database is unavailable. */
  readonly up: boolean
}

/**
 * Queue between polls and database: collects samples in batches, writes these in order, one at a time, and keeps up to
 * `bufferRows` rows while the database is unavailable; beyond that the oldest batch is dropped, counted and logged.
 */
export interface WriterQueue {
  /** The batch being filled. */
  batch(): BatchBuilder
  /** Call after adding to the batch: decides whether to write it now or later. */
  filled(): void
  /** Resolves when everything added before the call is written or dropped. */
  flush(): Promise<void>
  /** Writes the remaining rows for at most `graceMs`; rows not written by then are lost and counted. */
  stop(graceMs: number): Promise<WriterQueueStats>
  stats(): WriterQueueStats
}

interface Sealed {
  readonly batch: SampleBatch
  readonly rows: number
  readonly settle: () => void
  readonly settled: Promise<void>
}

export function createWriterQueue(o: WriterQueueOptions): WriterQueue {
  const batchRows = o.batchRows ?? 12_000
  const delayMs = o.delayMs ?? 500
  const retryMs = o.retryMs ?? 1000
  let current = createBatch()
  let timer: ReturnType<typeof setTimeout> | null = null
  const queue: Sealed[] = []
  let pumping = false
  let up = true
  let stopping = false
  let written = 0
  let dropped = 0
  let refused = 0
  let wake: (() => void) | null = null

  function seal(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (current.rows === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const batch = current.seal()
    queue.push({ batch, rows: current.rows, settle: resolve, settled: promise })
    current = createBatch(batch.ports.length)
    shed()
    void pump()
  }

  function waiting(): number {
    let rows = current.rows
    for (const s of queue) rows += s.rows
    return rows
  }

  function shed(): void {
    let rows = waiting()
    // while the pump runs, it is writing the first batch, which must stay
    const first = pumping ? 1 : 0
    while (rows > o.bufferRows && queue.length > first + 1) {
      const [oldest] = queue.splice(first, 1)
      if (oldest === undefined) return
      rows -= oldest.rows
      dropped += oldest.rows
      oldest.settle()
      o.log.error({ rows: oldest.rows, dropped }, 'sample buffer full, oldest samples dropped')
    }
  }

  async function pump(): Promise<void> {
    if (pumping) return
    pumping = true
    for (let head = queue[0]; head !== undefined; head = queue[0]) {
      try {
        await o.write(head.batch)
        written += head.rows
        if (!up) o.log.info({ waiting: waiting() }, 'database available again, samples are written')
        up = true
      } catch (error) {
        if (o.retryable(error)) {
          if (up) o.log.error({ err: error, waiting: waiting() }, 'database unavailable, samples are kept in memory')
          up = false
          if (stopping) break
          await new Promise<void>((resolve) => {
            wake = resolve
            setTimeout(resolve, retryMs)
          })
          wake = null
          continue
        }
        refused += head.rows
        if (o.reported?.(error) !== true) o.log.error({ err: error, rows: head.rows }, 'the database refused samples')
      }
      queue.shift()
      head.settle()
    }
    pumping = false
  }

  return {
    batch: () => current,
    filled() {
      if (current.rows >= batchRows) seal()
      else if (timer === null && current.rows > 0) timer = setTimeout(seal, delayMs)
    },
    async flush() {
      seal()
      await queue.at(-1)?.settled
    },
    async stop(graceMs) {
      seal()
      stopping = true
      wake?.()
      await Promise.race([queue.at(-1)?.settled, Bun.sleep(graceMs)])
      const left = waiting()
      if (left > 0) o.log.error({ rows: left }, 'stopped with samples that could not be written')
      dropped += left
      return { written, waiting: 0, limit: o.bufferRows, dropped, refused, up }
    },
    stats: () => ({ written, waiting: waiting(), limit: o.bufferRows, dropped, refused, up }),
  }
}
