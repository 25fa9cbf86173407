import type { Sql, Store } from '../database/client.ts'
import { type Place, placeFrom } from './place.ts'
import type { Adjacency, Rest } from './reach.ts'
import type { Station } from './stations.ts'

/** Links read at a time. */
const CHUNK = 5000
/** The rest is ignored. */
const MAX_ADJACENCIES = 500_000
/** A port with more MAC addresses than this leads to other switches. */
const MAX_EDGE_MACS = 64

/** Ports that lead to a monitored device, and the aggregated links that they are members of. */
const UPLINKS = `
  select local_port_id as port_id from links where active = 1 and remote_device_id <> 0 and local_port_id is not null
  union select remote_port_id from links where active = 1 and remote_device_id <> 0 and remote_port_id is not null`
const ALL_UPLINKS = `
  select port_id from uplink
  union select s.high_port_id from ports_stack s join uplink u on u.port_id = s.low_port_id where s.high_port_id is not null
  union select s.low_port_id from ports_stack s join uplink u on u.port_id = s.high_port_id where s.low_port_id is not null`

const LINKED = `
  select local_device_id as device_id from links where active = 1 and remote_device_id <> 0 and remote_device_id <> local_device_id
  union select remote_device_id from links where active = 1 and remote_device_id <> 0 and remote_device_id <> local_device_id`

const portName = (alias: string) => `coalesce(nullif(${alias}."ifName", ''), nullif(${alias}."ifDescr", ''))`

/** Neighbours of routing protocols that have an address on a network of the router; sessions of BGP may be any way apart. */
const ROUTERS = `
  select device_id, port_id, "ospfNbrIpAddr" as address, 'OSPF' as protocol from ospf_nbrs where "ospfNbrState" <> 'down'
  union select device_id, port_id, "isisISAdjIPAddrAddress", 'IS-IS' from isis_adjacencies where lost_at is null`

/** Addresses of ports by family, as the rest of the program writes them. */
const ADDRESSES = `
  select port_id, ipv4_address as address from ipv4_addresses
  union all select port_id, ipv6_compressed from ipv6_addresses`

/**
 * Where devices without links are, by the first of these that says it: the switch ports at which their MAC addresses are
 * seen; the routers that have their address in the ARP table; those with an adjacency of OSPF or IS-IS to one of their
 * addresses; the next hops of their default route. Throws StoreError.
 */
export async function readStations({ sql }: Store, rest: Rest): Promise<Station[]> {
  const found = new Map<number, Station[]>()
  for (const read of [atPorts, inArpTables, adjacentRouters, nextHops]) {
    const rows = await read(sql)
    for (const [child, stations] of Map.groupBy(rows, (row) => row.child))
      if (!found.has(child)) found.set(child, stations)
    await rest()
  }
  return [...found.values()].flat()
}

/** Devices without links, each seen at another one. */
async function atPorts(sql: Sql): Promise<Station[]> {
  const rows = await sql<{ child: number; parent: number; port: string | null }[]>`
    with uplink as (${sql.unsafe(UPLINKS)}), uplinks as materialized (${sql.unsafe(ALL_UPLINKS)}),
    linked as materialized (${sql.unsafe(LINKED)}),
    own as (
      select p."ifPhysAddress" as mac, min(p.device_id) as device_id from ports p
      where p.deleted = 0 and p."ifPhysAddress" ~ '^[0-9a-f]{12}$' and p."ifPhysAddress" !~ '^0+$'
      group by 1 having count(distinct p.device_id) = 1),
    seen as materialized (
      select distinct o.device_id as child, f.device_id as parent, f.port_id
      from own o join ports_fdb f on f.mac_address = o.mac
      where f.device_id <> o.device_id and f.port_id is not null
        and f.port_id not in (select port_id from uplinks) and o.device_id not in (select device_id from linked)),
    counted as (
      select s.*, c.macs, min(c.macs) over (partition by s.child) as fewest
      from seen s join (select f.port_id, count(distinct f.mac_address) as macs from ports_fdb f
        where f.port_id in (select port_id from seen) group by 1) c using (port_id))
    select c.child, c.parent, ${sql.unsafe(portName('p'))} as port
    from counted c left join ports p using (port_id)
    where c.macs = c.fewest and c.macs <= ${MAX_EDGE_MACS} order by 1, 2 limit ${MAX_ADJACENCIES}`
  return rows.map(({ child, parent, port }) => ({ child, parent, via: `MAC address seen on ${shortPort(port)}` }))
}

async function inArpTables(sql: Sql): Promise<Station[]> {
  const rows = await sql<{ child: number; parent: number; port: string | null }[]>`
    select d.device_id as child, m.device_id as parent, min(${sql.unsafe(portName('p'))}) as port
    from devices d join ipv4_mac m on m.ipv4_address = host(d.ip) and m.device_id <> d.device_id
      left join ports p on p.port_id = m.port_id
    where d.device_id not in (${sql.unsafe(LINKED)}) group by 1, 2 order by 1, 2 limit ${MAX_ADJACENCIES}`
  return rows.map(({ child, parent, port }) => ({ child, parent, via: `ARP entry on ${shortPort(port)}` }))
}

async function adjacentRouters(sql: Sql): Promise<Station[]> {
  const rows = await sql<{ child: number; parent: number; port: string | null; protocol: string }[]>`
    with router as materialized (${sql.unsafe(ROUTERS)}), own as (
      select d.poller_group, a.ipv4_address as address, min(d.device_id) as device_id
      from ipv4_addresses a join ports p using (port_id) join devices d using (device_id)
      where a.ipv4_address in (select address from router)
      group by 1, 2 having count(distinct d.device_id) = 1)
    select o.device_id as child, r.device_id as parent, min(${sql.unsafe(portName('p'))}) as port, min(r.protocol) as protocol
    from router r join devices d using (device_id)
      join own o on o.address = r.address and o.poller_group = d.poller_group and o.device_id <> r.device_id
      left join ports p on p.port_id = r.port_id
    where o.device_id not in (${sql.unsafe(LINKED)}) group by 1, 2 order by 1, 2 limit ${MAX_ADJACENCIES}`
  return rows.map(({ child, parent, port, protocol }) => ({
    child,
    parent,
    via: `${protocol} neighbour on ${shortPort(port)}`,
  }))
}

/** A next hop that several devices of a poller group have, such as the address of a VRRP group, is left out. */
async function nextHops(sql: Sql): Promise<Station[]> {
  const rows = await sql<{ child: number; parent: number; hop: string }[]>`
    with own as (
      select d.poller_group, a.address, min(d.device_id) as device_id
      from (${sql.unsafe(ADDRESSES)}) a join ports p using (port_id) join devices d using (device_id)
      where p.deleted = 0 and a.address in (select next_hop from default_routes)
      group by 1, 2 having count(distinct d.device_id) = 1)
    select d.device_id as child, o.device_id as parent, min(r.next_hop) as hop
    from default_routes r join devices d using (device_id)
      join own o on o.address = r.next_hop and o.poller_group = d.poller_group and o.device_id <> d.device_id
    where d.device_id not in (${sql.unsafe(LINKED)}) group by 1, 2 order by 1, 2 limit ${MAX_ADJACENCIES}`
  return rows.map(({ child, parent, hop }) => ({ child, parent, via: `default route by ${hop}` }))
}

/** Which devices are next to each other, by the links that they report. Throws StoreError. */
export async function readLinks({ sql }: Store, rest: Rest): Promise<Adjacency[]> {
  const found: Adjacency[] = []
  let after = 0
  for (;;) {
    const rows = await sql<
      { id: number; a: number; b: number; pa: string | null; pb: string | null; protocol: string | null }[]
    >`
      select l.id, l.local_device_id as a, l.remote_device_id as b, ${sql.unsafe(portName('p'))} as pa,
        coalesce(${sql.unsafe(portName('r'))}, nullif(l.remote_port, '')) as pb, l.protocol
      from links l left join ports p on p.port_id = l.local_port_id left join ports r on r.port_id = l.remote_port_id
      where l.active = 1 and l.remote_device_id <> 0 and l.remote_device_id <> l.local_device_id and l.id > ${after}
      order by l.id limit ${CHUNK}`
    for (const { a, b, pa, pb, protocol } of rows) {
      const via = (port: string | null) =>
        `${(protocol ?? '').toUpperCase() || 'Reported'} link ${shortName(port)}`.trim()
      found.push({ a, b, viaA: via(pa), viaB: via(pb) })
    }
    await rest()
    if (rows.length < CHUNK || found.length >= MAX_ADJACENCIES) return found
    after = rows.at(-1)?.id ?? after
  }
}

const MAX_PORT = 80
const shortName = (name: string | null): string => (name ?? '').slice(0, MAX_PORT)
const shortPort = (name: string | null): string => shortName(name) || 'a port'

/** A poller that has been running within the last day, and the groups that it serves; null: those that none names. */
export interface PlacedPoller {
  readonly name: string
  readonly groups: readonly number[] | null
  /** null: not reported. */
  readonly place: Place | null
}

/** Pollers with the database, and remote pollers. Throws StoreError. */
export async function readPollers({ sql }: Store): Promise<PlacedPoller[]> {
  const rows = await sql<{ name: string; groups: number[] | null; place: unknown }[]>`
    select poller_name as name, named_groups as groups, figures -> 'place' as place from poller_cluster
    where 'poller' = any(roles) and last_report > now() - interval '1 day'
    union all select name, array[poller_group], report -> 'place' from remote_pollers`
  return rows.map(({ name, groups, place }) => ({ name, groups, place: placeFrom(place) }))
}

/** Poller groups that have devices. */
export async function readGroups({ sql }: Store): Promise<Map<number, number[]>> {
  const rows = await sql<{ device_id: number; poller_group: number }[]>`
    select device_id, poller_group from devices order by device_id`
  const groups = new Map<number, number[]>()
  for (const { device_id, poller_group } of rows) {
    const group = groups.get(poller_group)
    if (group === undefined) groups.set(poller_group, [device_id])
    else group.push(device_id)
  }
  return groups
}

/** Ids of the devices with these names, regardless of case, or ids. */
export async function readNamed({ sql }: Store, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql<{ name: string; device_id: number }[]>`
    select n.name, d.device_id from unnest(${names as string[]}::text[]) as n(name)
    join devices d on lower(d.hostname) = lower(n.name) or d.device_id::text = n.name`
  return new Map(rows.map(({ name, device_id }) => [name, device_id]))
}

/**
 * The devices that a poller is attached to: the switch with the poller's MAC address on a port that leads to no monitored
 * device; else the device with the address of its default gateway. A monitored device with the poller's own address is the
 * poller's host, which is attached to itself. Empty: unknown. Throws StoreError.
 */
export async function readAttached({ sql }: Store, place: Place): Promise<number[]> {
  const host = await devicesWith(sql, place.addresses)
  const switches = await sql<{ device_id: number }[]>`
    with uplink as (${sql.unsafe(UPLINKS)}), uplinks as materialized (${sql.unsafe(ALL_UPLINKS)}),
    seen as (select distinct device_id, port_id from ports_fdb
      where mac_address = any(${place.macs as string[]}::text[]) and port_id is not null
        and port_id not in (select port_id from uplinks)),
    counted as (select s.device_id, count(distinct f.mac_address) as macs from seen s join ports_fdb f using (port_id)
      group by s.device_id, s.port_id)
    select distinct device_id from counted
    where macs <= ${MAX_EDGE_MACS} and macs = (select min(macs) from counted) order by 1`
  if (switches.length > 0) return unique([...host, ...switches.map(({ device_id }) => device_id)])
  if (host.length > 0 && (await areLinked(sql, host))) return host
  const gateways = await devicesWith(
    sql,
    place.gateways.map(({ address }) => address),
  )
  return gateways.length === 0 ? [] : unique([...host, ...gateways])
}

const unique = (ids: readonly number[]): number[] => [...new Set(ids)]

async function devicesWith(sql: Sql, addresses: readonly string[]): Promise<number[]> {
  if (addresses.length === 0) return []
  const rows = await sql<{ device_id: number }[]>`
    select device_id from devices where host(ip) = any(${addresses as string[]}::text[])
    union select p.device_id from ipv4_addresses a join ports p using (port_id)
      where p.deleted = 0 and a.ipv4_address = any(${addresses as string[]}::text[])
    union select p.device_id from ipv6_addresses a join ports p using (port_id)
      where p.deleted = 0 and a.ipv6_compressed = any(${addresses as string[]}::text[])
    order by 1`
  return rows.map(({ device_id }) => device_id)
}

async function areLinked(sql: Sql, ids: readonly number[]): Promise<boolean> {
  const rows = await sql`
    select from links where active = 1 and remote_device_id <> 0 and remote_device_id <> local_device_id
      and (local_device_id = any(${ids as number[]}::int[]) or remote_device_id = any(${ids as number[]}::int[])) limit 1`
  return rows.length > 0
}
