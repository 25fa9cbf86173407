import type { Value, Values } from './columns.ts'
import type { Severity } from './events.ts'
import { statement, type Tx } from './write-rows.ts'

/** Discovered rows as the resolvers see them: members that the agent did not report are undefined. */
type Found = Readonly<Record<string, unknown>>
const rowsOf = (found: readonly object[]): readonly Found[] => found as readonly Found[]

/** Ports of a device by ifIndex and by their IPv4 and IPv6 addresses. */
interface Places {
  readonly byIfIndex: ReadonlyMap<number, number>
  readonly byAddress: ReadonlyMap<string, { readonly port_id: number; readonly ifIndex: number | null }>
}

/** port_id of live ports by ifIndex. */
export async function portIdsByIfIndex(tx: Tx, deviceId: number): Promise<ReadonlyMap<number, number>> {
  return (await placesOf(tx, deviceId)).byIfIndex
}

async function placesOf(tx: Tx, deviceId: number): Promise<Places> {
  const ports = await statement<{ port_id: number; ifIndex: number | null }[]>(
    tx,
    `select port_id, "ifIndex" from ports where device_id = $1 and deleted = 0 order by port_id desc`,
    [deviceId],
  )
  const addresses = await statement<{ address: string; port_id: number; ifIndex: number | null }[]>(
    tx,
    `select a.address, p.port_id, p."ifIndex" from ports p join (
       select ipv4_address as address, port_id from ipv4_addresses
       union all select ipv6_address, port_id from ipv6_addresses) a using (port_id)
     where p.device_id = $1 and p.deleted = 0 order by p.port_id desc`,
    [deviceId],
  )
  return {
    byIfIndex: new Map(ports.flatMap((p) => (p.ifIndex === null ? [] : [[Number(p.ifIndex), p.port_id]]))),
    byAddress: new Map(addresses.map(({ address, port_id, ifIndex }) => [address, { port_id, ifIndex }])),
  }
}

/** The port of an OSPF interface, by address, or by ifIndex if unnumbered (RFC 4750, ospfAddressLessIf). */
function ospfPort({ byIfIndex, byAddress }: Places, address: unknown, addressless: unknown): number | null {
  if (typeof addressless === 'number' && addressless > 0) return byIfIndex.get(addressless) ?? null
  return byAddress.get(String(address))?.port_id ?? null
}

export async function resolveOspfPorts(tx: Tx, deviceId: number, found: readonly object[]): Promise<readonly object[]> {
  if (found.length === 0) return found
  const places = await placesOf(tx, deviceId)
  return rowsOf(found).map((row) => ({
    ...row,
    port_id: ospfPort(places, row['ospfIfIpAddress'], row['ospfAddressLessIf']) ?? 0,
  }))
}

/** The port of a neighbour is the one whose network contains its address. */
export async function resolveOspfNeighbours(tx: Tx, deviceId: number, found: readonly object[]) {
  if (found.length === 0) return found
  const { byIfIndex } = await placesOf(tx, deviceId)
  const near = await statement<{ address: string; port_id: number }[]>(
    tx,
    `select distinct on (x.address) x.address, p.port_id
     from jsonb_array_elements_text($2::text::jsonb) as x(address)
     join ports p on p.device_id = $1 and p.deleted = 0
     join ipv4_addresses a on a.port_id = p.port_id and a.ipv4_prefixlen between 1 and 31
       and x.address::inet <<= network(set_masklen(a.ipv4_address::inet, a.ipv4_prefixlen))
     order by x.address, a.ipv4_prefixlen desc, p.port_id`,
    [deviceId, JSON.stringify([...new Set(rowsOf(found).map((row) => String(row['ospfNbrIpAddr'])))])],
  )
  const byNeighbour = new Map(near.map(({ address, port_id }) => [address, port_id]))
  return rowsOf(found).map((row) => {
    const index = row['ospfNbrAddressLessIndex']
    const port = typeof index === 'number' && index > 0 ? byIfIndex.get(index) : undefined
    return { ...row, port_id: port ?? byNeighbour.get(String(row['ospfNbrIpAddr'])) ?? null }
  })
}

/** Process, area and port of OSPFv3 rows. A device has one process per context. */
export async function resolveOspfv3(tx: Tx, deviceId: number, found: readonly object[]): Promise<readonly object[]> {
  if (found.length === 0) return found
  const { byIfIndex } = await placesOf(tx, deviceId)
  const instances = await statement<{ id: number; context: string }[]>(
    tx,
    `select id, coalesce(context_name, '') as context from ospfv3_instances where device_id = $1`,
    [deviceId],
  )
  const areas = await statement<{ id: number; area: number | string; context: string }[]>(
    tx,
    `select id, "ospfv3AreaId" as area, coalesce(context_name, '') as context from ospfv3_areas where device_id = $1`,
    [deviceId],
  )
  const instanceOf = new Map(instances.map(({ id, context }) => [context, id]))
  const areaOf = new Map(areas.map(({ id, area, context }) => [`${area} ${context}`, id]))
  return rowsOf(found).flatMap((row) => {
    const context = String(row['context_name'] ?? '')
    const ospfv3_instance_id = instanceOf.get(context)
    if (ospfv3_instance_id === undefined) return []
    return [
      {
        ...row,
        ospfv3_instance_id,
        ospfv3_area_id: areaOf.get(`${row['ospfv3IfAreaId']} ${context}`) ?? null,
        port_id: byIfIndex.get(Number(row['ospfv3IfIndex'] ?? row['ospfv3NbrIfIndex'])) ?? null,
      },
    ]
  })
}

/** The service of each access point; access points of unknown services are dropped. */
export async function resolveSaps(tx: Tx, deviceId: number, found: readonly object[]): Promise<readonly object[]> {
  if (found.length === 0) return found
  const services = await statement<{ svc_id: number; svc_oid: number | string }[]>(
    tx,
    'select svc_id, svc_oid from mpls_services where device_id = $1',
    [deviceId],
  )
  const byOid = new Map(services.map(({ svc_id, svc_oid }) => [Number(svc_oid), svc_id]))
  return rowsOf(found).flatMap((row) => {
    const svc_id = byOid.get(Number(row['svc_oid']))
    return svc_id === undefined ? [] : [{ ...row, svc_id }]
  })
}

/** VRF and interface of BGP sessions. Keeps a description set by a person. */
export async function resolveBgp(tx: Tx, deviceId: number, found: readonly object[]): Promise<readonly object[]> {
  if (found.length === 0) return found
  const { byAddress } = await placesOf(tx, deviceId)
  const vrfs = await statement<{ vrf_id: number; vrf_oid: string }[]>(
    tx,
    'select vrf_id, vrf_oid from vrfs where device_id = $1',
    [deviceId],
  )
  const described = await statement<{ peer: string; context: string }[]>(
    tx,
    `select "bgpPeerIdentifier" as peer, coalesce(context_name, '') as context from "bgpPeers"
     where device_id = $1 and descr_set = 1`,
    [deviceId],
  )
  const byOid = new Map(vrfs.map(({ vrf_id, vrf_oid }) => [vrf_oid, vrf_id]))
  const ours = new Set(described.map(({ peer, context }) => `${peer} ${context}`))
  return rowsOf(found).map((row) => ({
    ...row,
    vrf_id: byOid.get(String(row['vrf_oid'] ?? '')) ?? null,
    ...(row['bgpLocalAddr'] !== undefined && {
      bgpPeerIface: byAddress.get(String(row['bgpLocalAddr']))?.ifIndex ?? null,
    }),
    ...(ours.has(`${row['bgpPeerIdentifier']} ${row['context_name'] ?? ''}`) && { bgpPeerDescr: undefined }),
  }))
}

const COUNTED = ['Accepted', 'Denied', 'Advertised', 'Suppressed', 'Withdrawn'] as const

/** Counter values at the previous discovery and their growth since; 0 at the first discovery. */
export async function resolveBgpCounters(tx: Tx, deviceId: number, found: readonly object[]) {
  if (found.length === 0) return found
  const names = COUNTED.map((name) => `"${name}Prefixes"`).join(', ')
  const stored = await statement<Values[]>(
    tx,
    `select "bgpPeerIdentifier", afi, safi, coalesce(context_name, '') as context_name, ${names}
     from "bgpPeers_cbgp" where device_id = $1`,
    [deviceId],
  )
  const keyOf = (row: Found) =>
    [row['bgpPeerIdentifier'], row['afi'], row['safi'], row['context_name'] ?? ''].join('\n')
  const before = new Map(stored.map((row) => [keyOf(row), row]))
  return rowsOf(found).map((row) => {
    const old = before.get(keyOf(row))
    const moved: Record<string, number> = {}
    for (const name of COUNTED) {
      const now = row[`${name}Prefixes`]
      if (typeof now !== 'number') continue
      const was = old === undefined ? now : Number(old[`${name}Prefixes`])
      moved[`${name}Prefixes_prev`] = was
      moved[`${name}Prefixes_delta`] = now - was
    }
    return { ...row, ...moved }
  })
}

type Logged = { readonly message: string; readonly severity: Severity } | null

/** Logs changes of state: leaving the good state is an error, reaching it is a notice. */
export function stateOf(column: string, good: string): (before: Values, row: Values) => Logged {
  return (before, row) => {
    const [was, is]: readonly Value[] = [before[column] ?? null, row[column] ?? null]
    if (was === is || !was || !is) return null
    return { message: `${was} -> ${is}`, severity: is === good ? 1 : was === good ? 5 : 3 }
  }
}

/**
 * State changes of BGP sessions. Steps of a session that does not come up (idle, connect, active, ...) are not logged.
 */
export function bgpState(before: Values, row: Values): Logged {
  const change = stateOf('bgpPeerState', 'established')(before, row)
  if (change !== null && change.severity === 3) return null
  if (change?.severity !== 5 || !row['bgpPeerLastErrorText']) return change
  return { ...change, message: `${change.message}: ${row['bgpPeerLastErrorText']}` }
}
