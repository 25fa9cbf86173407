import { parseIpv4 } from '../../lib/ip.ts'
import { parseMac } from '../../lib/mac.ts'
import type { Store } from '../../store/client.ts'
import {
  type ArpRecord,
  type LinkRecord,
  listArp,
  listLinks,
  listNac,
  listPortSecurity,
  type NacRecord,
  type PortSecurityRecord,
} from '../../store/readers/neighbours.ts'
import { type Actor, scopeOf } from '../actor.ts'
import { invalid } from '../errors.ts'

export type { ArpRecord, LinkRecord, NacRecord, PortSecurityRecord }

/** The verbs on ARP, links, network access control and port security. Lists hold what the actor may see. */
export function createNeighbourService({ store }: { readonly store: Store }) {
  return {
    /** All ARP entries, or those of a device. */
    async arp(actor: Actor, deviceId: number | null): Promise<ArpRecord[]> {
      return await listArp(store, scopeOf(actor), deviceId === null ? { by: 'all' } : { by: 'device', deviceId })
    },

    /** ARP entries of a MAC address in any usual form, or of an IPv4 address. */
    async arpOf(actor: Actor, query: string): Promise<ArpRecord[]> {
      const mac = parseMac(query)
      return await listArp(
        store,
        scopeOf(actor),
        mac === null ? { by: 'address', value: query } : { by: 'mac', value: mac },
      )
    },

    /** ARP entries of an IPv4 network. Throws `invalid` for what is none. */
    async arpOfNetwork(actor: Actor, address: string, prefix: string): Promise<ArpRecord[]> {
      if (parseIpv4(address) === null || !/^\d{1,2}$/.test(prefix) || Number(prefix) > 32)
        throw invalid('Invalid Network Address')
      return await listArp(store, scopeOf(actor), { by: 'network', value: `${address}/${Number(prefix)}` })
    },

    /** Links of all devices, or of one. */
    async links(actor: Actor, deviceId: number | null): Promise<LinkRecord[]> {
      return await listLinks(store, scopeOf(actor), deviceId === null ? {} : { deviceId })
    },

    /** A link; null: there is none, or none that the actor may see. */
    async link(actor: Actor, id: number): Promise<LinkRecord | null> {
      return (await listLinks(store, scopeOf(actor), { id }))[0] ?? null
    },

    /** Sessions of network access control, historical ones as well: of all devices, or of one. */
    async nac(actor: Actor, deviceId: number | null): Promise<NacRecord[]> {
      return await listNac(store, scopeOf(actor), deviceId === null ? {} : { deviceId })
    },

    /** Sessions of a MAC address in any usual form. */
    async nacOf(actor: Actor, mac: string): Promise<NacRecord[]> {
      return await listNac(store, scopeOf(actor), { mac: parseMac(mac) ?? mac })
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
