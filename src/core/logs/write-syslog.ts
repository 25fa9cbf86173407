import type { Store } from '../database/client.ts'

/** A syslog message of a device. */
export interface SyslogRow {
  readonly device_id: number
  readonly facility: string | null
  readonly priority: string | null
  readonly level: string | null
  readonly tag: string | null
  /** ISO 8601. */
  readonly timestamp: string
  readonly program: string | null
  readonly msg: string | null
}

/** A message received from the device itself or from a relay. */
export interface ReceivedRow extends SyslogRow {
  /** How far the device's clock was ahead (negative: behind), seconds; null: the message had no time. */
  readonly clock_drift: number | null
}

/** Stores messages in one statement, except those of devices that were deleted meanwhile. */
export async function insertSyslog({ sql }: Store, rows: readonly SyslogRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
      insert into syslog (device_id, facility, priority, level, tag, "timestamp", program, msg)
      select x.device_id, x.facility, x.priority, x.level, x.tag, x."timestamp", x.program, x.msg
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as x(device_id int4, facility text, priority text,
        level text, tag text, "timestamp" timestamptz, program text, msg text)
      join devices d on d.device_id = x.device_id`
}
