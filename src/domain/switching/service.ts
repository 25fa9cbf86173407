import { ago } from '../../lib/ago.ts'
import { parseMac } from '../../lib/mac.ts'
import type { Store } from '../../store/client.ts'
import { portRecords } from '../../store/ports/read.ts'
import {
  type DeviceVlanRecord,
  type FdbDetailRecord,
  type FdbFilter,
  fdbChunks,
  fdbDetails,
  listDeviceVlans,
  listPortStack,
  type PortStackRecord,
  portsOfMac,
  vlanChunks,
} from '../../store/switching/read.ts'
import { type Actor, scopeOf } from '../actor.ts'
import type { ListChunks } from '../lists.ts'
import { manufacturerOf } from './manufacturers.ts'

export type { DeviceVlanRecord, PortStackRecord }

/** Where a MAC address was seen. */
export interface FdbSight extends Omit<FdbDetailRecord, 'age'> {
  /** `2 hours ago`. */
  readonly last_seen: string
}

/** A MAC address in stored form, from any usual notation; null: not a MAC address. */
export const macOf = parseMac

/** Operations on VLANs, port stacks and forwarding databases. Lists contain what the actor may see. */
export function createSwitchingService({ store }: { readonly store: Store }) {
  return {
    /** Active rows of a device's ifStackTable. The caller has checked access. */
    async portStack(deviceId: number): Promise<PortStackRecord[]> {
      return await listPortStack(store, deviceId)
    },

    /** VLANs of a device. The caller has checked access. */
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

    /** Where a MAC address was seen, latest first; at most 1000. */
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
  }
}

export type SwitchingService = ReturnType<typeof createSwitchingService>
