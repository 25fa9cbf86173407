import { ALERT_IS_OPEN } from '../base/alert-states.ts'
import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { escaped } from '../database/patterns.ts'

/** Maximum rows of a tab. */
const MAX_ROWS = 1000

/** How many rows each tab of a device has. */
export interface TabCounts {
  readonly ports: number
  readonly health: number
  readonly neighbours: number
  readonly vlans: number
  readonly fdb: number
  readonly bgp: number
  /** OSPF and OSPFv3. */
  readonly ospf: number
  readonly inventory: number
  readonly nac: number
  readonly security: number
  readonly ipsec: number
  readonly mpls: number
  readonly 'default-routes': number
  readonly isis: number
  readonly stp: number
  readonly 'stp-ports': number
  readonly qos: number
  readonly balancers: number
  readonly supplies: number
  readonly optics: number
  readonly radios: number
  readonly services: number
  readonly alerts: number
}

/** Counts for the tabs of a device. The caller has checked access. */
export async function tabCounts({ sql }: Store, id: number): Promise<TabCounts> {
  const [row] = await sql<TabCounts[]>`
      select (select count(*)::int from ports where device_id = ${id} and deleted = 0) as ports,
        ((select count(*) from sensors where device_id = ${id} and sensor_deleted = 0)
          + (select count(*) from processors where device_id = ${id}) + (select count(*) from mempools where device_id = ${id} and mempool_deleted = 0)
          + (select count(*) from storage where device_id = ${id}))::int as health,
        (select count(*)::int from links where local_device_id = ${id} and active = 1) as neighbours,
        (select count(*)::int from vlans where device_id = ${id}) as vlans,
        ((select count(*) from ports_fdb where device_id = ${id}) + (select count(*) from ipv4_mac where device_id = ${id}))::int as fdb,
        (select count(*)::int from public."bgpPeers" where device_id = ${id}) as bgp,
        ((select count(*) from ospf_nbrs where device_id = ${id}) + (select count(*) from ospfv3_nbrs where device_id = ${id}))::int as ospf,
        (select count(*)::int from public."entPhysical" where device_id = ${id}) as inventory,
        (select count(*)::int from ports_nac where device_id = ${id}) as nac,
        (select count(*)::int from port_security where device_id = ${id}) as security,
        (select count(*)::int from ipsec_tunnels where device_id = ${id}) as ipsec,
        ((select count(*) from mpls_services where device_id = ${id}) + (select count(*) from mpls_saps where device_id = ${id}))::int as mpls,
        (select count(*)::int from default_routes where device_id = ${id}) as "default-routes",
        (select count(*)::int from isis_adjacencies where device_id = ${id}) as isis,
        (select count(*)::int from stp where device_id = ${id}) as stp,
        (select count(*)::int from ports_stp where device_id = ${id}) as "stp-ports",
        (select count(*)::int from qos_classes where device_id = ${id}) as qos,
        (select count(*)::int from component where device_id = ${id} and type in ('f5-ltm-vs', 'f5-ltm-pool', 'f5-ltm-poolmember', 'f5-ltm-bwc')) as balancers,
        (select count(*)::int from printer_supplies where device_id = ${id}) as supplies,
        (select count(*)::int from transceivers where device_id = ${id}) as optics,
        (select count(distinct coalesce(nullif(sensor_descr, ''), sensor_index, ''))::int from wireless_sensors where device_id = ${id} and sensor_deleted = 0
          and sensor_class in ('clients', 'power', 'snr', 'noise-floor', 'frequency', 'channel', 'utilization', 'quality')) as radios,
        (select count(*)::int from services where device_id = ${id}) as services,
        (select count(*)::int from alerts a where a.device_id = ${id} and ${sql.unsafe(ALERT_IS_OPEN)}) as alerts`
  if (row === undefined) throw new Error('counting returned no row')
  return row
}

/** A neighbour of a port. `remote_device_id` null: not monitored, or not in scope. */
export interface NeighbourRow {
  readonly id: number
  readonly port_id: number | null
  readonly ifName: string | null
  readonly ifAlias: string | null
  readonly protocol: string | null
  readonly remote_hostname: string
  readonly remote_port: string
  readonly remote_platform: string | null
  readonly remote_device_id: number | null
  readonly remote_port_id: number | null
  /** The neighbour is monitored and answers; null: it is not monitored, or not in scope. */
  readonly remote_up: boolean | null
  /** Operational state of the own port; null: unknown. */
  readonly ifOperStatus: string | null
}

/** Neighbours of a device, or of one of its ports, by local port. */
export async function listNeighbours(
  { sql }: Store,
  scope: Scope,
  of: { readonly deviceId: number } | { readonly portId: number },
): Promise<NeighbourRow[]> {
  return await sql<NeighbourRow[]>`
      select n.id, n.local_port_id as port_id, p."ifName", p."ifAlias", n.protocol, n.remote_hostname, n.remote_port,
        n.remote_platform, d.device_id as remote_device_id, case when d.device_id is not null then n.remote_port_id end as remote_port_id,
        d.status = 1 as remote_up, p."ifOperStatus"
      from links n left join ports p on p.port_id = n.local_port_id
        left join devices d on d.device_id = n.remote_device_id and ${deviceInScope(sql, scope)}
      where n.active = 1 and ${'deviceId' in of ? sql`n.local_device_id = ${of.deviceId}` : sql`n.local_port_id = ${of.portId}`}
      order by p."ifIndex", n.id limit ${MAX_ROWS}`
}

/** A VLAN of a device with the number of its ports. */
export interface VlanTabRow {
  readonly vlan: number | null
  readonly name: string | null
  readonly type: string | null
  readonly ports: number
  readonly untagged: number
}

export async function listDeviceVlans({ sql }: Store, deviceId: number): Promise<VlanTabRow[]> {
  return await sql<VlanTabRow[]>`
      select v.vlan_vlan as vlan, v.vlan_name as name, v.vlan_type as type,
        count(p.port_id)::int as ports, count(p.port_id) filter (where p.untagged = 1)::int as untagged
      from vlans v left join ports_vlans p on p.device_id = v.device_id and p.vlan = v.vlan_vlan
      where v.device_id = ${deviceId} group by v.vlan_id order by v.vlan_vlan, v.vlan_id limit ${MAX_ROWS}`
}

/** A station in the forwarding or ARP table of a device. */
export interface StationRow {
  readonly mac: string
  readonly address: string | null
  readonly vlan: number | null
  readonly port_id: number | null
  readonly ifName: string | null
  /** null: from the ARP table, which does not have it. */
  readonly seen: Date | null
}

/** Forwarding and ARP table as one, by MAC. `text`: part of MAC (hex digits) or address; '' for all. */
export async function listStations(
  { sql }: Store,
  deviceId: number,
  page: { readonly text: string; readonly offset: number; readonly limit: number },
): Promise<{ rows: StationRow[]; total: number }> {
  const mac = page.text.toLowerCase().replaceAll(/[^0-9a-f]/g, '')
  const rows = await sql<(StationRow & { total: number })[]>`
      with f as (select f.mac_address as mac, f.port_id, v.vlan_vlan as vlan, f.updated_at as seen
          from ports_fdb f left join vlans v on v.vlan_id = f.vlan_id where f.device_id = ${deviceId}),
        a as (select mac_address as mac, ipv4_address as address, port_id from ipv4_mac where device_id = ${deviceId}),
        x as (select coalesce(f.mac, a.mac) as mac, a.address, f.vlan, coalesce(f.port_id, a.port_id) as port_id, f.seen
          from f full join a on a.mac = f.mac)
      select x.*, p."ifName", count(*) over ()::int as total from x left join ports p on p.port_id = x.port_id
      where ${page.text === '' ? sql`true` : sql`(x.address like ${`${escaped(page.text)}%`} or (${mac} <> '' and x.mac like ${`%${mac}%`}))`}
      order by x.mac, x.address limit ${page.limit} offset ${page.offset}`
  return { rows, total: rows[0]?.total ?? 0 }
}

/** A service check. */
export interface ServiceRow {
  readonly service_id: number
  readonly service_type: string
  readonly name: string | null
  /** 0 ok, 1 warning, 2 critical, 3 unknown. */
  readonly service_status: number
  readonly service_message: string | null
  readonly disabled: number
}

export async function listDeviceServices({ sql }: Store, deviceId: number): Promise<ServiceRow[]> {
  return await sql<ServiceRow[]>`
      select service_id, service_type, coalesce(nullif(service_name, ''), service_desc) as name, service_status,
        service_message, service_disabled as disabled
      from services where device_id = ${deviceId} order by service_disabled, service_status desc, service_id limit ${MAX_ROWS}`
}
