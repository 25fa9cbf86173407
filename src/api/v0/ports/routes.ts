import type { Actor } from '../../../core/base/actor.ts'
import { invalid, notFound } from '../../../core/base/errors.ts'
import type { PortService } from '../../../core/ports/service.ts'
import type { Services } from '../../../core/services.ts'
import { members } from '../../body.ts'
import { Elysia } from '../../elysia.ts'
import { Addresses } from '../addresses/model.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { listAnswer } from '../list-answer.ts'
import { rowId } from '../lookup.ts'
import { portColumns } from './device-routes.ts'
import { portInfo } from './info.ts'
import { PortModel } from './model.ts'
import { searchText } from './port-path.ts'

const SEARCH_COLUMNS = ['device_id', 'port_id', 'ifIndex', 'ifName', 'ifAlias'] as const
const SEARCH_FIELDS = ['ifAlias', 'ifDescr', 'ifName'] as const

/** Ports of all devices: list, search, one by id, its addresses and description. */
export const portRoutes = ({ devices, ports, log }: Pick<Services, 'devices' | 'ports' | 'log'>) => {
  const search = (actor: Actor, fields: readonly string[], text: string, columns: string | undefined) =>
    listAnswer(
      ports.list(
        actor,
        { kind: 'search', fields, text },
        { columns: portColumns(columns, SEARCH_COLUMNS), order: 'ifName' },
      ),
      log,
      {
        name: 'ports',
        message: true,
        whenEmpty: () => {
          throw notFound('No ports found')
        },
      },
    )
  const searchGate = operation({
    id: 'search_ports',
    path: '/ports/search/:field/:search',
    gate: 'Port.viewAny',
    summary: 'Ports with a text in one of the given fields; the text is the rest of the path',
  })
  const hidden = { detail: { hide: true }, beforeHandle: searchGate.beforeHandle }

  return (
    new Elysia({ name: 'v0.ports', prefix: '/ports' })
      .use(v0Context)
      .get(
        '',
        ({ actor, query }) =>
          listAnswer(
            ports.list(
              actor,
              { kind: 'all' },
              { columns: portColumns(query.columns, ['port_id', 'ifName']), order: 'port_id' },
            ),
            log,
            { name: 'ports', message: true },
          ),
        {
          ...operation({ id: 'get_all_ports', gate: 'Port.viewAny', summary: 'All ports' }),
          query: PortModel.listQuery,
          response: { 200: PortModel.list, 400: ErrorModel },
        },
      )
      .get(
        // `field` is the text here: the router allows one parameter name per position.
        '/search/:field',
        ({ actor, params, query }) => search(actor, SEARCH_FIELDS, params.field, query.columns),
        {
          ...operation({
            id: 'search_ports_default',
            documented: 'search_ports',
            path: '/ports/search/:search',
            gate: 'Port.viewAny',
            summary: 'Ports with a text in ifAlias, ifDescr or ifName',
          }),
          params: PortModel.search,
          query: PortModel.listQuery,
          response: { 200: PortModel.list, 400: ErrorModel, 404: ErrorModel },
        },
      )
      .get(
        '/search/:field/*',
        ({ actor, params, query, request }) =>
          search(actor, portColumns(params.field, []), searchText(request.url), query.columns),
        {
          ...searchGate,
          query: PortModel.listQuery,
          response: { 200: PortModel.list, 400: ErrorModel, 404: ErrorModel },
        },
      )
      // LibreNMS matches `/ports/:portid/ip` before the searches, so `search` and `mac` are port ids here.
      .get('/search/ip', ({ actor }) => portAddresses(ports, actor, 'search'), hidden)
      .get('/mac/ip', ({ actor }) => portAddresses(ports, actor, 'mac'), hidden)
      .get('/:portid', ({ actor, params, query }) => portInfo({ devices, ports }, actor, params.portid, query.with), {
        ...operation({ id: 'get_port_info', gate: 'Port.viewAny', summary: 'One port' }),
        params: PortModel.portid,
        query: PortModel.infoQuery,
        response: { 200: PortModel.info, 403: ErrorModel, 404: ErrorModel },
      })
      .get('/:portid/ip', ({ actor, params }) => portAddresses(ports, actor, params.portid), {
        ...operation({ id: 'get_port_ip_info', gate: 'Port.viewAny', summary: 'Addresses of a port' }),
        params: PortModel.portid,
        response: { 200: Addresses, 403: ErrorModel, 404: ErrorModel },
      })
      .get('/:portid/description', ({ actor, params }) => description(ports, actor, params.portid), {
        ...operation({
          id: 'get_port_description',
          gate: 'Port.viewAny',
          summary: 'Description (ifAlias) of a port',
        }),
        params: PortModel.portid,
        response: { 200: PortModel.description, 400: ErrorModel },
      })
      .patch('/:portid/description', ({ actor, params, body }) => describe(ports, actor, params.portid, body), {
        ...operation({
          id: 'update_port_description',
          gate: 'Port.update',
          summary: 'Sets the description of a port, which polling then no longer changes',
        }),
        params: PortModel.portid,
        body: PortModel.describe,
        response: { 200: PortModel.described, 400: ErrorModel },
      })
  )
}

async function description(ports: PortService, actor: Actor, portid: string) {
  const port = await ports.findVisible(actor, rowId(portid))
  if (!port) throw invalid('Invalid port ID.')
  return { status: 'ok' as const, port_description: port.ifAlias ?? '' }
}

async function describe(ports: PortService, actor: Actor, portid: string, body: unknown) {
  const text = members(body)['description']
  if (typeof text !== 'string') throw invalid('Port description has not been supplied')
  await ports.describe(actor, rowId(portid), text)
  const message = text === '' ? 'Port description cleared.' : 'Port description updated.'
  return { status: 'ok' as const, message }
}

async function portAddresses(ports: PortService, actor: Actor, portid: string) {
  const none = notFound(`Port ${portid} does not have any IP addresses`)
  const port = await ports.find(actor, rowId(portid))
  if (!port) throw none
  const addresses = await ports.addresses({ portId: port.port_id })
  if (addresses.length === 0) throw none
  return { status: 'ok' as const, message: '' as const, addresses, count: addresses.length }
}
