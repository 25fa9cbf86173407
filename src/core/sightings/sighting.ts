import type { Settings } from '../../config/schema.ts'

/**
 * The tables that sightings come from: forwarding database, ARP table, IPv6 neighbour cache, sessions of network access
 * control.
 */
export const SIGHTING_KINDS = ['fdb', 'arp', 'nd', 'nac'] as const
export type SightingKind = (typeof SIGHTING_KINDS)[number]

/** A MAC address on a port, as one reading of a table shows it. */
export interface Seen {
  /** 12 lower-case hex digits. */
  readonly mac: string
  readonly port_id: number
  /** Number of the VLAN; null: not reported. */
  readonly vlan: number | null
  /** IP address in any notation; null: the table has none. */
  readonly address: string | null
  /** User authenticated by network access control; null: the table has none. */
  readonly username: string | null
}

/** One reading of one table of a device. `complete`: what is missing is not there. */
export interface Reading {
  readonly kind: SightingKind
  readonly complete: boolean
  readonly rows: readonly Seen[]
}

/** An open sighting. */
export interface OpenSighting {
  readonly id: number
  readonly mac: string
  readonly port_id: number | null
  readonly vlan: number | null
  readonly address: string | null
}

/** A sighting that began. `before`: when the same place was last left, as text; null: never. */
export interface Begun {
  readonly mac: string
  readonly port_id: number
  readonly before: string | null
}

export interface SightingLimits {
  /** Open sightings of a table of a device. */
  readonly maxOpen: number
  /** Sightings that a table of a device may begin in an hour. */
  readonly maxPerHour: number
  /** An absence that is not longer does not end a sighting; hours. */
  readonly gapHours: number
  /** From this many moves within `flapMinutes` on, a MAC address is flapping. */
  readonly flapMoves: number
  readonly flapMinutes: number
}

/** The limits that the settings `sightings.*` say. */
export const sightingLimits = (settings: Settings): SightingLimits => ({
  maxOpen: settings.get('sightings.max_open'),
  maxPerHour: settings.get('sightings.max_per_hour'),
  gapHours: settings.get('sightings.gap'),
  flapMoves: settings.get('sightings.flap_moves'),
  flapMinutes: settings.get('sightings.flap_minutes'),
})

/** Defaults of the settings `sightings.*`. */
export const SIGHTING_LIMITS: SightingLimits = {
  maxOpen: 200_000,
  maxPerHour: 150_000,
  gapHours: 24,
  flapMoves: 3,
  flapMinutes: 1440,
}

/** A port with more MAC addresses than this leads to other devices, whether or not a neighbour is known. */
export const EDGE_MACS = 8

/**
 * Virtual MAC addresses, which move when another router of the group takes over: VRRP and CARP (RFC 9568), HSRP versions
 * 1 and 2, also with IPv6, GLBP.
 */
const VIRTUAL = ['00005e0001', '00005e0002', '00000c07ac', '00000c9ff', '000573a0', '0007b4']

/** Whether a MAC address (12 lower-case hex digits) is the virtual one of a group of routers. */
export const isVirtualMac = (mac: string): boolean => VIRTUAL.some((prefix) => mac.startsWith(prefix))

const NO_MAC = '000000000000'

/** Whether a text is the MAC address of one station: neither a group address nor all zeros. */
export const isStation = (mac: string): boolean =>
  /^[0-9a-f]{12}$/.test(mac) && mac !== NO_MAC && (Number.parseInt(mac.slice(0, 2), 16) & 1) === 0

/**
 * At most `most` of the rows. Every port gets the same share before any gets more, so that a port that is flooded with
 * addresses takes nothing from the others.
 */
export function fairShare<T extends { readonly port_id: number }>(rows: readonly T[], most: number): readonly T[] {
  if (rows.length <= most) return rows
  const left = [...Map.groupBy(rows, ({ port_id }) => port_id).values()].sort((a, b) => a.length - b.length)
  const chosen: T[] = []
  for (const [i, own] of left.entries()) {
    const share = Math.floor(Math.max(0, most - chosen.length) / (left.length - i))
    for (const row of own.slice(0, share)) chosen.push(row)
  }
  return chosen
}
