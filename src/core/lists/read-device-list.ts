import { IS_TRAFFIC_PORT } from '../../series/traffic-ports.ts'
import { ALERT_WAITS } from '../base/alert-states.ts'
import { NOT_ASKED } from '../base/not-asked.ts'
import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Sql, Store } from '../database/client.ts'
import { containing } from '../database/patterns.ts'
import { floats, integers } from '../database/pg-array.ts'
import { bitsPerSecond } from '../series/rates.ts'
import { ANSWERS } from './read-old-values.ts'

/**
 * What a device needs from people, worst first. `unreachable`: every way to it is down. `unknown`: nothing has asked it
 * yet. `alerting`: up, with an alert that nobody has acknowledged.
 */
export const DEVICE_STATES = ['down', 'unreachable', 'unknown', 'alerting', 'up', 'disabled'] as const
export type DeviceState = (typeof DEVICE_STATES)[number]

/** Columns that the list can be ordered by. `state` is worst first. */
export const DEVICE_SORTS = [
  'state',
  'name',
  'hardware',
  'os',
  'location',
  'ports',
  'in',
  'out',
  'cpu',
  'memory',
  'ping',
  'uptime',
] as const
export type DeviceSort = (typeof DEVICE_SORTS)[number]

export interface DeviceQuery {
  /** null: all. */
  readonly state: DeviceState | null
  /** Part of name, address, sysName, hardware, serial or location, case-insensitive; '' for all. */
  readonly text: string
  /** Exact, case-insensitive; null: all. */
  readonly location: string | null
  readonly os: string | null
  readonly type: string | null
  /** Id of a device group; null: all. */
  readonly groupId: number | null
  readonly sort: DeviceSort
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

/** A device in the list. null: unknown. */
export interface DeviceListRow {
  readonly device_id: number
  readonly hostname: string
  readonly display: string
  readonly sysName: string | null
  readonly ip: string | null
  readonly hardware: string | null
  readonly os: string | null
  readonly version: string | null
  readonly location: string | null
  readonly state: DeviceState
  /** It is polled and answers, so its values are current. */
  readonly answers: boolean
  readonly acknowledged: number
  /** Unacknowledged alerts. */
  readonly alerts: number
  /** Why it is down: `icmp`, `snmp` or ''. */
  readonly status_reason: string
  readonly down_since: Date | null
  readonly ports_up: number
  readonly ports: number
  /** Percent. */
  readonly cpu: number | null
  readonly memory: number | null
  /** Milliseconds. */
  readonly ping: number | null
  /** Seconds. */
  readonly uptime: number | null
  readonly last_polled: Date | null
}

/** Number of devices by state under the filters without the state's own. */
export type DeviceCounts = Readonly<Record<DeviceState | 'all', number>>

/** State of alias `d` as SQL. */
export const DEVICE_STATE = `case when d.disabled = 1 then 'disabled' when d.status = 0 and d.ignore = 0 then
    case when ${NOT_ASKED} then 'unknown' when exists (select from device_unreachable u where u.device_id = d.device_id and u.up_again is null) then 'unreachable' else 'down' end
  when exists (select from alerts a where a.device_id = d.device_id and ${ALERT_WAITS}) then 'alerting' else 'up' end`

const ORDER: Readonly<Record<DeviceSort, string>> = {
  state: `array_position(array[${DEVICE_STATES.map((state) => `'${state}'`).join()}], state)`,
  name: 'natural_key(display)',
  hardware: 'natural_key(hardware)',
  os: 'lower(os)',
  location: 'natural_key(location)',
  ports: 'case when answers then rank end',
  in: 'rank',
  out: 'rank',
  cpu: '(select avg(processor_usage) from processors c where c.device_id = x.device_id and x.answers)',
  memory: `(select max(mempool_perc) from mempools m where m.device_id = x.device_id and m.mempool_class = 'system' and x.answers)`,
  ping: 'ping',
  uptime: 'uptime',
}

function filtered(sql: Sql, scope: Scope, { text, location, os, type, groupId }: DeviceQuery) {
  const like = containing(text)
  return sql`${deviceInScope(sql, scope)}
    and ${text === '' ? sql`true` : sql`(d.hostname ilike ${like} or d.display ilike ${like} or d."sysName" ilike ${like} or host(d.ip) like ${like} or d.hardware ilike ${like} or d.serial ilike ${like} or l.location ilike ${like})`}
    and ${location === null ? sql`true` : sql`lower(l.location) = lower(${location})`}
    and ${os === null ? sql`true` : sql`d.os = ${os}`}
    and ${type === null ? sql`true` : sql`d.type = ${type}`}
    and ${groupId === null ? sql`true` : sql`exists (select from device_group_device m where m.device_id = d.device_id and m.device_group_id = ${groupId})`}`
}

/** Devices in scope by state, under the filters except `state`. */
export async function countDevices({ sql }: Store, scope: Scope, query: DeviceQuery): Promise<DeviceCounts> {
  const rows = await sql<{ state: DeviceState; n: number }[]>`
      select state, count(*)::int as n from (select ${sql.unsafe(DEVICE_STATE)} as state
        from devices d left join locations l on l.id = d.location_id where ${filtered(sql, scope, query)}) x group by state`
  const of = (state: DeviceState) => rows.find((row) => row.state === state)?.n ?? 0
  return {
    all: rows.reduce((sum, { n }) => sum + n, 0),
    down: of('down'),
    unreachable: of('unreachable'),
    unknown: of('unknown'),
    alerting: of('alerting'),
    up: of('up'),
    disabled: of('disabled'),
  }
}

/** The values that these orders sort by; null: the order needs nothing but the device. */
function ranking(sql: Sql, sort: DeviceSort, traffic: readonly DeviceTraffic[]) {
  if (sort === 'ports')
    return sql`(select p.device_id, count(*) as rank from ports p where p.deleted = 0 and p."ifOperStatus" = 'up' group by 1)`
  if (sort !== 'in' && sort !== 'out') return null
  const known = traffic.flatMap((row) => {
    const rank = row[`${sort}_bps`]
    return rank === null ? [] : [{ id: row.device_id, rank }]
  })
  return sql`(select * from unnest(${integers(known.map(({ id }) => id))}::int[],
    ${floats(known.map(({ rank }) => rank))}::float8[]) t (device_id, rank))`
}

/**
 * A page of devices in scope. Counts over other tables are read only for the rows of the page. `traffic`: of all
 * devices that can be in the list, for the orders `in` and `out`.
 */
export async function listDevicePage(
  { sql }: Store,
  scope: Scope,
  query: DeviceQuery,
  traffic: readonly DeviceTraffic[] = [],
): Promise<DeviceListRow[]> {
  const ranked = ranking(sql, query.sort, traffic)
  const way = query.descending ? 'desc nulls last' : 'asc nulls last'
  const order = sql.unsafe(`${ORDER[query.sort]} ${way}, natural_key(display), device_id`)
  return await sql<DeviceListRow[]>`
      with page as (
        select * from (
          select d.device_id, d.hostname, coalesce(nullif(d.display, ''), d.hostname) as display, d."sysName",
            host(d.ip) as ip, d.hardware, d.os, d.version, l.location, ${sql.unsafe(DEVICE_STATE)} as state,
            ${sql.unsafe(ANSWERS)} as answers, d.status_reason,
            case when d.status = 1 then d.last_ping_timetaken end as ping, case when d.status = 1 then d.uptime end as uptime, d.last_polled,
            ${ranked === null ? sql`null::float8` : sql`r.rank`} as rank
          from devices d left join locations l on l.id = d.location_id
            ${ranked === null ? sql`` : sql`left join ${ranked} r on r.device_id = d.device_id`} where ${filtered(sql, scope, query)}) x
        where ${query.state === null ? sql`true` : sql`state = ${query.state}`}
        order by ${order} limit ${query.limit} offset ${query.offset})
      select x.*, c.ports::int, c.ports_up::int, a.alerts::int, a.acknowledged::int, u.cpu, m.memory, o.down_since
      from page x
        left join lateral (select count(*) as ports, count(*) filter (where p."ifOperStatus" = 'up') as ports_up
          from ports p where p.device_id = x.device_id and p.deleted = 0) c on true
        left join lateral (select count(*) filter (where ${sql.unsafe(ALERT_WAITS)}) as alerts,
          count(*) filter (where a.state = 2) as acknowledged from alerts a where a.device_id = x.device_id) a on true
        left join lateral (select avg(processor_usage)::float8 as cpu from processors u where u.device_id = x.device_id and x.answers) u on true
        left join lateral (select max(mempool_perc)::float8 as memory from mempools m
          where m.device_id = x.device_id and m.mempool_class = 'system' and x.answers) m on true
        left join lateral (select to_timestamp(max(going_down)) as down_since from device_outages o
          where o.device_id = x.device_id and o.up_again is null) o on true
      order by ${order}`
}

/** Values that the filters of the list offer. */
export interface DeviceChoices {
  readonly locations: readonly string[]
  readonly systems: readonly string[]
  readonly types: readonly string[]
}

const MAX_CHOICES = 500

/** Locations, operating systems and types of devices in scope, by name. */
export async function deviceChoices({ sql }: Store, scope: Scope): Promise<DeviceChoices> {
  const rows = await sql<{ what: 'l' | 'o' | 't'; name: string }[]>`
      with d as (select * from devices d where ${deviceInScope(sql, scope)})
      (select distinct 'l' as what, l.location as name from d join locations l on l.id = d.location_id order by 2 limit ${MAX_CHOICES})
      union all (select distinct 'o', os from d where os is not null order by 2 limit ${MAX_CHOICES})
      union all (select distinct 't', type from d where type <> '' order by 2 limit ${MAX_CHOICES})`
  const of = (what: string) => rows.filter((row) => row.what === what).map(({ name }) => name)
  return { locations: of('l'), systems: of('o'), types: of('t') }
}

/** Traffic of a device at its last poll, bits per second. */
export interface DeviceTraffic {
  readonly device_id: number
  readonly in_bps: number | null
  readonly out_bps: number | null
}

/** Traffic of devices at the last poll: the sum of the ports that count towards it. */
export async function deviceTraffic({ sql }: Store, deviceIds: readonly number[]): Promise<DeviceTraffic[]> {
  if (deviceIds.length === 0) return []
  return await sql<DeviceTraffic[]>`
      select s.device_id, sum(${sql.unsafe(bitsPerSecond('x.in_octets', 'x.period_ms'))}) as in_bps,
        sum(${sql.unsafe(bitsPerSecond('x.out_octets', 'x.period_ms'))}) as out_bps
      from ts.port_state s join ports p on p.device_id = s.device_id
        join ts.port_samples x on x.port_id = p.port_id and x."time" = s."time"
      where s.device_id = any(${integers(deviceIds)}::int[]) and ${sql.unsafe(IS_TRAFFIC_PORT)}
      group by s.device_id`
}

/** Devices in scope that answer, and when they were last polled; those that were never polled are absent. */
export async function polledDevices(
  { sql }: Store,
  scope: Scope,
): Promise<{ readonly device_id: number; readonly last_polled: Date }[]> {
  return await sql<{ device_id: number; last_polled: Date }[]>`
      select d.device_id, d.last_polled from devices d where d.last_polled is not null and ${sql.unsafe(ANSWERS)} and ${deviceInScope(sql, scope)}`
}
