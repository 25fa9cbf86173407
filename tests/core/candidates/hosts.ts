import type { HostIdentity, ObservedHost, Source } from '../../../src/core/candidates/observed-host.ts'

export const SCAN: Source = {
  kind: 'scan',
  scanId: 1,
  deviceId: null,
  portId: null,
  remoteName: null,
  remotePort: null,
  remotePlatform: null,
  remoteDescription: null,
}

export const IDENTITY: HostIdentity = {
  sysName: null,
  sysDescr: null,
  sysObjectId: null,
  engineId: null,
  serials: [],
  baseMac: null,
  macs: [],
  addresses: [],
  os: 'generic',
  hardware: null,
  ports: null,
}

/** A host that answered SNMP at an address. */
export function answering(
  address: string,
  identity: Partial<HostIdentity>,
  pollerGroup = 0,
  source = SCAN,
): ObservedHost {
  return {
    target: { address, pollerGroup, source },
    pingMs: 1,
    snmp: { credentials: { version: 'v2c', index: 0, port: 161 }, identity: { ...IDENTITY, ...identity } },
    failure: null,
  }
}

/** A host that did not answer SNMP. */
export function mute(address: string, pingMs: number | null, source = SCAN): ObservedHost {
  return { target: { address, pollerGroup: 0, source }, pingMs, snmp: null, failure: null }
}

/** Universally administered MAC addresses; other numbers give others. */
export const MACS = (device: number, ports: number): string[] =>
  Array.from({ length: ports }, (_, i) => `001b21${(device * 256 + i).toString(16).padStart(6, '0')}`)
