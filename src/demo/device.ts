import type { Life } from './instant.ts'
import type { Seeds } from './seeds.ts'
import type { Instance } from './table.ts'

/** Who a device says it is. */
export interface DeviceIdentity {
  /** sysName, and the hostname that the fleet proposes. */
  readonly name: string
  /** What it is, for people: `access switch`. */
  readonly kind: string
  readonly sysDescr: string
  readonly sysObjectID: string
  readonly sysServices: number
  readonly location: string
  /** Octets of the longest message it sends. */
  readonly maxMessageOctets: number
}

/** What a description of a device gets: seeds of its own, and of the links between devices. */
export interface DeviceSeeds {
  readonly own: Seeds
  readonly links: Seeds
}

/** A device of the fleet: data, and what it has in its MIB. */
export interface DeviceModel extends Omit<DeviceIdentity, 'maxMessageOctets'> {
  /** 1472 octets (an Ethernet frame) when left out. */
  readonly maxMessageOctets?: number
  /** Most repetitions the agent gives to a GETBULK; 0 or left out: as many as fit. */
  readonly maxRepetitions?: number
  /** Left out: runs for months. */
  readonly life?: Life
  /** Speaks SNMPv3 with this user as well. */
  readonly v3?: V3User
  /** Everything but the system group, which all devices have alike. */
  instances(seeds: DeviceSeeds): Instance[]
}

/** A user of the User-based Security Model (RFC 3414) with SHA authentication and AES-128 privacy. */
export interface V3User {
  readonly authname: string
  readonly authpass: string
  readonly cryptopass: string
}
