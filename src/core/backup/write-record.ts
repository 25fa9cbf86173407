import { client, type Sql } from '../database/client.ts'

/** The last backup of a database. */
export interface LastBackup {
  /** Time of its snapshot. */
  readonly made: Date
  /** Its size in bytes. */
  readonly octets: number
  /** How long it took. */
  readonly seconds: number
}

/** Records a backup. Does nothing if the schema does not have the table. */
export async function recordBackup(url: string, { made, octets, seconds }: LastBackup): Promise<void> {
  const sql = client(url, 1)
  try {
    const [row] = await sql<{ made: boolean }[]>`select to_regclass('public.last_backup') is not null as made`
    if (row?.made !== true) return
    await sql`
        insert into last_backup (made, octets, seconds) values (${made}, ${octets}, ${seconds})
        on conflict (one) do update set made = excluded.made, octets = excluded.octets, seconds = excluded.seconds`
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** The last backup; null: none was made. */
export async function lastBackup(sql: Sql): Promise<LastBackup | null> {
  const [row] = await sql<LastBackup[]>`select made, octets, seconds from last_backup`
  return row ?? null
}
