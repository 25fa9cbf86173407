import type { Store } from '../../store/client.ts'
import { sensorChunks } from '../../store/readers/sensors.ts'
import { type Actor, scopeOf } from '../actor.ts'
import type { ListChunks } from '../lists.ts'

/** The verbs on sensors. */
export function createSensorService({ store }: { readonly store: Store }) {
  return {
    /** All sensors the actor may see, deleted ones as well, by id, in chunks of JSON. */
    list(actor: Actor): ListChunks {
      return sensorChunks(store, scopeOf(actor))
    },
  }
}

export type SensorService = ReturnType<typeof createSensorService>
