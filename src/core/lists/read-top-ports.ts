import { deviceInScope, portInScope, type Scope } from '../base/scope.ts'
import type { Sql, Store } from '../database/client.ts'
import { containing } from '../database/patterns.ts'
import { OWN_ALIAS } from '../ports/own-alias.ts'
import { bitsPerSecond } from '../series/rates.ts'
import { storedRows } from '../series/stored-rows.ts'
import { countedOnce, faultsCountedOnce, LINK_ENDS, OWN_TRAFFIC } from './link-ends.ts'
import { type Piece, piecesOf } from './sql-pieces.ts'

/** Orders of the list. `busiest`: by the busier direction; `change`: by its change since the other range. */
export const TOP_ORDERS = ['busiest', 'used', 'errors', 'change'] as const
export type TopOrder = (typeof TOP_ORDERS)[number]

interface Span {
  /** Epoch ms. */
  readonly fromMs: number
  readonly toMs: number
}

export interface TopQuery {
  readonly span: Span
  /** What `change` compares with; null: nothing. */
  readonly before: Span | null
  readonly order: TopOrder
  /** Part of the port's name, alias or description or of the device's name, case-insensitive; '' for all. */
  readonly text: string
  /** Filters; null: all. */
  readonly deviceId: number | null
  readonly groupId: number | null
  /** Name of a location. */
  readonly location: string | null
  readonly offset: number
  readonly limit: number
}

/** A port with its mean rates over a range. null: unknown. */
export interface TopPort {
  readonly port_id: number
  readonly device_id: number
  /** null: the port is granted, its device is not. */
  readonly device: string | null
  readonly ifName: string | null
  readonly ifAlias: string | null
  /** bit/s. */
  readonly ifSpeed: number | null
  readonly in_bps: number | null
  readonly out_bps: number | null
  /** Percent of the speed, of the busier direction. */
  readonly used: number | null
  /** Packets in the range, of both directions. */
  readonly errors: number | null
  readonly discards: number | null
  /** bit/s of the busier direction in the other range, and how much more it is now. */
  readonly before_bps: number | null
  readonly change_bps: number | null
  /** The other end of the link, which is left out. */
  readonly other_id: number | null
  readonly other: string | null
}

const ORDERS: Readonly<Record<TopOrder, string>> = {
  busiest: 'r.bps desc nulls last',
  used: 'used desc nulls last, r.bps desc nulls last',
  errors: 'coalesce(r.errors, 0) + coalesce(r.discards, 0) desc',
  change: 'abs(r.bps - r.before_bps) desc nulls last',
}

/** Which rows belong to the list. */
const LISTED: Readonly<Record<TopOrder, string>> = {
  busiest: `r.bps is not null and ${countedOnce('r')}`,
  used: `r.bps is not null and r."ifSpeed" > 0 and ${countedOnce('r')}`,
  errors: `coalesce(r.errors, 0) + coalesce(r.discards, 0) > 0 and ${faultsCountedOnce('r')}`,
  change: `r.bps is not null and r.before_bps is not null and ${countedOnce('r')}`,
}

/** Counters that are read, with their position in `known` of roll-ups. */
const READ = [
  ['in_octets', 1],
  ['out_octets', 2],
  ['in_err', 5],
  ['out_err', 6],
  ['in_disc', 7],
  ['out_disc', 8],
] as const

/** Sums of a port's counters over the pieces, with the time over which octets are known. */
function sums(sql: Sql, pieces: readonly Piece[]) {
  const counters = READ.map(([name]) => name).join(', ')
  const parts = pieces.map(({ level, fromMs, toMs }) => {
    const [from, to] = [sql`to_timestamp(${fromMs / 1000}::float8)`, sql`to_timestamp(${toMs / 1000}::float8)`]
    return level === 'samples'
      ? sql`select ${sql.unsafe(counters)}, period_ms as in_ms, period_ms as out_ms from ${sql.unsafe(storedRows('port', level, `to_timestamp(${fromMs / 1000})`, `to_timestamp(${toMs / 1000})`))} x
          where port_id = p.port_id and "time" > ${from} and "time" <= ${to}`
      : sql`select ${sql.unsafe(counters)}, coalesce(known[1], period_ms), coalesce(known[2], period_ms)
          from ${sql.unsafe(storedRows('port', level, `to_timestamp(${fromMs / 1000})`, `to_timestamp(${toMs / 1000})`))} x where port_id = p.port_id and bucket >= ${from} and bucket < ${to}`
  })
  const none = sql`select ${sql.unsafe(READ.map(([name]) => `null::bigint as ${name}`).join(', '))}, null::bigint as in_ms, null::bigint as out_ms where false`
  const all = parts.reduce((sofar, part) => sql`${sofar} union all ${part}`, none)
  return sql`
    select ${sql.unsafe(mean('in'))} as in_bps, ${sql.unsafe(mean('out'))} as out_bps,
      (coalesce(sum(in_err), 0) + coalesce(sum(out_err), 0))::float8 as errors,
      (coalesce(sum(in_disc), 0) + coalesce(sum(out_disc), 0))::float8 as discards,
      count(coalesce(in_err, out_err)) as error_rows, count(coalesce(in_disc, out_disc)) as discard_rows
    from (${all}) s`
}

const mean = (way: string): string =>
  bitsPerSecond(`sum(${way}_octets)`, `nullif(sum(${way}_ms) filter (where ${way}_octets is not null), 0)`)

/**
 * A page of ports of enabled devices in scope by their traffic or errors in a range, each traffic once: without
 * loopbacks and virtual interfaces, members of aggregated links, and second ends of links. Reads roll-ups port by port.
 */
export async function listTopPorts(
  { sql }: Store,
  scope: Scope,
  query: TopQuery,
  nowMs: number,
): Promise<{ rows: TopPort[]; total: number }> {
  const { span, before, text } = query
  const mine = deviceInScope(sql, scope)
  const like = containing(text)
  const old = before === null ? [] : piecesOf(before.fromMs, before.toMs, nowMs)
  const rows = await sql<(TopPort & { total: number })[]>`
      with r as materialized (
        select p.port_id, p.device_id, p."ifName", ${sql.unsafe(OWN_ALIAS)} as "ifAlias", p."ifSpeed"::float8 as "ifSpeed",
          case when ${mine} then coalesce(nullif(d.display, ''), d.hostname) end as device, x.in_bps, x.out_bps, greatest(x.in_bps, x.out_bps) as bps,
          case when x.error_rows > 0 then x.errors end as errors, case when x.discard_rows > 0 then x.discards end as discards,
          ${old.length === 0 ? sql`null::float8` : sql`greatest(b.in_bps, b.out_bps)`} as before_bps
        from ports p join devices d on d.device_id = p.device_id cross join lateral (${sums(sql, piecesOf(span.fromMs, span.toMs, nowMs))}) x
          ${old.length === 0 ? sql`` : sql`cross join lateral (${sums(sql, old)}) b`}
        where d.disabled = 0 and ${sql.unsafe(OWN_TRAFFIC)} and ${portInScope(sql, scope)}
          and ${query.deviceId === null ? sql`true` : sql`p.device_id = ${query.deviceId}`}
          and ${query.groupId === null ? sql`true` : sql`p.device_id in (select device_id from device_group_device where device_group_id = ${query.groupId})`}
          and ${query.location === null ? sql`true` : sql`d.location_id in (select id from locations where location = ${query.location})`}
          and ${text === '' ? sql`true` : sql`(p.search_text like lower(${like}) or (${mine} and (d.hostname ilike ${like} or d.display ilike ${like})))`}
          and (x.in_bps is not null or x.out_bps is not null or x.error_rows > 0)),
        ${sql.unsafe(LINK_ENDS)},
        top as (select r.*, r.bps * 100 / nullif(r."ifSpeed", 0) as used, r.bps - r.before_bps as change_bps, count(*) over ()::int as total
          from r where ${sql.unsafe(LISTED[query.order])}
          order by ${sql.unsafe(ORDERS[query.order])}, r.port_id limit ${query.limit} offset ${query.offset})
      select r.port_id, r.device_id, r.device, r."ifName", r."ifAlias", r."ifSpeed", r.in_bps, r.out_bps, r.used, r.errors, r.discards,
        r.before_bps, r.change_bps, r.total, o.port_id as other_id, o.name as other
      from top r left join lateral (
        select p.port_id, concat_ws(' ', case when ${mine} then coalesce(nullif(d.display, ''), d.hostname) end, p."ifName") as name
        from link_end e join ports p on p.port_id = e.other_id join devices d on d.device_id = p.device_id
        where e.port_id = r.port_id and p.deleted = 0 and ${portInScope(sql, scope)} order by p.port_id limit 1) o on true
      order by ${sql.unsafe(ORDERS[query.order])}, r.port_id`
  return { rows: rows, total: rows[0]?.total ?? 0 }
}
