import { type Actor, scopeOf } from '../base/actor.ts'
import type { ListChunks } from '../base/lists.ts'
import type { Store } from '../database/client.ts'
import { type AddressFamily, ipAddressChunks, ipNetworkChunks } from '../ports/read-addresses.ts'

export type { AddressFamily }

/** Both families, in the order of combined lists. */
const FAMILIES: readonly AddressFamily[] = ['ipv4', 'ipv6']

/**
 * Operations on addresses and networks of all devices. Lists come in chunks of JSON, are limited to what the actor may
 * see, and have IPv4 first.
 */
export function addressOperations(store: Store) {
  return {
    /** Addresses of one family, or of both. */
    async *addresses(actor: Actor, family: AddressFamily | null): ListChunks {
      for (const one of family === null ? FAMILIES : [family]) yield* ipAddressChunks(store, scopeOf(actor), one, null)
    },

    /** Addresses in the IPv4 network and the IPv6 network with this id, because each family has its own ids. */
    async *addressesOfNetwork(actor: Actor, networkId: number): ListChunks {
      for (const one of FAMILIES) yield* ipAddressChunks(store, scopeOf(actor), one, networkId)
    },

    /** Networks of one family, or of both. */
    async *networks(actor: Actor, family: AddressFamily | null): ListChunks {
      for (const one of family === null ? FAMILIES : [family]) yield* ipNetworkChunks(store, scopeOf(actor), one)
    },
  }
}
