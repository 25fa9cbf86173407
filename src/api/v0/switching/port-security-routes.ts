import type { Dialect } from '../../../core/base/actor.ts'
import type { PortSecurityRow } from '../../../core/inventory/switching.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia, t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { Text, Whole } from '../../nullable.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, Ok } from '../envelope.ts'
import { rowId } from '../lookup.ts'
import { presentPortSecurity } from '../records/port-security.ts'

const Truth = t.Union([t.Literal('true'), t.Literal('false'), t.Null()])

const PortSecurity = t.Object(
  {
    id: whole(),
    port_id: whole(),
    device_id: whole(),
    cpsIfPortSecurityEnable: Truth,
    cpsIfPortSecurityStatus: Text,
    cpsIfMaxSecureMacAddr: Whole,
    cpsIfCurrentSecureMacAddrCount: Whole,
    cpsIfViolationAction: Text,
    cpsIfViolationCount: Whole,
    cpsIfSecureLastMacAddress: Text,
    cpsIfStickyEnable: Truth,
    port_security_enable: t.Union([t.Boolean(), t.Null()]),
    status: Text,
    max_addresses: Whole,
    address_count: Whole,
    violation_action: Text,
    violation_count: Whole,
    last_mac_address: Text,
    sticky_enable: t.Union([t.Boolean(), t.Null()]),
  },
  { title: 'PortSecurity' },
)

const PortSecurityModel = {
  hostname: documented(t.Object({ hostname: t.String() })),
  params: documented(t.Object({ port_id: t.String() })),
  /** Column spellings of both the documentation and LibreNMS, and both member names; dialect `librenms` has only `port`. */
  list: documented(
    t.Object({
      status: Ok,
      message: t.Literal(''),
      ports: t.Optional(t.Array(PortSecurity, { description: 'Absent in dialect librenms' })),
      port: t.Array(PortSecurity),
      count: whole(),
    }),
  ),
}

/** The rows under both member names, or under that of LibreNMS. */
function answer(dialect: Dialect, rows: readonly PortSecurityRow[]): typeof PortSecurityModel.list.static {
  const ports = rows.map(presentPortSecurity)
  return { status: 'ok', message: '', ...(dialect === 'documented' && { ports }), port: ports, count: ports.length }
}

/** Port security of all ports, of one port, or of a device's ports. Unknown ports and devices give an empty list. */
export const portSecurityRoutes = ({ devices, ports, inventory }: Pick<Services, 'devices' | 'ports' | 'inventory'>) =>
  new Elysia({ name: 'v0.port-security', prefix: '/port_security' })
    .use(v0Context)
    .get('', async ({ actor, dialect }) => answer(dialect, await inventory.portSecurity(actor, {})), {
      ...operation({
        id: 'get_all_port_security',
        route: 'get_port_security',
        gate: 'Port.viewAny',
        summary: 'Port security of all ports',
      }),
      response: { 200: PortSecurityModel.list },
    })
    .get(
      '/port/:port_id',
      async ({ actor, dialect, params }) => {
        const port = await ports.find(actor, rowId(params.port_id))
        return answer(dialect, port === null ? [] : await inventory.portSecurity(actor, { portId: port.port_id }))
      },
      {
        ...operation({
          id: 'get_port_security_by_port',
          gate: 'Port.viewAny',
          summary: 'Port security of one port',
        }),
        params: PortSecurityModel.params,
        response: { 200: PortSecurityModel.list, 403: ErrorModel },
      },
    )
    .get(
      '/device/:hostname',
      async ({ actor, dialect, params }) => {
        const device = await devices.find(actor, params.hostname)
        return answer(
          dialect,
          device === null ? [] : await inventory.portSecurity(actor, { deviceId: device.device_id }),
        )
      },
      {
        ...operation({
          id: 'get_port_security_by_hostname',
          gate: 'Port.viewAny',
          summary: 'Port security of the ports of a device',
        }),
        params: PortSecurityModel.hostname,
        response: { 200: PortSecurityModel.list, 403: ErrorModel },
      },
    )
