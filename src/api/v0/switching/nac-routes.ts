import { NAC } from '../../../core/records/tables.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia, t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, Ok } from '../envelope.ts'
import { type ListOptions, listAnswer, listOrMissing } from '../list-answer.ts'
import { lookUpDevice } from '../lookup.ts'
import { listModel } from '../records/model.ts'

const Nac = listModel(NAC, 'NacSession')

const NacModel = {
  hostname: documented(t.Object({ hostname: t.String() })),
  params: documented(t.Object({ mac: t.String() })),
  list: documented(t.Object({ status: Ok, ports_nac: t.Array(Nac), count: whole() })),
}

/** Clients expect the leading space in the message. */
const nacList = listOrMissing('ports_nac', ' Nac entry does not exist')

/** For the sessions of a device, whose list may be empty. */
const deviceNacList: ListOptions = { name: 'ports_nac' }

/** Network access control sessions: all, those of a MAC address, or those of a device. */
export const nacRoutes = ({ devices, inventory, log }: Pick<Services, 'devices' | 'inventory' | 'log'>) =>
  new Elysia({ name: 'v0.nac' })
    .use(v0Context)
    .get('/resources/nac', ({ actor }) => listAnswer(inventory.nac(actor, null), log, nacList), {
      ...operation({ id: 'list_nac', gate: 'PortsNac.viewAny', summary: 'All network access control sessions' }),
      response: { 200: NacModel.list, 404: ErrorModel },
    })
    .get('/resources/nac/:mac', ({ actor, params }) => listAnswer(inventory.nacOf(actor, params.mac), log, nacList), {
      ...operation({
        id: 'list_nac_mac',
        documented: 'list_nac',
        route: 'list_nac_mac',
        gate: 'PortsNac.viewAny',
        summary: 'Network access control sessions of a MAC address',
      }),
      params: NacModel.params,
      response: { 200: NacModel.list, 404: ErrorModel },
    })
    .get(
      '/devices/:hostname/nac',
      async ({ actor, params: { hostname } }) => {
        const { device_id } = await lookUpDevice(devices, actor, hostname, `Device ${hostname} not found`)
        return await listAnswer(inventory.nac(actor, device_id), log, deviceNacList)
      },
      {
        ...operation({
          id: 'get_device_nac',
          route: 'get_nac',
          gate: 'Device.viewAny',
          summary: 'Network access control sessions on a device',
        }),
        params: NacModel.hostname,
        response: { 200: NacModel.list, 403: ErrorModel, 404: ErrorModel },
      },
    )
