import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'
import type { SyslogRow } from './write-syslog.ts'

/** A batch of a run: stored once, even if it is sent again because the answer to the first time was lost. */
export interface BatchKey {
  /** UUID of the run of the listener. */
  readonly run: string
  /** Ascending. */
  readonly number: number
}

/** Forgets runs of earlier processes. */
export async function beginRun({ sql }: Store, run: string): Promise<void> {
  await guarded(
    () => sql`
      with gone as (delete from log_batches where begun_at < now() - interval '1 day')
      insert into log_batches (run, "number") values (${run}, 0) on conflict do nothing`,
  )
}

/**
 * Stores messages unless this batch was stored already. Messages of devices that were deleted meanwhile are left out.
 * Returns the number of rows; null: it was stored before. Throws StoreError.
 */
export async function insertSyslogBatch(
  { sql }: Store,
  { run, number }: BatchKey,
  rows: readonly SyslogRow[],
): Promise<number | null> {
  return await guarded(() =>
    sql.begin(async (tx) => {
      const claimed = await tx`
        insert into log_batches (run, "number") values (${run}, ${number})
        on conflict (run) do update set "number" = excluded."number" where log_batches."number" < excluded."number"`
      if (claimed.count === 0) return null
      const ids = [...new Set(rows.map((row) => row.device_id))].toSorted((a, b) => a - b)
      const stored = await tx`
        with known as materialized (
          select device_id from devices where device_id = any(${`{${ids}}`}::int4[]) order by device_id for key share)
        insert into syslog (device_id, facility, priority, level, tag, "timestamp", program, msg)
        select x.device_id, x.facility, x.priority, x.level, x.tag, x."timestamp", x.program, x.msg
        from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as x(device_id int4, facility text, priority text,
          level text, tag text, "timestamp" timestamptz, program text, msg text)
        join known using (device_id)`
      return stored.count
    }),
  )
}
