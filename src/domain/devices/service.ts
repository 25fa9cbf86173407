import type { Settings } from '../../config/schema.ts'
import type { Store } from '../../store/client.ts'
import { toStoreError } from '../../store/errors.ts'
import {
  type AvailabilityRecord,
  listAvailability,
  listOutages,
  type OutageRecord,
} from '../../store/readers/availability.ts'
import { type DeviceList, deviceListJson } from '../../store/readers/device-list.ts'
import {
  type AddressKind,
  type DeviceFilter,
  type DeviceKey,
  type DeviceOrder,
  type DeviceRow,
  deviceByHostname,
  deviceRecord,
  findDevice,
  findDeviceRecord,
  isDeviceOrderColumn,
  listDeviceKeys,
  maySeeDevice,
  portsByAddress,
} from '../../store/readers/devices.ts'
import { type InventoryRecord, listInventory } from '../../store/readers/inventory.ts'
import { deleteDevice, renameDevice, requestDiscovery, updateDevice } from '../../store/writers/devices.ts'
import { type Actor, isAdmin, scopeOf } from '../actor.ts'
import { conflict, failed, forbidden, invalid, notFound } from '../errors.ts'
import type { Gateway, RunSummary } from '../gateway.ts'
import { addDevice, type NewDevice } from './add.ts'
import { displayName } from './display.ts'
import { type DeviceExplanation, explainDevice } from './explain.ts'
import { type FieldValue, fitField } from './fields.ts'
import { isHostname } from './hostname.ts'

export type { AddressKind, DeviceFilter, DeviceKey, DeviceList, DeviceOrder, DeviceRow, FieldValue, NewDevice }

export interface DeviceDeps {
  readonly store: Store
  readonly settings: Settings
  readonly gateway: Gateway
}

/**
 * The verbs on devices. `ref` is a hostname, a numeric id or an address. Every verb throws DomainError `forbidden` when
 * the actor may not see the device; for role `user` a device that does not exist looks the same.
 */
export function createDeviceService({ store, settings, gateway }: DeviceDeps) {
  /** The device, or null when there is none and the actor is allowed to know that. */
  async function find(actor: Actor, ref: string): Promise<DeviceKey | null> {
    const device = await findDevice(store, ref)
    const scope = scopeOf(actor)
    if (scope.kind === 'all') return device
    if (device && (await maySeeDevice(store, scope, device.device_id))) return device
    throw forbidden('Insufficient permissions to access this device')
  }

  /** As `find`, but a device that does not exist is null for everybody: what get_device answers. */
  async function findOpenly(actor: Actor, ref: string): Promise<DeviceKey | null> {
    return (await findDevice(store, ref)) === null ? null : await find(actor, ref)
  }

  async function require(actor: Actor, ref: string): Promise<DeviceKey> {
    const device = await find(actor, ref)
    if (!device) throw notFound(`Device ${ref} not found`)
    return device
  }

  async function record(actor: Actor, device: DeviceKey): Promise<DeviceRow> {
    const row = await deviceRecord(store, device.device_id, { secrets: isAdmin(actor) })
    if (!row) throw notFound(`Device ${device.hostname} not found`)
    return row
  }

  /** The display name after columns that it may show have changed. */
  async function refreshDisplay(deviceId: number): Promise<void> {
    const row = await deviceRecord(store, deviceId, { secrets: false })
    if (!row) return
    const template = typeof row['display_template'] === 'string' ? row['display_template'] : ''
    const display = displayName(template || settings.get('device_display_default'), {
      hostname: row.hostname,
      sysName: typeof row['sysName'] === 'string' ? row['sysName'] : null,
      ip: String(row['ip'] ?? ''),
    })
    if (display !== row['display']) await updateDevice(store, deviceId, { display }, undefined)
  }

  return {
    find,

    /** The device of a name, whoever asks: for lists that look at the access to each of their rows. */
    async resolve(ref: string): Promise<DeviceKey | null> {
      return await findDevice(store, ref)
    },

    require,
    record,

    /** The whole record of a device; null: there is none, for everybody. */
    async recordOpenly(actor: Actor, ref: string): Promise<DeviceRow | null> {
      if (scopeOf(actor).kind === 'all') return await findDeviceRecord(store, ref, { secrets: isAdmin(actor) })
      const device = await findOpenly(actor, ref)
      return device === null ? null : await record(actor, device)
    },

    /** Adds a device after probing it; returns its record. Throws `invalid`, `conflict` (taken) or `failed` (no answer). */
    async add(actor: Actor, request: NewDevice): Promise<DeviceRow> {
      const deviceId = await addDevice({ store, settings, gateway }, actor, request)
      return await record(actor, { device_id: deviceId, hostname: request.hostname })
    },

    /** Devices in short, by hostname. */
    async list(actor: Actor): Promise<DeviceKey[]> {
      return await listDeviceKeys(store, scopeOf(actor))
    },

    /** Raw records of the devices in scope as the JSON text of an array. The same object as long as nothing has changed. */
    async listJson(actor: Actor, filter: DeviceFilter, order: DeviceOrder): Promise<DeviceList> {
      return await deviceListJson(store, scopeOf(actor), filter, order, { secrets: isAdmin(actor) })
    },

    /** Whether lists can be ordered by the column for this actor. */
    canOrderBy(actor: Actor, column: string): boolean {
      return isDeviceOrderColumn(column, isAdmin(actor))
    },

    /** Devices with a port that has the address, and that port. */
    async byAddress(
      actor: Actor,
      kind: AddressKind,
      address: string,
    ): Promise<{ device_id: number; port_id: number }[]> {
      return await portsByAddress(store, scopeOf(actor), kind, address)
    },

    /** The whole record. Throws `not_found`. */
    async get(actor: Actor, ref: string): Promise<DeviceRow> {
      return await record(actor, await require(actor, ref))
    },

    /** Removes a device and all that belongs to it; returns the record it had. Throws `not_found`. */
    async delete(actor: Actor, ref: string): Promise<DeviceRow> {
      const device = await require(actor, ref)
      const before = await record(actor, device)
      if (!(await deleteDevice(store, device.device_id, device.hostname, actor.username))) {
        throw notFound(`Device ${ref} not found`)
      }
      gateway.refresh(device.device_id)
      return before
    },

    /**
     * Changes fields of a device. Columns that cannot be changed are ignored; `device_id` and `hostname` are refused.
     * `location` is the name of a location, created when new. Throws `not_found`, or `failed` when a value does not fit.
     */
    async update(actor: Actor, ref: string, changes: readonly (readonly [string, FieldValue])[]): Promise<void> {
      const device = await require(actor, ref)
      const values: Record<string, string | number | null> = {}
      let location: string | null | undefined
      for (const [name, value] of changes) {
        if (name === 'device_id' || name === 'hostname') throw failed('Device field is not allowed to be updated')
        const fit = fitField(name, value)
        if (fit.kind === 'misfit') throw failed(`Value does not fit field ${name}`)
        if (fit.kind === 'ignored') continue
        if (name === 'location') location = fit.value === null || fit.value === '' ? null : String(fit.value)
        else values[name] = fit.value
      }
      try {
        await updateDevice(store, device.device_id, values, location)
      } catch (error) {
        const known = toStoreError(error)
        // the one reference among the columns
        if (known.code === '23503') throw failed('Value does not fit field location_id')
        throw known
      }
      if (['sysName', 'display_template', 'ip'].some((name) => name in values)) await refreshDisplay(device.device_id)
      gateway.refresh(device.device_id)
    },

    /** Gives a device another hostname. Throws `not_found`, `invalid` (syntax) or `conflict` (taken). */
    async rename(actor: Actor, ref: string, hostname: string): Promise<void> {
      const device = await require(actor, ref)
      if (!isHostname(hostname)) throw invalid(`Invalid hostname or IP: ${hostname}`)
      const owner = await deviceByHostname(store, hostname)
      if (owner && owner.device_id !== device.device_id) throw conflict(`Device ${hostname} already exists`)
      try {
        const message = `Hostname changed -> ${hostname}`
        await renameDevice(store, device.device_id, { hostname }, message, actor.username)
      } catch (error) {
        const known = toStoreError(error)
        if (known.code === '23505') throw conflict(`Device ${hostname} already exists`)
        throw known
      }
      await refreshDisplay(device.device_id)
      gateway.refresh(device.device_id)
    },

    /** Asks for discovery soon; returns 0 when it was asked for already, else 1. */
    async requestDiscovery(deviceId: number): Promise<number> {
      const changed = await requestDiscovery(store, deviceId)
      gateway.refresh(deviceId)
      return changed
    },

    /** Discovers now and waits for it. Throws `not_found`. */
    async discoverNow(actor: Actor, ref: string): Promise<RunSummary> {
      return await gateway.discover((await require(actor, ref)).device_id)
    },

    /** Polls now and waits for it. Throws `not_found`. */
    async pollNow(actor: Actor, ref: string): Promise<RunSummary> {
      return await gateway.poll((await require(actor, ref)).device_id)
    },

    /** What is known of a device and how it answers right now, for a person who asks why. Throws `not_found`. */
    async explain(actor: Actor, ref: string): Promise<DeviceExplanation> {
      return await explainDevice({ store, settings, gateway }, await require(actor, ref))
    },

    async availability(deviceId: number): Promise<AvailabilityRecord[]> {
      return await listAvailability(store, deviceId)
    },

    async outages(deviceId: number): Promise<OutageRecord[]> {
      return await listOutages(store, deviceId)
    },

    /** Physical entities; `containedIn` is the index of the parent, `entClass` an entPhysicalClass. */
    async inventory(
      deviceId: number,
      filter: { readonly containedIn?: number; readonly entClass?: string },
    ): Promise<InventoryRecord[]> {
      return await listInventory(store, deviceId, filter)
    },
  }
}

export type DeviceService = ReturnType<typeof createDeviceService>
