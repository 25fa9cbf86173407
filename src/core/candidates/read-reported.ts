import type { Store } from '../database/client.ts'
import type { ProbeTarget, SourceKind } from './observed-host.ts'

/** What a device says of a neighbour that is not monitored. */
export interface Reported {
  readonly kind: SourceKind
  readonly device_id: number
  readonly poller_group: number
  readonly port_id: number | null
  /** Addresses it reports; empty: none. */
  readonly addresses: readonly string[]
  readonly remote_name: string | null
  readonly remote_port: string | null
  readonly remote_platform: string | null
  readonly remote_description: string | null
}

/** Which neighbours are looked for. */
export interface NeighbourKinds {
  readonly xdp: boolean
  readonly ospf: boolean
  readonly ospfv3: boolean
  readonly isis: boolean
  readonly bgp: boolean
  readonly arp: boolean
  /** Network equipment in forwarding databases; see `readLearned`. */
  readonly fdb: boolean
}

/** Addresses of monitored devices, with the poller groups in which they are theirs. */
export const OURS = `
  select poller_group, host(ip) as address from devices where ip is not null
  union select o.poller_group, a.ipv4_address from ipv4_addresses a join ports p using (port_id) join devices o on o.device_id = p.device_id
  union select o.poller_group, unnest(array[a.ipv6_address, a.ipv6_compressed]) from ipv6_addresses a join ports p using (port_id)
    join devices o on o.device_id = p.device_id
  union select o.poller_group, host(a.address) from device_other_addresses a join devices o on o.device_id = a.device_id`

/** Neighbours of a device and kind in one round; ARP tables may be any length. */
const PER_DEVICE = 500
const IN_ALL = 20_000

/**
 * Neighbours that devices report and that are not monitored: links without a known device, and addresses in tables of
 * routing protocols and ARP that no device has; for forwarding databases see `readLearned`. Addresses are in the spelling
 * in which they are stored elsewhere.
 */
export async function readReported({ sql }: Store, kinds: NeighbourKinds): Promise<Reported[]> {
  const rows = await sql<(Omit<Reported, 'addresses'> & { addresses: string })[]>`
      with reported as (
        select l.protocol as kind, l.local_device_id as device_id, l.local_port_id as port_id, coalesce(l.remote_addresses, '') as addresses,
          l.remote_hostname as remote_name, nullif(l.remote_port, '') as remote_port, nullif(l.remote_platform, '') as remote_platform,
          nullif(l.remote_version, '') as remote_description
        from links l where ${kinds.xdp} and l.active = 1 and l.remote_device_id = 0 and l.protocol in ('lldp', 'cdp', 'fdp', 'edp')
        union all
        select 'ospf', o.device_id, o.port_id, o."ospfNbrIpAddr", null, null, null, null
        from ospf_nbrs o where ${kinds.ospf} and o."ospfNbrIpAddr" <> ''
        union all
        select 'ospfv3', o.device_id, o.port_id, o."ospfv3NbrAddress", null, null, null, null
        from ospfv3_nbrs o where ${kinds.ospfv3} and o."ospfv3NbrAddress" <> ''
        union all
        select 'isis', i.device_id, i.port_id, i."isisISAdjIPAddrAddress", null, null, null, null
        from isis_adjacencies i where ${kinds.isis} and i."isisISAdjIPAddrAddress" <> ''
        union all
        select 'bgp', b.device_id, null, b."bgpPeerIdentifier", null, null, null, nullif(b."bgpPeerDescr", '')
        from "bgpPeers" b where ${kinds.bgp} and b."bgpPeerIdentifier" <> ''
        union all
        select 'arp', m.device_id, m.port_id, m.ipv4_address, null, null, null, null from ipv4_mac m where ${kinds.arp}
        union all
        select 'nd', m.device_id, m.port_id, m.ipv6_address, null, null, null, null from ipv6_nd m where ${kinds.arp}
      ), ours as (${sql.unsafe(OURS)}
      ), ranked as (
        select r.*, d.poller_group, row_number() over (partition by r.device_id, r.kind order by r.port_id, r.remote_name, r.addresses) as place
        from reported r join devices d on d.device_id = r.device_id
        where d.disabled = 0 and (r.kind in ('lldp', 'cdp', 'fdp', 'edp') 
          or not exists (select from ours o where o.poller_group = d.poller_group and o.address = r.addresses))
      )
      select kind, device_id, poller_group, port_id, addresses, remote_name, remote_port, remote_platform, remote_description
      from ranked where place <= ${PER_DEVICE} order by device_id, kind, place limit ${IN_ALL}`
  return rows.map(({ addresses, ...row }) => ({ ...row, addresses: addresses.split(',').filter((one) => one !== '') }))
}

/** The targets whose address was not seen as a candidate's since then, by `GROUP ADDRESS`. */
export async function seenSince(
  { sql }: Store,
  targets: readonly Pick<ProbeTarget, 'address' | 'pollerGroup'>[],
  seconds: number,
) {
  if (targets.length === 0) return new Set<string>()
  const rows = await sql<{ key: string }[]>`
      select x.poller_group || ' ' || x.address as key
      from unnest(${targets.map(({ pollerGroup }) => pollerGroup)}::int[], ${targets.map(({ address }) => address)}::text[]) x(poller_group, address)
        join candidate_addresses a on a.poller_group = x.poller_group and a.address = x.address::inet
      where a.last_seen > now() - make_interval(secs => ${seconds})`
  return new Set(rows.map(({ key }) => key))
}
