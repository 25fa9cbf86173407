import { Elysia, t } from 'elysia'
import { notFound } from '../../../domain/errors.ts'
import type { Services } from '../../../domain/services.ts'
import { whole } from '../../whole.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, Ok } from '../envelope.ts'
import { Sensor } from './model.ts'

const SensorList = documented(t.Object({ status: Ok, sensors: t.Array(Sensor), count: whole() }))

/** Sensors of all devices. */
export const sensorRoutes = ({ sensors }: Pick<Services, 'sensors'>) =>
  new Elysia({ name: 'v0.sensors', prefix: '/resources/sensors' }).use(v0Context).get(
    '',
    async ({ actor }) => {
      const list = await sensors.list(actor)
      if (list.length === 0) throw notFound('Sensors do not exist')
      return { status: 'ok' as const, sensors: list, count: list.length }
    },
    {
      ...operation({ id: 'list_sensors', gate: 'Sensor.viewAny', summary: 'All sensors, deleted ones as well' }),
      response: { 200: SensorList, 404: ErrorModel },
    },
  )
