import type { Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import type { ReceivedRow } from './write-syslog.ts'

/** A batch of a run, stored only once even if it is sent again because the first answer was lost. */
export interface BatchKey {
  /** UUID of the run of the listener. */
  readonly run: string
  /** Ascending. */
  readonly number: number
}

/** Registers a run and deletes those of earlier processes. */
export async function beginRun({ sql }: Store, run: string): Promise<void> {
  await sql`
      with gone as (delete from log_batches where begun_at < now() - interval '1 day')
      insert into log_batches (run, "number") values (${run}, 0) on conflict do nothing`
}

/**
 * Stores messages unless this batch was stored already. Messages of devices that were deleted meanwhile are left out.
 * Returns the number of rows; null: it was stored before. Throws StoreError.
 */
export async function insertSyslogBatch(
  { sql }: Store,
  { run, number }: BatchKey,
  rows: readonly ReceivedRow[],
): Promise<number | null> {
  return await sql.begin(async (tx) => {
    const claimed = await tx`
        insert into log_batches (run, "number") values (${run}, ${number})
        on conflict (run) do update set "number" = excluded."number" where log_batches."number" < excluded."number"`
    if (claimed.count === 0) return null
    const ids = [...new Set(rows.map((row) => row.device_id))]
    const devices = await tx<{ device_id: number }[]>`
        select device_id from devices where device_id = any(${integers(ids)}::text::int[]) order by device_id for key share`
    const known = new Set(devices.map(({ device_id }) => device_id))
    const stored = rows.filter((row) => known.has(row.device_id))
    if (stored.length > 0) await tx.unsafe(COPY, [], { copy: encoder.encode(stored.map(line).join('')) })
    return stored.length
  })
}

const encoder = new TextEncoder()
const COLUMNS = [
  'device_id',
  'facility',
  'priority',
  'level',
  'tag',
  'timestamp',
  'program',
  'msg',
  'clock_drift',
] as const
/** Takes the server a third of the work of the same rows as JSON. */
const COPY = `copy syslog (${COLUMNS.map((name) => `"${name}"`).join()}) from stdin`

/** A row in the text format of COPY. */
const line = (row: ReceivedRow): string => `${COLUMNS.map((name) => cell(row[name])).join('\t')}\n`
const cell = (value: string | number | null): string =>
  value === null ? '\\N' : String(value).replace(/[\\\n\r\t]/g, (c) => ESCAPED[c] ?? c)
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
