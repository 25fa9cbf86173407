import { ALERT_IS_OPEN } from '../base/alert-states.ts'
import type { Sql, Store, Tx } from '../database/client.ts'
import { DEADLOCK, StoreError } from '../database/errors.ts'
import { LOGS, type LogTable } from './tables.ts'

/** Days to keep the rows of each log; 0: forever. */
export interface LogRetention {
  readonly eventlogDays: number
  readonly syslogDays: number
  readonly alertlogDays: number
  readonly authlogDays: number
}

/** Rows per statement: few enough not to block others. */
const ROWS_PER_STEP = 5000
/** Attaching or dropping a partition waits for running statements, and others wait behind it. */
const LOCK_MS = 3000

/**
 * Creates the partitions of the coming days and consolidates log_counts and log_totals. Called often. A partition that
 * cannot be created because the log is in use is left to the next call; its rows go to the default partition meanwhile.
 */
export async function keepLogs({ sql }: Store, keep: LogRetention): Promise<void> {
  for (const [log, days] of logsOf(keep)) {
    await sql`update log_tables set keep_days = ${days} where log = ${log.table} and keep_days <> ${days}`
    for (const ahead of [0, 1, 2, 3]) {
      await patiently(sql, (tx) => tx`select make_log_partition(${log.table}, now() + make_interval(days => ${ahead}))`)
    }
    await addUp(sql, log.table)
  }
}

/**
 * Drops partitions whose rows have all expired, so rows are kept for up to the width of a partition longer. Rows in the
 * default partition are deleted in short statements for at most `maxMs` (default 20,000); the rest is left to the next
 * run. Keeps rows of alerts that are still active. Returns the number of deleted rows.
 */
export async function dropOldLogs({ sql }: Store, keep: LogRetention, maxMs = 20_000): Promise<number> {
  const until = performance.now() + maxMs
  let dropped = 0
  for (const [log, days] of logsOf(keep)) {
    if (days === 0) continue
    const expired = await sql<{ part: string }[]>`
        select part::text from log_partitions(${log.table}) where to_time <= now() - make_interval(days => ${days})`
    for (const { part } of expired) dropped += await dropPartition(sql, log, part, until)
    dropped += await deleteSome(sql, log, `log_parts.${log.table}_other`, days, until)
    await addUp(sql, log.table)
  }
  return dropped
}

const logsOf = (keep: LogRetention): readonly (readonly [LogTable, number])[] => [
  [LOGS.eventlog, keep.eventlogDays],
  [LOGS.syslog, keep.syslogDays],
  [LOGS.alertlog, keep.alertlogDays],
  [LOGS.authlog, keep.authlogDays],
]

/** Drops a partition or, while it has rows of active alerts, deletes its other rows. Returns the number of rows. */
async function dropPartition(sql: Sql, log: LogTable, part: string, until: number): Promise<number> {
  if (log.table === 'alert_log') {
    const [kept] = await sql`select from ${sql.unsafe(part)} x where not ${notActive(sql, log.table)} limit 1`
    if (kept !== undefined) return await deleteSome(sql, log, part, 0, until)
  }
  const dropped = await patiently(sql, async (tx) => {
    await tx`lock table ${tx.unsafe(part)} in access exclusive mode`
    const time = tx.unsafe(`"${log.time}"`)
    const [{ rows } = { rows: 0 }] = await tx<{ rows: number }[]>`
      with counted as (select log_bucket(${time}) as bucket, count(*) as n from ${tx.unsafe(part)} group by 1),
        lines as (insert into log_counts (log, bucket, "rows") select ${log.table}, bucket, -n from counted)
      select coalesce(sum(n), 0)::float8 as rows from counted`
    await tx.unsafe(`drop table ${part}`)
    return rows
  })
  return dropped ?? 0
}

/** Deletes expired rows through the partitioned table instead of the partition, so that log_counts is updated. */
async function deleteSome(sql: Sql, log: LogTable, part: string, days: number, until: number): Promise<number> {
  let deleted = 0
  for (let rows = ROWS_PER_STEP; rows === ROWS_PER_STEP && performance.now() < until; deleted += rows) {
    const gone = await sql`
        delete from ${sql(log.table)} where (${sql(log.id)}, ${sql(log.time)}) in (
          select ${sql(log.id)}, ${sql(log.time)} from ${sql.unsafe(part)} x
          where ${sql(log.time)} < now() - make_interval(days => ${days}) and ${notActive(sql, log.table)}
          order by ${sql(log.time)} limit ${ROWS_PER_STEP})`
    rows = gone.count
  }
  return deleted
}

/** Condition on alias `x`. */
function notActive(sql: Sql, table: string) {
  if (table !== 'alert_log') return sql`true`
  return sql`not exists (
    select from alerts a where a.device_id = x.device_id and a.rule_id = x.rule_id and ${sql.unsafe(ALERT_IS_OPEN)})`
}

/** Merges the rows of each five-minute count, and of the total, into one. Rows added meanwhile remain. */
async function addUp(sql: Sql, table: string): Promise<void> {
  await sql`
      with many as (
        select bucket from log_counts where log = ${table} group by bucket having count(*) > 1 or sum("rows") = 0),
        gone as (delete from log_counts c using many m where c.log = ${table} and c.bucket = m.bucket
          returning c.bucket, c."rows")
      insert into log_counts (log, bucket, "rows")
      select ${table}, bucket, sum("rows") from gone group by bucket having sum("rows") <> 0`
  await sql`
      with gone as (delete from log_totals where log = ${table}
          and (select count(*) from log_totals where log = ${table}) > 1 returning "rows")
      insert into log_totals (log, "rows") select ${table}, sum("rows") from gone having count(*) > 0`
}

/** Runs a transaction that gives up soon when others hold its locks. Null: it gave up. */
async function patiently<T>(sql: Sql, work: (tx: Tx) => Promise<T> | T): Promise<T | null> {
  try {
    const done = await sql.begin(async (tx) => {
      await tx.unsafe(`set local lock_timeout = ${LOCK_MS}`)
      return { result: await work(tx) }
    })
    return done.result as T
  } catch (error) {
    if (error instanceof StoreError && (error.code === '55P03' || error.code === DEADLOCK)) return null
    throw error
  }
}
