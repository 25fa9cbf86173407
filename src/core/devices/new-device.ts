import type { Settings } from '../../config/schema.ts'
import type { Gateway } from '../base/gateway.ts'
import type { Store } from '../database/client.ts'
import type { GivenCredentials } from './credentials.ts'
import type { Report } from './steps.ts'

/** A device to add. Everything except the hostname is optional; undefined means not given. */
export interface NewDevice extends GivenCredentials {
  readonly hostname: string
  /** UDP port of the agent; default: setting snmp.port. */
  readonly port?: number | undefined
  /**
   * udp, udp6, tcp or tcp6; default: the first of setting snmp.transports. tcp is stored but not supported for polling.
   */
  readonly transport?: string | undefined
  readonly pollerGroup?: number | undefined
  /** Add without contacting the device; only a hostname already in use is refused. */
  readonly force?: boolean | undefined
  /** Accept answers from any address and port, not only from where requests are sent. */
  readonly anySource?: boolean | undefined
  /** Monitor by ICMP only. */
  readonly snmpDisable?: boolean | undefined
  /** Fall back to ICMP only when SNMP does not answer. */
  readonly pingFallback?: boolean | undefined
  /** Try only the given credentials, not those of the settings. Not part of the API. */
  readonly only?: boolean | undefined
  /** It was told apart from the monitored devices by more than adding reads. Not part of the API. */
  readonly identified?: boolean | undefined
  /** Operating system of an ICMP-only device. */
  readonly os?: string | undefined
  readonly sysName?: string | undefined
  readonly hardware?: string | undefined
  readonly displayTemplate?: string | undefined
  /** Address to use instead of resolving the hostname. */
  readonly overwriteIp?: string | undefined
  /** Name of a location, created if missing; takes precedence over the id. */
  readonly location?: string | undefined
  readonly locationId?: number | undefined
  readonly overrideSysLocation?: boolean | undefined
  /** 1 ifIndex, 2 ifName, 3 ifDescr, 4 ifAlias; default: setting port_association_mode. */
  readonly portAssociationMode?: number | undefined
}

export interface AddDeps {
  readonly store: Store
  readonly settings: Settings
  readonly gateway: Gateway
  /** Receives the steps as they begin and end. */
  readonly report?: Report | undefined
}

export const ASSOCIATION_MODES = ['ifIndex', 'ifName', 'ifDescr', 'ifAlias'] as const
export const TRANSPORTS = ['udp', 'udp6', 'tcp', 'tcp6'] as const

export type Transport = (typeof TRANSPORTS)[number]
