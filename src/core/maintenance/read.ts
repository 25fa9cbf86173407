import type { Sql, Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { occurrences } from './read-occurrences.ts'
import { PORT_NAME, SENSOR_NAME } from './read-parts.ts'

/** Effect of maintenance on alerts: 1 not checked, 2 checked but not notified, 3 none. */
export type MaintenanceBehavior = 1 | 2 | 3

/**
 * Common table expressions for the windows that are active at an instant (epoch ms): `active`, and `covered`, which has
 * the devices of each by schedules of their own, of a group or of their location. A recurring window that passes
 * midnight belongs to the day on which it began. Source: contract BEHAVIOUR.md 8.
 */
const covered = (sql: Sql, at: number) => sql`
    active as (select schedule_id, behavior, closes from (${occurrences(sql, at / 1000, at / 1000)}) o),
    covered as (
      select i.device_id, a.* from active a join alert_schedulables i using (schedule_id)
      where i.device_id is not null
      union all
      select d.device_id, a.* from active a join alert_schedulables i using (schedule_id)
        join devices d on d.location_id = i.location_id
      union all
      select g.device_id, a.* from active a join alert_schedulables i using (schedule_id)
        join device_group_device g on g.device_group_id = i.device_group_id
    )`

/**
 * Query for devices under maintenance at an instant (epoch ms), as device_id and behavior. The strongest behavior
 * applies.
 */
export function maintainedDevices(sql: Sql, at: number) {
  return sql`
    with ${covered(sql, at)}
    select m.device_id, min(m.behavior)::int as behavior from covered m group by m.device_id`
}

/** A maintenance window that is open at an instant. */
export interface OpenMaintenance {
  /** Of the window that ends last. */
  readonly title: string
  /** The strongest of its windows. */
  readonly behavior: MaintenanceBehavior
  readonly until: Date
}

/** The maintenance of a device at an instant. */
export interface DeviceMaintenance extends OpenMaintenance {
  readonly device_id: number
}

/** Which of these devices are under maintenance at an instant (epoch ms), and until when. */
export async function maintenanceOf(
  store: Store,
  deviceIds: readonly number[],
  at: number,
): Promise<DeviceMaintenance[]> {
  if (deviceIds.length === 0) return Promise.resolve([])
  const { sql } = store
  return await sql<DeviceMaintenance[]>`
      with ${covered(sql, at)}
      select m.device_id, (array_agg(s.title order by m.closes desc, m.schedule_id))[1] as title,
        min(m.behavior)::int as behavior, max(m.closes) as until
      from covered m join alert_schedule s using (schedule_id)
      where m.device_id = any(${integers(deviceIds)}::text::int[]) group by m.device_id`
}

/** Devices under maintenance at an instant (epoch ms), and the effect on their alerts. */
export async function devicesUnderMaintenance(
  store: Store,
  at: number,
): Promise<ReadonlyMap<number, MaintenanceBehavior>> {
  const rows = await store.sql<{ device_id: number; behavior: MaintenanceBehavior }[]>`
      ${maintainedDevices(store.sql, at)}`
  return new Map(rows.map((row) => [row.device_id, row.behavior]))
}

/**
 * Ports and sensors that are under maintenance by themselves at an instant (epoch ms), by their ids. The strongest behavior
 * applies. That of their devices is in `devicesUnderMaintenance`.
 */
export async function partsInMaintenance(
  { sql }: Store,
  at: number,
): Promise<Readonly<Record<'port' | 'sensor', ReadonlyMap<number, MaintenanceBehavior>>>> {
  const rows = await sql<{ kind: 'port' | 'sensor'; id: number; behavior: MaintenanceBehavior }[]>`
      select case when i.target_port_id is null then 'sensor' else 'port' end as kind,
        coalesce(i.target_port_id, i.target_sensor_id) as id, min(o.behavior)::int as behavior
      from (${occurrences(sql, at / 1000, at / 1000)}) o join alert_schedulables i using (schedule_id)
      where i.target_port_id is not null or i.target_sensor_id is not null group by 1, 2`
  const of = (kind: 'port' | 'sensor') =>
    new Map(rows.filter((row) => row.kind === kind).map(({ id, behavior }) => [id, behavior]))
  return { port: of('port'), sensor: of('sensor') }
}

/** The maintenance of one port or sensor by itself at an instant (epoch ms); null: none. */
export async function maintenanceOfPart(
  { sql }: Store,
  { kind, id }: { readonly kind: 'port' | 'sensor'; readonly id: number },
  at: number,
): Promise<OpenMaintenance | null> {
  const [row] = await sql<OpenMaintenance[]>`
      select (array_agg(s.title order by o.closes desc, s.schedule_id))[1] as title, min(o.behavior)::int as behavior,
        max(o.closes) as until
      from (${occurrences(sql, at / 1000, at / 1000)}) o join alert_schedulables i using (schedule_id)
        join alert_schedule s using (schedule_id)
      where i.${sql(`target_${kind}_id`)} = ${id} having count(*) > 0`
  return row ?? null
}

/** The maintenance that an alert falls under. */
export interface AlertMaintenance {
  readonly alert_id: number
  /** `device`: its device. `port`, `sensor`: some or all of its open faults are about one that is under maintenance. */
  readonly of: 'device' | 'port' | 'sensor'
  /** When the last of its windows ends. */
  readonly until: Date
}

/** Which of these alerts are about something under maintenance at an instant (epoch ms), and until when. */
export async function maintenanceOfAlerts(
  { sql }: Store,
  alertIds: readonly number[],
  at: number,
): Promise<AlertMaintenance[]> {
  if (alertIds.length === 0) return Promise.resolve([])
  return await sql<AlertMaintenance[]>`
      with ${covered(sql, at)}, wanted as (
        select id, device_id from alerts where id = any(${integers(alertIds)}::text::int[])
      ), found as (
        select w.id, 'device' as of, c.closes from wanted w join covered c using (device_id)
        union all
        select f.alert_id, f.kind, a.closes
        from active a join alert_schedulables i using (schedule_id)
          join faults f on f.kind = case when i.target_port_id is null then 'sensor' else 'port' end
            and f.subject_id = coalesce(i.target_port_id, i.target_sensor_id)
        where f.live = 1 and f.state <> 0 and f.alert_id in (select id from wanted)
      )
      select id as alert_id, (array_agg(of order by of))[1] as of, max(closes) as until from found group by id`
}

/** A maintenance window and its target in words. */
export interface ScheduleRecord {
  readonly schedule_id: number
  readonly title: string
  readonly notes: string
  readonly behavior: MaintenanceBehavior
  readonly start: Date
  readonly end: Date
  readonly recurring: number
  /** ISO weekdays, joined by commas; null: every day. */
  readonly recurring_day: string | null
  /** null: once, or on those weekdays between two times of day in the server's zone. */
  readonly repeat: 'daily' | 'weekly' | 'monthly' | null
  /** null: the server's. */
  readonly zone: string | null
  /** Seconds; null: from the start to the end. */
  readonly duration_s: number | null
  /** For example `device sw1.example.net`, or `port sw1.example.net Gi1/0/17`. */
  readonly target: string
}

/** Maintenance windows by start. */
export async function listSchedules({ sql }: Store): Promise<ScheduleRecord[]> {
  return await sql<ScheduleRecord[]>`
      select s.schedule_id, s.title, s.notes, s.behavior, s.start, s."end", s.recurring, s.recurring_day,
        s.repeat, s.zone, s.duration_s,
        coalesce(string_agg(concat_ws(' ', replace(i.alert_schedulable_type, '_', ' '),
          coalesce(d.hostname, g.name, l.location, 
            (select x.hostname || ' ' || ${sql.unsafe(PORT_NAME)}
              from ports p join devices x using (device_id) where p.port_id = i.target_port_id),
            (select x.hostname || ' ' || ${sql.unsafe(SENSOR_NAME)}
              from sensors s join devices x using (device_id) where s.sensor_id = i.target_sensor_id))), ', ' order by i.item_id), '') as target
      from alert_schedule s left join alert_schedulables i using (schedule_id)
      left join devices d on d.device_id = i.device_id
      left join device_groups g on g.id = i.device_group_id
      left join locations l on l.id = i.location_id
      group by s.schedule_id order by s.start, s.schedule_id`
}

/** Whether one device is under maintenance at an instant (epoch ms). */
export async function isUnderMaintenance(store: Store, deviceId: number, at: number): Promise<boolean> {
  const rows = await store.sql`
      select from (${maintainedDevices(store.sql, at)}) x where x.device_id = ${deviceId}`
  return rows.length > 0
}
