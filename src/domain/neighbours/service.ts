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
} from '../../store/readers/neighbours.ts'
import { type Actor, scopeOf } from '../actor.ts'
import { invalid } from '../errors.ts'
import type { ListChunks } from '../lists.ts'

export type { LinkRecord, PortSecurityRecord }

/**
 * The verbs on ARP, links, network access control and port security. Lists hold what the actor may see; those without an
 * end come in chunks of JSON.
 */
export function createNeighbourService({ store }: { readonly store: Store }) {
  return {
    /** All ARP entries, or those of a device. */
    arp(actor: Actor, deviceId: number | null): ListChunks {
      return arpChunks(store, scopeOf(actor), deviceId === null ? { by: 'all' } : { by: 'device', deviceId })
    },

    /** ARP entries of a MAC address in any usual form, or of an IPv4 address. */
    arpOf(actor: Actor, query: string): ListChunks {
      const mac = parseMac(query)
      return arpChunks(
        store,
        scopeOf(actor),
        mac === null ? { by: 'address', value: query } : { by: 'mac', value: mac },
      )
    },

    /** ARP entries of an IPv4 network. Throws `invalid` for what is none. */
    arpOfNetwork(actor: Actor, address: string, prefix: string): ListChunks {
      if (parseIpv4(address) === null || !/^\d{1,2}$/.test(prefix) || Number(prefix) > 32)
        throw invalid('Invalid Network Address')
      return arpChunks(store, scopeOf(actor), { by: 'network', value: `${address}/${Number(prefix)}` })
    },

    /** Links of all devices, or of one. */
    links(actor: Actor, deviceId: number | null): ListChunks {
      return linkChunks(store, scopeOf(actor), deviceId)
    },

    /** A link; null: there is none, or none that the actor may see. */
    async link(actor: Actor, id: number): Promise<LinkRecord | null> {
      return await findLink(store, scopeOf(actor), id)
    },

    /** Sessions of network access control, historical ones as well: of all devices, or of one. */
    nac(actor: Actor, deviceId: number | null): ListChunks {
      return nacChunks(store, scopeOf(actor), deviceId === null ? {} : { deviceId })
    },

    /** Sessions of a MAC address in any usual form. */
    nacOf(actor: Actor, mac: string): ListChunks {
      return nacChunks(store, scopeOf(actor), { mac: parseMac(mac) ?? mac })
    },

    /** Port security of all ports, of a device's, or of one. */
    async portSecurity(
      actor: Actor,
      filter: { readonly deviceId?: number; readonly portId?: number },
    ): Promise<PortSecurityRecord[]> {
      return await listPortSecurity(store, scopeOf(actor), filter)
    },
  }
}

export type NeighbourService = ReturnType<typeof createNeighbourService>
