import type { Store } from '../../src/core/database/client.ts'
import { fillDevice } from '../support/fill.ts'

/** Ids and names that exist, by table. Devices are kept apart: some stay for the whole run. */
export interface Pool {
  /** Of the devices that no request removes or renames. */
  readonly devices: readonly { readonly id: number; readonly hostname: string }[]
  /** Hostnames that may be removed and renamed. */
  readonly doomed: readonly string[]
  /** Up to 20 of each table. */
  readonly ids: ReadonlyMap<string, readonly number[]>
  /** Names by table: groups, locations, components, interfaces. */
  readonly names: ReadonlyMap<string, readonly string[]>
}

const KEPT = 3
const BASE = 100_000

const IDS: Readonly<Record<string, string>> = {
  ports: 'port_id',
  sensors: 'sensor_id',
  wireless_sensors: 'sensor_id',
  alerts: 'id',
  alert_rules: 'id',
  alert_templates: 'id',
  bgpPeers: 'bgpPeer_id',
  bills: 'bill_id',
  bill_history: 'bill_hist_id',
  links: 'id',
  ipv4_networks: 'ipv4_network_id',
  vrfs: 'vrf_id',
  device_groups: 'id',
  port_groups: 'id',
  locations: 'id',
  services: 'service_id',
  component: 'id',
  transceivers: 'id',
  faults: 'id',
  scans: 'id',
  on_call_schedules: 'id',
  alert_operations: 'id',
  alert_transports: 'transport_id',
  alert_transport_groups: 'transport_group_id',
  candidate_rules: 'id',
}

const NAMES: Readonly<Record<string, string>> = {
  device_groups: 'name',
  port_groups: 'name',
  locations: 'location',
  ports: 'ifName',
  sensors: 'sensor_class',
  bills: 'bill_ref',
}

/**
 * Fills an empty database: devices with a row in every table that a device can have rows in, and `doomed` bare ones that
 * may be deleted. All are addresses of this host. Returns the ids of the devices that stay.
 */
export async function fill(store: Store, doomed: number): Promise<readonly number[]> {
  const { sql } = store
  const kept: number[] = []
  for (let n = 0; n < KEPT; n++) {
    const { ids, failed } = await fillDevice(store, BASE * (n + 1), `filled${n}`)
    if (failed.length > 0) throw new Error(`rows that could not be made: ${failed.join('; ')}`)
    const id = ids.get('devices') ?? 0
    kept.push(id)
    const address = `127.0.9.${n + 1}`
    await sql`
      update devices set hostname = ${address}, ip = ${address}, overwrite_ip = null, disabled = 1, snmp_disable = 1
      where device_id = ${id}`
    // Texts of the filler are no rows.
    await sql`update faults set row_began = null, row_now = null`
    // Bills keep no documents.
    await sql`update bill_history set pdf = null`
  }
  await sql`
    insert into devices (hostname, ip, disabled, snmp_disable)
    select '127.0.8.' || n, ('127.0.8.' || n)::inet, 1, 1 from generate_series(1, ${doomed}) n`
  await sql`insert into alert_templates (name, template) values ('Random', 'text')`
  return kept
}

/** What exists now. */
export async function readPool({ sql }: Store, kept: readonly number[]): Promise<Pool> {
  const ids = new Map<string, readonly number[]>()
  const names = new Map<string, readonly string[]>()
  for (const [table, column] of Object.entries(IDS)) {
    const rows = await sql<{ id: number }[]>`select ${sql(column)} as id from ${sql(table)} order by 1 limit 20`
    ids.set(
      table,
      rows.map((row) => Number(row.id)),
    )
  }
  for (const [table, column] of Object.entries(NAMES)) {
    const rows = await sql<{ name: string }[]>`
      select distinct ${sql(column)} as name from ${sql(table)} where ${sql(column)} is not null order by 1 limit 20`
    names.set(
      table,
      rows.map((row) => row.name),
    )
  }
  const devices = await sql<{ id: number; hostname: string }[]>`
    select device_id as id, hostname from devices where device_id = any(${[...kept]}) order by 1`
  const others = await sql<{ hostname: string }[]>`
    select hostname from devices where not device_id = any(${[...kept]}) order by device_id limit 40`
  return { devices, doomed: others.map((row) => row.hostname), ids, names }
}
