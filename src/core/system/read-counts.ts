import { deviceInScope, portInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'

/** Counts of objects in scope; `users` counts all accounts. */
export async function countObjects(
  { sql }: Store,
  scope: Scope,
): Promise<{ devices: number; ports: number; users: number; sensors: number }> {
  const [row] = await sql<{ devices: number; ports: number; users: number; sensors: number }[]>`
    select (select count(*) from devices d where ${deviceInScope(sql, scope)})::int as devices,
      (select count(*) from ports p where p.deleted = 0 and ${portInScope(sql, scope)})::int as ports,
      (select count(*) from users)::int as users,
      (select count(*) from sensors s join devices d on d.device_id = s.device_id
        where s.sensor_deleted = 0 and ${deviceInScope(sql, scope)})::int as sensors`
  return row ?? { devices: 0, ports: 0, users: 0, sensors: 0 }
}

/** Version of the database server and number of migrations. Throws when the database is unavailable. */
export async function databaseFacts({ sql }: Store): Promise<{ version: string; migrations: number }> {
  const [row] = await sql<{ version: string; migrations: number }[]>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      (select count(*) from schema_migrations)::int as migrations`
  return { version: `PostgreSQL ${row?.version ?? ''}`.trim(), migrations: row?.migrations ?? 0 }
}

/** Settings of the database server that decide how much it writes to its WAL. */
export interface CheckpointSettings {
  /** A checkpoint follows the one before after this, if not `maxWalOctets` are written first. */
  readonly intervalS: number
  readonly maxWalOctets: number
  /** Whether images of pages in the WAL are compressed. */
  readonly compressed: boolean
}

/** Throws when the database is unavailable. */
export async function checkpointSettings({ sql }: Store): Promise<CheckpointSettings> {
  const [row] = await sql<CheckpointSettings[]>`
    select extract(epoch from current_setting('checkpoint_timeout')::interval)::float8 as "intervalS",
      pg_size_bytes(current_setting('max_wal_size'))::float8 as "maxWalOctets",
      current_setting('wal_compression') <> 'off' as compressed`
  if (row === undefined) throw new Error('the database returned no row')
  return row
}
