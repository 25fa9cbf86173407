import { authlog, eventlog } from '../../../db/schema/index.ts'
import type { Sql, Store } from '../client.ts'
import { guarded } from '../errors.ts'

/** An event posted by a client. */
export interface NewEvent {
  /** null: no device. */
  readonly device_id: number | null
  readonly message: string
  readonly type: string
  readonly reference: string | null
  readonly username: string
  /** 0 unknown, 1 ok, 2 info, 3 notice, 4 warning, 5 error. */
  readonly severity: number
}

/** Stores an event. */
export async function insertEvent({ db }: Store, event: NewEvent): Promise<void> {
  await guarded(() => db.insert(eventlog).values(event))
}

/**
 * Stores an event even when the database is read-only because its disk is nearly full, since the operator must know.
 */
export async function insertUrgentEvent({ sql }: Store, event: NewEvent): Promise<void> {
  await guarded(() => sql.begin('read write', async (tx) => void (await tx`insert into eventlog ${tx({ ...event })}`)))
}

/** A login attempt. */
export interface AuthEntry {
  /** Empty when no user was recognised. */
  readonly user: string
  /** Empty for the command line. */
  readonly address: string
  readonly result: string
}

/** Stores login attempts. */
export async function insertAuthEntries({ db }: Store, entries: readonly AuthEntry[]): Promise<void> {
  if (entries.length > 0) await guarded(() => db.insert(authlog).values([...entries]))
}

/** Days to keep the rows of each log; 0: forever. */
export interface LogRetention {
  readonly eventlogDays: number
  readonly syslogDays: number
  readonly alertlogDays: number
  readonly authlogDays: number
}

/** Rows per statement: few enough not to block others. */
const ROWS_PER_STEP = 5000

/**
 * Deletes expired rows, oldest first, in many short statements, for at most `maxMs` (default 20,000); the rest is left
 * to the next run. Keeps rows of alerts that are still active. Consolidates log_counts. Returns the number of deleted
 * rows.
 */
export async function dropOldLogs({ sql }: Store, keep: LogRetention, maxMs = 20_000): Promise<number> {
  const until = performance.now() + maxMs
  const logs: readonly OldRows[] = [
    { table: 'eventlog', id: 'event_id', time: 'datetime', days: keep.eventlogDays },
    { table: 'syslog', id: 'seq', time: 'timestamp', days: keep.syslogDays },
    { table: 'alert_log', id: 'id', time: 'time_logged', days: keep.alertlogDays },
    { table: 'authlog', id: 'id', time: 'datetime', days: keep.authlogDays },
  ]
  let dropped = 0
  for (const log of logs) {
    for (let rows = ROWS_PER_STEP; log.days > 0 && rows === ROWS_PER_STEP && performance.now() < until; ) {
      rows = await dropSome(sql, log)
      dropped += rows
    }
  }
  for (const { table } of logs) await addUp(sql, table)
  return dropped
}

/** Replaces many lines of log_counts by one. Lines added meanwhile remain. */
async function addUp(sql: Sql, table: string): Promise<void> {
  await guarded(
    () => sql`
      with gone as (delete from log_counts where log = ${table} returning "rows")
      insert into log_counts (log, "rows") select ${table}, sum("rows") from gone having count(*) > 0`,
  )
}

interface OldRows {
  readonly table: string
  readonly id: string
  readonly time: string
  readonly days: number
}

async function dropSome(sql: Sql, { table, id, time, days }: OldRows): Promise<number> {
  const over = sql`not exists (
    select from alerts a where a.device_id = x.device_id and a.rule_id = x.rule_id and a.state <> 0)`
  const gone = await guarded(
    () => sql`
      delete from ${sql(table)} where ${sql(id)} = any(array(
        select ${sql(id)} from ${sql(table)} x
        where ${sql(time)} < now() - make_interval(days => ${days}) and ${table === 'alert_log' ? over : sql`true`}
        order by ${sql(time)} limit ${ROWS_PER_STEP}))`,
  )
  return gone.count
}
