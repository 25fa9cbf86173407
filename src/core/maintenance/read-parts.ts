import { isId } from '../base/ids.ts'
import { deviceInScope, portInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'

/** A port or sensor that a maintenance window can be for. */
export interface MaintainedPart {
  readonly kind: 'port' | 'sensor'
  readonly id: number
  /** Hostname of its device and its own name: `sw1.example.net Gi1/0/17`. */
  readonly name: string
}

/** SQL of the name of a port p and of a sensor s. */
export const PORT_NAME = `coalesce(nullif(p."ifName", ''), nullif(p."ifDescr", ''), p.port_id::text)`
export const SENSOR_NAME = `coalesce(nullif(s.sensor_descr, ''), s.sensor_id::text)`

const MAX_REF = 300

/**
 * A port or sensor in scope, by its id or as `HOSTNAME NAME` regardless of case; deleted ones are not found. null: there
 * is none, or several have that name.
 */
export async function findPart(
  { sql }: Store,
  scope: Scope,
  kind: MaintainedPart['kind'],
  ref: string,
): Promise<MaintainedPart | null> {
  const text = ref.trim().slice(0, MAX_REF).toWellFormed().replaceAll('\0', '')
  const id = /^\d{1,10}$/.test(text) && isId(Number(text)) ? Number(text) : 0
  const [, host = '', name = ''] = /^(\S+)\s+(.+)$/.exec(text) ?? []
  const named = sql`lower(d.hostname) = lower(${host})`
  const rows =
    kind === 'port'
      ? await sql<{ id: number; name: string }[]>`
          select p.port_id as id, d.hostname || ' ' || ${sql.unsafe(PORT_NAME)} as name
          from ports p join devices d using (device_id)
          where p.deleted = 0 and ${portInScope(sql, scope)} and (p.port_id = ${id}
            or ${named} and lower(${name}) in (lower(p."ifName"), lower(p."ifDescr"))) limit 2`
      : await sql<{ id: number; name: string }[]>`
          select s.sensor_id as id, d.hostname || ' ' || ${sql.unsafe(SENSOR_NAME)} as name
          from sensors s join devices d using (device_id)
          where s.sensor_deleted = 0 and ${deviceInScope(sql, scope)} and (s.sensor_id = ${id}
            or ${named} and lower(${name}) = lower(s.sensor_descr)) limit 2`
  const [first, second] = rows
  return first === undefined || second !== undefined ? null : { kind, ...first }
}

/** The device of a sensor, deleted or not; null: no such sensor. */
export async function deviceOfSensor({ sql }: Store, sensorId: number): Promise<number | null> {
  const [row] = await sql<{ device_id: number }[]>`select device_id from sensors where sensor_id = ${sensorId}`
  return row?.device_id ?? null
}
