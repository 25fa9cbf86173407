import { inNetwork, parseNetwork } from '@portlight/addresses/networks.ts'
import type { JobOptions } from './protocol.ts'

/** UDP port at which the agent of an address is asked: that of the smallest network with a port of its own around it. */
export function portAt({ port, ports }: Pick<JobOptions, 'port' | 'ports'>, octets: Uint8Array): number {
  let best = { bits: -1, port }
  for (const own of ports) {
    const network = parseNetwork(own.network)
    if (network === null || network.bits <= best.bits || !inNetwork(octets, network)) continue
    best = { bits: network.bits, port: own.port }
  }
  return best.port
}
