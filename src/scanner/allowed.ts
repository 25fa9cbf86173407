import { createNetworkSet } from '@portlight/addresses/network-set.ts'
import { parseNetwork } from '@portlight/addresses/networks.ts'
import type { JobOptions } from './protocol.ts'

const sets = new WeakMap<JobOptions, (octets: Uint8Array) => boolean>()

/** Whether anything may be sent to the address: inside the user's own networks, and not left out. */
export function isAllowed(options: JobOptions, octets: Uint8Array): boolean {
  let allowed = sets.get(options)
  if (allowed === undefined) {
    const parsed = (texts: readonly string[]) => texts.map(parseNetwork).filter((network) => network !== null)
    const own = createNetworkSet(parsed(options.own))
    const exclude = createNetworkSet(parsed(options.exclude))
    allowed = (address) => own(address) && !exclude(address)
    sets.set(options, allowed)
  }
  return allowed(octets)
}
