import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'

/** Limits in the unit of the sensor's class; null: none. */
export interface SensorLimits {
  readonly high: number | null
  readonly high_warn: number | null
  readonly low_warn: number | null
  readonly low: number | null
}

/** A sensor with its limits and where they come from. */
export interface LimitedSensor extends SensorLimits {
  readonly sensor_id: number
  readonly device_id: number
  readonly class: string
  readonly descr: string
  readonly value: number | null
  /** `person`: discovery keeps them. `guess`: at least one was guessed from the first value. */
  readonly source: 'agent' | 'guess' | 'person'
}

const SENSOR = `sensor_id, device_id, sensor_class as class, coalesce(sensor_descr, '') as descr, sensor_current as value,
  sensor_limit as high, sensor_limit_warn as high_warn, sensor_limit_low_warn as low_warn, sensor_limit_low as low,
  case when sensor_custom = 'Yes' then 'person' when limits_guessed = 1 then 'guess' else 'agent' end as source`

/** Live sensors of a device by class and name, at most 5,000; `sensorId`: only this one. */
export async function limitedSensors(
  { sql }: Store,
  deviceId: number,
  sensorId: number | null = null,
): Promise<LimitedSensor[]> {
  return await sql<LimitedSensor[]>`
      select ${sql.unsafe(SENSOR)} from sensors
      where device_id = ${deviceId} and sensor_deleted = 0 and (${sensorId}::int is null or sensor_id = ${sensorId})
      order by sensor_class, sensor_descr, sensor_id limit 5000`
}

/** The device of a live sensor; null: there is none, or it is not in scope. */
export async function sensorDevice({ sql }: Store, sensorId: number, scope: Scope): Promise<number | null> {
  const [row] = await sql<{ device_id: number }[]>`
      select d.device_id from sensors s join devices d on d.device_id = s.device_id
      where s.sensor_id = ${sensorId} and s.sensor_deleted = 0 and ${deviceInScope(sql, scope)}`
  return row?.device_id ?? null
}

/**
 * Sets the limits of a sensor, which discovery then keeps. `limits` null: the next discovery sets them again. False: the
 * device has no such sensor.
 */
export async function writeLimits(
  { sql }: Store,
  deviceId: number,
  sensorId: number,
  limits: SensorLimits | null,
): Promise<boolean> {
  const { high = null, high_warn = null, low_warn = null, low = null } = limits ?? {}
  const rows = await sql`
      update sensors set sensor_limit = ${high}, sensor_limit_warn = ${high_warn}, sensor_limit_low_warn = ${low_warn},
        sensor_limit_low = ${low}, limits_guessed = 0, sensor_custom = ${limits === null ? 'No' : 'Yes'}
      where device_id = ${deviceId} and sensor_id = ${sensorId} and sensor_deleted = 0 returning 1`
  return rows.length > 0
}
