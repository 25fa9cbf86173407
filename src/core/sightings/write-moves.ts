import type { Tx } from '../database/client.ts'
import { isEdge } from './edge-port.ts'
import type { MacMove } from './moves.ts'
import { deviceName, portName } from './names.ts'
import { type Begun, isVirtualMac, type OpenSighting, type SightingLimits } from './sighting.ts'

/** A station that was absent from every edge port for longer has returned, not moved. */
const MOVE_DAYS = 7

interface Changes {
  readonly began: readonly Begun[]
  readonly ended: readonly OpenSighting[]
  /** Epoch ms. */
  readonly at: number
  /** When the ended ones were last seen, as text; null: no complete reading. */
  readonly until: string | null
  readonly limits: SightingLimits
}

interface Found {
  readonly mac: string
  readonly from_device_id: number
  readonly from_port_id: number
  readonly port_id: number
}

/**
 * Records which MAC addresses moved between edge ports. A move is known once the old place was read without the address
 * and the new one with it, in either order, so that an address seen on two ports along a path has not moved. Virtual addresses of
 * routers do not count.
 */
export async function writeMoves(tx: Tx, deviceId: number, changes: Changes): Promise<readonly MacMove[]> {
  const { at, limits } = changes
  const found = [...(await arrivals(tx, deviceId, changes)), ...(await departures(tx, deviceId, changes))]
  if (found.length === 0) return []
  const moves = await tx.unsafe<MacMove[]>(
    `with x as (select * from jsonb_to_recordset($2::text::jsonb)
       as x(place int, mac text, from_device_id int, from_port_id int, port_id int)),
     added as (insert into mac_moves (device_id, port_id, mac_address, from_device_id, from_port_id, moved_at)
       select $1, port_id, mac, from_device_id, from_port_id, $3 from x)
     select x.mac, x.port_id, ${nameOf('fd', 'fp')} as "from", ${nameOf('d', 'p')} as "to",
       (select count(*)::int from mac_moves m where m.mac_address = x.mac
         and m.moved_at > $3::timestamptz - make_interval(mins => $4) and m.moved_at <= $3) + 1 as nth
     from x join ports p on p.port_id = x.port_id join devices d on d.device_id = p.device_id
       join ports fp on fp.port_id = x.from_port_id join devices fd on fd.device_id = fp.device_id
     order by x.place`,
    [deviceId, JSON.stringify(found.map((move, place) => ({ ...move, place }))), new Date(at), limits.flapMinutes],
    { prepare: true },
  )
  return [...moves]
}

const nameOf = (device: string, port: string) => `${deviceName(device)} || ' ' || ${portName(port)}`

/** Addresses that appeared on an edge port of this device after they had left another edge port, of any device. */
async function arrivals(tx: Tx, deviceId: number, { began, at }: Changes): Promise<readonly Found[]> {
  const rows = began.filter(({ mac }) => !isVirtualMac(mac))
  if (rows.length === 0) return []
  return await tx.unsafe<Found[]>(
    `with b as materialized (
       select x.mac, x.port_id, x.before::timestamptz as before
       from unnest($2::text[], $3::int[], $4::text[]) as x(mac, port_id, before)),
     here as materialized (
       select b.* from b where b.port_id in (
         select port_id from (select distinct port_id from b) q where ${isEdge('$1', 'q.port_id')}))
     select distinct on (h.mac) h.mac, h.port_id, o.device_id as from_device_id, o.port_id as from_port_id
     from here h cross join lateral (
       select s.device_id, s.port_id, s.last_seen from sightings s
       where s.mac_address = h.mac and s.kind = 'fdb' and s.port_id is not null
         and s.last_seen >= $5::timestamptz - make_interval(days => ${MOVE_DAYS}) and ${isEdge('s.device_id', 's.port_id')}
       order by s.last_seen desc, s.sighting_id desc limit 1) o
     where o.port_id <> h.port_id and (h.before is null or o.last_seen > h.before)
       and not exists (select from sightings s where s.mac_address = h.mac and s.kind = 'fdb' and s.last_seen is null
         and s.port_id <> h.port_id and ${isEdge('s.device_id', 's.port_id')})
     order by h.mac, o.last_seen desc`,
    [
      deviceId,
      `{${rows.map(({ mac }) => mac).join()}}`,
      `{${rows.map(({ port_id }) => port_id).join()}}`,
      `{${rows.map(({ before }) => (before === null ? 'null' : `"${before}"`)).join()}}`,
      new Date(at).toISOString(),
    ],
    { prepare: true },
  )
}

/** Addresses that left an edge port of this device, and had appeared on an edge port of another one by then. */
async function departures(tx: Tx, deviceId: number, { ended, until }: Changes): Promise<readonly Found[]> {
  const rows = ended.filter(({ mac, port_id }) => port_id !== null && !isVirtualMac(mac))
  if (rows.length === 0 || until === null) return []
  return await tx.unsafe<Found[]>(
    `with a as materialized (select x.mac, x.port_id from unnest($2::text[], $3::int[]) as x(mac, port_id)),
     left_ports as materialized (
       select port_id from (select distinct port_id from a) q where ${isEdge('$1', 'q.port_id')})
     select distinct on (a.mac) a.mac, $1::int as from_device_id, a.port_id as from_port_id, o.port_id
     from a join left_ports using (port_id) cross join lateral (
       select s.port_id, s.first_seen from sightings s
       where s.mac_address = a.mac and s.kind = 'fdb' and s.last_seen is null and s.port_id is not null
         and s.device_id <> $1 and s.first_seen > $4::timestamptz and ${isEdge('s.device_id', 's.port_id')}
       order by s.first_seen desc, s.sighting_id desc limit 1) o
     where not exists (select from sightings s where s.mac_address = a.mac and s.device_id = $1 and s.kind = 'fdb'
       and s.last_seen is null and s.port_id <> a.port_id and ${isEdge('$1', 's.port_id')})
     order by a.mac, o.first_seen desc`,
    [deviceId, `{${rows.map(({ mac }) => mac).join()}}`, `{${rows.map(({ port_id }) => port_id).join()}}`, until],
    { prepare: true },
  )
}
