import { type Actor, scopeOf } from '../base/actor.ts'
import { recordChange } from '../base/change-audit.ts'
import { invalid, notFound } from '../base/errors.ts'
import type { Store } from '../database/client.ts'
import {
  type LimitedSensor,
  limitedSensors,
  type SensorLimits,
  sensorDevice,
  writeLimits,
} from './write-sensor-limits.ts'

export type { LimitedSensor, SensorLimits }

/** From the highest to the lowest. */
const ORDER = ['high', 'high_warn', 'low_warn', 'low'] as const
const NAMES = { high: 'high', high_warn: 'high warning', low_warn: 'low warning', low: 'low' } as const

/** Operations on the limits of sensors. Callers check access to the device. */
export function limitOperations(store: Store) {
  const operations = {
    /** Live sensors of a device with their limits; `sensorId`: only this one. */
    limitedSensors(deviceId: number, sensorId: number | null = null): Promise<LimitedSensor[]> {
      return limitedSensors(store, deviceId, sensorId)
    },

    /** The device of a sensor. Throws `not_found` if there is no such sensor or the actor may not see its device. */
    async deviceOfSensor(actor: Actor, sensorId: number): Promise<number> {
      const deviceId = await sensorDevice(store, sensorId, scopeOf(actor))
      if (deviceId === null) throw notFound(`Sensor ${sensorId} does not exist`)
      return deviceId
    },

    /**
     * Like `setLimits`, but limits that are absent stay as they are. Returns the sensor as it is then.
     */
    async changeLimits(
      actor: Actor,
      deviceId: number,
      sensorId: number,
      change: Partial<SensorLimits> | null,
    ): Promise<LimitedSensor> {
      const missing = () => notFound(`Sensor ${sensorId} does not exist on this device`)
      const [before] = await limitedSensors(store, deviceId, sensorId)
      if (before === undefined) throw missing()
      const { high, high_warn, low_warn, low } = { ...before, ...change }
      await operations.setLimits(actor, deviceId, sensorId, change && { high, high_warn, low_warn, low })
      const [after] = await limitedSensors(store, deviceId, sensorId)
      if (after === undefined) throw missing()
      return after
    },

    /**
     * Sets the limits of a sensor for good; null: as the agent gives them or as guessed, from the next discovery on.
     * Throws `invalid` for limits that are no numbers or in the wrong order, `not_found` for a sensor that the device
     * does not have.
     */
    async setLimits(actor: Actor, deviceId: number, sensorId: number, limits: SensorLimits | null): Promise<void> {
      const given = ORDER.filter((name) => limits?.[name] != null)
      for (const name of given)
        if (!Number.isFinite(limits?.[name])) throw invalid(`The ${NAMES[name]} limit is not a number`)
      for (const [i, name] of given.slice(1).entries()) {
        const above = given[i] ?? name
        if (Number(limits?.[above]) < Number(limits?.[name]))
          throw invalid(`The ${NAMES[above]} limit is below the ${NAMES[name]} limit`)
      }
      const [sensor] = await limitedSensors(store, deviceId, sensorId)
      if (sensor === undefined || !(await writeLimits(store, deviceId, sensorId, limits)))
        throw notFound(`Sensor ${sensorId} does not exist on this device`)
      const what = limits === null ? 'as discovered' : given.map((name) => `${NAMES[name]} ${limits[name]}`).join(', ')
      const message = `Limits of sensor ${sensor.class} ${sensor.descr}: ${what || 'none'}`
      await recordChange(store, actor, 'device-edit', String(deviceId), message, deviceId)
    },
  }
  return operations
}
