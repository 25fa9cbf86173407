import { ARP_ENTRY } from '../../../core/records/tables.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia, t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, Ok } from '../envelope.ts'
import { type ListOptions, listAnswer } from '../list-answer.ts'
import { listModel } from '../records/model.ts'

const ArpEntry = listModel(ARP_ENTRY, 'ArpEntry')

const ArpModel = {
  params: documented(
    t.Object({
      query: t.String({ description: 'IPv4 address, network with its slash encoded, MAC address, or `all`' }),
    }),
  ),
  networkParams: documented(t.Object({ query: t.String(), cidr: t.String({ description: 'Prefix length' }) })),
  query: documented(
    t.Object({ device: t.Optional(t.String({ description: 'With `all`: hostname or id of a device' })) }),
  ),
  list: documented(t.Object({ status: Ok, message: t.Literal(''), arp: t.Array(ArpEntry), count: whole() })),
}

/** An id that no device has. */
const NO_DEVICE = -1

/** The list may be empty. */
const arpList: ListOptions = { name: 'arp', message: true }

/** ARP entries of an address, a MAC address, a network, a device, or all. */
export const arpRoutes = ({ devices, inventory, log }: Pick<Services, 'devices' | 'inventory' | 'log'>) =>
  new Elysia({ name: 'v0.arp', prefix: '/resources' })
    .use(v0Context)
    .get(
      '/ip/arp/:query',
      async ({ actor, params, query }) => {
        if (params.query !== 'all') return await listAnswer(inventory.arpOf(actor, params.query), log, arpList)
        const device = query.device === undefined ? null : await devices.resolve(query.device)
        const unknown = query.device !== undefined && device === null
        const deviceId = unknown ? NO_DEVICE : (device?.device_id ?? null)
        return await listAnswer(inventory.arp(actor, deviceId), log, arpList)
      },
      {
        ...operation({
          id: 'list_arp',
          gate: 'Port.viewAny',
          summary: 'ARP entries of an address, a MAC address, a device, or all',
        }),
        params: ArpModel.params,
        query: ArpModel.query,
        response: { 200: ArpModel.list, 400: ErrorModel },
      },
    )
    .get(
      '/ip/arp/:query/:cidr',
      ({ actor, params }) => listAnswer(inventory.arpOf(actor, `${params.query}/${params.cidr}`), log, arpList),
      {
        ...operation({
          id: 'list_arp_network',
          documented: 'list_arp',
          gate: 'Port.viewAny',
          summary: 'ARP entries of a network',
        }),
        params: ArpModel.networkParams,
        response: { 200: ArpModel.list, 400: ErrorModel },
      },
    )
