import type { Tx } from '../database/client.ts'
import type { MacMove } from './moves.ts'
import {
  type Begun,
  fairShare,
  isStation,
  type OpenSighting,
  type Reading,
  type Seen,
  type SightingLimits,
} from './sighting.ts'
import { writeMoves } from './write-moves.ts'

/** What a reading changed. */
export interface Noted {
  /** The limits begin to leave rows out. Null again until a reading leaves nothing out. */
  readonly flood: Flood | null
  readonly moves: readonly MacMove[]
}

export interface Flood {
  /** Rows that the limits left out of this reading. */
  readonly leftOut: number
  readonly limit: 'sightings.max_open' | 'sightings.max_per_hour'
}

/** Counts stop here. */
const MAX_COUNT = 2_000_000_000

const NOTHING: Noted = { flood: null, moves: [] }

interface State {
  readonly complete_at: string | null
  readonly opened: number
  readonly left_out: number
  readonly is_first: boolean
}

/** A row of `Seen` in SQL, from arrays of equal length; `place` counts from 1. */
const SEEN = `unnest($3::text[], $4::int[], $5::int[], $6::text[], $7::text[]) with ordinality
  as x(mac, port_id, vlan, address, username, place)`

const SAME = `o.mac_address = s.mac and o.port_id = s.port_id and coalesce(o.vlan, -1) = coalesce(s.vlan, -1)
  and coalesce(o.address, '0.0.0.0') = coalesce(s.address, '0.0.0.0') and coalesce(o.username, '') = coalesce(s.username, '')`

/**
 * Stores how a reading differs from the one before. A sighting begins when its MAC address appears on a port, and ends
 * when a complete reading no longer has it: it was then last seen at the complete reading before. Rows of what is still
 * where it was are not touched. `at`: when the table was read, epoch ms.
 *
 * An absence of at most `gapHours` is undone by the return to the same place, unless the address was elsewhere meanwhile.
 */
export async function noteReading(
  tx: Tx,
  deviceId: number,
  reading: Reading,
  limits: SightingLimits,
  at: number,
): Promise<Noted> {
  const { kind, complete } = reading
  const state = await stateOf(tx, deviceId, kind, at)
  const rows = reading.rows.filter(({ mac }) => isStation(mac))
  if (state.is_first && rows.length === 0) return NOTHING
  const { gone, fresh, open } = await difference(tx, deviceId, kind, rows)
  const over = complete ? gone : superseded(kind, gone, fresh)
  const until = state.complete_at
  if (over.length > 0)
    await tx`update sightings set last_seen = greatest(first_seen, ${until}::timestamptz)
      where sighting_id = any(${`{${over.map(({ id }) => id).join()}}`}::bigint[])`
  const room = limits.maxOpen - (open - over.length)
  const left = limits.maxPerHour - state.opened
  const begun = fairShare(fresh, Math.max(0, Math.min(room, left)))
  const stored = await begin(tx, deviceId, { kind, rows: begun, isFirst: state.is_first }, limits, at)
  const leftOut = fresh.length - begun.length
  await tx`
    update sighting_readings set read_at = ${new Date(at)}, opened = ${state.opened + begun.length},
      complete_at = case when ${complete} then ${new Date(at)} else complete_at end,
      left_out = ${leftOut === 0 ? 0 : Math.min(MAX_COUNT, state.left_out + leftOut)}
    where device_id = ${deviceId} and kind = ${kind}`
  const moves =
    kind === 'fdb' && !state.is_first
      ? await writeMoves(tx, deviceId, { began: stored, ended: over, at, until, limits })
      : []
  const limit = room < left ? 'sightings.max_open' : 'sightings.max_per_hour'
  return { flood: leftOut > 0 && state.left_out === 0 ? { leftOut, limit } : null, moves }
}

/**
 * What is known of earlier readings. An hour's count ends with it; `left_out` ends with a reading that leaves nothing out,
 * so that a flood of days is said once. A clock that went back begins an hour.
 */
async function stateOf(tx: Tx, deviceId: number, kind: string, at: number): Promise<State> {
  const now = new Date(at)
  const [state] = await tx<State[]>`
    insert into sighting_readings as r (device_id, kind, read_at, hour_began) values (${deviceId}, ${kind}, ${now}, ${now})
    on conflict (device_id, kind) do update set
      hour_began = case when r.hour_began between ${now}::timestamptz - interval '1 hour' and ${now} then r.hour_began else ${now} end,
      opened = case when r.hour_began between ${now}::timestamptz - interval '1 hour' and ${now} then r.opened else 0 end
    returning complete_at::text, opened, left_out, xmax = 0 as is_first`
  return state ?? { complete_at: null, opened: 0, left_out: 0, is_first: true }
}

interface Difference {
  /** Open sightings that the reading does not have. */
  readonly gone: readonly OpenSighting[]
  /** What has no open sighting. */
  readonly fresh: readonly Seen[]
  /** Number of open sightings before. */
  readonly open: number
}

/** The members of a row without a sighting. */
interface Nobody extends Omit<OpenSighting, 'id' | 'mac'> {
  readonly id: null
  readonly mac: null
}

async function difference(tx: Tx, deviceId: number, kind: string, rows: readonly Seen[]): Promise<Difference> {
  const found = await tx.unsafe<((OpenSighting | Nobody) & { place: number | null; open: number })[]>(
    `with s as (
       select mac, port_id, vlan, address, username, min(place) as place
       from (select mac collate "C" as mac, port_id, vlan, inet(address) as address, username, place from ${SEEN}) q
       group by mac, port_id, vlan, address, username
     ), o as materialized (select * from sightings where device_id = $1 and kind = $2 and last_seen is null)
     select s.place::int, o.sighting_id as id, o.mac_address as mac, o.port_id, o.vlan, host(o.address) as address,
       (select count(*)::int from o) as open
     from s full join o on ${SAME}
     where s.place is null or o.sighting_id is null
     union all select null, null, null, null, null, null, (select count(*)::int from o)`,
    [deviceId, kind, ...arraysOf(rows)],
    { prepare: true },
  )
  return {
    gone: found.flatMap((row) => (row.id === null ? [] : [row])),
    fresh: found.flatMap(({ place }) => (place === null ? [] : (rows[place - 1] ?? []))),
    open: found.find(({ id, place }) => id === null && place === null)?.open ?? 0,
  }
}

/** The parameters of SEEN. */
function arraysOf(rows: readonly Seen[]): string[] {
  const array = (of: (row: Seen) => string | number | null) => `{${rows.map((row) => of(row) ?? 'null').join()}}`
  const quoted = (text: string | null) =>
    text === null ? null : `"${text.replaceAll('\0', '').replaceAll(/["\\]/g, '\\$&')}"`
  return [
    array(({ mac }) => mac),
    array(({ port_id }) => port_id),
    array(({ vlan }) => vlan),
    array(({ address }) => address),
    array(({ username }) => quoted(username)),
  ]
}

/**
 * What ended although the reading is not complete, because its place was taken: a switch has an address on one port of a
 * VLAN, and a router one MAC address for an IP address of a port.
 */
function superseded(kind: string, gone: readonly OpenSighting[], fresh: readonly Seen[]): readonly OpenSighting[] {
  const placeOf = (row: Pick<Seen, 'mac' | 'vlan' | 'address'> & { readonly port_id: number | null }) =>
    kind === 'fdb' && row.vlan !== null
      ? `${row.mac} ${row.vlan}`
      : (kind === 'arp' || kind === 'nd') && row.port_id !== null
        ? `${row.port_id} ${row.address}`
        : null
  const taken = new Set(fresh.map(placeOf))
  return gone.filter((row) => {
    const place = placeOf(row)
    return place !== null && taken.has(place)
  })
}

/** Continues the sightings that were interrupted for a short time, and begins the others. */
async function begin(
  tx: Tx,
  deviceId: number,
  { kind, rows, isFirst }: { kind: string; rows: readonly Seen[]; isFirst: boolean },
  { gapHours }: SightingLimits,
  at: number,
): Promise<readonly Begun[]> {
  if (rows.length === 0) return []
  return await tx.unsafe<Begun[]>(
    `with s as materialized (select mac, port_id, vlan, inet(address) as address, username, place from ${SEEN}),
     past as (
       select distinct on (s.place) s.place, o.sighting_id, o.last_seen, o.last_seen >= $8::timestamptz - make_interval(hours => $9)
         and not exists (select from sightings e where e.mac_address = s.mac and e.device_id = $1 and e.kind = $2
           and e.sighting_id <> o.sighting_id and e.first_seen >= o.last_seen
           and coalesce(e.vlan, -1) = coalesce(s.vlan, -1) and coalesce(e.address, '0.0.0.0') = coalesce(s.address, '0.0.0.0'))
         and not exists (select from sightings e where e.address = s.address and e.device_id = $1 and e.kind = $2
           and e.mac_address <> s.mac and e.first_seen >= o.last_seen) as continues
       from s join sightings o on o.device_id = $1 and o.kind = $2 and o.last_seen is not null and ${SAME}
       order by s.place, o.last_seen desc
     ), again as (
       update sightings o set last_seen = null from past where o.sighting_id = past.sighting_id and past.continues
       returning past.place
     ), added as (
       insert into sightings (device_id, kind, port_id, mac_address, vlan, address, username, first_seen, is_new)
       select $1, $2, s.port_id, s.mac, s.vlan, s.address, s.username, $8,
         case when $10 or exists (select from sightings e where e.mac_address = s.mac and e.port_id = s.port_id and e.kind = $2)
           then 0 else 1 end
       from s where not exists (select from again where again.place = s.place)
     )
     select s.mac, s.port_id, past.last_seen::text as before from s left join past on past.place = s.place`,
    [deviceId, kind, ...arraysOf(rows), new Date(at).toISOString(), gapHours, isFirst],
    { prepare: true },
  )
}
