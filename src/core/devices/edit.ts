import { isIP } from 'node:net'
import type { Settings } from '../../config/schema.ts'
import { type Actor, isAdmin } from '../base/actor.ts'
import { recordChange } from '../base/change-audit.ts'
import { differences } from '../base/differences.ts'
import { conflict, DomainError, forbidden, invalid, unusable } from '../base/errors.ts'
import type { Gateway } from '../base/gateway.ts'
import { requireGrants } from '../base/grants-check.ts'
import type { Store } from '../database/client.ts'
import { toStoreError } from '../database/errors.ts'
import { findLocation } from '../locations/read.ts'
import type { DeviceRow } from '../records/device.ts'
import { DEVICE_SECRETS } from '../records/device.ts'
import { displayName } from './display.ts'
import { type FieldValue, fitFields } from './fields.ts'
import { isHostname } from './hostname.ts'
import type { DeviceLookup } from './lookup.ts'
import { hostOf, newAims, requireOwnNetwork } from './own-networks.ts'
import { type DeviceKey, deviceByHostname } from './read.ts'
import { readDevice } from './read-record.ts'
import { renameDevice, updateDevice } from './write.ts'
import { acceptsAnySource } from './write-overrides.ts'

/** Columns that the display name may contain or depend on. */
const SHOWN_IN_DISPLAY = ['sysName', 'display_template', 'ip'] as const

/** A value that does not fit a field of a device. */
export class FieldValueError extends DomainError {
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
function unfixedText({ overwrite_ip: name }: Readonly<Record<string, unknown>>, address: string): string {
  const what = typeof name === 'string' && name !== '' ? name : 'the hostname'
  return `Insufficient permissions: the stored SNMP credentials would follow ${what} wherever it leads later. Enter the address ${address}, or let an administrator make this change`
}

interface DeviceEditDeps {
  readonly store: Store
  readonly settings: Settings
  readonly gateway: Gateway
  readonly lookup: DeviceLookup
}

/** Changes of a device that a person makes: its fields and its name. */
export function createDeviceEdit({ store, settings, gateway, lookup: { require } }: DeviceEditDeps) {
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

  return {
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
      if (fit.kind === 'misfit') throw new FieldValueError(fit.field)
      const { values, location, display: template } = fit.changes
      const texts = ['sysName', 'ip', 'overwrite_ip'].map((name) => values[name])
      await requireGrants(store, actor, {
        places: typeof values['location_id'] === 'number' ? [values['location_id']] : [],
        placeNames: typeof location === 'string' ? [location] : [],
        names: texts.filter((text) => typeof text === 'string' && text !== '').map(String),
      })
      if (!(await isOnePlace(store, location, values['location_id']))) throw new FieldValueError('location')
      const names = changes.map(([name]) => name)
      const own = async () =>
        names.includes('snmp_any_source')
          ? { snmp_any_source: Number(await acceptsAnySource(store, device.device_id)) }
          : {}
      const [before, ownBefore] = await Promise.all([readDevice(store, device.device_id, { secrets: true }), own()])
      const isShown = SHOWN_IN_DISPLAY.some((name) => name in values)
      const held = before === null ? null : await requireOwnAim(actor, before, values)
      if (held !== null) throw forbidden(unfixedText(values, held))
      const display = isShown ? await displayAfter(device, values) : null
      if (template !== null && template !== display && template !== values['display_template']) {
        throw new FieldValueError('display')
      }
      try {
        await updateDevice(store, device.device_id, display === null ? values : { ...values, display }, location)
      } catch (error) {
        const known = toStoreError(error)
        // the only foreign key among the columns
        throw known.code === '23503' ? new FieldValueError('location_id') : known
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
  }
}

/** Whether a location name and a location id, if both were sent, refer to the same location. */
async function isOnePlace(store: Store, location: string | null | undefined, id: unknown): Promise<boolean> {
  if (location === undefined || id === undefined) return true
  const found = id === null ? null : await findLocation(store, { kind: 'all' }, String(id))
  return (found?.location.toLowerCase() ?? null) === (location?.toLowerCase() ?? null)
}
