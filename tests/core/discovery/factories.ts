import type { Store } from '../../../src/core/database/client.ts'
import type { Ipv4Row, Observation, SensorRow } from '../../../src/modules/observation.ts'
import type { PortRow } from '../../../src/modules/ports/observation.ts'

let minted = 0

/** Creates a device; returns its id. */
export async function newDevice(store: Store, columns: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const values = { hostname: `device-${++minted}.example.net`, ...columns }
  const rows = await store.sql<{ device_id: number }[]>`insert into devices ${store.sql(values)} returning device_id`
  const id = rows[0]?.device_id
  if (id === undefined) throw new Error('no device was created')
  return id
}

export function port(ifIndex: number, rest: Partial<PortRow> = {}): PortRow {
  return { ifIndex, ifName: `Gi0/${ifIndex}`, ifDescr: `GigabitEthernet0/${ifIndex}`, ifOperStatus: 'up', ...rest }
}

export function ports(rows: readonly PortRow[], complete = true): Observation {
  return { kind: 'ports', complete, rows }
}

export function ipv4(rows: readonly Ipv4Row[], complete = true): Observation {
  return { kind: 'ipv4', complete, rows }
}

export function address(ifIndex: number, text: string, prefixLen = 24): Ipv4Row {
  return { address: text, prefixLen, ifIndex, context: null }
}

export function sensor(index: string, rest: Partial<SensorRow> = {}): SensorRow {
  return {
    sensor_class: 'temperature',
    sensor_type: 'entity-sensor',
    sensor_index: index,
    sensor_oid: `1.3.6.1.2.1.99.1.1.1.4.${index}`,
    sensor_descr: `Sensor ${index}`,
    group: null,
    sensor_divisor: 1,
    sensor_multiplier: 1,
    sensor_current: 20,
    sensor_limit: null,
    sensor_limit_warn: null,
    sensor_limit_low: null,
    sensor_limit_low_warn: null,
    entPhysicalIndex: index,
    entPhysicalIndex_measured: null,
    ...rest,
  }
}

export interface PortRecord {
  readonly port_id: number
  readonly ifIndex: number
  readonly ifName: string | null
  readonly ifDescr: string | null
  readonly ifAlias: string | null
  readonly ifOperStatus: string | null
  readonly ifOperStatus_prev: string | null
  readonly ifMtu: number | null
  readonly deleted: number
}

/** Port records of a device by port_id. */
export function portsOf(store: Store, deviceId: number): Promise<PortRecord[]> {
  return store.sql<PortRecord[]>`
    select port_id, "ifIndex", "ifName", "ifDescr", "ifAlias", "ifOperStatus", "ifOperStatus_prev", "ifMtu", deleted
    from ports where device_id = ${deviceId} order by port_id`
}

/** Messages of a device's events, oldest first. */
export async function messagesOf(store: Store, deviceId: number): Promise<string[]> {
  const rows = await store.sql<{ message: string }[]>`
    select message from eventlog where device_id = ${deviceId} order by event_id`
  return rows.map((row) => row.message)
}
