import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { lookUpDevice, rowId } from '../lookup.ts'
import { presentGraphItem, presentHealth, presentWireless } from '../records/sensor.ts'
import { HealthModel } from './model.ts'
import { healthKind, wirelessClass } from './names.ts'

const health = (summary: string, id = 'list_available_health_graphs') =>
  operation({ id, documented: 'list_available_health_graphs', gate: 'Device.viewAny', summary })
const wireless = (summary: string, id = 'list_available_wireless_graphs') =>
  operation({ id, documented: 'list_available_wireless_graphs', gate: 'Device.viewAny', summary })

/** The list member is always `graphs`, also for sensors and single records. */
const listed = <T>(graphs: readonly T[]) => ({ status: 'ok' as const, graphs: [...graphs], count: graphs.length })
const withMessage = <T>(graphs: readonly T[]) => ({ ...listed(graphs), message: '' as const })
const errors = { 403: ErrorModel, 404: ErrorModel }

/** Health of a device: classes with their graphs, sensors of a class, one sensor. */
export const healthRoutes = ({ devices, inventory }: Pick<Services, 'devices' | 'inventory'>) =>
  new Elysia({ name: 'v0.health', prefix: '/devices/:hostname' })
    .use(v0Context)
    .get(
      '/health',
      async ({ actor, params }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname)
        return withMessage(await inventory.healthGraphs(device_id))
      },
      {
        ...health('Health graphs of a device: sensor classes, processors, storage, memory pools'),
        params: HealthModel.hostname,
        response: { 200: HealthModel.graphs, ...errors },
      },
    )
    .get(
      '/health/:type',
      async ({ actor, params }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname)
        return withMessage((await inventory.healthItems(device_id, healthKind(params.type))).map(presentGraphItem))
      },
      {
        ...health('Sensors of a class on a device, or its processors, storage, memory pools', 'list_health_sensors'),
        params: HealthModel.type,
        response: { 200: HealthModel.items, ...errors },
      },
    )
    .get(
      '/health/:type/:sensor_id',
      async ({ actor, params }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname)
        const found = await inventory.healthItem(device_id, healthKind(params.type), rowId(params.sensor_id))
        return withMessage(found === null ? [] : [presentHealth(found)])
      },
      {
        ...health('One sensor of a device; an empty list if it does not exist', 'get_health_sensor'),
        params: HealthModel.item,
        response: { 200: HealthModel.records, ...errors },
      },
    )
    .get(
      '/wireless',
      async ({ actor, params }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname)
        return listed(await inventory.wirelessGraphs(device_id))
      },
      {
        ...wireless('Wireless graphs of a device, one for each sensor class'),
        params: HealthModel.hostname,
        response: { 200: HealthModel.wirelessGraphs, ...errors },
      },
    )
    .get(
      '/wireless/:type',
      async ({ actor, params }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname)
        return listed((await inventory.wirelessItems(device_id, wirelessClass(params.type))).map(presentGraphItem))
      },
      {
        ...wireless('Wireless sensors of a class on a device', 'list_wireless_sensors'),
        params: HealthModel.wirelessType,
        response: { 200: HealthModel.wirelessItems, ...errors },
      },
    )
    .get(
      '/wireless/:type/:sensor_id',
      async ({ actor, params }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname)
        const found = await inventory.wirelessItem(device_id, wirelessClass(params.type), rowId(params.sensor_id))
        return listed(found === null ? [] : [presentWireless(found)])
      },
      {
        ...wireless('One wireless sensor of a device; an empty list if it does not exist', 'get_wireless_sensor'),
        params: HealthModel.wirelessItem,
        response: { 200: HealthModel.wirelessRecords, ...errors },
      },
    )
