import { Elysia, t } from 'elysia'
import { notFound } from '../../../domain/errors.ts'
import type { Services } from '../../../domain/services.ts'
import { whole } from '../../whole.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, Ok } from '../envelope.ts'

const Text = t.Union([t.String(), t.Null()])
const Value = t.Union([t.Number(), t.Null()])

const Sensor = t.Object({
  sensor_id: whole(),
  sensor_deleted: whole(),
  sensor_class: t.String(),
  device_id: whole(),
  poller_type: t.String(),
  sensor_oid: t.String(),
  sensor_index: Text,
  sensor_type: t.String(),
  sensor_descr: Text,
  group: Text,
  sensor_divisor: whole(),
  sensor_multiplier: whole(),
  sensor_current: Value,
  sensor_limit: Value,
  sensor_limit_warn: Value,
  sensor_limit_low: Value,
  sensor_limit_low_warn: Value,
  sensor_alert: whole(),
  sensor_custom: t.String(),
  entPhysicalIndex: Text,
  entPhysicalIndex_measured: Text,
  lastupdate: t.String({ description: 'Y-m-d H:i:s, server time' }),
  sensor_prev: Value,
  user_func: Text,
  rrd_type: t.String(),
})

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
