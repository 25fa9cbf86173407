import { Elysia } from 'elysia'
import { invalid, notFound } from '../../../domain/errors.ts'
import type { Services } from '../../../domain/services.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { rowId } from '../lookup.ts'
import { NeighbourModel } from './model.ts'
import { arpAnswer, linkList, nacList } from './present.ts'

/** ARP, links and network access control of all devices. */
export const neighbourRoutes = ({ devices, neighbours }: Pick<Services, 'devices' | 'neighbours'>) =>
  new Elysia({ name: 'v0.neighbours', prefix: '/resources' })
    .use(v0Context)
    .get(
      '/ip/arp/:query',
      async ({ actor, params, query }) => {
        if (params.query !== 'all') return arpAnswer(await neighbours.arpOf(actor, params.query))
        if (query.device === undefined) return arpAnswer(await neighbours.arp(actor, null))
        const device = await devices.resolve(query.device)
        return arpAnswer(device === null ? [] : await neighbours.arp(actor, device.device_id))
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
      async ({ actor, params }) => arpAnswer(await neighbours.arpOfNetwork(actor, params.query, params.cidr)),
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
    .get('/links', async ({ actor }) => linkList(await neighbours.links(actor, null)), {
      ...operation({ id: 'list_links', gate: 'Link.viewAny', summary: 'All links' }),
      response: { 200: NeighbourModel.links, 404: ErrorModel },
    })
    .get(
      '/links/:id',
      async ({ actor, params: { id } }) => {
        if (!/^\d+$/.test(id)) throw invalid('Invalid id has been provided')
        const link = await neighbours.link(actor, rowId(id))
        if (link === null) throw notFound(`Link ${id} does not exist`)
        const answer = linkList([link])
        return { ...answer, link: answer.links }
      },
      {
        ...operation({ id: 'get_link', gate: 'Link.viewAny', summary: 'One link' }),
        params: NeighbourModel.linkParams,
        response: { 200: NeighbourModel.link, 400: ErrorModel, 404: ErrorModel },
      },
    )
    .get('/nac', async ({ actor }) => nacList(await neighbours.nac(actor, null)), {
      ...operation({ id: 'list_nac', gate: 'PortsNac.viewAny', summary: 'All sessions of network access control' }),
      response: { 200: NeighbourModel.nac, 404: ErrorModel },
    })
    .get('/nac/:mac', async ({ actor, params }) => nacList(await neighbours.nacOf(actor, params.mac)), {
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
