import type { Store } from '../../store/client.ts'
import { listSensors, type SensorRecord } from '../../store/readers/sensors.ts'
import { type Actor, scopeOf } from '../actor.ts'

export type { SensorRecord }

/** The verbs on sensors. */
export function createSensorService({ store }: { readonly store: Store }) {
  return {
    /** All sensors the actor may see, deleted ones as well, by id. */
    async list(actor: Actor): Promise<SensorRecord[]> {
      return await listSensors(store, scopeOf(actor))
    },
  }
}

export type SensorService = ReturnType<typeof createSensorService>
