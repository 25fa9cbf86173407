import type { Actor } from '../../../core/base/actor.ts'
import { DomainError, notFound } from '../../../core/base/errors.ts'
import { macOf } from '../../../core/inventory/switching.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { listAnswer } from '../list-answer.ts'
import { rowId } from '../lookup.ts'
import { SwitchingModel } from './model.ts'

type Deps = Pick<Services, 'ports' | 'inventory' | 'log'>

/** MAC addresses behind a port, and ports behind which a MAC address was seen. */
export const portSwitchingRoutes = ({ ports, inventory, log }: Deps) => {
  const portGate = operation({ id: 'get_port_fdb', gate: 'Port.viewAny', summary: 'MAC addresses behind a port' })
  // LibreNMS matches `/ports/:portid/fdb` before the searches, so `search` and `mac` are port ids here.
  const hidden = { detail: { hide: true }, beforeHandle: portGate.beforeHandle }
  return new Elysia({ name: 'v0.port-switching', prefix: '/ports' })
    .use(v0Context)
    .get('/search/fdb', ({ actor }) => portFdb({ ports, inventory, log }, actor, 'search'), hidden)
    .get('/mac/fdb', ({ actor }) => portFdb({ ports, inventory, log }, actor, 'mac'), hidden)
    .get('/:portid/fdb', ({ actor, params }) => portFdb({ ports, inventory, log }, actor, params.portid), {
      ...portGate,
      params: SwitchingModel.portid,
      response: { 200: SwitchingModel.portFdb, 403: ErrorModel, 404: ErrorModel },
    })
    .get(
      '/mac/:search',
      async ({ actor, dialect, params, query }) => {
        const mac = macOf(params.search)
        if (mac === null) {
          const fields = { macAddress: ['The mac address field is required.'] }
          throw new DomainError('invalid', 'Invalid MAC address', { fields })
        }
        const found = await inventory.portsOfMac(actor, mac)
        const [first] = found
        if (first === undefined) throw notFound('mac not found')
        // LibreNMS sends only `ports`, which is a single object with filter=first.
        const isFirst = query.filter === 'first'
        const body = {
          ...(dialect === 'documented' && { port: isFirst ? [first] : found }),
          ports: isFirst ? first : found,
        }
        return { status: 'ok' as const, message: '' as const, ...asPorts(body) }
      },
      {
        ...operation({
          id: 'ports_with_associated_mac',
          route: 'search_mac',
          gate: 'Port.viewAny',
          summary: 'Ports behind which a MAC address was seen, fewest addresses first',
        }),
        params: SwitchingModel.search,
        query: SwitchingModel.macQuery,
        response: { 200: SwitchingModel.ports, 404: ErrorModel, 422: ErrorModel },
      },
    )
}

/** Guaranteed by the column list of the port record; the tests check every answer against the model. */
const asPorts = (body: unknown) => body as Pick<typeof SwitchingModel.ports.static, 'port' | 'ports'>

async function portFdb({ ports, inventory, log }: Deps, actor: Actor, portid: string) {
  const port = await ports.find(actor, rowId(portid))
  const whenEmpty = () => {
    throw notFound(`Port ${portid} does not have any MAC addresses in fdb`)
  }
  if (!port) return whenEmpty()
  return await listAnswer(inventory.fdb(actor, { portId: port.port_id }), log, { name: 'macs', whenEmpty })
}
