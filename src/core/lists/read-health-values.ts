import type { Store } from '../database/client.ts'
import { OLD_SINCE } from './read-old-values.ts'

/** Maximum values of a device. */
const MAX_ROWS = 1000

/** A value with limits. */
export interface HealthValue {
  readonly kind: 'sensor' | 'processor' | 'mempool' | 'storage'
  readonly id: number
  /** Class of a sensor; else the kind. */
  readonly class: string
  readonly descr: string
  readonly value: number | null
  readonly low: number | null
  readonly low_warn: number | null
  readonly high_warn: number | null
  readonly high: number | null
  /** Bytes, for memory and file systems. */
  readonly used: number | null
  readonly size: number | null
  /** Name of a state sensor's value, and 0 ok, 1 warning, 2 critical, 3 unknown. */
  readonly state: string | null
  readonly state_kind: number | null
  /** When the value was read, if the device no longer answers; null: it is current. */
  readonly old_since: Date | null
}

/**
 * SQL for all values with limits, of all devices. A warning at 0 % counts as none, because caches and buffers have it.
 */
export const HEALTH_VALUES = `
  select 'processor' as kind, processor_id as id, device_id, 'processor' as class, processor_descr as descr,
    processor_usage::float8 as value, null::float8 as low, null::float8 as low_warn, nullif(processor_perc_warn, 0)::float8 as high_warn,
    null::float8 as high, null::float8 as used, null::float8 as size, null as state, null::int as state_kind from processors
  union all select 'mempool', mempool_id, device_id, 'memory', mempool_descr, mempool_perc, null, null, nullif(mempool_perc_warn, 0), null,
    mempool_used, mempool_total, null, null from mempools where mempool_deleted = 0
  union all select 'storage', storage_id, device_id, 'storage', storage_descr, storage_perc, null, null, nullif(storage_perc_warn, 0), null,
    storage_used, storage_size, null, null from storage
  union all select 'sensor', s.sensor_id, s.device_id, s.sensor_class, coalesce(s.sensor_descr, ''), s.sensor_current, s.sensor_limit_low,
    s.sensor_limit_low_warn, s.sensor_limit_warn, s.sensor_limit, null, null, t.state_descr, t.state_generic_value
  from sensors s left join sensors_to_state_indexes i on s.sensor_class = 'state' and i.sensor_id = s.sensor_id
    left join state_translations t on t.state_index_id = i.state_index_id and t.state_value = s.sensor_current
  where s.sensor_deleted = 0`

/** Health values of a device by class and name. The caller has checked access. */
export async function listHealth({ sql }: Store, deviceId: number): Promise<HealthValue[]> {
  return await sql<HealthValue[]>`
      select v.*, ${sql.unsafe(OLD_SINCE)} as old_since
      from (${sql.unsafe(HEALTH_VALUES)}) v join devices d on d.device_id = v.device_id where v.device_id = ${deviceId}
      order by array_position(array['processor', 'mempool', 'storage', 'sensor'], kind), class, natural_key(descr), id limit ${MAX_ROWS}`
}

/** Maximum sensors of a port: four lanes of an optic with bias, power both ways, temperature and voltage. */
const MAX_PORT_SENSORS = 40

/** Sensors of a port and its transceiver: optical power first, then bias, temperature and so on. */
export async function listPortSensors({ sql }: Store, portId: number): Promise<HealthValue[]> {
  return await sql<HealthValue[]>`
      select 'sensor' as kind, s.sensor_id as id, s.sensor_class as class, coalesce(s.sensor_descr, '') as descr,
        s.sensor_current as value, s.sensor_limit_low as low, s.sensor_limit_low_warn as low_warn,
        s.sensor_limit_warn as high_warn, s.sensor_limit as high, null::float8 as used, null::float8 as size,
        t.state_descr as state, t.state_generic_value as state_kind, ${sql.unsafe(OLD_SINCE)} as old_since
      from ports p join devices d on d.device_id = p.device_id join sensors s on s.device_id = p.device_id and s.sensor_deleted = 0
        left join sensors_to_state_indexes i on s.sensor_class = 'state' and i.sensor_id = s.sensor_id
        left join state_translations t on t.state_index_id = i.state_index_id and t.state_value = s.sensor_current
      where p.port_id = ${portId} and (
        (s."entPhysicalIndex_measured" = 'ports' and s."entPhysicalIndex" = p."ifIndex"::text)
        or (s."entPhysicalIndex_measured" is null and s."entPhysicalIndex" in (
          select e."entPhysicalIndex"::text from "entPhysical" e where e.device_id = p.device_id and e."ifIndex" = p."ifIndex"
          union all select x.entity_physical_index::text from transceivers x where x.port_id = p.port_id)))
      order by (s.sensor_class <> 'dbm'), s.sensor_class, natural_key(s.sensor_descr), id limit ${MAX_PORT_SENSORS}`
}
