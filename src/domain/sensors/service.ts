import type { Store } from '../../store/client.ts'
import { sensorChunks } from '../../store/sensors/read.ts'
import { type Actor, scopeOf } from '../actor.ts'
import type { ListChunks } from '../lists.ts'

/** Operations on sensors. */
export function createSensorService({ store }: { readonly store: Store }) {
  return {
    /** All sensors that the actor may see, deleted ones included, by id, in chunks of JSON. */
    list(actor: Actor): ListChunks {
      return sensorChunks(store, scopeOf(actor))
    },
  }
}

export type SensorService = ReturnType<typeof createSensorService>
