import { ASSOCIATION_MODES, type NewDevice } from '../core/devices/new-device.ts'

/** Options of `device add`, as commander names them. */
export interface AddOptions {
  readonly snmpVersion?: string
  readonly community?: string
  readonly snmpPort?: number
  readonly transport?: string
  readonly authLevel?: string
  readonly authName?: string
  readonly authPass?: string
  readonly authAlgo?: string
  readonly cryptoPass?: string
  readonly cryptoAlgo?: string
  readonly anySource?: boolean
  readonly only?: boolean
  readonly force?: boolean
  readonly pingOnly?: boolean
  readonly pingFallback?: boolean
  readonly os?: string
  readonly sysname?: string
  readonly hardware?: string
  readonly display?: string
  readonly address?: string
  readonly location?: string
  readonly pollerGroup?: number
  readonly portAssociation?: string
  readonly json?: boolean
}

/** Builds the request from the options of `device add`. */
export function newDevice(hostname: string, options: AddOptions): NewDevice {
  const mode = ASSOCIATION_MODES.map(String).indexOf(options.portAssociation ?? '')
  return {
    hostname,
    snmpver: options.snmpVersion,
    community: options.community,
    port: options.snmpPort,
    transport: options.transport,
    authlevel: options.authLevel,
    authname: options.authName,
    authpass: options.authPass,
    authalgo: options.authAlgo,
    cryptopass: options.cryptoPass,
    cryptoalgo: options.cryptoAlgo,
    anySource: options.anySource,
    only: options.only,
    force: options.force,
    snmpDisable: options.pingOnly,
    pingFallback: options.pingFallback,
    os: options.os,
    sysName: options.sysname,
    hardware: options.hardware,
    displayTemplate: options.display,
    overwriteIp: options.address,
    location: options.location,
    pollerGroup: options.pollerGroup,
    portAssociationMode: mode < 0 ? undefined : mode + 1,
  }
}
