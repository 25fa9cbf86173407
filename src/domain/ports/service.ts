import type { Store } from '../../store/client.ts'
import { type AddressRow, listAddresses } from '../../store/readers/addresses.ts'
import { findDevice } from '../../store/readers/devices.ts'
import { isPortColumn } from '../../store/readers/port-columns.ts'
import {
  findPort,
  findPortByName,
  maySeePort,
  type PortKey,
  type PortRow,
  type PortStatisticsRow,
  type PortVlanRow,
  type PortWhere,
  portChunks,
  portRecords,
  portStatistics,
  portVlans,
} from '../../store/readers/ports.ts'
import { updatePortDescription, updatePortNotes } from '../../store/writers/ports.ts'
import { type Actor, scopeOf } from '../actor.ts'
import { forbidden, invalid, notFound } from '../errors.ts'
import type { Gateway } from '../gateway.ts'
import type { ListChunks } from '../lists.ts'

export type { AddressRow, PortKey, PortRow, PortStatisticsRow, PortVlanRow, PortWhere }

export { isPortColumn }

/** The verbs on ports. Lists hold what the actor may see. */
export function createPortService({ store, gateway }: { readonly store: Store; readonly gateway: Gateway }) {
  return {
    /**
     * Ports in chunks of JSON. `columns` must be names of PORT_COLUMNS. `vlans` adds the port's VLAN associations.
     * Deleted ports never appear.
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

    /** A port by id, deleted or not; null: none. Throws `forbidden` when the actor may not see it, or know there is none. */
    async find(actor: Actor, portId: number): Promise<PortKey | null> {
      const port = await findPort(store, portId)
      const scope = scopeOf(actor)
      if (scope.kind === 'all') return port
      if (port && (await maySeePort(store, scope, port.port_id))) return port
      throw forbidden('Insufficient permissions to access this port')
    },

    /** A port by id; null when there is none or the actor may not see it. */
    async findVisible(actor: Actor, portId: number): Promise<PortKey | null> {
      const port = await findPort(store, portId)
      return port && (await maySeePort(store, scopeOf(actor), portId)) ? port : null
    },

    /** A port of a device by ifName or ifDescr; deleted ports do not match. Throws `not_found`, or `forbidden` as `find` does. */
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

    /** Whole records in the order of the ids; unknown ones are left out. The caller has checked access. */
    async records(portIds: readonly number[]): Promise<PortRow[]> {
      return await portRecords(store, portIds)
    },

    async vlans(portId: number): Promise<PortVlanRow[]> {
      return await portVlans(store, portId)
    },

    /** Counters beside those of the record; null: the port was never sampled. */
    async statistics(portId: number): Promise<PortStatisticsRow | null> {
      return await portStatistics(store, portId)
    },

    /** Addresses of a port, or of all living ports of a device. */
    async addresses(of: { readonly deviceId: number } | { readonly portId: number }): Promise<AddressRow[]> {
      return await listAddresses(store, of)
    },

    /** Sets the description (ifAlias) and locks it; an empty one gives it back to the device. Throws `invalid` for an unknown port. */
    async describe(actor: Actor, portId: number, description: string): Promise<void> {
      const port = await this.findVisible(actor, portId)
      if (!port) throw invalid('Invalid port ID.')
      await updatePortDescription(store, port, description === '' ? null : description, actor.username)
      gateway.refresh(port.device_id)
    },

    /** Keeps notes of a port of the device; empty ones are forgotten. Throws `not_found`. */
    async annotate(deviceId: number, portId: number, notes: string): Promise<void> {
      if (!(await updatePortNotes(store, deviceId, portId, notes === '' ? null : notes))) {
        throw notFound(`Port ${portId} does not exist`)
      }
    },
  }
}

export type PortService = ReturnType<typeof createPortService>
