import { addressOf, type DeviceEntry, nameOf, type StoredDevice } from './device.ts'
import type { Resolver } from './resolve.ts'

/** The look-up of a device's name. */
export interface Lookup {
  /** null: the name has no address; undefined: not known yet. */
  address: string | null | undefined
  /** Settles when the address is known. Never rejects. */
  readonly done: Promise<string | null>
}

/** Names are waited for this long, ms. */
const LOOKUP_MS = 500

/**
 * Looks up the names of several devices, by device id, and waits for them for a moment: while name servers are away, the
 * start goes on without them. After names that took too long, the next ones are waited for only if they are known.
 */
export function createLookups(
  resolver: Resolver,
): (found: ReadonlyMap<number, StoredDevice>) => Promise<ReadonlyMap<number, Lookup>> {
  let prompt = true
  return async (found) => {
    const lookups = new Map([...found].map(([id, stored]) => [id, begin(resolver, stored)]))
    const all = Promise.all([...lookups.values()].map(({ done }) => done)).then(() => true)
    prompt = await Promise.race([all, Bun.sleep(prompt ? LOOKUP_MS : 0).then(() => false)])
    return lookups
  }
}

function begin(resolver: Resolver, stored: StoredDevice): Lookup {
  const done = addressOf(resolver, stored)
  const lookup: Lookup = { address: undefined, done }
  void done.then((address) => {
    lookup.address = address
  })
  return lookup
}

/** The address to use until the look-up ends: the last one, unless the name or the family is another now. */
export function lastAddress(entry: DeviceEntry, stored: StoredDevice): string | null {
  const same = nameOf(entry.stored) === nameOf(stored) && entry.stored.transport === stored.transport
  return same ? entry.address : null
}
