import { inNetwork, parseNetwork } from '@portlight/addresses/networks.ts'
import type { Settings } from '../../config/schema.ts'

/** How a network is scanned: setting autodiscovery.networks. */
export interface NetworkOptions {
  /** CIDR. */
  readonly network: string
  /** Datagrams per second; undefined: setting autodiscovery.rate. */
  readonly rate?: number | undefined
  readonly pollerGroup?: number | undefined
  /** Undefined: only when asked. */
  readonly everyHours?: number | undefined
  /** UDP port of the agents; undefined: setting snmp.port. */
  readonly port?: number | undefined
}

/** Networks that are scanned in the same way, and parts of them that are not. */
export interface ScanPart {
  readonly networks: readonly string[]
  readonly pollerGroup: number
  readonly rate: number
  /** UDP port of the agents. */
  readonly port: number
}

export function networkOptions(settings: Settings): NetworkOptions[] {
  const value = settings.get('autodiscovery.networks')
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([network, options]: [string, Record<string, number | undefined>]) => ({
    network,
    rate: options['rate'],
    pollerGroup: options['poller_group'],
    everyHours: options['every_hours'],
    port: options['port'],
  }))
}

/** The options of the smallest network that contains this one; null: none does. */
export function optionsOf(options: readonly NetworkOptions[], network: string): NetworkOptions | null {
  const inner = parseNetwork(network)
  if (inner === null) return null
  let best: NetworkOptions | null = null
  let bits = -1
  for (const option of options) {
    const outer = parseNetwork(option.network)
    if (outer === null || outer.bits > inner.bits || outer.bits <= bits || !inNetwork(inner.octets, outer)) continue
    best = option
    bits = outer.bits
  }
  return best
}

/** Networks of the options that are inside of others and have their own way to be scanned. */
export function innerNetworks(options: readonly NetworkOptions[], networks: readonly string[]): string[] {
  const outer = networks.map(parseNetwork).filter((network) => network !== null)
  return options
    .map(({ network }) => network)
    .filter((text) => {
      const inner = parseNetwork(text)
      return inner !== null && outer.some((other) => other.bits < inner.bits && inNetwork(inner.octets, other))
    })
}

/** Divides networks by poller group, rate and port of the agents, in the order in which they are given. */
export function partsOf(
  settings: Settings,
  networks: readonly string[],
  given: { readonly pollerGroup?: number | undefined; readonly rate?: number | undefined },
): ScanPart[] {
  const options = networkOptions(settings)
  const parts = new Map<string, { networks: string[]; pollerGroup: number; rate: number; port: number }>()
  for (const network of new Set([...networks, ...innerNetworks(options, networks)])) {
    const own = optionsOf(options, network)
    const pollerGroup = given.pollerGroup ?? own?.pollerGroup ?? 0
    const rate = given.rate ?? own?.rate ?? settings.get('autodiscovery.rate')
    const port = own?.port ?? settings.get('snmp.port')
    const key = `${pollerGroup} ${rate} ${port}`
    const part = parts.get(key) ?? { networks: [], pollerGroup, rate, port }
    parts.set(key, part)
    part.networks.push(network)
  }
  return [...parts.values()]
}

/** Parts of a scan's networks that belong to another one. */
export function apartOf(settings: Settings, networks: readonly string[]): string[] {
  const own = new Set(networks)
  return innerNetworks(networkOptions(settings), networks).filter((network) => !own.has(network))
}

/** UDP port of the agents of a scan's networks, which is the same for all of them. */
export function portOf(settings: Settings, networks: readonly string[]): number {
  const [first] = networks
  const own = first === undefined ? null : optionsOf(networkOptions(settings), first)
  return own?.port ?? settings.get('snmp.port')
}
