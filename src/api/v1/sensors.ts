import { forbidden, invalid } from '../../core/base/errors.ts'
import { isAllowed } from '../../core/base/permissions.ts'
import type { LimitedSensor, SensorLimits } from '../../core/inventory/sensor-limits.ts'
import type { Services } from '../../core/services.ts'
import { members, readBody } from '../body.ts'
import { Elysia, t } from '../elysia.ts'
import { whole } from '../integer.ts'
import { Value } from '../nullable.ts'
import { bearerPlugin } from '../token.ts'
import { v1Parse } from './change.ts'
import { idOf } from './given.ts'
import { described, IdPath, WRITE_REFUSALS } from './model.ts'
import { bodyTooLarge } from './present-error.ts'
import { v1Run } from './run.ts'

const TYPE = 'sensors'
/** Members of the sensor record and of the limits behind them. */
const LIMITS = {
  sensor_limit: 'high',
  sensor_limit_warn: 'high_warn',
  sensor_limit_low_warn: 'low_warn',
  sensor_limit_low: 'low',
} as const satisfies Readonly<Record<string, keyof SensorLimits>>

const Limit = t.Optional(t.Union([t.Number(), t.Null()], { description: 'null: no limit; absent: as it is' }))
const Change = t.NoValidate(
  t.Object(
    {
      data: t.Object({
        type: t.Literal(TYPE),
        id: t.Optional(t.String({ description: 'As in the path' })),
        attributes: t.Object({
          sensor_limit: Limit,
          sensor_limit_warn: Limit,
          sensor_limit_low_warn: Limit,
          sensor_limit_low: Limit,
          sensor_custom: t.Optional(
            t.String({ description: 'No, without limits: the next discovery sets them. Yes: discovery keeps them' }),
          ),
        }),
      }),
    },
    { title: 'SensorLimitsChange' },
  ),
)
const Answer = t.NoValidate(
  t.Object({
    data: t.Object({
      type: t.Literal(TYPE),
      id: t.String(),
      attributes: t.Object(
        {
          device_id: whole(),
          sensor_class: t.String(),
          sensor_descr: t.String(),
          sensor_current: Value,
          sensor_limit: Value,
          sensor_limit_warn: Value,
          sensor_limit_low_warn: Value,
          sensor_limit_low: Value,
          sensor_custom: t.String({ description: 'Yes: set by a person, and discovery keeps them' }),
        },
        { title: 'LimitedSensor' },
      ),
    }),
  }),
)

/** The limits of a sensor. This operation is our own; LibreNMS has none like it. */
export const sensorLimitRoutes = (services: Pick<Services, 'auth' | 'sessions' | 'inventory' | 'config' | 'log'>) => {
  const { inventory, config } = services
  const run = v1Run(services)
  return new Elysia({ name: 'v1.sensors' })
    .use(bearerPlugin())
    .onParse(v1Parse(services))
    .patch(
      '/sensors/:id',
      (asked) =>
        run('v1_sensor_limits', asked, async (actor) => {
          if (!isAllowed(actor, 'Device.update', config)) throw forbidden('')
          const id = idOf(asked.params.id)
          const body = await readBody(asked.request, config.get('api.max_body'))
          if (body.kind === 'too-large') return bodyTooLarge()
          if (body.kind !== 'read') throw invalid('The body is not valid JSON')
          const deviceId = await inventory.deviceOfSensor(actor, id)
          return { data: recordOf(await inventory.changeLimits(actor, deviceId, id, changeOf(body.json, id))) }
        }),
      {
        params: IdPath,
        body: Change,
        response: { 200: Answer, ...WRITE_REFUSALS },
        detail: described(
          'v1_sensor_limits',
          'Sets the limits of a sensor, or gives them back to discovery',
          'Device.update',
        ),
      },
    )
}

/** The change that a body asks for; null: back to discovery. Throws `invalid` with what is wrong. */
function changeOf(json: unknown, id: number): Partial<SensorLimits> | null {
  const data = members(members(json)['data'])
  if (data['type'] !== TYPE) throw invalid(`'data.type' is not '${TYPE}'`)
  if (data['id'] !== undefined && String(data['id']) !== String(id))
    throw invalid(`'data.id' is not ${id}, the id in the path`)
  const { sensor_custom: custom, ...given } = members(data['attributes'])
  const change: Partial<Record<keyof SensorLimits, number | null>> = {}
  for (const [name, value] of Object.entries(given)) {
    if (!isLimit(name)) throw invalid(`'${name}' is not one of ${Object.keys(LIMITS).join(', ')}, sensor_custom`)
    if (value !== null && typeof value !== 'number') throw invalid(`'${name}' is not a number, nor null for no limit`)
    change[LIMITS[name]] = value
  }
  const none = Object.keys(change).length === 0
  if (custom === 'No') {
    if (!none) throw invalid("'sensor_custom' is No, which lets discovery set the limits, so give no limits with it")
    return null
  }
  if (custom !== undefined && custom !== 'Yes') throw invalid("'sensor_custom' is not Yes or No")
  if (none && custom === undefined)
    throw invalid(`'data.attributes' has none of ${Object.keys(LIMITS).join(', ')}, sensor_custom`)
  return change
}

const isLimit = (name: string): name is keyof typeof LIMITS => Object.hasOwn(LIMITS, name)

function recordOf(sensor: LimitedSensor) {
  return {
    type: TYPE,
    id: String(sensor.sensor_id),
    attributes: {
      device_id: sensor.device_id,
      sensor_class: sensor.class,
      sensor_descr: sensor.descr,
      sensor_current: sensor.value,
      sensor_limit: sensor.high,
      sensor_limit_warn: sensor.high_warn,
      sensor_limit_low_warn: sensor.low_warn,
      sensor_limit_low: sensor.low,
      sensor_custom: sensor.source === 'person' ? 'Yes' : 'No',
    },
  }
}
