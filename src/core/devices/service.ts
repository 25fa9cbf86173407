import type { Settings } from '../../config/schema.ts'
import { listAvailability, listOutages, type MeasuredAvailability, type OutageRecord } from '../availability/read.ts'
import { type Actor, isAdmin, scopeOf } from '../base/actor.ts'
import { notFound } from '../base/errors.ts'
import type { Gateway } from '../base/gateway.ts'
import type { Store } from '../database/client.ts'
import type { DeviceRow } from '../records/device.ts'
import { type AddedDevice, addDevice } from './add.ts'
import { createDeviceContact } from './contact.ts'
import { createDeviceEdit } from './edit.ts'
import type { FieldValue } from './fields.ts'
import { createDeviceLookup } from './lookup.ts'
import type { NewDevice } from './new-device.ts'
import {
  type AddressKind,
  type DeviceFilter,
  type DeviceKey,
  type DeviceOrder,
  findDevice,
  isDeviceOrderColumn,
  listDeviceKeys,
  portsByAddress,
} from './read.ts'
import { type DeviceList, deviceListJson } from './read-list.ts'
import { type DevicePage, type DevicePageOptions, deviceListPage, isDeviceMember } from './read-page.ts'
import { readDeviceNamed } from './read-record.ts'
import type { Report } from './steps.ts'
import { deleteDevice } from './write.ts'

export type {
  AddressKind,
  DeviceFilter,
  DeviceKey,
  DeviceList,
  DeviceOrder,
  DevicePage,
  DeviceRow,
  FieldValue,
  NewDevice,
}
export { isDeviceMember }

export interface DeviceDeps {
  readonly store: Store
  readonly settings: Settings
  readonly gateway: Gateway
}

/**
 * Operations on devices. `ref` is a hostname, a numeric id or an address. Every operation throws DomainError
 * `forbidden` when the actor may not see the device; for role `user` also when the device does not exist.
 */
export function createDeviceService({ store, settings, gateway }: DeviceDeps) {
  const lookup = createDeviceLookup({ store })
  const { find, findOpenly, require, record, visible } = lookup

  async function addAndReport(
    actor: Actor,
    request: NewDevice,
    report?: Report,
  ): Promise<{ readonly record: DeviceRow } & Omit<AddedDevice, 'deviceId'>> {
    const { deviceId, ...rest } = await addDevice({ store, settings, gateway, report }, actor, request)
    return { record: await record(actor, { device_id: deviceId, hostname: request.hostname }), ...rest }
  }

  return {
    ...createDeviceEdit({ store, settings, gateway, lookup }),
    ...createDeviceContact({ store, settings, gateway, lookup }),
    find,

    /** The referenced device, without an access check; for lists that check each of their rows. */
    async resolve(ref: string): Promise<DeviceKey | null> {
      return await findDevice(store, ref)
    },

    /** The referenced device; null: it does not exist, or the actor may not see it, which must not make a difference. */
    visible,
    allVisible: lookup.allVisible,
    alsoNamed: lookup.alsoNamed,
    require,
    record,

    /** The complete record of a device; null for every actor if it does not exist. */
    async recordOpenly(actor: Actor, ref: string): Promise<DeviceRow | null> {
      if (scopeOf(actor).kind === 'all') return await readDeviceNamed(store, ref, { secrets: isAdmin(actor) })
      const device = await findOpenly(actor, ref)
      return device === null ? null : await record(actor, device)
    },

    /** Probes and adds a device; returns its record. Throws `invalid`, `conflict` (in use) or `silent` (no answer). */
    async add(actor: Actor, request: NewDevice): Promise<DeviceRow> {
      return (await addAndReport(actor, request)).record
    },

    /**
     * Like `add`, but also returns the credentials that the device accepted, or the reason it cannot be read yet.
     * `report` receives the steps as they begin and end.
     */
    addAndReport,

    /** Ids and names of devices in order of hostname. */
    async list(actor: Actor): Promise<DeviceKey[]> {
      return await listDeviceKeys(store, scopeOf(actor))
    },

    /**
     * Raw records of the devices in scope, as the JSON text of an array. Returns the same object as long as nothing
     * changed.
     */
    async listJson(actor: Actor, filter: DeviceFilter, order: DeviceOrder): Promise<DeviceList> {
      return await deviceListJson(store, scopeOf(actor), filter, order, { secrets: isAdmin(actor) })
    },

    /** A page of such a list, with some members (see `isDeviceMember`) or all of them (null). */
    async listPage(
      actor: Actor,
      filter: DeviceFilter,
      order: DeviceOrder,
      page: Omit<DevicePageOptions, 'secrets'>,
    ): Promise<DevicePage> {
      return await deviceListPage(store, scopeOf(actor), filter, order, { ...page, secrets: isAdmin(actor) })
    },

    /** Whether this actor may order lists by the column. */
    canOrderBy(actor: Actor, column: string): boolean {
      return isDeviceOrderColumn(column, isAdmin(actor))
    },

    /** Devices and ports with the address. */
    async byAddress(
      actor: Actor,
      kind: AddressKind,
      address: string,
    ): Promise<{ device_id: number; port_id: number }[]> {
      return await portsByAddress(store, scopeOf(actor), kind, address)
    },

    /** The complete record. Throws `not_found`. */
    async get(actor: Actor, ref: string): Promise<DeviceRow> {
      return await record(actor, await require(actor, ref))
    },

    /** Deletes a device with all its data; returns its last record. Throws `not_found`. */
    async delete(actor: Actor, ref: string): Promise<DeviceRow> {
      const device = await require(actor, ref)
      const before = await record(actor, device)
      if (!(await deleteDevice(store, device.device_id, device.hostname, actor.username))) {
        throw notFound(`Device ${ref} not found`)
      }
      gateway.refresh(device.device_id)
      return before
    },

    async availability(deviceId: number): Promise<MeasuredAvailability[]> {
      return await listAvailability(store, deviceId, {
        withoutUnreachable: settings.get('graphing.availability_consider_unreachable'),
      })
    },

    async outages(deviceId: number): Promise<OutageRecord[]> {
      return await listOutages(store, deviceId)
    },
  }
}

export type DeviceService = ReturnType<typeof createDeviceService>
