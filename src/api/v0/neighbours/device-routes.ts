import { Elysia } from 'elysia'
import type { Services } from '../../../domain/services.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { listAnswer } from '../list-answer.ts'
import { lookUpDevice } from '../lookup.ts'
import { NeighbourModel } from './model.ts'
import { deviceNacList, linkList } from './present.ts'

/** Links and network access control of a device. */
export const deviceNeighbourRoutes = ({ devices, neighbours, log }: Pick<Services, 'devices' | 'neighbours' | 'log'>) =>
  new Elysia({ name: 'v0.device-neighbours', prefix: '/devices/:hostname' })
    .use(v0Context)
    .get(
      '/links',
      async ({ actor, params }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname, 'Links do not exist')
        return await listAnswer(neighbours.links(actor, device_id), log, linkList)
      },
      {
        ...operation({
          id: 'list_links_device',
          also: ['get_links'],
          gate: 'Device.viewAny',
          summary: 'Links of a device',
        }),
        params: NeighbourModel.hostname,
        response: { 200: NeighbourModel.links, 403: ErrorModel, 404: ErrorModel },
      },
    )
    .get(
      '/nac',
      async ({ actor, params: { hostname } }) => {
        const { device_id } = await lookUpDevice(devices, actor, hostname, `Device ${hostname} not found`)
        return await listAnswer(neighbours.nac(actor, device_id), log, deviceNacList)
      },
      {
        ...operation({
          id: 'get_device_nac',
          route: 'get_nac',
          gate: 'Device.viewAny',
          summary: 'Sessions of network access control on a device',
        }),
        params: NeighbourModel.hostname,
        response: { 200: NeighbourModel.nac, 403: ErrorModel, 404: ErrorModel },
      },
    )
