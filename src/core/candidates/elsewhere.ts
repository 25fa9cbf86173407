import { type Actor, scopeOf } from '../base/actor.ts'
import type { Store } from '../database/client.ts'
import { maySeeDevice } from '../devices/read.ts'
import { type Double, listDoubles } from '../identity/read-doubles.ts'
import { type OtherAddress, otherAddresses } from './read-other-addresses.ts'

/** What else monitored devices are known as. */
export function createElsewhere(store: Store) {
  return {
    /** Addresses at which a device also answers; of a device that the actor does not see none. */
    async otherAddresses(actor: Actor, deviceId: number): Promise<OtherAddress[]> {
      return (await maySeeDevice(store, scopeOf(actor), deviceId)) ? await otherAddresses(store, deviceId) : []
    },

    /** Pairs of monitored devices that are one, of a device or of all (null), both of which the actor sees. */
    async doubles(actor: Actor, deviceId: number | null, limit: number): Promise<Double[]> {
      return await listDoubles(store, scopeOf(actor), deviceId, limit)
    },
  }
}
