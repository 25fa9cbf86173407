import type { Services } from '../../../core/services.ts'
import { Elysia, t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, Ok } from '../envelope.ts'
import { Sensor } from '../health/model.ts'
import { listAnswer, listOrMissing } from '../list-answer.ts'

const SensorList = documented(t.Object({ status: Ok, sensors: t.Array(Sensor), count: whole() }))

/** Sensors of all devices. */
export const sensorRoutes = ({ inventory, log }: Pick<Services, 'inventory' | 'log'>) =>
  new Elysia({ name: 'v0.sensors', prefix: '/resources/sensors' })
    .use(v0Context)
    .get(
      '',
      ({ actor }) => listAnswer(inventory.sensors(actor), log, listOrMissing('sensors', 'Sensors do not exist')),
      {
        ...operation({ id: 'list_sensors', gate: 'Sensor.viewAny', summary: 'All sensors, including deleted ones' }),
        response: { 200: SensorList, 404: ErrorModel },
      },
    )
