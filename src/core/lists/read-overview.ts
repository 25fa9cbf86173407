import { ALERT_WAITS } from '../base/alert-states.ts'
import { deviceInScope, portInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { OWN_ALIAS } from '../ports/own-alias.ts'
import { portRates } from '../series/rates.ts'
import { countedOnce, faultsCountedOnce, LINK_ENDS, OWN_TRAFFIC } from './link-ends.ts'
import { NEAR, nearness } from './nearness.ts'
import { ANSWERS, UNREPORTED } from './read-old-values.ts'

/** Numbers of the overview. */
export interface FleetCounts {
  readonly ports: number
  readonly ports_up: number
  /** Administratively up, but down after having been up. */
  readonly ports_lost: number
  /** Administratively up, but down, and not up before the last change either, for example because nothing is connected. */
  readonly ports_idle: number
  readonly ports_off: number
  /** Of devices that do not answer, or that report no state of them. */
  readonly ports_unknown: number
  readonly sensors: number
  readonly sensors_out: number
  /** Of devices that do not answer. */
  readonly sensors_unknown: number
  readonly services: number
  readonly services_critical: number
  readonly services_warning: number
  /** Not checked yet, or without a usable answer. */
  readonly services_unknown: number
  readonly alerts_critical: number
  readonly alerts_warning: number
  readonly alerts_acknowledged: number
}

export async function fleetCounts({ sql }: Store, scope: Scope): Promise<FleetCounts> {
  const answers = sql.unsafe(ANSWERS)
  const [row] = await sql<FleetCounts[]>`
      with p as (select count(*)::int as ports, count(*) filter (where ${answers} and p."ifOperStatus" = 'up')::int as ports_up,
          count(*) filter (where p."ifAdminStatus" is distinct from 'down' and (not ${answers} or ${sql.unsafe(UNREPORTED)}))::int as ports_unknown,
          count(*) filter (where ${answers} and p."ifAdminStatus" = 'up' and p."ifOperStatus" not in ('up', 'unknown') and p."ifOperStatus_prev" = 'up')::int as ports_lost,
          count(*) filter (where ${answers} and p."ifAdminStatus" = 'up' and p."ifOperStatus" not in ('up', 'unknown') and p."ifOperStatus_prev" is distinct from 'up')::int as ports_idle,
          count(*) filter (where p."ifAdminStatus" = 'down')::int as ports_off
          from ports p join devices d on d.device_id = p.device_id where p.deleted = 0 and ${portInScope(sql, scope)}),
        s as (select count(*)::int as sensors, count(*) filter (where ${answers} and (s.sensor_current > s.sensor_limit or s.sensor_current < s.sensor_limit_low))::int as sensors_out,
            count(*) filter (where not ${answers})::int as sensors_unknown
          from sensors s join devices d on d.device_id = s.device_id where s.sensor_deleted = 0 and s.sensor_class <> 'state' and ${deviceInScope(sql, scope)}),
        v as (select count(*) filter (where v.service_disabled = 0)::int as services,
          count(*) filter (where v.service_disabled = 0 and v.service_status = 2)::int as services_critical,
          count(*) filter (where v.service_disabled = 0 and v.service_status = 1)::int as services_warning,
          count(*) filter (where v.service_disabled = 0 and v.service_status not in (0, 1, 2))::int as services_unknown
          from services v join devices d on d.device_id = v.device_id where ${deviceInScope(sql, scope)}),
        a as (select count(*) filter (where ${sql.unsafe(ALERT_WAITS)} and r.severity = 'critical')::int as alerts_critical,
          count(*) filter (where ${sql.unsafe(ALERT_WAITS)} and r.severity <> 'critical')::int as alerts_warning,
          count(*) filter (where a.state = 2)::int as alerts_acknowledged
          from alerts a join devices d on d.device_id = a.device_id join alert_rules r on r.id = a.rule_id where ${deviceInScope(sql, scope)})
      select * from p, s, v, a`
  if (row === undefined) throw new Error('counting returned no row')
  return row
}

/** A row of the event log with the name of its device. */
export interface EventRow {
  readonly event_id: number
  readonly at: Date
  readonly device_id: number | null
  readonly device: string | null
  readonly type: string | null
  readonly message: string | null
  readonly severity: number
  readonly reference: string | null
  /** For an event of a port that still exists: the port and its name. */
  readonly port_id: number | null
  readonly port: string | null
  /** Who caused it; null: nobody did, or it is not known. */
  readonly by: string | null
}

/** Events of devices in scope, the latest first. `of` limits them to a device, or to a port of one. */
export async function recentEvents(
  { sql }: Store,
  scope: Scope,
  of: {
    readonly deviceId: number | null
    readonly portId: number | null
    readonly sinceS: number | null
    /** Epoch ms. */
    readonly between: readonly [from: number, to: number] | null
    readonly limit: number
  },
): Promise<EventRow[]> {
  return await sql<EventRow[]>`
      select e.event_id, e.datetime as at, e.device_id, coalesce(nullif(d.display, ''), d.hostname) as device, e.type, e.message,
        e.severity, e.reference, nullif(e.username, '') as by, p.port_id, coalesce(nullif(p."ifName", ''), p."ifDescr") as port
      from eventlog e join devices d on d.device_id = e.device_id
        left join ports p on p.device_id = e.device_id
          and p.port_id = case when e.type = 'interface' and e.reference ~ '^[0-9]{1,9}$' then e.reference::int end
      where ${of.deviceId === null ? sql`true` : sql`e.device_id = ${of.deviceId}`} and ${deviceInScope(sql, scope)}
        and ${of.portId === null ? sql`true` : sql`e.type = 'interface' and e.reference = ${String(of.portId)}`}
        and ${of.sinceS === null ? sql`true` : sql`e.datetime > now() - make_interval(secs => ${of.sinceS})`}
        and ${of.between === null ? sql`true` : sql`e.datetime between to_timestamp(${of.between[0] / 1000}) and to_timestamp(${of.between[1] / 1000})`}
      order by e.datetime desc, e.event_id desc limit ${of.limit}`
}

/** A sensor outside its limits, or near one. */
export interface NearLimit {
  readonly sensor_id: number
  readonly device_id: number
  readonly device: string
  readonly class: string
  readonly descr: string
  readonly value: number
  readonly low: number | null
  readonly high: number | null
  /** 0.9 to 1: near a limit; above 1: beyond. */
  readonly share: number
}

const NEARNESS = nearness('s.sensor_current', 's.sensor_limit_low', 's.sensor_limit')

/** Sensors near a limit, or beyond one, the worst first. */
export async function sensorsNearLimit({ sql }: Store, scope: Scope, limit: number): Promise<NearLimit[]> {
  return await sql<NearLimit[]>`
      select s.sensor_id, s.device_id, coalesce(nullif(d.display, ''), d.hostname) as device, s.sensor_class as class,
        coalesce(s.sensor_descr, '') as descr, s.sensor_current as value, s.sensor_limit_low as low, s.sensor_limit as high, x.share
      from sensors s join devices d on d.device_id = s.device_id
        cross join lateral (select ${sql.unsafe(NEARNESS)} as share) x
      where s.sensor_deleted = 0 and s.sensor_class <> 'state' and ${sql.unsafe(ANSWERS)} and ${deviceInScope(sql, scope)} and x.share >= ${NEAR}
      order by x.share desc, s.sensor_id limit ${limit}`
}

/** A port with much traffic or many errors at the last poll. */
export interface BusyPort {
  readonly port_id: number
  readonly device_id: number
  readonly device: string
  readonly ifName: string | null
  readonly ifAlias: string | null
  readonly ifSpeed: number | null
  readonly in_bps: number | null
  readonly out_bps: number | null
  /** Errors and discards per second. */
  readonly errors: number | null
}

/** Samples that are read for a list of a few ports, because those of ports that do not count are dropped. */
const CANDIDATES = 500

/**
 * Ports with the highest traffic, and with the most errors, in samples of the last `seconds`. If the scope is
 * unlimited, only the highest samples are joined to their ports.
 */
export async function busyPorts(
  { sql }: Store,
  scope: Scope,
  { seconds, limit }: { readonly seconds: number; readonly limit: number },
): Promise<{ talkers: BusyPort[]; faulty: BusyPort[] }> {
  const read = async (order: string, once: string) => {
    const recent = sql`x."time" > now() - make_interval(secs => ${seconds})`
    const mine =
      scope.kind === 'all'
        ? sql`true`
        : sql`x.port_id in (select p.port_id from ports p where p.deleted = 0 and ${portInScope(sql, scope)})`
    return await sql<BusyPort[]>`
        with high as (select x.*, ${sql.unsafe(order)} as rank from ts.port_samples x
            where ${recent} and ${mine} and ${sql.unsafe(order)} > 0 order by rank desc limit ${CANDIDATES}),
          last as (select distinct on (port_id) * from high order by port_id, "time" desc),
          r as materialized (select l.* from last l join ports p on p.port_id = l.port_id where ${sql.unsafe(OWN_TRAFFIC)}),
          ${sql.unsafe(LINK_ENDS)}
        select p.port_id, p.device_id, coalesce(nullif(d.display, ''), d.hostname) as device, p."ifName", ${sql.unsafe(OWN_ALIAS)} as "ifAlias", p."ifSpeed",
          ${sql.unsafe(portRates('r'))},
          (coalesce(r.in_err, 0) + coalesce(r.out_err, 0) + coalesce(r.in_disc, 0) + coalesce(r.out_disc, 0)) * 1000.0::float8 / r.period_ms as errors
        from r join ports p on p.port_id = r.port_id join devices d on d.device_id = p.device_id
        where ${sql.unsafe(once)} and ${sql.unsafe(ANSWERS)}
        order by r.rank desc, p.port_id limit ${limit}`
  }
  const [talkers, faulty] = await Promise.all([
    read('(coalesce(x.in_octets, 0) + coalesce(x.out_octets, 0))::float8 / x.period_ms', countedOnce('r')),
    read(
      '(coalesce(x.in_err, 0) + coalesce(x.out_err, 0) + coalesce(x.in_disc, 0) + coalesce(x.out_disc, 0))::float8 / x.period_ms',
      faultsCountedOnce('r'),
    ),
  ])
  return { talkers, faulty }
}
