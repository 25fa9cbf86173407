import type { Store } from '../../src/core/database/client.ts'

/**
 * A generated network: 2 cores, distribution below each, access below those; the rest are leaves. Ids start at `base`.
 */
export interface MadeNetwork {
  readonly deviceIds: readonly number[]
  /** The last link's port is down. */
  readonly downPort: number
  readonly links: number
}

const PORTS = 26

/**
 * Stores devices named `sw-1` and so on, linked as a tree with two cores: each has 26 ports of 1 Gbit/s with one
 * sample, sensors of which one is above its limit, and BGP sessions of which every third is down.
 */
export async function makeNetwork({ sql }: Store, devices: number, base = 1000): Promise<MadeNetwork> {
  const deviceIds = Array.from({ length: devices }, (_, i) => base + i)
  const portOf = (device: number, port: number) => (base + device) * 100 + port
  await sql`
    insert into devices (device_id, hostname, display, os, hardware, status, type, last_polled, uptime)
    select ${base}::int + d, 'sw-' || d + 1 || '.example.net', 'sw-' || d + 1, 'ios', 'C9300', case when d % 40 = 39 then 0 else 1 end, 'network', now(), 4000
    from generate_series(0, ${devices - 1}::int) d`
  await sql`
    insert into ports (port_id, device_id, "ifIndex", "ifName", "ifDescr", "ifAlias", "ifType", "ifOperStatus", "ifAdminStatus", "ifSpeed")
    select (${base}::int + d) * 100 + p, ${base}::int + d, p, 'Gi1/0/' || p, 'GigabitEthernet1/0/' || p, 'user ' || d || '-' || p, 'ethernetCsmacd',
      case when p % 13 = 0 then 'down' else 'up' end, case when p % 11 = 0 then 'down' else 'up' end, 1000000000
    from generate_series(0, ${devices - 1}::int) d, generate_series(1, ${PORTS}::int) p`
  await sql`
    insert into ts.port_samples ("time", port_id, period_ms, in_octets, out_octets, in_pkts, out_pkts, in_err, out_err, in_disc, out_disc)
    select date_trunc('second', now()), port_id, 300000, (port_id * 7919::bigint % 97) * 375000000, 5e8, 1e6, 5e5,
      case when "ifIndex" = 5 and device_id % 5 = 0 then 300 else 0 end, 0, 0, 0 from ports where device_id >= ${base}`
  await sql`
    insert into ts.port_state (device_id, "time", port_id, ticks, present, counters)
    select device_id, (select max("time") from ts.port_samples), array_agg(port_id), array_agg(0), array_agg(0), ''
    from ports where device_id >= ${base} group by device_id`
  const links: [number, number, number, number][] = []
  const free = new Map<number, number>()
  const next = (device: number) => {
    const port = (free.get(device) ?? 0) + 1
    free.set(device, port)
    return port
  }
  const tie = (a: number, b: number) => links.push([a, next(a), b, next(b)])
  const middle = Math.floor(devices / 20) + 1
  for (let d = 1; d < devices; d++) {
    if (d < 2) tie(0, 1)
    else if (d < 2 + middle) {
      tie(0, d)
      tie(1, d)
    } else tie(2 + (d % middle), d)
  }
  for (const [a, p, b, q] of links) {
    if (p > PORTS || q > PORTS) continue
    await sql`
      insert into links (local_port_id, local_device_id, remote_port_id, remote_device_id, protocol, remote_hostname, remote_port, remote_version)
      values (${portOf(a, p)}, ${base + a}, ${portOf(b, q)}, ${base + b}, 'lldp', ${`sw-${b + 1}`}, ${`Gi1/0/${q}`}, ''),
        (${portOf(b, q)}, ${base + b}, ${portOf(a, p)}, ${base + a}, 'lldp', ${`sw-${a + 1}`}, ${`Gi1/0/${p}`}, '')`
  }
  await sql`
    insert into sensors (sensor_id, device_id, sensor_class, sensor_oid, sensor_index, sensor_type, sensor_descr, sensor_current, sensor_limit, sensor_limit_low)
    select (${base}::int + d) * 10 + n, ${base}::int + d, (array['temperature', 'voltage', 'fanspeed'])[n], '1.3', n::text, 'made', 'Sensor ' || n,
      case when n = 1 and d % 4 = 0 then 80 else 30 + d % 20 end, 70, 1
    from generate_series(0, ${devices - 1}::int) d, generate_series(1, 3) n`
  await sql`
    insert into public."bgpPeers" (device_id, "bgpPeerIdentifier", "bgpPeerRemoteAs", "bgpPeerState", "bgpPeerAdminStatus", "bgpPeerFsmEstablishedTime", astext)
    select ${base}::int + d, '192.0.2.' || d + 1, 64500 + d, case when d % 3 = 0 then 'idle' else 'established' end, 'start', 7200, 'EXAMPLE'
    from generate_series(0, ${Math.min(devices, 30) - 1}::int) d`
  const [a, p] = links.at(-1) ?? [0, 1]
  const downPort = portOf(a, p)
  await sql`update ports set "ifOperStatus" = 'up', "ifAdminStatus" = 'up' where port_id in (select local_port_id from links)`
  await sql`update ports set "ifOperStatus" = 'down', "ifAdminStatus" = 'up' where port_id = ${downPort}`
  return { deviceIds, downPort, links: links.length }
}
