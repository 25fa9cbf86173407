import { type Actor, scopeOf } from '../base/actor.ts'
import { forbidden, notFound } from '../base/errors.ts'
import type { Gateway } from '../base/gateway.ts'
import type { ListChunks } from '../base/lists.ts'
import type { Store } from '../database/client.ts'
import { findDevice } from '../devices/read.ts'
import { isPortColumn, type PortRow, type PortStatisticsRow, type PortVlanRow } from '../records/port.ts'
import { createPortEdit, findVisible } from './edit.ts'
import {
  findPort,
  findPortByName,
  hasEtherlike,
  maySeePort,
  type PortKey,
  type PortWhere,
  portChunks,
  portRecord,
  portRecords,
  portStatistics,
  portVlans,
} from './read.ts'
import { type AddressRow, listAddresses } from './read-addresses.ts'
import type { PortSettings } from './write.ts'

export type { AddressRow, PortKey, PortRow, PortSettings, PortStatisticsRow, PortVlanRow, PortWhere }

export { isPortColumn }

/** Operations on ports. Lists are limited to what the actor may see. */
export function createPortService({ store, gateway }: { readonly store: Store; readonly gateway: Gateway }) {
  return {
    ...createPortEdit({ store, gateway }),

    /**
     * Ports in chunks of JSON. `columns` must pass `isPortColumn`; `vlans` adds each port's VLANs. Deleted ports
     * are left out.
     */
    list(
      actor: Actor,
      where: PortWhere,
      options: {
        readonly columns: readonly string[]
        readonly vlans?: boolean
        readonly order: 'port_id' | 'ifIndex' | 'ifName'
      },
    ): ListChunks {
      return portChunks(store, { scope: scopeOf(actor), where, vlans: false, ...options })
    },

    /**
     * A port by id, deleted or not; null: it does not exist. Throws `forbidden` when the actor may not see it, or may
     * not learn that it does not exist.
     */
    async find(actor: Actor, portId: number): Promise<PortKey | null> {
      const port = await findPort(store, portId)
      const scope = scopeOf(actor)
      if (scope.kind === 'all') return port
      if (port && (await maySeePort(store, scope, port.port_id))) return port
      throw forbidden('Insufficient permissions to access this port')
    },

    /** Whether the port has a graph port_etherlike: its device has Ethernet counters of it, and module etherlike is on. */
    hasEthernetCounters(portId: number): Promise<boolean> {
      return hasEtherlike(store, portId)
    },

    /** A port by id; null: it does not exist, or the actor may not see it. */
    findVisible: (actor: Actor, portId: number) => findVisible(store, actor, portId),

    /** A port of a device by ifName or ifDescr, unless deleted. Throws `not_found`, or `forbidden` as `find` does. */
    async requireByName(actor: Actor, deviceRef: string, column: 'ifName' | 'ifDescr', name: string): Promise<PortKey> {
      const device = await findDevice(store, deviceRef)
      const port = device && (await findPortByName(store, device.device_id, column, name))
      const scope = scopeOf(actor)
      if (scope.kind !== 'all' && !(port && (await maySeePort(store, scope, port.port_id)))) {
        throw forbidden('Insufficient permissions to access this port')
      }
      if (!device) throw notFound(`Device ${deviceRef} does not exist`)
      if (!port) throw notFound(`Port ${name} does not exist`)
      return port
    },

    /** The complete record of a port, deleted or not; null: it does not exist. Throws `forbidden` as `find` does. */
    async record(actor: Actor, portId: number): Promise<PortRow | null> {
      const scope = scopeOf(actor)
      if (scope.kind !== 'all' && !(await maySeePort(store, scope, portId))) {
        throw forbidden('Insufficient permissions to access this port')
      }
      return await portRecord(store, portId)
    },

    /** Complete records in the order of the ids; unknown ids are left out. Callers check access. */
    async records(portIds: readonly number[]): Promise<PortRow[]> {
      return await portRecords(store, portIds)
    },

    async vlans(portId: number): Promise<PortVlanRow[]> {
      return await portVlans(store, portId)
    },

    /** Counters that are not in the port record; null: the port was never sampled. */
    async statistics(portId: number): Promise<PortStatisticsRow | null> {
      return await portStatistics(store, portId)
    },

    /** Addresses of a port, or of all ports of a device that are not deleted. */
    async addresses(of: { readonly deviceId: number } | { readonly portId: number }): Promise<AddressRow[]> {
      return await listAddresses(store, of)
    },
  }
}

export type PortService = ReturnType<typeof createPortService>
