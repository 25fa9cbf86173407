import type { Resolver } from '../resolve.ts'
import { addressOf, type DevicePlanRow, nameOf, type PolledDevice } from './polled-device.ts'

/** A look-up of a device's name. */
export interface NameLookup {
  /** null: the name has no address; undefined: not known yet. */
  address: string | null | undefined
  /** Settles when the address is known. Never rejects. */
  readonly done: Promise<string | null>
}

/** Maximum time to wait for look-ups, ms. */
const LOOKUP_MS = 500

/**
 * Looks up the names of several devices, by device id, and waits briefly for the addresses, so that start-up continues
 * while name servers do not answer. Once look-ups have taken too long, later calls do not wait beyond cached addresses.
 */
export function createLookups(
  resolver: Resolver,
): (found: ReadonlyMap<number, DevicePlanRow>) => Promise<ReadonlyMap<number, NameLookup>> {
  let prompt = true
  return async (found) => {
    const lookups = new Map([...found].map(([id, stored]) => [id, begin(resolver, stored)]))
    const all = Promise.all([...lookups.values()].map(({ done }) => done)).then(() => true)
    prompt = await Promise.race([all, Bun.sleep(prompt ? LOOKUP_MS : 0).then(() => false)])
    return lookups
  }
}

function begin(resolver: Resolver, stored: DevicePlanRow): NameLookup {
  const done = addressOf(resolver, stored)
  const lookup: NameLookup = { address: undefined, done }
  void done.then((address) => {
    lookup.address = address
  })
  return lookup
}

/** The address to use until the look-up ends: the last one, unless the name or the address family has changed. */
export function lastAddress(device: PolledDevice, stored: DevicePlanRow): string | null {
  const same = nameOf(device.stored) === nameOf(stored) && device.stored.transport === stored.transport
  return same ? device.address : null
}
