import { mint, type TestApi } from '../support/api.ts'

/** A device with two ports, addresses, inventory, a sensor, availability and an outage. */
export interface Seeded {
  readonly deviceId: number
  readonly hostname: string
  /** Gi0/1 (VLAN 10, addresses) and Gi0/2 of the device; a third one is deleted. */
  readonly portIds: readonly [number, number, number]
  readonly sensorId: number
}

/** Stores a device with unique names and addresses. */
export async function seed({ store: { sql } }: TestApi): Promise<Seeded> {
  const n = mint()
  const hostname = `sw${n}.example.net`
  const [device] = await sql<{ device_id: number }[]>`
    insert into devices (hostname, "sysName", display, ip, community, os, hardware, icon, status, last_polled, last_discovered,
      authpass, cryptopass)
    values (${hostname}, ${`sw${n}`}, ${hostname}, ${`10.7.${n >> 8}.${n & 255}`}, 'secret', 'linux', 'box', 'linux.svg', 1,
      '2026-08-14 12:00:00.25+00', '2026-08-14 06:00:00+00', 'apass', 'cpass') returning device_id`
  const deviceId = device?.device_id ?? 0
  const port = async (index: number, deleted: number) => {
    const [row] = await sql<{ port_id: number }[]>`
      insert into ports (device_id, "ifIndex", "ifName", "ifDescr", "ifAlias", "ifSpeed", "ifPhysAddress", "ifVlan",
        "ifOperStatus", deleted)
      values (${deviceId}, ${index}, ${`Gi0/${index}`}, ${`GigabitEthernet0/${index}`}, ${`link ${n}-${index}`},
        1000000000, '0011223344aa', '10', 'up', ${deleted}) returning port_id`
    return row?.port_id ?? 0
  }
  const portIds = [await port(1, 0), await port(2, 0), await port(3, 1)] as const
  await sql`insert into ports_vlans (device_id, port_id, vlan, untagged) values
    (${deviceId}, ${portIds[0]}, 10, 0), (${deviceId}, ${portIds[0]}, 20, 0)`
  await sql`insert into ipv4_addresses (ipv4_address, ipv4_prefixlen, port_id)
    values (${`192.0.${n >> 8}.${n & 255}`}, 24, ${portIds[0]})`
  await sql`insert into ipv6_addresses (ipv6_address, ipv6_compressed, ipv6_prefixlen, ipv6_origin, port_id)
    values ('2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1', 64, 'manual', ${portIds[0]})`
  await sql`insert into "entPhysical" (device_id, "entPhysicalIndex", "entPhysicalClass", "entPhysicalContainedIn") values
    (${deviceId}, 1, 'chassis', 0), (${deviceId}, 2, 'module', 1)`
  const [sensor] = await sql<{ sensor_id: number }[]>`
    insert into sensors (device_id, sensor_class, sensor_type, sensor_index, sensor_oid, sensor_descr, sensor_current)
    values (${deviceId}, 'temperature', 'test', '1', '1.3.6.1', 'Inlet', 21.5) returning sensor_id`
  await sql`insert into availability (device_id, duration, availability_perc) values
    (${deviceId}, 604800, 99.5), (${deviceId}, 86400, 100)`
  await sql`insert into device_outages (device_id, going_down, up_again) values
    (${deviceId}, 1700000000, 1700000600), (${deviceId}, 1800000000, null)`
  return { deviceId, hostname, portIds, sensorId: sensor?.sensor_id ?? 0 }
}
