import { parseIpv4, parseIpv6 } from '@portlight/addresses/ip.ts'
import { ago } from '../../lib/ago.ts'
import { parseMac } from '../../lib/mac.ts'
import { type Actor, scopeOf } from '../base/actor.ts'
import { invalid } from '../base/errors.ts'
import type { ListChunks } from '../base/lists.ts'
import type { Store } from '../database/client.ts'
import { portRecords } from '../ports/read.ts'
import type { LinkRecord } from '../records/lists.ts'
import { manufacturerOf } from './manufacturers.ts'
import { type ArpFilter, arpChunks } from './read-arp.ts'
import { findLink, linkChunks } from './read-links.ts'
import { listPortSecurity, nacChunks, type PortSecurityRow } from './read-port-access.ts'
import {
  type DeviceVlanRecord,
  type FdbDetailRow,
  type FdbFilter,
  fdbChunks,
  fdbDetails,
  listDeviceVlans,
  listPortStack,
  type PortStackRow,
  portsOfMac,
  vlanChunks,
} from './read-switching.ts'

export type { DeviceVlanRecord, LinkRecord, PortSecurityRow, PortStackRow }

/** A place where a MAC address was seen. */
export interface FdbSight extends Omit<FdbDetailRow, 'age'> {
  /** `2 hours ago`. */
  readonly last_seen: string
}

/** A MAC address in stored form, from any usual notation; null: not a MAC address. */
export const macOf = parseMac

function arpFilter(query: string): ArpFilter {
  const [address = '', prefix, ...more] = query.split('/')
  if (prefix !== undefined) {
    if (more.length > 0 || parseIpv4(address) === null || !/^\d{1,2}$/.test(prefix) || Number(prefix) > 32)
      throw invalid('Invalid Network Address')
    return { by: 'network', value: `${address}/${Number(prefix)}` }
  }
  const mac = parseMac(query)
  if (mac !== null) return { by: 'mac', value: mac }
  // an IPv6 address is valid, but has no ARP entries
  if (parseIpv4(address) !== null || parseIpv6(address) !== null) return { by: 'address', value: address }
  throw invalid(`Invalid address ${query}: expected an IPv4 address, a network such as 10.0.0.0/24, or a MAC address`)
}

/**
 * Operations on VLANs, port stacks, forwarding databases, ARP, links, network access control and port security. Lists
 * are limited to what the actor may see; unbounded ones come in chunks of JSON.
 */
export function switchingOperations(store: Store) {
  return {
    /** Active rows of a device's ifStackTable. Callers check access. */
    async portStack(deviceId: number): Promise<PortStackRow[]> {
      return await listPortStack(store, deviceId)
    },

    /** VLANs of a device. Callers check access. */
    async deviceVlans(deviceId: number): Promise<DeviceVlanRecord[]> {
      return await listDeviceVlans(store, deviceId)
    },

    /** VLANs of one device, or of all. */
    vlans(actor: Actor, deviceId: number | null): ListChunks {
      return vlanChunks(store, scopeOf(actor), deviceId)
    },

    /** Entries of forwarding databases, in chunks of JSON. */
    fdb(actor: Actor, filter: FdbFilter): ListChunks {
      return fdbChunks(store, scopeOf(actor), filter)
    },

    /** Places where a MAC address was seen, latest first; at most 1000. */
    async fdbDetails(actor: Actor, mac: string): Promise<FdbSight[]> {
      const rows = await fdbDetails(store, scopeOf(actor), mac)
      return rows.map(({ age, ...row }) => ({ ...row, last_seen: ago(age) }))
    },

    manufacturerOf,

    /** Records of the ports that report a MAC address, those with the fewest addresses first. */
    async portsOfMac(actor: Actor, mac: string) {
      const found = await portsOfMac(store, scopeOf(actor), mac)
      const records = await portRecords(
        store,
        found.map((port) => port.port_id),
      )
      const counts = new Map(found.map((port) => [port.port_id, port.fdb_entries_count]))
      return records.map((record) => ({ ...record, fdb_entries_count: counts.get(record.port_id) ?? 0 }))
    },

    /** All ARP entries, or those of one device. */
    arp(actor: Actor, deviceId: number | null): ListChunks {
      return arpChunks(store, scopeOf(actor), deviceId === null ? { by: 'all' } : { by: 'device', deviceId })
    },

    /**
     * ARP entries of an IPv4 address, of an IPv4 network (`10.20.0.0/24`), or of a MAC address in any usual notation.
     * Throws `invalid` for any other text.
     */
    arpOf(actor: Actor, query: string): ListChunks {
      return arpChunks(store, scopeOf(actor), arpFilter(query))
    },

    /** Links of one device, or of all. */
    links(actor: Actor, deviceId: number | null): ListChunks {
      return linkChunks(store, scopeOf(actor), deviceId)
    },

    /** A link; null: it does not exist, or the actor may not see it. */
    async link(actor: Actor, id: number): Promise<LinkRecord | null> {
      return await findLink(store, scopeOf(actor), id)
    },

    /** Sessions of network access control, including past ones, of one device or of all. */
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
    ): Promise<PortSecurityRow[]> {
      return await listPortSecurity(store, scopeOf(actor), filter)
    },
  }
}
