import { Elysia } from 'elysia'
import type { Services } from '../../../domain/services.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { rowId } from '../lookup.ts'
import { NeighbourModel } from './model.ts'
import { portSecurityAnswer } from './present.ts'

/** Port security of all ports, of one, or of a device's. Unknown ports and devices give an empty list. */
export const portSecurityRoutes = ({
  devices,
  ports,
  neighbours,
}: Pick<Services, 'devices' | 'ports' | 'neighbours'>) =>
  new Elysia({ name: 'v0.port-security', prefix: '/port_security' })
    .use(v0Context)
    .get('', async ({ actor }) => portSecurityAnswer(await neighbours.portSecurity(actor, {})), {
      ...operation({
        id: 'get_all_port_security',
        route: 'get_port_security',
        gate: 'Port.viewAny',
        summary: 'Port security of all ports',
      }),
      response: { 200: NeighbourModel.portSecurity },
    })
    .get(
      '/port/:port_id',
      async ({ actor, params }) => {
        const port = await ports.find(actor, rowId(params.port_id))
        return portSecurityAnswer(port === null ? [] : await neighbours.portSecurity(actor, { portId: port.port_id }))
      },
      {
        ...operation({
          id: 'get_port_security_by_port',
          gate: 'Port.viewAny',
          summary: 'Port security of one port',
        }),
        params: NeighbourModel.portParams,
        response: { 200: NeighbourModel.portSecurity, 403: ErrorModel },
      },
    )
    .get(
      '/device/:hostname',
      async ({ actor, params }) => {
        const device = await devices.find(actor, params.hostname)
        return portSecurityAnswer(
          device === null ? [] : await neighbours.portSecurity(actor, { deviceId: device.device_id }),
        )
      },
      {
        ...operation({
          id: 'get_port_security_by_hostname',
          gate: 'Port.viewAny',
          summary: 'Port security of the ports of a device',
        }),
        params: NeighbourModel.hostname,
        response: { 200: NeighbourModel.portSecurity, 403: ErrorModel },
      },
    )
