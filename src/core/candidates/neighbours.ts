import { formatIpv6, parseIpv6 } from '@portlight/addresses/ip.ts'
import { addressOctets } from '@portlight/addresses/networks.ts'
import { phpPattern } from '../../config/php-pattern.ts'
import type { Settings } from '../../config/schema.ts'
import { usefulAddress } from '../identity/evidence.ts'
import { tidy } from './limits.ts'
import { withDomain } from './names.ts'
import type { ProbeTarget, Source } from './observed-host.ts'
import type { NeighbourKinds, Reported } from './read-reported.ts'
import { insideOf } from './rules.ts'
import { NAMING, SOURCE_NAMES } from './words.ts'

/** A neighbour that cannot be asked, and why, as a sentence. */
export interface Unaskable {
  readonly target: ProbeTarget
  readonly why: string
}

/** What becomes of what devices report of their neighbours. */
export interface NeighbourTargets {
  readonly ask: readonly ProbeTarget[]
  /** Every report of an address in the own networks, of one address from any number of devices. */
  readonly seen: readonly ProbeTarget[]
  /** They have a name and no address: their addresses are looked up. */
  readonly resolve: readonly { readonly name: string; readonly target: ProbeTarget }[]
  readonly heard: readonly Unaskable[]
}

export type NeighbourSettings = Pick<Settings, 'get'>

/** Which neighbours the settings want to be asked. */
export function neighbourKinds(settings: NeighbourSettings): NeighbourKinds {
  const modules = settings.get('discovery_modules')
  const arp =
    typeof modules === 'object' && modules !== null && 'discovery-arp' in modules && modules['discovery-arp'] === true
  return {
    xdp: settings.get('autodiscovery.xdp'),
    ospf: settings.get('autodiscovery.ospf'),
    ospfv3: settings.get('autodiscovery.ospfv3'),
    isis: settings.get('autodiscovery.isis'),
    bgp: settings.get('autodiscovery.bgp'),
    arp,
    fdb: settings.get('autodiscovery.fdb'),
  }
}

/**
 * Sorts what devices report: addresses in setting nets and outside of autodiscovery.nets-exclude are asked, each once; a
 * name without an address is looked up; what has neither is only shown. Neighbours that the settings exclude are left out.
 */
export function targetsOf(reported: readonly Reported[], settings: NeighbourSettings): NeighbourTargets {
  const [isOwn, isLeftOut] = [insideOf(settings.get('nets')), insideOf(settings.get('autodiscovery.nets-exclude'))]
  const isExcluded = exclusions(settings)
  const ask = new Map<string, ProbeTarget>()
  const seen: ProbeTarget[] = []
  const resolve = new Map<string, { name: string; target: ProbeTarget }>()
  const heard: Unaskable[] = []
  for (const row of reported) {
    if (isExcluded(row)) continue
    const source = sourceOf(row)
    const target = (address: string): ProbeTarget => ({ address, pollerGroup: row.poller_group, source })
    const addresses = row.addresses.map(spelled).filter((address) => address !== null)
    const own = addresses.filter(isOwn)
    const first = own.find((address) => !isLeftOut(address))
    if (first !== undefined) {
      const key = `${row.poller_group} ${first}`
      if (!ask.has(key)) ask.set(key, target(first))
      seen.push(target(first))
      continue
    }
    // an address in a routing or ARP table is nothing to show until it answers
    if (!NAMING.has(row.kind) || own.length > 0) continue
    const name = withDomain(hostOf(row.remote_name), settings.get('mydomain'))
    if (addresses.length === 0 && name !== null)
      resolve.set(`${row.poller_group} ${name}`, { name, target: target('') })
    else heard.push({ target: target(addresses[0] ?? ''), why: outsideText(row, addresses) })
  }
  return { ask: [...ask.values()], seen, resolve: [...resolve.values()], heard }
}

/** Why a neighbour is not asked. */
export function outsideText({ kind }: Pick<Reported, 'kind'>, addresses: readonly string[]): string {
  const names = `${SOURCE_NAMES[kind]} names it`
  return addresses.length === 0
    ? `${names}, with no address in your networks. Give its address to add it`
    : `${names} at ${addresses.join(', ')}, which is in no network of setting nets. Add the network there to have it asked`
}

function sourceOf(row: Reported): Source {
  return {
    kind: row.kind,
    scanId: null,
    deviceId: row.device_id,
    portId: row.port_id,
    remoteName: tidy(row.remote_name),
    remotePort: tidy(row.remote_port),
    remotePlatform: tidy(row.remote_platform),
    remoteDescription: tidy(row.remote_description),
  }
}

/** What exclusions compare. */
type Excludable = Pick<Reported, 'kind' | 'remote_name' | 'remote_platform' | 'remote_description'>

/** The neighbours that settings autodiscovery.*_exclude leave alone. */
export function exclusions(settings: NeighbourSettings): (row: Excludable) => boolean {
  const [names, descriptions, platforms] = (
    [
      'autodiscovery.xdp_exclude.sysname_regexp',
      'autodiscovery.xdp_exclude.sysdescr_regexp',
      'autodiscovery.cdp_exclude.platform_regexp',
    ] as const
  ).map((name) => settings.get(name).map(phpPattern))
  const fits = (patterns: typeof names, text: string | null) =>
    text !== null && patterns?.some((pattern) => pattern.test(text)) === true
  return (row) =>
    NAMING.has(row.kind) &&
    (fits(names, row.remote_name) ||
      fits(descriptions, row.remote_description) ||
      (row.kind === 'cdp' && fits(platforms, row.remote_platform)))
}

/** The name that a neighbour gives itself as a host name; null: it is none, for example a MAC address. */
function hostOf(name: string | null): string | null {
  // NX-OS appends the serial number of the chassis
  const text =
    name
      ?.replace(/\([^()]*\)$/, '')
      .trim()
      .toLowerCase() ?? ''
  return /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(text) &&
    !/^([0-9a-f]{2}-?){6}$/.test(text)
    ? text
    : null
}

function spelled(text: string): string | null {
  const octets = parseIpv6(text)
  const address = octets === null ? text : formatIpv6(octets)
  if (addressOctets(address) === null) return null
  return usefulAddress(address) === null && !address.startsWith('127.') && !address.startsWith('192.168.')
    ? null
    : address
}
