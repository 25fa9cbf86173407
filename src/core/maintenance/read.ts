import type { Sql, Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { occurrences } from './read-occurrences.ts'

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

/** The maintenance of a device at an instant. */
export interface DeviceMaintenance {
  readonly device_id: number
  /** Of the window that ends last. */
  readonly title: string
  /** The strongest of its windows. */
  readonly behavior: MaintenanceBehavior
  readonly until: Date
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
  /** For example `device sw1.example.net`. */
  readonly target: string
}

/** Maintenance windows by start. */
export async function listSchedules({ sql }: Store): Promise<ScheduleRecord[]> {
  return await sql<ScheduleRecord[]>`
      select s.schedule_id, s.title, s.notes, s.behavior, s.start, s."end", s.recurring, s.recurring_day,
        s.repeat, s.zone, s.duration_s,
        coalesce(string_agg(concat_ws(' ', replace(i.alert_schedulable_type, '_', ' '),
          coalesce(d.hostname, g.name, l.location)), ', ' order by i.item_id), '') as target
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
