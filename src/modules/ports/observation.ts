import { ifTable } from '../../mibs/if-mib.ts'

type Known<T> = T | null | undefined

export type PortStatus = NonNullable<(typeof PORT_STATUSES)[number]>

/** Names of ifAdminStatus and ifOperStatus (RFC 2863) by SNMP value; 0: unknown. */
export const PORT_STATUSES = [
  null,
  'up',
  'down',
  'testing',
  'unknown',
  'dormant',
  'notPresent',
  'lowerLayerDown',
] as const

/** Objects of IF-MIB::ifTable and ifXTable whose values are stored as they are read, by column. */
export const IF_OBJECTS = { ifMtu: ifTable.columns.ifMtu, ifLastChange: ifTable.columns.ifLastChange } as const
export const IFX_OBJECTS = {} as const

/** A column of `ports`: its SQL type, and of texts the most characters that the API's record has. */
type PortColumn = ({ readonly sql: 'text'; readonly limit: number } | { readonly sql: 'int4' | 'int8' }) & {
  /** Changes are events. The other columns are derived from these or change often. */
  readonly logged?: true
}

/** What discovery finds of an interface (IF-MIB::ifTable, ifXTable, EtherLike-MIB::dot3StatsTable). */
export const PORT = {
  ifIndex: { sql: 'int8' },
  ifName: { sql: 'text', limit: 255, logged: true },
  ifDescr: { sql: 'text', limit: 255, logged: true },
  ifAlias: { sql: 'text', limit: 255, logged: true },
  /** Parts of an ifAlias in the form `Type: Descr {Circuit} [Speed] (Notes)`. */
  port_descr_type: { sql: 'text', limit: 255 },
  port_descr_descr: { sql: 'text', limit: 255 },
  port_descr_circuit: { sql: 'text', limit: 255 },
  port_descr_speed: { sql: 'text', limit: 255 },
  port_descr_notes: { sql: 'text', limit: 255 },
  /** IANAifType name, for example `ethernetCsmacd`; the number as text if it has no name. */
  ifType: { sql: 'text', limit: 64, logged: true },
  ifMtu: { sql: 'int4', logged: true },
  /** bit/s; ifHighSpeed * 10^6 if ifSpeed is at its maximum. */
  ifSpeed: { sql: 'int8', logged: true },
  /** Mbit/s. */
  ifHighSpeed: { sql: 'int4' },
  /** 12 lower-case hex digits. */
  ifPhysAddress: { sql: 'text', limit: 64, logged: true },
  ifAdminStatus: { sql: 'text', limit: 16, logged: true },
  ifOperStatus: { sql: 'text', limit: 16, logged: true },
  /** TimeTicks. */
  ifLastChange: { sql: 'int8' },
  ifDuplex: { sql: 'text', limit: 12, logged: true },
  ifConnectorPresent: { sql: 'text', limit: 12 },
  ifPromiscuousMode: { sql: 'text', limit: 12 },
  ifVlan: { sql: 'text', limit: 8, logged: true },
  ifTrunk: { sql: 'text', limit: 16, logged: true },
  /** Bit c set: the agent has the 64-bit object of PORT_COUNTERS[c] for this interface; the same for the 32-bit one. */
  hc_mask: { sql: 'int4' },
  lc_mask: { sql: 'int4' },
} as const satisfies Readonly<Record<string, PortColumn>>

type Found = {
  readonly [K in keyof typeof PORT]?: Known<(typeof PORT)[K]['sql'] extends 'text' ? string : number>
}

/** One interface. */
export interface PortRow extends Omit<Found, 'ifIndex' | 'hc_mask' | 'lc_mask'> {
  readonly ifIndex: number
  readonly ifAdminStatus?: Known<PortStatus>
  readonly ifOperStatus?: Known<PortStatus>
  readonly ifDuplex?: Known<'fullDuplex' | 'halfDuplex' | 'unknown'>
  readonly ifConnectorPresent?: Known<'true' | 'false'>
  readonly ifPromiscuousMode?: Known<'true' | 'false'>
  /** `hc_mask` and `lc_mask`. */
  readonly hcMask?: number
  readonly lcMask?: number
}
