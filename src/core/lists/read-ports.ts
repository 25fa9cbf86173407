import { deviceInScope, portInScope, type Scope } from '../base/scope.ts'
import type { Sql, Store } from '../database/client.ts'
import { containing } from '../database/patterns.ts'
import { integers } from '../database/pg-array.ts'
import { OWN_ALIAS } from '../ports/own-alias.ts'
import { portRates } from '../series/rates.ts'
import { ANSWERS, OLD_SINCE, UNREPORTED } from './read-old-values.ts'

/**
 * State of a port in the list, worst first. `errors`: up, with errors at the last poll; `unknown`: the device does not
 * answer, or does not know the state either (RFC 2863); `off`: administratively down.
 */
export const PORT_STATES = ['down', 'errors', 'up', 'unknown', 'off'] as const
export type PortStatus = (typeof PORT_STATES)[number]

/** Orders of the list. `worst`: by state, then errors, then use. */
export const PORT_SORTS = ['worst', 'name', 'alias', 'speed', 'in', 'out', 'used', 'errors', 'discards'] as const
export type PortSort = (typeof PORT_SORTS)[number]

export interface FleetPortQuery {
  /** null: all. */
  readonly state: PortStatus | null
  /** Part of the port's name, alias or description or of the device's name, case-insensitive; '' for all. */
  readonly text: string
  /** Minimum use of the speed in one direction, percent; null: all. */
  readonly minUsed: number | null
  /** bit/s; null: all. */
  readonly speed: number | null
  readonly sort: PortSort
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

/** A port in the list. null: unknown. Rates are per second, at the last poll. */
export interface FleetPort {
  readonly port_id: number
  readonly device_id: number
  /** null: the port is granted, its device is not. */
  readonly device: string | null
  readonly ifName: string | null
  readonly ifAlias: string | null
  readonly ifSpeed: number | null
  readonly ifOperStatus: string | null
  readonly ifAdminStatus: string | null
  readonly state: PortStatus
  /** When the device last answered, if it no longer does; null: it does. */
  readonly old_since: Date | null
  readonly in_bps: number | null
  readonly out_bps: number | null
  readonly errors: number | null
  readonly discards: number | null
  /** Percent of the speed, of the busier direction. */
  readonly used: number | null
}

export type PortCounts = Readonly<Record<PortStatus | 'all', number>>

const ORDER: Readonly<Record<PortSort, string>> = {
  // a port that was up before its last change is the worst; one that was down before too is seldom a fault
  worst: `case when state = 'down' and "ifOperStatus_prev" = 'up' then 0 else array_position(array['errors', 'up', 'down', 'unknown', 'off'], state) end,
    coalesce(errors, 0) desc, coalesce(used, 0) desc`,
  name: 'natural_key(device)',
  alias: `natural_key(nullif("ifAlias", ''))`,
  speed: '"ifSpeed"',
  in: 'in_bps',
  out: 'out_bps',
  used: 'used',
  errors: 'errors',
  discards: 'discards',
}

const STATE = `case when not ${ANSWERS} then 'unknown' when p."ifAdminStatus" = 'down' then 'off'
  when ${UNREPORTED} then 'unknown' when p."ifOperStatus" <> 'up' then 'down'
  when x.in_err + x.out_err > 0 then 'errors' else 'up' end`

/** Up to this many ports are found by their ids; for more, reading all ports is faster. */
const MAX_FOUND = 2000

/** Condition on alias `d`: the device is in scope and its name contains the text. */
function isNamed(sql: Sql, scope: Scope, text: string) {
  const like = containing(text)
  return sql`${deviceInScope(sql, scope)} and (d.hostname ilike ${like} or d.display ilike ${like})`
}

/**
 * Ids of ports, in any scope, where the port or the name of its device contains the text; null: no text, or too many
 * ports. A condition over both tables could not use the index of the ports' names.
 */
async function foundPorts({ sql }: Store, scope: Scope, text: string): Promise<number[] | null> {
  if (text === '') return null
  const found = await sql<{ port_id: number }[]>`
      select port_id from ports where search_text like lower(${containing(text)})
      union all select p.port_id from ports p join devices d on d.device_id = p.device_id where ${isNamed(sql, scope, text)}
      limit ${MAX_FOUND + 1}`
  return found.length > MAX_FOUND ? null : found.map(({ port_id }) => port_id)
}

/** Ports of enabled devices in scope that match all filters but the state, with their last sample. */
function known(sql: Sql, scope: Scope, { text, minUsed, speed }: FleetPortQuery, found: readonly number[] | null) {
  const mine = deviceInScope(sql, scope)
  const used = sql`greatest(x.in_octets, x.out_octets) * 800000.0::float8 / x.period_ms / nullif(p."ifSpeed", 0)`
  return sql`
    select p.port_id, p.device_id, case when ${mine} then coalesce(nullif(d.display, ''), d.hostname) end as device,
      p."ifIndex", p."ifName", ${sql.unsafe(OWN_ALIAS)} as "ifAlias", p."ifSpeed", p."ifOperStatus", p."ifAdminStatus", p."ifOperStatus_prev", ${sql.unsafe(STATE)} as state,
      ${sql.unsafe(OLD_SINCE)} as old_since,
      ${sql.unsafe(portRates('x'))},
      (x.in_err + x.out_err) * 1000.0::float8 / x.period_ms as errors,
      (x.in_disc + x.out_disc) * 1000.0::float8 / x.period_ms as discards, ${used} as used
    from ports p join devices d on d.device_id = p.device_id left join ts.port_state s on s.device_id = p.device_id
      left join ts.port_samples x on x.port_id = p.port_id and x."time" = s."time" and ${sql.unsafe(ANSWERS)}
    where p.deleted = 0 and d.disabled = 0 and ${portInScope(sql, scope)}
      and ${
        found !== null
          ? sql`p.port_id = any(${integers(found)}::int[])`
          : text === ''
            ? sql`true`
            : sql`(p.search_text like lower(${containing(text)}) or (${isNamed(sql, scope, text)}))`
      }
      and ${minUsed === null ? sql`true` : sql`${used} >= ${minUsed}`}
      and ${speed === null ? sql`true` : sql`p."ifSpeed" = ${speed}`}`
}

/** A page of ports in scope, and how many there are in each state under the other filters. */
export async function listFleetPorts(
  store: Store,
  scope: Scope,
  query: FleetPortQuery,
): Promise<{ rows: FleetPort[]; counts: PortCounts }> {
  const { sql } = store
  const found = await foundPorts(store, scope, query.text)
  const way = query.descending ? 'desc nulls last' : 'asc nulls last'
  const order =
    query.sort === 'worst'
      ? ORDER.worst
      : `${ORDER[query.sort]} ${way}${query.sort === 'name' ? `, natural_key("ifName") ${way}` : ''}`
  const [rows, counted] = await Promise.all([
    await sql<FleetPort[]>`
        select * from (${known(sql, scope, query, found)}) x where ${query.state === null ? sql`true` : sql`state = ${query.state}`}
        order by ${sql.unsafe(order)}, device_id, "ifIndex", port_id limit ${query.limit} offset ${query.offset}`,
    await sql<{ state: PortStatus; n: number }[]>`
        select state, count(*)::int as n from (${known(sql, scope, query, found)}) x group by state`,
  ])
  const of = (state: PortStatus) => counted.find((row) => row.state === state)?.n ?? 0
  return {
    rows: [...rows],
    counts: {
      all: counted.reduce((sum, { n }) => sum + n, 0),
      down: of('down'),
      errors: of('errors'),
      up: of('up'),
      unknown: of('unknown'),
      off: of('off'),
    },
  }
}

const MAX_SPEEDS = 50

/** Speeds that ports in scope have, bit/s, highest first. */
export async function portSpeeds({ sql }: Store, scope: Scope): Promise<number[]> {
  const rows = await sql<{ speed: number }[]>`
      select distinct "ifSpeed"::float8 as speed from ports p where p.deleted = 0 and p."ifSpeed" > 0 and ${portInScope(sql, scope)}
      order by 1 desc limit ${MAX_SPEEDS}`
  return rows.map(({ speed }) => speed)
}
