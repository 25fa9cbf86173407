import { createYielder } from '../../lib/yield-thread.ts'
import type { Store } from '../database/client.ts'
import { manufacturerOf } from '../inventory/manufacturers.ts'
import { makesNetworkEquipment } from './network-manufacturers.ts'
import { OURS, type Reported } from './read-reported.ts'

/** Stations whose manufacturer is looked up in one round, and those that are returned. */
const MAX_STATIONS = 100_000
const MAX_LEARNED = 5000
/** MAC addresses of a port that are counted: more than that is an uplink, like any other. */
const MAX_COUNTED = 64

/**
 * Network equipment that switches have learned on their ports and that is not monitored: MAC addresses in forwarding
 * databases that belong to a manufacturer of such equipment, at the IP addresses in ARP and IPv6 neighbour tables.
 * Reported by the port with the fewest MAC addresses, which is the one nearest to it. Throws StoreError.
 */
export async function readLearned({ sql }: Store): Promise<Reported[]> {
  const stations = await sql<{ mac: string; group: number; address: string }[]>`
    with ours as (${sql.unsafe(OURS)}), resolved as (
      select d.poller_group as "group", m.mac_address as mac, m.ipv4_address as address
      from ipv4_mac m join devices d using (device_id) where d.disabled = 0
      union
      select d.poller_group, m.mac_address, m.ipv6_address
      from ipv6_nd m join devices d using (device_id) where d.disabled = 0)
    select r.* from resolved r
    where not exists (select from ours o where o.poller_group = r."group" and o.address = r.address)
      and exists (select from ports_fdb f where f.mac_address = r.mac)
    order by r."group", r.mac, r.address limit ${MAX_STATIONS}`
  const pause = createYielder()
  const known: (typeof stations)[number][] = []
  for (const station of stations) {
    if (known.length === MAX_LEARNED) break
    if (makesNetworkEquipment(await manufacturerOf(station.mac))) known.push(station)
    const pausing = pause()
    if (pausing !== null) await pausing
  }
  if (known.length === 0) return []
  const rows = await sql<{ group: number; address: string; device_id: number; port_id: number }[]>`
    select distinct on (s."group", s.address) s."group", s.address, f.device_id, f.port_id
    from unnest(${known.map(({ group }) => group)}::int[], ${known.map(({ mac }) => mac)}::text[],
        ${known.map(({ address }) => address)}::text[]) s("group", mac, address)
      join ports_fdb f on f.mac_address = s.mac
      join devices d on d.device_id = f.device_id and d.disabled = 0 and d.poller_group = s."group"
    where f.port_id is not null
    order by s."group", s.address,
      (select count(*) from (select from ports_fdb x where x.port_id = f.port_id limit ${MAX_COUNTED}) counted),
      f.device_id, f.port_id`
  return rows.map(({ group, address, ...at }) => ({
    kind: 'fdb',
    ...at,
    poller_group: group,
    addresses: [address],
    remote_name: null,
    remote_port: null,
    remote_platform: null,
    remote_description: null,
  }))
}
