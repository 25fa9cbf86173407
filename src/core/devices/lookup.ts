import { type Actor, isAdmin, scopeOf } from '../base/actor.ts'
import { conflict, forbidden, notFound } from '../base/errors.ts'
import type { Store } from '../database/client.ts'
import type { DeviceRow } from '../records/device.ts'
import { type DeviceKey, devicesAlsoNamed, devicesInScope, findDevice, findDevices, maySeeDevice } from './read.ts'
import { readDevice } from './read-record.ts'

/** Finds devices by hostname, id or address, and reads the record, for an actor who may see the device. */
export function createDeviceLookup({ store }: { readonly store: Store }) {
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

  /** The referenced device; null: it does not exist, or the actor may not see it, which must not make a difference. */
  async function visible(actor: Actor, ref: string): Promise<DeviceKey | null> {
    const device = await findDevice(store, ref)
    const scope = scopeOf(actor)
    const isSeen = device !== null && (scope.kind === 'all' || (await maySeeDevice(store, scope, device.device_id)))
    return isSeen ? device : null
  }

  /** `visible` for each of several, in a few statements in total. */
  async function allVisible(actor: Actor, refs: readonly string[]): Promise<(DeviceKey | null)[]> {
    const devices = await findDevices(store, refs)
    const scope = scopeOf(actor)
    if (scope.kind === 'all') return devices
    const ids = devices.flatMap((device) => device?.device_id ?? [])
    const seen = await devicesInScope(store, scope, ids)
    return devices.map((device) => (device !== null && seen.has(device.device_id) ? device : null))
  }

  /**
   * The only device that the actor may see with this sysName or display name, regardless of case; null: there is none.
   * Throws `conflict` if several have it.
   */
  async function alsoNamed(actor: Actor, name: string): Promise<DeviceKey | null> {
    const named = await devicesAlsoNamed(store, name, scopeOf(actor))
    const [only, ...others] = named
    if (others.length === 0) return only ?? null
    const which = named.map(({ as, hostname }) => `${as} of ${hostname}`).join(', ')
    throw conflict(`${name} is the ${which}: give the hostname`)
  }

  return { find, findOpenly, require, record, visible, allVisible, alsoNamed }
}

export type DeviceLookup = ReturnType<typeof createDeviceLookup>
