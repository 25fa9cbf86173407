import { Elysia } from 'elysia'
import { invalid, notFound } from '../../../domain/errors.ts'
import type { Services } from '../../../domain/services.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { listAnswer } from '../list-answer.ts'
import { rowId } from '../lookup.ts'
import { NeighbourModel } from './model.ts'
import { arpList, linkAnswer, linkList, nacList } from './present.ts'

/** An id that no device has. */
const NO_DEVICE = -1

/** ARP, links and network access control of all devices. */
export const neighbourRoutes = ({ devices, neighbours, log }: Pick<Services, 'devices' | 'neighbours' | 'log'>) =>
  new Elysia({ name: 'v0.neighbours', prefix: '/resources' })
    .use(v0Context)
    .get(
      '/ip/arp/:query',
      async ({ actor, params, query }) => {
        if (params.query !== 'all') return await listAnswer(neighbours.arpOf(actor, params.query), log, arpList)
        const device = query.device === undefined ? null : await devices.resolve(query.device)
        const unknown = query.device !== undefined && device === null
        const deviceId = unknown ? NO_DEVICE : (device?.device_id ?? null)
        return await listAnswer(neighbours.arp(actor, deviceId), log, arpList)
      },
      {
        ...operation({
          id: 'list_arp',
          gate: 'Port.viewAny',
          summary: 'ARP entries of an address, a MAC address, a device, or all',
        }),
        params: NeighbourModel.arpParams,
        query: NeighbourModel.arpQuery,
        response: { 200: NeighbourModel.arp },
      },
    )
    .get(
      '/ip/arp/:query/:cidr',
      ({ actor, params }) => listAnswer(neighbours.arpOfNetwork(actor, params.query, params.cidr), log, arpList),
      {
        ...operation({
          id: 'list_arp_network',
          documented: 'list_arp',
          gate: 'Port.viewAny',
          summary: 'ARP entries of a network',
        }),
        params: NeighbourModel.arpNetworkParams,
        response: { 200: NeighbourModel.arp, 400: ErrorModel },
      },
    )
    .get('/links', ({ actor }) => listAnswer(neighbours.links(actor, null), log, linkList), {
      ...operation({ id: 'list_links', gate: 'Link.viewAny', summary: 'All links' }),
      response: { 200: NeighbourModel.links, 404: ErrorModel },
    })
    .get(
      '/links/:id',
      async ({ actor, params: { id } }) => {
        if (!/^\d+$/.test(id)) throw invalid('Invalid id has been provided')
        const link = await neighbours.link(actor, rowId(id))
        if (link === null) throw notFound(`Link ${id} does not exist`)
        return linkAnswer(link)
      },
      {
        ...operation({ id: 'get_link', gate: 'Link.viewAny', summary: 'One link' }),
        params: NeighbourModel.linkParams,
        response: { 200: NeighbourModel.link, 400: ErrorModel, 404: ErrorModel },
      },
    )
    .get('/nac', ({ actor }) => listAnswer(neighbours.nac(actor, null), log, nacList), {
      ...operation({ id: 'list_nac', gate: 'PortsNac.viewAny', summary: 'All sessions of network access control' }),
      response: { 200: NeighbourModel.nac, 404: ErrorModel },
    })
    .get('/nac/:mac', ({ actor, params }) => listAnswer(neighbours.nacOf(actor, params.mac), log, nacList), {
      ...operation({
        id: 'list_nac_mac',
        documented: 'list_nac',
        route: 'list_nac_mac',
        gate: 'PortsNac.viewAny',
        summary: 'Sessions of a MAC address',
      }),
      params: NeighbourModel.nacParams,
      response: { 200: NeighbourModel.nac, 404: ErrorModel },
    })
