import type { AuthLevel } from '@portlight/snmp/target.ts'
import type { Store } from '../database/client.ts'
import { guarded } from '../database/errors.ts'
import { withCredentials } from '../secrets/values.ts'
import type { BatchKey } from './write-batch.ts'

/** The credentials that a device has for SNMP; its traps may use them. */
export interface TrapCredentials {
  readonly device_id: number
  readonly community: string | null
  readonly authlevel: AuthLevel | null
  readonly authname: string | null
  readonly authpass: string | null
  readonly authalgo: string | null
  readonly cryptopass: string | null
  readonly cryptoalgo: string | null
}

/** Credentials of these devices. */
export async function trapCredentials(
  { sql }: Store,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, TrapCredentials>> {
  const rows = await guarded(
    () => sql<TrapCredentials[]>`
      select device_id, community, authlevel, authname, authpass, authalgo, cryptopass, cryptoalgo from devices
      where device_id = any(${`{${deviceIds}}`}::int4[])`,
  )
  return new Map(rows.map((row) => [row.device_id, withCredentials(row)]))
}

/** An event made from a notification. */
export interface TrapRow {
  readonly device_id: number
  /** ISO 8601. */
  readonly datetime: string
  readonly message: string
  readonly severity: number
  /** Names the port that the event refers to; null: none. */
  readonly if_index: number | null
}

/** Stores events unless this batch was stored already; those of devices that were deleted meanwhile are left out. */
export async function insertTraps(
  { sql }: Store,
  { run, number }: BatchKey,
  rows: readonly TrapRow[],
): Promise<number> {
  return await guarded(() =>
    sql.begin(async (tx) => {
      const claimed = await tx`
        insert into log_batches (run, "number") values (${run}, ${number})
        on conflict (run) do update set "number" = excluded."number" where log_batches."number" < excluded."number"`
      if (claimed.count === 0) return rows.length
      const stored = await tx`
        insert into eventlog (device_id, datetime, message, type, reference, severity)
        select x.device_id, x.datetime, x.message, 'trap',
          (select p.port_id::text from ports p where p.device_id = x.device_id and p."ifIndex" = x.if_index
            and p.deleted = 0 limit 1), x.severity
        from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as x(device_id int4, datetime timestamptz,
          message text, severity int2, if_index int8)
        join devices d on d.device_id = x.device_id`
      return stored.count
    }),
  )
}

/** Our SNMP engine as a receiver of informs. */
export interface StoredEngine {
  /** Hexadecimal. */
  readonly id: string
  /** snmpEngineBoots of this start. */
  readonly boots: number
}

/**
 * The engine of this installation after counting one more boot; created with id `fresh` (hexadecimal) by the first
 * call.
 */
export async function bootEngine({ sql }: Store, fresh: string): Promise<StoredEngine> {
  const [engine] = await guarded(
    () => sql<StoredEngine[]>`
      insert into trap_engine (id, boots) values (${fresh}, 1)
      on conflict (one) do update set boots = trap_engine.boots + 1 returning id, boots`,
  )
  return engine ?? { id: fresh, boots: 1 }
}
