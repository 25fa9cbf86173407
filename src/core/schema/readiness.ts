import { client } from '../database/client.ts'
import { toStoreError } from '../database/errors.ts'
import { currentSchema, type SeriesMode } from './migrate.ts'

/** Checks the database in a session of its own, so that long statements do not make it look dead. */
export interface DatabaseProbe {
  /**
   * null: it answers, has this program's schema and accepts writes. Otherwise one sentence on what is wrong. Never
   * rejects.
   */
  check(): Promise<string | null>
  close(): Promise<void>
}

/** A database that takes longer than this to answer counts as unavailable, s. */
const ANSWER_S = 2

/** Connects on the first check. `mode` is the one that `migrate` returned. */
export function createDatabaseProbe(url: string, mode: SeriesMode): DatabaseProbe {
  const sql = client(url, 1, ANSWER_S)
  const wanted = currentSchema(mode)

  async function probe(): Promise<string | null> {
    const [row] = await sql<{ migration: number | null; series: string | null; standby: boolean; fixed: boolean }[]>`
      select (select max(number) from schema_migrations) as migration,
        (select checksum from schema_series where name = 'series') as series,
        pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as fixed`
    const migration = row?.migration ?? 0
    if (migration !== wanted.migration) {
      return `The database schema is at migration ${migration}, this program needs ${wanted.migration}.`
    }
    if (row?.series !== wanted.series)
      return 'The database has the series functions of another version of this program.'
    if (row.standby) return 'The database accepts no writes: it is a standby that has not been promoted.'
    return row.fixed ? 'The database accepts no writes: its disk is full, or it is set to read-only.' : null
  }

  return {
    check() {
      const away = 'The database does not answer.'
      const probed = probe().catch((error: unknown) =>
        toStoreError(error).kind === 'unavailable' ? away : 'The database lacks the schema of this program.',
      )
      // connecting may take longer than a statement
      return Promise.race([probed, Bun.sleep(ANSWER_S * 1000).then(() => away)])
    },
    close: () => sql.end({ timeout: 1 }),
  }
}
