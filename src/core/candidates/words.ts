import { failureText } from '@portlight/snmp/failure.ts'
import type { AcceptedCredentials, ObservedHost, SourceKind } from './observed-host.ts'

/** Names of the ways by which hosts are found, as people read them. */
export const SOURCE_NAMES: Readonly<Record<SourceKind, string>> = {
  scan: 'a scan',
  lldp: 'LLDP',
  cdp: 'CDP',
  fdp: 'FDP',
  edp: 'EDP',
  arp: 'ARP',
  nd: 'IPv6 neighbour discovery',
  ospf: 'OSPF',
  ospfv3: 'OSPFv3',
  bgp: 'BGP',
  isis: 'IS-IS',
  fdb: 'the forwarding table',
}

export const SOURCE_KINDS = Object.keys(SOURCE_NAMES) as readonly SourceKind[]

/** Protocols by which neighbours name themselves, so that they are worth showing even if they do not answer. */
export const NAMING: ReadonlySet<SourceKind> = new Set(['lldp', 'cdp', 'fdp', 'edp'])

/** Credentials without secrets: `community 2 of the settings, v2c`. */
export function credentialsText({ version, index }: Pick<AcceptedCredentials, 'version' | 'index'>): string {
  return `${version === 'v3' ? 'user' : 'community'} ${index + 1} of the settings, ${version}`
}

/** Why a host without SNMP was not added, and what to do. */
export function noSnmpText({ pingMs, failure }: Pick<ObservedHost, 'pingMs' | 'failure'>): string {
  const ping = pingMs === null ? '' : 'It answers ping, but '
  if (failure !== null)
    return `${ping}SNMP: ${failureText(failure)}. Check snmp.community, snmp.v3 and the access list of the device`
  return pingMs === null
    ? 'It answers neither ping nor SNMP. Check that it is reachable from the poller'
    : `${ping}not SNMP with the credentials of the settings. Add its community or user to snmp.community or snmp.v3, or add it by ping alone`
}

/** Beginning of the reason if a rule ignored the candidate. */
export const BY_RULE = 'Rule '

/** Where the part of a reason begins that names another device: see `decide`, `whyOf` and what adding a device refuses. */
const OF_OTHERS =
  /(?:^|[.;,] ?| )(?:It may be |Another device, |It is probably |It was a device |It is .*\(device \d+\)|it is .*\(device \d+\)|Cannot add |Already have device )/s

/** The reason for users who do not see all devices: without the part that names another device. */
export function reasonWithoutOthers(why: string): string {
  const at = why.search(OF_OTHERS)
  if (at < 0) return why
  const kept = why.slice(0, at).trim()
  const hidden = 'It has to do with a device that you may not see'
  return kept === '' ? hidden : `${kept}. ${hidden}`
}
