import { isIP } from 'node:net'
import type { Settings } from '../../config/schema.ts'
import { listAvailability, listOutages, type MeasuredAvailability, type OutageRecord } from '../availability/read.ts'
import { type Actor, isAdmin, scopeOf } from '../base/actor.ts'
import { recordChange } from '../base/change-audit.ts'
import { differences } from '../base/differences.ts'
import { conflict, DomainError, forbidden, invalid, notFound, unusable } from '../base/errors.ts'
import type { Gateway, RunSummary } from '../base/gateway.ts'
import { requireGrants } from '../base/grants-check.ts'
import type { Store } from '../database/client.ts'
import { toStoreError } from '../database/errors.ts'
import { findLocation } from '../locations/read.ts'
import type { DeviceRow } from '../records/device.ts'
import { DEVICE_SECRETS } from '../records/device.ts'
import { type AddedDevice, addDevice, type NewDevice } from './add.ts'
import type { AdviceWords } from './advice.ts'
import { displayName } from './display.ts'
import { type DeviceExplanation, explainDevice } from './explain.ts'
import { type AddressExplanation, explainAddress } from './explain-address.ts'
import { type FieldValue, fitFields } from './fields.ts'
import { isHostname } from './hostname.ts'
import { hostOf, newAims, requireOwnNetwork } from './own-networks.ts'
import {
  type AddressKind,
  type DeviceFilter,
  type DeviceKey,
  type DeviceOrder,
  deviceByHostname,
  findDevice,
  isDeviceOrderColumn,
  listDeviceKeys,
  maySeeDevice,
  portsByAddress,
} from './read.ts'
import { type DeviceList, deviceListJson } from './read-list.ts'
import { type DevicePage, type DevicePageOptions, deviceListPage, isDeviceMember } from './read-page.ts'
import { readDevice, readDeviceNamed } from './read-record.ts'
import type { Report } from './steps.ts'
import { deleteDevice, renameDevice, requestDiscovery, updateDevice } from './write.ts'
import { acceptsAnySource } from './write-overrides.ts'

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

/** Columns that the display name may contain or depend on. */
const SHOWN_IN_DISPLAY = ['sysName', 'display_template', 'ip'] as const

/** A value that does not fit a field of a device. */
export class MisfitError extends DomainError {
  constructor(readonly field: string) {
    super('unusable', `Value does not fit field ${field}`)
  }
}

/** The field name comes from the client and may be any text. */
function notEditable(field: string): DomainError {
  const isName = field === 'device_id' || field === 'hostname'
  return unusable(`Device field is not allowed to be updated${isName ? '' : `: ${field.slice(0, 64)}`}`)
}

/** Fields whose values are not recorded. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(['community', 'authname', 'authpass', 'cryptopass'])

const fieldsOf = (row: DeviceRow | null, names: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries({ ...row }).filter(([name]) => names.includes(name)))

/** Why a name is not taken as the address of a device. */
function heldText({ overwrite_ip: name }: Readonly<Record<string, unknown>>, address: string): string {
  const what = typeof name === 'string' && name !== '' ? name : 'the hostname'
  return `Insufficient permissions: the stored SNMP credentials would follow ${what} wherever it leads later. Enter the address ${address}, or let an administrator make this change`
}

/**
 * Operations on devices. `ref` is a hostname, a numeric id or an address. Every operation throws DomainError
 * `forbidden` when the actor may not see the device; for role `user` also when the device does not exist.
 */
export function createDeviceService({ store, settings, gateway }: DeviceDeps) {
  /** The device; null: it does not exist, and the actor may learn that. */
  async function find(actor: Actor, ref: string): Promise<DeviceKey | null> {
    const device = await findDevice(store, ref)
    const scope = scopeOf(actor)
    if (scope.kind === 'all') return device
    if (device && (await maySeeDevice(store, scope, device.device_id))) return device
    throw forbidden('Insufficient permissions to access this device')
  }

  /** Like `find`, but null for every actor if the device does not exist, as get_device answers. */
  async function findOpenly(actor: Actor, ref: string): Promise<DeviceKey | null> {
    return (await findDevice(store, ref)) === null ? null : await find(actor, ref)
  }

  async function require(actor: Actor, ref: string): Promise<DeviceKey> {
    const device = await find(actor, ref)
    if (!device) throw notFound(`Device ${ref} not found`)
    return device
  }

  async function record(actor: Actor, device: DeviceKey): Promise<DeviceRow> {
    const row = await readDevice(store, device.device_id, { secrets: isAdmin(actor) })
    if (!row) throw notFound(`Device ${device.hostname} not found`)
    return row
  }

  /** Records a change in the audit and in the device's log. */
  const note = (actor: Actor, { device_id, hostname }: DeviceKey, what: string) =>
    recordChange(store, actor, 'device-edit', String(device_id), `Device ${hostname}: ${what}`, device_id)

  /** The display name of a device after these columns have changed. */
  async function displayAfter(device: DeviceKey, values: Readonly<Record<string, unknown>>): Promise<string> {
    const row = { ...(await readDevice(store, device.device_id, { secrets: false })), ...values }
    const { hostname = device.hostname, sysName, ip, display_template: template }: Record<string, unknown> = row
    return displayName(String(template || settings.get('device_display_default')), {
      hostname: String(hostname),
      sysName: typeof sysName === 'string' ? sysName : null,
      ip: String(ip ?? ''),
    })
  }

  /**
   * Throws `forbidden` if stored credentials would go to a host where the actor could read them. Returns the address to
   * keep to if they go to a new name, which could lead elsewhere later; null: none.
   */
  async function requireOwnAim(
    actor: Actor,
    before: DeviceRow,
    values: Readonly<Record<string, unknown>>,
  ): Promise<string | null> {
    const kept = [...DEVICE_SECRETS].some((name) => {
      const { [name]: secret }: Readonly<Record<string, unknown>> = before
      return typeof secret === 'string' && secret !== '' && !(name in values)
    })
    if (!kept || isAdmin(actor)) return null
    const after = { ...before, ...values }
    await requireOwnNetwork({ settings, gateway }, actor, newAims(before, after))
    const host = hostOf(after)
    if (host === hostOf(before) || isIP(host) !== 0) return null
    return await gateway.resolve(host, after.transport?.endsWith('6') === true ? 6 : 'any')
  }

  /** Whether a location name and a location id, if both were sent, refer to the same location. */
  async function isOnePlace(location: string | null | undefined, id: unknown): Promise<boolean> {
    if (location === undefined || id === undefined) return true
    const found = id === null ? null : await findLocation(store, { kind: 'all' }, String(id))
    return (found?.location.toLowerCase() ?? null) === (location?.toLowerCase() ?? null)
  }

  async function addAndReport(
    actor: Actor,
    request: NewDevice,
    report?: Report,
  ): Promise<{ readonly record: DeviceRow } & Omit<AddedDevice, 'deviceId'>> {
    const { deviceId, ...rest } = await addDevice({ store, settings, gateway, report }, actor, request)
    return { record: await record(actor, { device_id: deviceId, hostname: request.hostname }), ...rest }
  }

  return {
    find,

    /** The referenced device, without an access check; for lists that check each of their rows. */
    async resolve(ref: string): Promise<DeviceKey | null> {
      return await findDevice(store, ref)
    },

    /** The referenced device; null: it does not exist, or the actor may not see it, which must not make a difference. */
    async visible(actor: Actor, ref: string): Promise<DeviceKey | null> {
      const device = await findDevice(store, ref)
      const scope = scopeOf(actor)
      const isSeen = device !== null && (scope.kind === 'all' || (await maySeeDevice(store, scope, device.device_id)))
      return isSeen ? device : null
    },

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
     * `report` receives the steps as they are tried.
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

    /**
     * Changes fields of a device, all or none. `display` sets the template of the display name; `location` is the name
     * of a location, which is created if missing. Throws `not_found`, `unusable` for a field that cannot be changed or
     * a value that does not fit, or `forbidden` for a location, or the name or address of another device, that is not
     * granted. Accepted values read back unchanged.
     */
    async update(actor: Actor, ref: string, changes: readonly (readonly [string, FieldValue])[]): Promise<void> {
      const device = await require(actor, ref)
      const fit = fitFields(changes)
      if (fit.kind === 'fixed') throw notEditable(fit.field)
      if (fit.kind === 'misfit') throw new MisfitError(fit.field)
      const { values, location, display: wanted } = fit.changes
      const texts = ['sysName', 'ip', 'overwrite_ip'].map((name) => values[name])
      await requireGrants(store, actor, {
        places: typeof values['location_id'] === 'number' ? [values['location_id']] : [],
        placeNames: typeof location === 'string' ? [location] : [],
        names: texts.filter((text) => typeof text === 'string' && text !== '').map(String),
      })
      if (!(await isOnePlace(location, values['location_id']))) throw new MisfitError('location')
      const names = changes.map(([name]) => name)
      const own = async () =>
        names.includes('snmp_any_source')
          ? { snmp_any_source: Number(await acceptsAnySource(store, device.device_id)) }
          : {}
      const [before, ownBefore] = await Promise.all([readDevice(store, device.device_id, { secrets: true }), own()])
      const isShown = SHOWN_IN_DISPLAY.some((name) => name in values)
      const held = before === null ? null : await requireOwnAim(actor, before, values)
      if (held !== null) throw forbidden(heldText(values, held))
      const display = isShown ? await displayAfter(device, values) : null
      if (wanted !== null && wanted !== display && wanted !== values['display_template']) {
        throw new MisfitError('display')
      }
      try {
        await updateDevice(store, device.device_id, display === null ? values : { ...values, display }, location)
      } catch (error) {
        const known = toStoreError(error)
        // the only foreign key among the columns
        throw known.code === '23503' ? new MisfitError('location_id') : known
      }
      const after = await readDevice(store, device.device_id, { secrets: true })
      const what = differences(
        { ...fieldsOf(before, names), ...ownBefore },
        { ...fieldsOf(after, names), ...(await own()) },
        SECRET_FIELDS,
      )
      if (what !== '') await note(actor, device, what)
      gateway.refresh(device.device_id)
    },

    /** Renames a device. Throws `not_found`, `invalid` (syntax), `conflict` (name in use) or `forbidden`. */
    async rename(actor: Actor, ref: string, hostname: string): Promise<void> {
      const device = await require(actor, ref)
      if (!isHostname(hostname)) throw invalid(`Invalid hostname or IP: ${hostname}`)
      await requireGrants(store, actor, { names: [hostname] })
      const before = await readDevice(store, device.device_id, { secrets: true })
      const held = before === null ? null : await requireOwnAim(actor, before, { hostname })
      const owner = await deviceByHostname(store, hostname)
      if (owner && owner.device_id !== device.device_id) throw conflict(`Device ${hostname} already exists`)
      try {
        const message = `Hostname changed -> ${hostname}`
        const display = await displayAfter(device, { hostname })
        const fixed = { overwrite_ip: held ?? before?.overwrite_ip ?? null }
        await renameDevice(store, device.device_id, { hostname, display, ...fixed }, message, actor.username)
        await note(
          actor,
          device,
          differences({ hostname: device.hostname, overwrite_ip: before?.overwrite_ip }, { hostname, ...fixed }),
        )
      } catch (error) {
        const known = toStoreError(error)
        if (known.code === '23505') throw conflict(`Device ${hostname} already exists`)
        throw known
      }
      gateway.refresh(device.device_id)
    },

    /** Requests discovery soon; returns 0 when it was already requested, otherwise 1. */
    async requestDiscovery(deviceId: number): Promise<number> {
      const changed = await requestDiscovery(store, deviceId)
      gateway.refresh(deviceId)
      return changed
    },

    /** Discovers now and waits for the result. Throws `not_found`. */
    async discoverNow(actor: Actor, ref: string): Promise<RunSummary> {
      return await gateway.discover((await require(actor, ref)).device_id)
    },

    /** Polls now and waits for the result. Throws `not_found`. */
    async pollNow(actor: Actor, ref: string): Promise<RunSummary> {
      return await gateway.poll((await require(actor, ref)).device_id)
    },

    /** Stored facts and a live check of a device; `live` false: only the stored facts. Throws `not_found`. */
    async explain(actor: Actor, ref: string, { live = true } = {}): Promise<DeviceExplanation> {
      return await explainDevice({ store, settings, gateway }, await require(actor, ref), live)
    },

    /** What is at a name or address, as adding it would find out. For administrators. */
    async explainAddress(
      actor: Actor,
      address: string,
      report?: Report,
      words?: AdviceWords,
    ): Promise<AddressExplanation> {
      if (!isAdmin(actor)) throw forbidden('Only administrators may contact addresses')
      if (!isHostname(address)) throw invalid(`Invalid hostname or IP: ${address}`)
      return await explainAddress({ settings, gateway, report }, address, words)
    },

    async availability(deviceId: number): Promise<MeasuredAvailability[]> {
      return await listAvailability(store, deviceId)
    },

    async outages(deviceId: number): Promise<OutageRecord[]> {
      return await listOutages(store, deviceId)
    },
  }
}

export type DeviceService = ReturnType<typeof createDeviceService>
