import type { Store } from '../database/client.ts'
import { seriesStatus } from '../series/read-status.ts'
import {
  type DiskSpace,
  diskWarning,
  forecastFull,
  growthPerDay,
  type PackingRun,
  packingState,
  type SizeNote,
  type StorageFacts,
} from './storage.ts'

/** Name of the warning about the disk among the announced states. */
export const DISK_NOTICE = 'disk'

/**
 * What the database holds and how it grows, from catalogues and a few pages of each table. `disk`: the file system of the
 * database; null: not known. Throws StoreError.
 */
export async function readStorage(store: Pick<Store, 'sql'>, disk: DiskSpace | null): Promise<StorageFacts> {
  const { sql } = store
  const status = await seriesStatus(store)
  const [row] = await sql<{ octets: number; at: Date; since: Date | null; began: Date | null; total: number | null }[]>`
    select pg_database_size(current_database()) as octets, now() as at,
      (select n.since from ts.notice n where n.name = ${DISK_NOTICE}) as since, r.began, r.total
    from (select 1) one left join ts.packing_run r on true`
  if (row === undefined) throw new Error('the database returned no row')
  const notes = await sql<SizeNote[]>`
    select noted_at as at, octets, settled from ts.size_note where noted_at > now() - interval '30 days' order by day`
  const run: PackingRun | null =
    row.began === null || row.total === null ? null : { began: row.began, total: row.total }
  const growth = growthPerDay(notes, row.at.getTime())
  const forecast = forecastFull(disk?.free ?? null, growth)
  const reason = diskWarning(disk, forecast, row.since !== null)
  return {
    readAt: row.at,
    octets: row.octets,
    tables: status.tables,
    packing: packingState(status, run, row.at.getTime()),
    growth,
    disk,
    forecast,
    warning: reason === null || reason === undefined ? null : { since: row.since ?? row.at, reason },
    problems: status.problems,
  }
}
