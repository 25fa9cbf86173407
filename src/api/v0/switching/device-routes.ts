import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { rawQuery } from '../../path.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel, isSet } from '../envelope.ts'
import { listAnswer } from '../list-answer.ts'
import { lookUpDevice } from '../lookup.ts'
import { presentPortStack } from '../records/inventory.ts'
import { SwitchingModel } from './model.ts'

/** `valid_mappings` without a value, as in the documented example; other empty values count as absent. */
const BARE_FLAG = /(?:^|&)valid_mappings(?:&|$)/

/** VLANs, forwarding database and port stack of a device. */
export const deviceSwitchingRoutes = ({ devices, inventory, log }: Pick<Services, 'devices' | 'inventory' | 'log'>) =>
  new Elysia({ name: 'v0.device-switching', prefix: '/devices/:hostname' })
    .use(v0Context)
    .get(
      '/vlans',
      async ({ actor, params: { hostname } }) => {
        const { device_id } = await lookUpDevice(devices, actor, hostname, `Device ${hostname} not found`)
        const vlans = await inventory.deviceVlans(device_id)
        return { status: 'ok' as const, vlans, count: vlans.length }
      },
      {
        ...operation({ id: 'get_vlans', gate: 'Device.viewAny', summary: 'VLANs of a device' }),
        params: SwitchingModel.hostname,
        response: { 200: SwitchingModel.deviceVlans, 403: ErrorModel, 404: ErrorModel },
      },
    )
    .get(
      '/fdb',
      async ({ actor, params: { hostname } }) => {
        const { device_id } = await lookUpDevice(devices, actor, hostname, `Device ${hostname} not found`)
        return await listAnswer(inventory.fdb(actor, { deviceId: device_id }), log, { name: 'ports_fdb' })
      },
      {
        ...operation({
          id: 'get_device_fdb',
          route: 'get_fdb',
          gate: 'Device.viewAny',
          summary: 'Forwarding database of a device',
        }),
        params: SwitchingModel.hostname,
        response: { 200: SwitchingModel.fdb, 403: ErrorModel, 404: ErrorModel },
      },
    )
    .get(
      '/port_stack',
      async ({ actor, params, query, request }) => {
        const device = await devices.find(actor, params.hostname)
        const stack = device === null ? [] : await inventory.portStack(device.device_id)
        const mappings =
          isSet(query.valid_mappings) || BARE_FLAG.test(rawQuery(request.url))
            ? stack.filter((row) => row.high_ifIndex !== 0 && row.low_ifIndex !== 0)
            : stack
        return {
          status: 'ok' as const,
          message: '' as const,
          mappings: mappings.map(presentPortStack),
          count: mappings.length,
        }
      },
      {
        ...operation({
          id: 'get_port_stack',
          gate: 'Device.viewAny',
          summary: 'Which interfaces of a device are stacked on others',
        }),
        params: SwitchingModel.hostname,
        query: SwitchingModel.stackQuery,
        response: { 200: SwitchingModel.stack, 403: ErrorModel },
      },
    )
