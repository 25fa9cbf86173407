import type { RetentionClass } from '../../series/kind.ts'
import { KIND_LIST } from '../../series/kinds.ts'
import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'

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

/** Result of a round of maintenance. */
export interface MaintenanceReport {
  readonly partitionsMade: number
  /** Number of buckets rolled up. */
  readonly rolled: number
  /** Names of partitions or chunks removed by retention. */
  readonly dropped: readonly string[]
  readonly compressed: number
  /** Number of deleted ports, sensors, ... whose samples were removed. */
  readonly subjectsRemoved: number
  /** Steps abandoned because a table was in use; the next round retries them. */
  readonly busy: number
}

interface SeriesRow {
  readonly rel: string
  readonly base: string
  readonly level: 'samples' | '1h' | '1d'
}

/** Buckets rolled up per transaction; a process that was stopped for a month catches up in several. */
const BUCKETS_PER_STEP = 6
/** Waiting longer for a table lock would block its readers and writers behind us. */
const LOCK_TIMEOUT_MS = 2000

/**
 * One round: create partitions ahead, roll up to now, apply retention, compress (full edition), delete samples of
 * deleted subjects. Run every minute by the scheduler; concurrent rounds of several processes are harmless. Uses many
 * short transactions, so a failing step does not undo earlier ones. Takes at most `maxMs` (50,000); the rest is left
 * to the next round.
 */
export async function maintain(store: Store, retention: Retention, maxMs = 50_000): Promise<MaintenanceReport> {
  const until = performance.now() + maxMs
  const { sql } = store
  const report = { partitionsMade: 0, rolled: 0, dropped: [] as string[], compressed: 0, subjectsRemoved: 0, busy: 0 }
  const step = <T>(query: string): Promise<T[]> =>
    guarded(() =>
      sql.begin(async (tx) => {
        await tx.unsafe(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
        return (await tx.unsafe(query)) as unknown as T[]
      }),
    ).catch((error) => {
      if (error.code !== '55P03') throw error
      report.busy++
      return []
    }) as Promise<T[]>

  const series = await guarded(() => sql<SeriesRow[]>`select rel::text, base, level from ts.series order by rel`)
  for (const { rel } of series) {
    const [row] = await step<{ made: number }>(`select ts.ensure_partitions('${rel}', now()) as made`)
    report.partitionsMade += row?.made ?? 0
  }
  // Hourly before daily, which is built from it.
  for (const { rel } of [...series.filter((s) => s.level === '1h'), ...series.filter((s) => s.level === '1d')]) {
    for (let done = 1; done > 0 && performance.now() < until; ) {
      const [row] = await step<{ done: number }>(`select ts.roll('${rel}', ${BUCKETS_PER_STEP}) as done`)
      done = row?.done ?? 0
      report.rolled += done
    }
  }
  for (const { rel, base, level } of series) {
    if (performance.now() > until) break
    const days = daysOf(retention, base)
    const dropped = await step<{ name: string }>(
      `select ts.drop_old('${rel}', interval '${Math.ceil(days[level])} days') as name`,
    )
    report.dropped.push(...dropped.map((r) => r.name))
    const [row] = await step<{ n: number }>(`select ts.compress_old('${rel}') as n`)
    report.compressed += row?.n ?? 0
  }
  for (let done = 1; done > 0 && performance.now() < until; ) {
    const [row] = await step<{ done: number }>('select ts.forget_gone() as done')
    done = row?.done ?? 0
    report.subjectsRemoved += done
  }
  return report
}

function daysOf(retention: Retention, base: string): Readonly<Record<SeriesRow['level'], number>> {
  const kind = KIND_LIST.find(({ name }) => name === base)
  const days = (kind === undefined ? undefined : retention.classes?.[kind.retention]) ?? retention
  return { samples: days.samplesDays, '1h': days.hourlyDays, '1d': days.dailyDays }
}

/** Deletes samples of deleted subjects now instead of in the next round. Returns the number of subjects. */
export async function forgetGone({ sql }: Store): Promise<number> {
  let removed = 0
  for (let done = 1; done > 0; removed += done) {
    const [row] = await guarded(() => sql<{ done: number }[]>`select ts.forget_gone() as done`)
    done = row?.done ?? 0
  }
  return removed
}
