import { parseIpv4, parseIpv6 } from '@portlight/addresses/ip.ts'
import { moveText } from '../sightings/moves.ts'
import {
  type Reading,
  type Seen,
  SIGHTING_KINDS,
  type SightingKind,
  type SightingLimits,
} from '../sightings/sighting.ts'
import { seedSightings } from '../sightings/write-seed.ts'
import { type Noted, noteReading } from '../sightings/write-sightings.ts'
import { type AdjustedValues, clean, int4, text } from './columns.ts'
import { condensed, type Event } from './events.ts'
import type { Parts } from './isolate-row.ts'
import { localPorts } from './local-ports.ts'
import type { SwitchingSets } from './switching.ts'
import type { PortIds } from './table.ts'
import type { Tx } from './write-rows.ts'

/** How sightings are recorded. */
export interface Sighted {
  readonly limits: SightingLimits
  /** When the tables were read, epoch ms; absent, or in the future: now. */
  readonly at?: number
}

interface Sighting extends Sighted {
  readonly deviceId: number
  readonly ports: PortIds
  /** Absent: not read. A table that is empty, and was empty before, is given too: sightings end in it. */
  readonly sets: Pick<SwitchingSets, SightingKind>
  readonly adjusted: AdjustedValues
}

const NAME = text(50)

/**
 * Records where MAC addresses were seen in the tables that a discovery read, on ports of the device; `store` brings the
 * tables themselves up to date. Returns the events of what moved, and of what the limits left out.
 */
export async function withSightings(
  parts: Parts,
  sighting: Sighting,
  store: () => Promise<void>,
): Promise<readonly Event[]> {
  const { deviceId, limits, sets } = sighting
  const kinds = SIGHTING_KINDS.filter((kind) => sets[kind] !== undefined)
  if (kinds.length === 0) {
    await store()
    return []
  }
  await parts.one('sightings', (tx) => seedSightings(tx, deviceId, kinds, limits.maxOpen))
  await store()
  const events = await parts.one('sightings', async (tx) => {
    const at = Math.min(sighting.at ?? Number.POSITIVE_INFINITY, await now(tx))
    const events: Event[] = []
    for (const reading of await readingsOf(tx, sighting))
      events.push(...eventsOf(deviceId, await noteReading(tx, deviceId, reading, limits, at), reading.kind, limits))
    return events
  })
  return events ?? []
}

/** The time of the transaction, epoch ms. */
async function now(tx: Tx): Promise<number> {
  const [row] = await tx<{ ms: number }[]>`select extract(epoch from now())::float8 * 1000 as ms`
  return Math.floor(row?.ms ?? Date.now())
}

async function readingsOf(tx: Tx, { deviceId, ports, sets, adjusted }: Sighting): Promise<readonly Reading[]> {
  const { fdb, arp, nd, nac } = sets
  const readings: Reading[] = []
  if (fdb !== undefined)
    readings.push({
      kind: 'fdb',
      complete: fdb.complete,
      rows: fdb.rows.flatMap(({ mac_address: mac, vlan, ifIndex }) =>
        seen({ mac, port_id: ports.get(ifIndex), vlan, address: null, username: null }, adjusted),
      ),
    })
  for (const [kind, found] of [
    ['arp', arp],
    ['nd', nd],
  ] as const)
    if (found !== undefined)
      readings.push({
        kind,
        complete: found.complete,
        rows: found.rows.flatMap(({ ifIndex, mac, address }) =>
          seen({ mac, port_id: ports.get(ifIndex), vlan: null, address, username: null }, adjusted),
        ),
      })
  if (nac !== undefined) {
    const portOf = await localPorts(tx, deviceId)
    readings.push({
      kind: 'nac',
      complete: nac.complete,
      rows: nac.rows.flatMap(({ local, mac_address: mac, vlan, ip_address: address, username }) =>
        seen({ mac, port_id: portOf([local]) ?? undefined, vlan, address, username }, adjusted),
      ),
    })
  }
  return readings
}

/** A row as it can be stored, in a list; empty: its port is unknown. */
function seen(
  row: Omit<Seen, 'port_id'> & { readonly port_id: number | undefined },
  adjusted: AdjustedValues,
): readonly Seen[] {
  const { mac, port_id, vlan, address, username } = row
  if (port_id === undefined) return []
  const name = clean(NAME, username, adjusted)
  return [
    {
      mac,
      port_id,
      vlan: Number(clean(int4, vlan, adjusted)) || null,
      address: address !== null && isAddress(address) ? address : null,
      username: typeof name === 'string' && name !== '' ? name : null,
    },
  ]
}

/** An IP address other than 0.0.0.0 and ::. */
const isAddress = (address: string): boolean =>
  parseIpv4(address) === null ? parseIpv6(address) !== null && !/^[0:]+$/.test(address) : parseIpv4(address) !== 0

const TABLES: Readonly<Record<SightingKind, string>> = {
  fdb: 'forwarding table',
  arp: 'ARP table',
  nd: 'IPv6 neighbour table',
  nac: 'sessions of network access control',
}

function eventsOf(deviceId: number, { moves, flood }: Noted, kind: SightingKind, limits: SightingLimits): Event[] {
  const about = { deviceId, type: 'mac' } as const
  const moved = moves.flatMap((move): Event[] => {
    const message = moveText(move, limits)
    const severity = move.nth >= limits.flapMoves ? 4 : 3
    return message === null ? [] : [{ ...about, message, reference: move.port_id, severity }]
  })
  const flooded: Event[] =
    flood === null
      ? []
      : [
          {
            ...about,
            message: `${flood.leftOut} entries of the ${TABLES[kind]} are not recorded as sightings: more than ${flood.limit} allows (${flood.limit === 'sightings.max_open' ? limits.maxOpen : limits.maxPerHour}). Look for a port with thousands of MAC addresses, or raise the setting`,
            reference: null,
            severity: 4,
          },
        ]
  return [...condensed(moved, 'MAC addresses moved between edge ports'), ...flooded]
}
