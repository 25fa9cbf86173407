import { notFound } from '../../../core/base/errors.ts'
import { macOf } from '../../../core/inventory/switching.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { listAnswer, listOrMissing } from '../list-answer.ts'
import { presentFdbSight } from '../records/inventory.ts'
import { SwitchingModel } from './model.ts'

const NO_ENTRY = 'Fdb entry does not exist'
const NO_VLANS = 'VLANs do not exist'
const fdbList = listOrMissing('ports_fdb', NO_ENTRY)

/** VLANs and forwarding databases of all devices. */
export const switchingRoutes = ({ devices, inventory, log }: Pick<Services, 'devices' | 'inventory' | 'log'>) =>
  new Elysia({ name: 'v0.switching', prefix: '/resources' })
    .use(v0Context)
    .get(
      '/vlans',
      async ({ actor, query: { hostname } }) => {
        const device = hostname === undefined ? null : await devices.find(actor, hostname)
        const unknown = hostname !== undefined && device === null
        if (unknown) throw notFound(NO_VLANS)
        const vlans = inventory.vlans(actor, device?.device_id ?? null)
        return await listAnswer(vlans, log, listOrMissing('vlans', NO_VLANS))
      },
      {
        ...operation({ id: 'list_vlans', gate: 'Vlan.viewAny', summary: 'VLANs of all devices' }),
        query: SwitchingModel.vlansQuery,
        response: { 200: SwitchingModel.vlans, 403: ErrorModel, 404: ErrorModel },
      },
    )
    .get('/fdb', ({ actor }) => listAnswer(inventory.fdb(actor, {}), log, fdbList), {
      ...operation({ id: 'list_fdb', gate: 'Port.viewAny', summary: 'Forwarding databases of all devices' }),
      response: { 200: SwitchingModel.fdb, 404: ErrorModel },
    })
    .get(
      '/fdb/:mac',
      ({ actor, params }) => {
        const mac = macOf(params.mac)
        if (mac === null) throw notFound(NO_ENTRY)
        return listAnswer(inventory.fdb(actor, { mac }), log, fdbList)
      },
      {
        ...operation({
          id: 'list_fdb_mac',
          documented: 'list_fdb',
          route: 'list_fdb_mac',
          gate: 'Port.viewAny',
          summary: 'Forwarding database entries of a MAC address',
        }),
        params: SwitchingModel.mac,
        response: { 200: SwitchingModel.fdb, 404: ErrorModel },
      },
    )
    .get(
      '/fdb/:mac/detail',
      async ({ actor, params, status }) => {
        const mac = macOf(params.mac)
        if (mac === null) return status(422, { status: 'error' as const, message: 'Invalid MAC address' })
        const sights = await inventory.fdbDetails(actor, mac)
        if (sights.length === 0) throw notFound(NO_ENTRY)
        const mac_oui = await inventory.manufacturerOf(mac)
        const colons = mac.replaceAll(/(..)(?=.)/g, '$1:')
        return {
          status: 'ok' as const,
          mac: colons,
          mac_oui,
          ports_fdb: sights.map(presentFdbSight),
          count: sights.length,
        }
      },
      {
        ...operation({
          id: 'list_fdb_detail',
          gate: 'Port.viewAny',
          summary: 'Where a MAC address was seen, most recent first',
        }),
        params: SwitchingModel.mac,
        response: { 200: SwitchingModel.details, 404: ErrorModel, 422: ErrorModel },
      },
    )
