import { type Actor, scopeOf } from '../base/actor.ts'
import type { Store } from '../database/client.ts'
import { countObjects } from '../system/read-counts.ts'
import { addressOperations } from './addresses.ts'
import { type EntityRow, listEntities } from './read.ts'
import { listTransceivers, type TransceiverRow } from './read-transceivers.ts'
import { routingOperations } from './routing.ts'
import { limitOperations } from './sensor-limits.ts'
import { sensorOperations } from './sensors.ts'
import { switchingOperations } from './switching.ts'
import { goneObjects } from './write-gone.ts'

export type { EntityRow, TransceiverRow }

/**
 * Operations on what discovery finds on devices, except the ports themselves. Operations that take an actor return only
 * objects that the actor may see; for those that take only the id of a device, callers check access.
 */
export function createInventoryService({ store }: { readonly store: Store }) {
  return {
    /** Physical entities; `containedIn` is the index of the parent, `entClass` an entPhysicalClass. */
    async entities(
      deviceId: number,
      filter: { readonly containedIn?: number; readonly entClass?: string },
    ): Promise<EntityRow[]> {
      return await listEntities(store, deviceId, filter)
    },

    /** Transceivers of a device or port, in order of id. */
    async transceivers(
      actor: Actor,
      of: { readonly deviceId: number } | { readonly portId: number },
    ): Promise<TransceiverRow[]> {
      return await listTransceivers(store, scopeOf(actor), of)
    },

    /** Number of objects; users are always counted in full. */
    async counts(actor: Actor): Promise<{ devices: number; ports: number; users: number; sensors: number }> {
      return await countObjects(store, scopeOf(actor))
    },

    /** Objects that are gone from their device and still kept, by kind, and the most that one device has. */
    gone: () => goneObjects(store),

    ...sensorOperations(store),
    ...limitOperations(store),
    ...addressOperations(store),
    ...switchingOperations(store),
    ...routingOperations(store),
  }
}

export type InventoryService = ReturnType<typeof createInventoryService>
