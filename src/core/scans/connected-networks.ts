import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { ipv4Network, parseIpv4 } from '@portlight/addresses/ip.ts'

/** A network that this host is connected to. */
export interface ConnectedNetwork {
  /** CIDR, IPv4. */
  readonly network: string
  /** Name of the interface: `eth0`. */
  readonly via: string
}

/** Most networks listed; container hosts have an interface for each container. */
const MOST = 12
/** A larger network is narrowed to this prefix length around the host's own address: nobody scans 10.0.0.0/8 by a click. */
const SHORTEST = 16

/**
 * The IPv4 networks that this host is connected to, each once, without loopback, link-local and point-to-point ones.
 * IPv6 networks are left out, because their addresses cannot be tried one after the other.
 */
export function connectedNetworks(
  interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>> = networkInterfaces(),
): ConnectedNetwork[] {
  const found = new Map<string, ConnectedNetwork>()
  for (const [via, addresses] of Object.entries(interfaces)) {
    for (const { address, cidr, internal } of addresses ?? []) {
      const number = parseIpv4(address)
      const bits = Number(cidr?.split('/')[1] ?? 32)
      if (internal || number === null || address.startsWith('169.254.') || !(bits < 31)) continue
      const network = ipv4Network(number, Math.max(SHORTEST, bits))
      if (!found.has(network)) found.set(network, { network, via })
    }
  }
  return [...found.values()].slice(0, MOST)
}
