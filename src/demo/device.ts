import type { Life } from './instant.ts'
import type { Seeds } from './seeds.ts'

/** Seeds for a device description: its own, those of the links between devices, and those of another device by its name. */
export interface DeviceSeeds {
  readonly own: Seeds
  readonly links: Seeds
  of(device: string): Seeds
}

/** A device of the fleet. */
export interface DeviceModel {
  /** sysName, also used as hostname. */
  readonly name: string
  /** Kind of device in words, for example `access switch`. */
  readonly kind: string
  /** What its agent says, and how that moves: see recording.ts. */
  readonly recording: string
  /** Maximum size of its messages in bytes. Default: 1472 (an Ethernet frame). */
  readonly maxMessageOctets?: number
  /** Maximum repetitions in a GETBULK response; default or 0: as many as fit. */
  readonly maxRepetitions?: number
  /** Default: runs for months. */
  readonly life?: Life
  /** The device through which alone it is reached: while that has no power, this one does not answer either. */
  readonly behind?: DeviceModel
  /** Also answers SNMPv3 with this user. */
  readonly v3?: V3User
}

/** A user of the User-based Security Model (RFC 3414) with SHA authentication and AES-128 privacy. */
export interface V3User {
  readonly authname: string
  readonly authpass: string
  readonly cryptopass: string
}
