import type { RetentionClass } from '../../series/kind.ts'
import { KIND_LIST } from '../../series/kinds.ts'
import type { Store } from '../database/client.ts'
import { DEADLOCK, type StoreError } from '../database/errors.ts'

/** Days to keep samples and roll-ups. */
interface Days {
  readonly samplesDays: number
  readonly hourlyDays: number
  readonly dailyDays: number
}

/** Days for all kinds, except those whose retention class has its own. */
export interface Retention extends Days {
  readonly classes?: Readonly<Record<RetentionClass, Days>>
}

/** The steps of a round, in their order. */
export type MaintenanceStep = 'partitions' | 'roll-up' | 'retention' | 'compression' | 'packing' | 'deletion'

/**
 * A step that failed for one table or chunk. Other steps and tables are not affected, and the next round retries it.
 */
export interface MaintenanceFailure {
  readonly step: MaintenanceStep
  /** Table or chunk with its schema, as `ts.port_samples`. */
  readonly rel: string
  readonly reason: string
}

/** Result of a round of maintenance. */
export interface MaintenanceReport {
  readonly partitionsMade: number
  /** Number of buckets rolled up. */
  readonly rolled: number
  /** Names of partitions or chunks removed by retention. */
  readonly dropped: readonly string[]
  /** Number of chunks moved to the columnstore. */
  readonly compressed: number
  /** Number of subjects of chunks whose rows were packed; on servers without a columnstore. */
  readonly packed: number
  /** Number of deleted ports, sensors, ... whose samples were removed. */
  readonly subjectsRemoved: number
  /** Steps abandoned because a table was in use; the next round retries them. */
  readonly busy: number
  readonly failures: readonly MaintenanceFailure[]
}

interface SeriesRow {
  readonly rel: string
  readonly base: string
  readonly level: 'samples' | '1h' | '1d'
}

/** Buckets rolled up per transaction while they are quick; after a stop of a month, catching up takes several. */
const BUCKETS_PER_STEP = 6
/** If a bucket takes longer than this, each gets its own transaction, so that finished ones are kept. */
const LONG_BUCKET_MS = 5000
/** An hour of a million ports is 60 million samples, which take minutes to roll up. */
const ROLL_UP_TIMEOUT_MS = 1_800_000
/** Answer timeout that the client of a maintained store needs, seconds. */
export const MAINTENANCE_ANSWER_S = ROLL_UP_TIMEOUT_MS / 1000 + 15
/** A longer wait for a table lock would block readers and writers queued behind it. */
const LOCK_TIMEOUT_MS = 2000
/** A chunk in use can wait for the next round. */
const CHUNK_LOCK_TIMEOUT_MS = 500
/** Share of a round that compression may take, so that the steps after it have time. */
const COMPRESSION_SHARE = 0.6
/** Chunks of one table that may fail or be in use before the round leaves the table. */
const CHUNK_FAILURES = 5
/** Lock timeout, deadlock, serialization failure. */
const BUSY = new Set(['55P03', DEADLOCK, '40001'])

/**
 * One round: create partitions ahead, roll up to now, apply retention, delete samples of deleted subjects, compress
 * (full edition). Run every minute by the scheduler; concurrent rounds of several processes are harmless. Each step of
 * each table, and each chunk, is a short transaction of its own: a failed one is reported and the round continues.
 * Takes at most `maxMs` (50,000) and one chunk; the rest is left to the next round. Throws StoreError only when the
 * database cannot be used at all. `retention` null: nothing is removed by its age.
 */
export async function maintain(store: Store, retention: Retention | null, maxMs = 50_000): Promise<MaintenanceReport> {
  const round = new Round(store, performance.now() + maxMs)
  const { sql } = store
  const series = await sql<SeriesRow[]>`select rel::text, base, level from ts.series order by rel`
  const earlier = await sql<MaintenanceFailure[]>`select step, rel, reason from ts.problem order by step, rel`
  await makePartitions(round, series)
  await rollUp(round, series)
  if (retention !== null) await applyRetention(round, series, retention)
  await forget(round)
  await compress(round, series, new Set(earlier.map(({ rel }) => rel)), maxMs * COMPRESSION_SHARE)
  if (retention !== null) await pack(round, maxMs * COMPRESSION_SHARE)
  await record(store, earlier, round)
  const { counts, dropped, failures } = round
  return { ...counts, dropped, failures }
}

class Round {
  readonly counts = { partitionsMade: 0, rolled: 0, compressed: 0, packed: 0, subjectsRemoved: 0, busy: 0 }
  readonly dropped: string[] = []
  readonly failures: MaintenanceFailure[] = []
  /** Steps that succeeded, as `step rel`. */
  readonly done = new Set<string>()
  private readonly until: number
  private readonly store: Store

  constructor(store: Store, until: number) {
    this.store = store
    this.until = until
  }

  get hasTime(): boolean {
    return performance.now() < this.until
  }

  /** Runs a statement in a transaction of its own. null: it failed, or the table is in use. */
  async step<T>(
    step: MaintenanceStep,
    rel: string,
    query: string,
    lockTimeoutMs = LOCK_TIMEOUT_MS,
  ): Promise<readonly T[] | null> {
    try {
      const rows = await this.store.sql.begin(async (tx) => {
        await tx.unsafe(`set local lock_timeout = ${lockTimeoutMs}`)
        if (step === 'roll-up') await tx.unsafe(`set local statement_timeout = ${ROLL_UP_TIMEOUT_MS}`)
        return await tx.unsafe(query)
      })
      this.done.add(`${step} ${rel}`)
      return rows as unknown as readonly T[]
    } catch (thrown) {
      const error = thrown as StoreError
      if (BUSY.has(error.code ?? '')) this.counts.busy++
      // The timeout of one statement says nothing about the others.
      else if (error.retryable && error.code !== '57014') throw error
      else this.failures.push({ step, rel, reason: error.message })
      return null
    }
  }
}

async function makePartitions(round: Round, series: readonly SeriesRow[]): Promise<void> {
  for (const { rel } of series) {
    const rows = await round.step<{ made: number }>(
      'partitions',
      rel,
      `select ts.ensure_partitions('${rel}', now()) as made`,
    )
    round.counts.partitionsMade += rows?.[0]?.made ?? 0
  }
}

async function rollUp(round: Round, series: readonly SeriesRow[]): Promise<void> {
  // Hourly before daily, which is built from it.
  for (const { rel } of [...series.filter((s) => s.level === '1h'), ...series.filter((s) => s.level === '1d')]) {
    let buckets = 1
    for (let done = 1; done > 0 && round.hasTime; ) {
      const began = performance.now()
      const rows = await round.step<{ done: number }>('roll-up', rel, `select ts.roll('${rel}', ${buckets}) as done`)
      buckets = performance.now() - began > LONG_BUCKET_MS ? 1 : BUCKETS_PER_STEP
      done = rows?.[0]?.done ?? 0
      round.counts.rolled += done
    }
  }
}

async function applyRetention(round: Round, series: readonly SeriesRow[], keep: Retention): Promise<void> {
  for (const { rel, base, level } of series) {
    if (!round.hasTime) return
    const dropped = await round.step<{ name: string }>(
      'retention',
      rel,
      `select ts.drop_old('${rel}', interval '${Math.ceil(daysOf(keep, base)[level])} days') as name`,
    )
    round.dropped.push(...(dropped ?? []).map((row) => row.name))
  }
}

function daysOf(retention: Retention, base: string): Readonly<Record<SeriesRow['level'], number>> {
  const kind = KIND_LIST.find(({ name }) => name === base)
  const days = (kind === undefined ? undefined : retention.classes?.[kind.retention]) ?? retention
  return { samples: days.samplesDays, '1h': days.hourlyDays, '1d': days.dailyDays }
}

async function forget(round: Round): Promise<void> {
  for (let done = 1; done > 0 && round.hasTime; ) {
    const rows = await round.step<{ done: number }>('deletion', 'ts.gone', 'select ts.forget_gone() as done')
    done = rows?.[0]?.done ?? 0
    round.counts.subjectsRemoved += done
  }
}

/** Compresses chunks one by one; those that failed in an earlier round come last. */
async function compress(
  round: Round,
  series: readonly SeriesRow[],
  failed: ReadonlySet<string>,
  maxMs: number,
): Promise<void> {
  const until = performance.now() + maxMs
  for (const { rel } of series) {
    if (!round.hasTime || performance.now() > until) return
    const enabled = await round.step('compression', rel, `select ts.enable_compression('${rel}')`)
    const due =
      enabled &&
      (await round.step<{ chunk: string }>(
        'compression',
        rel,
        `select chunk::text from ts.chunks_to_compress('${rel}') chunk`,
      ))
    if (due === null) continue
    const chunks = due.map((row) => row.chunk)
    let left = CHUNK_FAILURES
    for (const chunk of [...chunks.filter((c) => !failed.has(c)), ...chunks.filter((c) => failed.has(c))]) {
      if (left === 0 || !round.hasTime || performance.now() > until) break
      const rows = await round.step('compression', chunk, `select ts.compress_chunk('${chunk}')`, CHUNK_LOCK_TIMEOUT_MS)
      if (rows === null) left--
      else round.counts.compressed++
    }
  }
}

/** A transaction that packs should take about this long: it keeps rows of a day, and locks nothing that others need. */
const PACK_MS = 2000
const PACK_SUBJECTS = { first: 100, most: 20_000 }

/** Packs closed chunks, the oldest of each table first, and adds late rows to those that are packed. */
async function pack(round: Round, maxMs: number): Promise<void> {
  const due = await round.step<{ rel: string }>('packing', 'ts.series', 'select rel::text from ts.packing_due() rel')
  await packSeries(round, due ?? [], maxMs)
  const stale = await round.step<{ rel: string }>('packing', 'ts.series', 'select rel::text from ts.stale_views() rel')
  for (const { rel } of stale ?? []) await round.step('packing', rel, `select ts.make_dated('${rel}')`)
}

async function packSeries(round: Round, series: readonly { readonly rel: string }[], maxMs: number): Promise<void> {
  const until = performance.now() + maxMs
  for (const { rel } of series) {
    let subjects = PACK_SUBJECTS.first
    for (let going = true; going; ) {
      if (!round.hasTime || performance.now() > until) return
      const began = performance.now()
      const rows = await round.step<{ subjects: number; finished: string | null }>(
        'packing',
        rel,
        `select subjects, finished from ts.pack_step('${rel}', ${subjects})`,
        CHUNK_LOCK_TIMEOUT_MS,
      )
      going = rows !== null && rows.length > 0
      round.counts.packed += rows?.[0]?.subjects ?? 0
      const took = Math.max(1, performance.now() - began)
      subjects = Math.max(1, Math.min(PACK_SUBJECTS.most, Math.ceil((subjects * PACK_MS) / took)))
    }
    for (let going = true; going; ) {
      if (!round.hasTime || performance.now() > until) return
      const rows = await round.step<{ late: number | null }>(
        'packing',
        rel,
        `select ts.pack_late('${rel}') as late`,
        CHUNK_LOCK_TIMEOUT_MS,
      )
      const late = rows?.[0]?.late ?? null
      going = late !== null
      round.counts.packed += late ?? 0
    }
  }
}

/**
 * Reasons that differ only in numbers count as the same, because each attempt may create a chunk with another number.
 */
export function withoutNumbers(reason: string): string {
  return reason.replace(/\d+/g, '#')
}

/** Stores the failures for `doctor`, and deletes those that no longer occur. */
async function record(
  { sql }: Store,
  earlier: readonly MaintenanceFailure[],
  { failures, done }: Round,
): Promise<void> {
  const key = ({ step, rel }: MaintenanceFailure): string => `${step} ${rel}`
  const failing = new Set(failures.map(key))
  const known = new Map(earlier.map((problem) => [key(problem), withoutNumbers(problem.reason)]))
  const over = earlier.filter((problem) => done.has(key(problem)) && !failing.has(key(problem)))
  const changed = failures.filter((failure) => known.get(key(failure)) !== withoutNumbers(failure.reason))
  for (const { step, rel, reason } of changed) {
    await sql`insert into ts.problem (step, rel, reason) values (${step}, ${rel}, ${reason})
        on conflict (step, rel) do update set reason = excluded.reason`
  }
  for (const { step, rel } of over) await sql`delete from ts.problem where step = ${step} and rel = ${rel}`
  // Chunks that retention has removed since.
  if (earlier.length > 0) {
    await sql`delete from ts.problem p where p.step = 'compression' and to_regclass(p.rel) is null
        and p.rel not in (select s.rel::text from ts.series s)`
  }
}

/** Deletes samples of deleted subjects now instead of in the next round. Returns the number of subjects. */
export async function forgetGone({ sql }: Store): Promise<number> {
  let removed = 0
  for (let done = 1; done > 0; removed += done) {
    const [row] = await sql<{ done: number }[]>`select ts.forget_gone() as done`
    done = row?.done ?? 0
  }
  return removed
}
