import { ASSOCIATION_MODES, type NewDevice } from '../domain/devices/add.ts'
import type { AddOptions } from './commands/device.ts'

/** The request that the options of `device add` make. */
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
