import type { Store } from '../database/client.ts'

import { integers } from '../database/pg-array.ts'
import { occurrences } from '../maintenance/read-occurrences.ts'
import type { Span } from './window.ts'

/** Times that are shaded in graphs of a device. */
export interface Shades {
  /** When the device was down. */
  readonly outages: readonly Span[]
  /** When it was under maintenance. */
  readonly maintenance: readonly Span[]
}

/** Only the newest are shaded. */
const MAX_SHADES = 500

/**
 * Outages and maintenance of a device that touch a range (epoch seconds), by start. Recurring windows are
 * expanded.
 */
export async function shadesOf({ sql }: Store, deviceId: number, fromS: number, toS: number): Promise<Shades> {
  const [outages, maintenance] = await Promise.all([
    sql<{ startS: number; endS: number }[]>`
        select going_down::float8 as "startS", coalesce(up_again, ${Math.ceil(toS)})::float8 as "endS" from device_outages
        where device_id = ${deviceId} and going_down < ${Math.ceil(toS)} and coalesce(up_again, ${Math.ceil(toS)}) > ${Math.floor(fromS)}
        order by going_down desc limit ${MAX_SHADES}`,
    sql<{ startS: number; endS: number }[]>`
        with mine as (
          select schedule_id from alert_schedulables i
          where i.device_id = ${deviceId}
            or i.location_id = (select location_id from devices where device_id = ${deviceId})
            or i.device_group_id in (select device_group_id from device_group_device where device_id = ${deviceId})
        ), open as (
          select opens, closes from (${occurrences(sql, fromS, toS)}) o where schedule_id in (select schedule_id from mine)
        )
        select extract(epoch from opens)::float8 as "startS", extract(epoch from closes)::float8 as "endS" from open
        where opens < closes and opens < to_timestamp(${toS}) and closes > to_timestamp(${fromS})
        order by opens desc limit ${MAX_SHADES}`,
  ])
  return { outages: outages.toReversed(), maintenance: maintenance.toReversed() }
}

/** The limits of a sensor in the unit of its class; null: none. */
export interface SensorLimits {
  readonly high: number | null
  readonly highWarn: number | null
  readonly lowWarn: number | null
  readonly low: number | null
}

/** The limits of a sensor or wireless sensor; null: no such sensor. */
export async function limitsOf(
  { sql }: Store,
  table: 'sensors' | 'wireless_sensors',
  id: number,
): Promise<SensorLimits | null> {
  const [row] = await sql<SensorLimits[]>`
      select sensor_limit as high, sensor_limit_warn as "highWarn", sensor_limit_low_warn as "lowWarn",
        sensor_limit_low as low
      from ${sql(table)} where sensor_id = ${id}`
  return row ?? null
}

/** A state of a state sensor. */
export interface SensorState {
  readonly value: number
  readonly name: string
  /** 0 ok, 1 warning, 2 critical, 3 unknown. */
  readonly severity: number
}

/** The states of state sensors, by sensor id; a sensor without known states is missing. */
export async function statesOf(
  { sql }: Store,
  sensorIds: readonly number[],
): Promise<ReadonlyMap<number, readonly SensorState[]>> {
  const rows = await sql.unsafe<(SensorState & { id: number })[]>(
    `select l.sensor_id as id, t.state_value as value, t.state_descr as name, t.state_generic_value as severity
       from sensors_to_state_indexes l join state_translations t using (state_index_id)
       where l.sensor_id = any('${integers(sensorIds)}'::int[]) order by 1, 2`,
  )
  return Map.groupBy(rows, (row) => row.id)
}
