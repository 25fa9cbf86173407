import { invalid, notFound } from '../../../core/base/errors.ts'
import { isWirelessClass, WIRELESS_COLUMNS, type WirelessColumn } from '../../../core/inventory/sensors.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia, t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, Ok } from '../envelope.ts'
import { WirelessSensor } from '../health/model.ts'
import { presentWireless } from '../records/sensor.ts'

const WirelessModel = {
  hostname: documented(t.Object({ hostname: t.String() })),
  query: documented(
    t.Object({
      class: t.Optional(t.String({ description: 'Class of the sensors, such as clients or rssi' })),
      columns: t.Optional(t.String({ description: 'Columns, separated by commas; absent: all' })),
    }),
  ),
  list: documented(
    t.Object({
      status: Ok,
      wireless_sensors: t.Array(t.Partial(WirelessSensor, { title: 'WirelessSensorColumns' })),
      count: whole(),
    }),
  ),
}

/** Wireless sensors of a device. */
export const wirelessRoutes = ({ devices, inventory }: Pick<Services, 'devices' | 'inventory'>) =>
  new Elysia({ name: 'v0.wireless', prefix: '/devices/:hostname' }).use(v0Context).get(
    '/wireless-sensors',
    async ({ actor, params, query }) => {
      const sensorClass = query.class ?? null
      if (sensorClass !== null && !isWirelessClass(sensorClass)) {
        throw invalid(`Invalid wireless sensor class '${sensorClass}'`)
      }
      const columns = wirelessColumns(query.columns)
      const device = await devices.resolve(params.hostname)
      const list = device
        ? await inventory.wirelessSensors(actor, { deviceId: device.device_id, sensorClass }, columns)
        : []
      if (list.length === 0) {
        throw notFound(`No wireless sensors found${sensorClass === null ? '' : ` for class '${sensorClass}'`}`)
      }
      return { status: 'ok' as const, wireless_sensors: list.map(presentWireless), count: list.length }
    },
    {
      ...operation({
        id: 'get_device_wireless_sensors',
        gate: 'Device.viewAny',
        summary: 'Wireless sensors of a device, of one class or all',
      }),
      params: WirelessModel.hostname,
      query: WirelessModel.query,
      response: { 200: WirelessModel.list, 400: ErrorModel, 404: ErrorModel },
    },
  )

const KNOWN: ReadonlySet<string> = new Set(WIRELESS_COLUMNS)

/** The requested columns, all by default. Throws 400 naming the unknown ones. */
function wirelessColumns(columns: string | undefined): readonly WirelessColumn[] {
  const names = [...new Set((columns ?? '').split(',').map((name) => name.trim()))].filter((name) => name !== '')
  const unknown = names.filter((name) => !KNOWN.has(name))
  if (unknown.length > 0) throw invalid(`Invalid columns: ${unknown.join(',')}`)
  return names.length === 0 ? WIRELESS_COLUMNS : (names as WirelessColumn[])
}
