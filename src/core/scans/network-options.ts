import { inNetwork, type Network, parseNetwork } from '@portlight/addresses/networks.ts'
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

/** How to find the entry of the smallest network (CIDR) around a network or an address; null: there is none. */
function smallestAround<T extends { readonly network: string }>(entries: readonly T[]): (inner: Network) => T | null {
  const outers = entries
    .flatMap((entry) => {
      const network = parseNetwork(entry.network)
      return network === null ? [] : [{ entry, network }]
    })
    .sort((a, b) => b.network.bits - a.network.bits)
  return ({ octets, bits }) =>
    outers.find(({ network }) => network.bits <= bits && inNetwork(octets, network))?.entry ?? null
}

/** UDP ports of the agents: that of the smallest network around an address, else `port`. */
export interface AgentPorts {
  readonly port: number
  readonly ports: readonly { readonly network: string; readonly port: number }[]
}

export function agentPorts(settings: Settings): AgentPorts {
  const ports = networkOptions(settings).flatMap(({ network, port }) => (port === undefined ? [] : [{ network, port }]))
  return { port: settings.get('snmp.port'), ports }
}

/** How to find the UDP port of the agents of a network, or of the agent at an address. */
export function portFinder({ port, ports }: AgentPorts): (inner: Network) => number {
  const around = smallestAround(ports)
  return (inner) => around(inner)?.port ?? port
}

/** Networks of the options that are inside of others and have their own way to be scanned. */
function innerNetworks(options: readonly NetworkOptions[], networks: readonly string[]): string[] {
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
  const optionsAround = smallestAround(options)
  const portAt = portFinder(agentPorts(settings))
  const parts = new Map<string, { networks: string[]; pollerGroup: number; rate: number; port: number }>()
  for (const network of new Set([...networks, ...innerNetworks(options, networks)])) {
    const parsed = parseNetwork(network)
    if (parsed === null) continue
    const own = optionsAround(parsed)
    const pollerGroup = given.pollerGroup ?? own?.pollerGroup ?? 0
    const rate = given.rate ?? own?.rate ?? settings.get('autodiscovery.rate')
    const port = portAt(parsed)
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
  const ports = agentPorts(settings)
  const first = parseNetwork(networks[0] ?? '')
  return first === null ? ports.port : portFinder(ports)(first)
}
