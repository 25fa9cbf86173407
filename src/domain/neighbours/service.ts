import { parseIpv4 } from '../../lib/ip.ts'
import { parseMac } from '../../lib/mac.ts'
import type { Store } from '../../store/client.ts'
import {
  arpChunks,
  findLink,
  type LinkRecord,
  linkChunks,
  listPortSecurity,
  nacChunks,
  type PortSecurityRecord,
} from '../../store/neighbours/read.ts'
import { type Actor, scopeOf } from '../actor.ts'
import { invalid } from '../errors.ts'
import type { ListChunks } from '../lists.ts'

export type { LinkRecord, PortSecurityRecord }

/**
 * Operations on ARP, links, network access control and port security. Lists contain what the actor may see; unbounded
 * ones come in chunks of JSON.
 */
export function createNeighbourService({ store }: { readonly store: Store }) {
  return {
    /** All ARP entries, or those of one device. */
    arp(actor: Actor, deviceId: number | null): ListChunks {
      return arpChunks(store, scopeOf(actor), deviceId === null ? { by: 'all' } : { by: 'device', deviceId })
    },

    /** ARP entries of an IPv4 address or of a MAC address in any usual notation. */
    arpOf(actor: Actor, query: string): ListChunks {
      const mac = parseMac(query)
      return arpChunks(
        store,
        scopeOf(actor),
        mac === null ? { by: 'address', value: query } : { by: 'mac', value: mac },
      )
    },

    /** ARP entries of an IPv4 network. Throws `invalid` when it is not one. */
    arpOfNetwork(actor: Actor, address: string, prefix: string): ListChunks {
      if (parseIpv4(address) === null || !/^\d{1,2}$/.test(prefix) || Number(prefix) > 32)
        throw invalid('Invalid Network Address')
      return arpChunks(store, scopeOf(actor), { by: 'network', value: `${address}/${Number(prefix)}` })
    },

    /** Links of one device, or of all. */
    links(actor: Actor, deviceId: number | null): ListChunks {
      return linkChunks(store, scopeOf(actor), deviceId)
    },

    /** A link; null: none that the actor may see. */
    async link(actor: Actor, id: number): Promise<LinkRecord | null> {
      return await findLink(store, scopeOf(actor), id)
    },

    /** Sessions of network access control, historical ones included, of one device or of all. */
    nac(actor: Actor, deviceId: number | null): ListChunks {
      return nacChunks(store, scopeOf(actor), deviceId === null ? {} : { deviceId })
    },

    /** Sessions of a MAC address in any usual notation. */
    nacOf(actor: Actor, mac: string): ListChunks {
      return nacChunks(store, scopeOf(actor), { mac: parseMac(mac) ?? mac })
    },

    /** Port security of one port, of a device's ports, or of all. */
    async portSecurity(
      actor: Actor,
      filter: { readonly deviceId?: number; readonly portId?: number },
    ): Promise<PortSecurityRecord[]> {
      return await listPortSecurity(store, scopeOf(actor), filter)
    },
  }
}

export type NeighbourService = ReturnType<typeof createNeighbourService>
