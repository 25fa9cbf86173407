import { sysContact, sysDescr, sysName, sysObjectID } from '../../mibs/snmpv2-mib.ts'

type Known<T> = T | null | undefined

/** Objects of the agent whose values are stored as they are read, by column. */
export const SYSTEM_OBJECTS = { sysDescr, sysObjectID, sysName, sysContact } as const

/** A column of `devices`: its SQL type, and of texts the most characters that the API's record has. */
type SystemColumn = ({ readonly sql: 'text'; readonly limit: number } | { readonly sql: 'int8' }) & {
  /** Changes are events. The other columns are derived from these or change at every run. */
  readonly logged?: true
}

/** What discovery finds of the device itself: the system group of SNMPv2-MIB and what the OS definition derives from it. */
export const SYSTEM = {
  sysDescr: { sql: 'text', limit: 65_535 },
  sysObjectID: { sql: 'text', limit: 128, logged: true },
  sysName: { sql: 'text', limit: 128, logged: true },
  sysContact: { sql: 'text', limit: 65_535, logged: true },
  /** In hex (SNMP-FRAMEWORK-MIB). */
  snmpEngineID: { sql: 'text', limit: 128 },
  /** Whole seconds. */
  uptime: { sql: 'int8' },
  os: { sql: 'text', limit: 32, logged: true },
  /** Type of device: network, server, wireless, firewall, power, printer, storage, environment, ..., or ''. */
  type: { sql: 'text', limit: 20 },
  icon: { sql: 'text', limit: 255 },
  hardware: { sql: 'text', limit: 65_535, logged: true },
  version: { sql: 'text', limit: 65_535, logged: true },
  /** Of 32 characters at most (entPhysicalSerialNum, RFC 6933), and searched for, which texts of any length cannot be. */
  serial: { sql: 'text', limit: 255, logged: true },
  features: { sql: 'text', limit: 65_535, logged: true },
  /** AS number of the router (BGP4-MIB::bgpLocalAs); null: no BGP. */
  bgpLocalAs: { sql: 'int8', logged: true },
} as const satisfies Readonly<Record<string, SystemColumn>>

type Found = {
  readonly [K in keyof typeof SYSTEM]?: Known<(typeof SYSTEM)[K]['sql'] extends 'text' ? string : number>
}

/** The device itself. */
export interface SystemObservation extends Found {
  readonly kind: 'system'
  readonly sysLocation?: Known<string>
}
