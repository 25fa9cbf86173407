import { absent, invalid, notFound } from '../../../core/base/errors.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia, t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, Ok } from '../envelope.ts'
import { listAnswer, listOrMissing } from '../list-answer.ts'
import { refusals } from '../statuses.ts'
import { bgpRoutes, numericId } from './bgp-routes.ts'
import { deviceOf, HostnameQuery } from './device-filter.ts'
import {
  IpsecTunnel,
  MplsSap,
  MplsService,
  OspfNeighbour,
  OspfPort,
  Ospfv3Neighbour,
  Ospfv3Port,
  Vrf,
} from './model.ts'

const RoutingModel = {
  ospf: documented(t.Object({ status: Ok, ospf_neighbours: t.Array(OspfNeighbour), count: whole() })),
  ospfPorts: documented(t.Object({ status: Ok, ospf_ports: t.Array(OspfPort), count: whole() })),
  ospfv3: documented(t.Object({ status: Ok, ospfv3_neighbours: t.Array(Ospfv3Neighbour), count: whole() })),
  ospfv3Ports: documented(t.Object({ status: Ok, ospfv3_ports: t.Array(Ospfv3Port), count: whole() })),
  vrfs: documented(t.Object({ status: Ok, vrfs: t.Array(Vrf), count: whole() })),
  vrf: documented(t.Object({ status: Ok, vrf: t.Array(Vrf), count: whole() })),
  services: documented(t.Object({ status: Ok, mpls_services: t.Array(MplsService), count: whole() })),
  saps: documented(t.Object({ status: Ok, saps: t.Array(MplsSap), count: whole() })),
  ipsec: documented(t.Object({ status: Ok, message: t.Literal(''), count: whole(), ipsec: t.Array(IpsecTunnel) })),
  id: documented(t.Object({ id: t.String() })),
  hostname: documented(t.Object({ hostname: t.String() })),
  vrfQuery: documented(
    t.Object({
      hostname: t.Optional(t.String({ description: 'hostname or device id' })),
      vrfname: t.Optional(t.String({ description: 'exact; overrides hostname' })),
    }),
  ),
}

/** BGP, OSPF, OSPFv3, VRFs, MPLS and IPsec. */
export const routingRoutes = (services: Pick<Services, 'devices' | 'inventory' | 'log'>) =>
  new Elysia({ name: 'v0.routing' })
    .use(bgpRoutes(services))
    .use(ospfRoutes(services))
    .use(vrfRoutes(services))
    .use(tunnelRoutes(services))

const ospfRoutes = ({ devices, inventory, log }: Pick<Services, 'devices' | 'inventory' | 'log'>) =>
  new Elysia({ name: 'v0.ospf' })
    .use(v0Context)
    .get(
      '/ospf',
      async ({ actor, query }) => {
        const neighbours = inventory.ospfNeighbours(actor, await deviceOf(devices, actor, query.hostname))
        return await listAnswer(neighbours, log, { name: 'ospf_neighbours' })
      },
      {
        ...operation({ id: 'list_ospf', gate: 'Route.viewAny', summary: 'OSPF neighbours' }),
        query: HostnameQuery,
        response: { 200: RoutingModel.ospf },
      },
    )
    .get(
      '/ospf_ports',
      ({ actor }) =>
        listAnswer(inventory.ospfPorts(actor), log, listOrMissing('ospf_ports', 'Ospf ports do not exist')),
      {
        ...operation({ id: 'list_ospf_ports', gate: 'Route.viewAny', summary: 'OSPF interfaces' }),
        response: { 200: RoutingModel.ospfPorts, 404: ErrorModel },
      },
    )
    .get(
      '/ospfv3',
      async ({ actor, query }) => {
        const deviceId = await deviceOf(devices, actor, query.hostname)
        return await listAnswer(inventory.ospfv3Neighbours(actor, deviceId), log, {
          name: 'ospfv3_neighbours',
          whenEmpty: () => {
            throw absent('Error retrieving ospfv3_nbrs')
          },
        })
      },
      {
        ...operation({ id: 'list_ospfv3', gate: 'Route.viewAny', summary: 'OSPFv3 neighbours' }),
        query: HostnameQuery,
        response: { 200: RoutingModel.ospfv3, ...refusals('absent') },
      },
    )
    .get(
      '/ospfv3_ports',
      async ({ actor, query }) => {
        const list = inventory.ospfv3Ports(actor, await deviceOf(devices, actor, query.hostname))
        return await listAnswer(list, log, listOrMissing('ospfv3_ports', 'Ospfv3 ports do not exist'))
      },
      {
        ...operation({ id: 'list_ospfv3_ports', gate: 'Route.viewAny', summary: 'OSPFv3 interfaces' }),
        query: HostnameQuery,
        response: { 200: RoutingModel.ospfv3Ports, 404: ErrorModel },
      },
    )

const vrfRoutes = ({ devices, inventory, log }: Pick<Services, 'devices' | 'inventory' | 'log'>) =>
  new Elysia({ name: 'v0.vrf', prefix: '/routing/vrf' })
    .use(v0Context)
    .get(
      '',
      async ({ actor, query: { hostname, vrfname } }) => {
        const device = hostname === undefined ? null : await devices.find(actor, hostname)
        const vrfs = inventory.vrfs(actor, vrfname === undefined ? { deviceId: device?.device_id } : { name: vrfname })
        return await listAnswer(vrfs, log, listOrMissing('vrfs', 'VRFs do not exist'))
      },
      {
        ...operation({ id: 'list_vrf', gate: 'Route.viewAny', summary: 'VRFs' }),
        query: RoutingModel.vrfQuery,
        response: { 200: RoutingModel.vrfs, 403: ErrorModel, 404: ErrorModel },
      },
    )
    .get(
      '/:id',
      async ({ actor, params }) => {
        const vrf = await inventory.vrf(actor, numericId(params.id))
        if (vrf === null) throw notFound(`VRF ${params.id} does not exist`)
        return { status: 'ok' as const, vrf: [vrf], count: 1 }
      },
      {
        ...operation({ id: 'get_vrf', gate: 'Vrf.viewAny', summary: 'One VRF' }),
        params: RoutingModel.id,
        response: { 200: RoutingModel.vrf, 400: ErrorModel, 404: ErrorModel },
      },
    )

const tunnelRoutes = ({ devices, inventory, log }: Pick<Services, 'devices' | 'inventory' | 'log'>) =>
  new Elysia({ name: 'v0.tunnels', prefix: '/routing' })
    .use(v0Context)
    .get(
      '/mpls/services',
      async ({ actor, query }) => {
        const list = inventory.mplsServices(actor, await deviceOf(devices, actor, query.hostname))
        return await listAnswer(list, log, listOrMissing('mpls_services', 'MPLS Services do not exist'))
      },
      {
        ...operation({ id: 'list_mpls_services', gate: 'Route.viewAny', summary: 'MPLS services' }),
        query: HostnameQuery,
        response: { 200: RoutingModel.services, 404: ErrorModel },
      },
    )
    .get(
      '/mpls/saps',
      async ({ actor, query }) => {
        const list = inventory.mplsSaps(actor, await deviceOf(devices, actor, query.hostname))
        return await listAnswer(list, log, listOrMissing('saps', 'SAPs do not exist'))
      },
      {
        ...operation({ id: 'list_mpls_saps', gate: 'Route.viewAny', summary: 'Service access points (SAPs) of MPLS' }),
        query: HostnameQuery,
        response: { 200: RoutingModel.saps, 404: ErrorModel },
      },
    )
    .get(
      '/ipsec/data/:hostname',
      async ({ actor, params }) => {
        const device = await devices.visible(actor, params.hostname)
        if (!device) throw invalid('No valid hostname or device ID provided')
        const tunnels = inventory.ipsecTunnels(actor, device.device_id)
        return await listAnswer(tunnels, log, { name: 'ipsec', message: true })
      },
      {
        ...operation({ id: 'list_ipsec', gate: 'Device.viewAny', summary: 'Active IPsec tunnels of a device' }),
        params: RoutingModel.hostname,
        response: { 200: RoutingModel.ipsec, 400: ErrorModel },
      },
    )
