import type { Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { ZONE } from '../database/zone.ts'
import { LOGS, type LogBound, type LogName, type LogPage } from './tables.ts'

/** Where a page begins. */
export interface Position {
  /** Rows to skip among those within the bounds. */
  readonly offset: number
  /** Bounds of time in addition to those of the page, the upper one exclusive; null: none. */
  readonly since: string | null
  readonly before: string | null
}

/** Whether rows are counted in log_counts for this page: those of all devices, unbounded or bounded by time. */
export function countedByTime(scope: Scope, page: LogPage): boolean {
  const byId = (bound: LogBound | null) => bound?.kind === 'id'
  return scope.kind === 'all' && page.deviceId === null && page.search === null && !byId(page.from) && !byId(page.to)
}

interface Found {
  /** Exact number of matching rows. */
  readonly total: number
  /** Start of the five-minute bucket, epoch ms. */
  readonly first: number | null
  readonly last: number | null
  readonly offset: number
}

/** Skipping up to this many rows one by one is faster than reading all counts. */
const NEAR = 2000

/** Whether the page is close enough to its end of the log to be found without the counts. */
export const isNear = ({ offset }: LogPage): boolean => offset <= NEAR

/**
 * Finds the page by the row counts of five-minute buckets, without reading the rows before it. Null: the page is beyond
 * the last row. `total`: as of `countedTotal`. Only for pages that are counted (`countedByTime`).
 */
export async function positionOf(
  store: Store,
  name: LogName,
  page: LogPage,
): Promise<{ readonly position: Position | null; readonly total: number }> {
  const { total, first, last, offset } = await find(store, name, page)
  if (first === null) return { position: null, total }
  // The end is left open where new rows may arrive.
  const position = page.descending
    ? { offset, since: iso(last), before: iso(plus(first)) }
    : { offset, since: iso(first), before: iso(plus(last)) }
  return { position, total }
}

/** Whether the page is limited to a time or to ids. */
export const isBounded = ({ from, to }: LogPage): boolean => from !== null || to !== null

/** Number of rows that match such a page. Exact, because log_counts and log_totals are written with the rows. */
export async function countedTotal({ sql }: Store, name: LogName, page: LogPage): Promise<number> {
  if (!isBounded(page)) {
    const [all] = await sql<{ total: number }[]>`
        select coalesce(sum("rows"), 0)::float8 as total from log_totals where log = ${LOGS[name].table}`
    return all?.total ?? 0
  }
  const { counts, early, late } = counted(sql, name, page)
  const [found] = await sql<{ total: number }[]>`
      select greatest(0, coalesce((select sum("rows")::float8 ${counts}), 0) - ${early} - ${late}) as total`
  return found?.total ?? 0
}

const BUCKET_MS = 300_000
const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
const plus = (ms: number | null): number | null => (ms === null ? null : ms + BUCKET_MS)

/** The log_counts of a page, and how many rows of its first and last five-minute buckets are out of its bounds. */
function counted(sql: Store['sql'], name: LogName, page: LogPage) {
  const { table, time } = LOGS[name]
  const at = (bound: LogBound | null) =>
    bound?.kind === 'time' ? sql`(${bound.local}::timestamp at time zone ${ZONE})` : null
  const [from, to] = [at(page.from), at(page.to)]
  const column = sql.unsafe(`x."${time}"`)
  const rows = (condition: ReturnType<Store['sql']>) =>
    sql`(select count(*) from ${sql(table)} x where ${condition})::float8`
  return {
    counts: sql`from log_counts where log = ${table}
      and ${from === null ? sql`true` : sql`bucket >= log_bucket(${from})`}
      and ${to === null ? sql`true` : sql`bucket <= log_bucket(${to})`}`,
    early: from === null ? sql`0::float8` : rows(sql`${column} >= log_bucket(${from}) and ${column} < ${from}`),
    late:
      to === null
        ? sql`0::float8`
        : rows(sql`${column} > ${to} and ${column} < log_bucket(${to}) + interval '5 minutes'`),
  }
}

async function find({ sql }: Store, name: LogName, page: LogPage): Promise<Found> {
  const { counts, early, late } = counted(sql, name, page)
  const order = sql.unsafe(page.descending ? 'desc' : 'asc')
  const cut = sql.unsafe(page.descending ? 'late' : 'early')
  const ms = sql`extract(epoch from bucket)::float8 * 1000`
  const [found] = await sql<Found[]>`
      with cuts as materialized (select ${early} as early, ${late} as late),
        b as (select bucket, sum("rows")::float8 as n ${counts} group by bucket having sum("rows") > 0),
        c as materialized (select bucket, n, sum(n) over (order by bucket ${order}) as upto from b),
        first as (
          select bucket, greatest(0, ${page.offset}::float8 + ${cut} - greatest(upto - n, ${cut})) as skip from c, cuts
          where upto > ${page.offset}::float8 + ${cut} order by bucket ${order} limit 1)
      select greatest(0, coalesce((select sum(n) from b), 0) - early - late) as total,
        (select ${ms} from first) as first, coalesce((select skip from first), 0) as offset,
        (select ${ms} from c where upto >= ${page.offset}::float8 + ${page.limit}::float8 + ${cut}
          order by bucket ${order} limit 1) as last
      from cuts`
  return found ?? { total: 0, first: null, last: null, offset: 0 }
}
