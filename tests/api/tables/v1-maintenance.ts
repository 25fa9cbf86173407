import type { Role } from '../../../src/core/access/users/service.ts'
import { mint, type TestApi } from '../../support/api.ts'
import type { Request } from './row.ts'
import type { V1Row } from './v1.ts'

const KINDS = ['port', 'sensor'] as const
const WANTED = { data: { type: 'maintenance', attributes: { duration: '1:00', title: 'cable' } } }

interface Asked {
  readonly method: 'GET' | 'POST'
  readonly roles?: readonly Role[]
  readonly token?: string
  readonly id?: number
  readonly body?: unknown
}

/** A request about the maintenance of a new port or sensor. */
async function ask(api: TestApi, kind: (typeof KINDS)[number], asked: Asked): Promise<Request> {
  const { method, roles = ['admin'], body = WANTED } = asked
  const [made] = await api.store.sql<{ port: number; sensor: number }[]>`
    with d as (insert into devices (hostname) values (${`maintained${mint()}`}) returning device_id),
    p as (insert into ports (device_id, "ifIndex") select device_id, 1 from d returning port_id),
    s as (insert into sensors (device_id, sensor_class, sensor_type, sensor_index, sensor_oid, sensor_descr)
      select device_id, 'temperature', 't', '1', '1.3', 'Inlet' from d returning sensor_id)
    select p.port_id as port, s.sensor_id as sensor from p, s`
  const token = asked.token ?? (await api.token(roles)).token
  return { ...plain(kind, method, asked.id ?? made?.[kind] ?? 0, token), ...(method === 'POST' && { body }) }
}

function plain(kind: (typeof KINDS)[number], method: 'GET' | 'POST', id: number, token: string): Request {
  const headers = { Authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' }
  const path = `/api/v1/${kind}s/${id}/maintenance`
  return { method, path, token: null, headers, ...(method === 'POST' && { body: WANTED }) }
}

const OPERATIONS = KINDS.flatMap((kind) => [
  { operation: `v1_${kind}_maintenance` as const, kind, method: 'GET' as const },
  { operation: `v1_${kind}_maintenance_add` as const, kind, method: 'POST' as const },
])

/** Outcomes of the operations on maintenance of ports and sensors. */
export const MAINTENANCE_ROWS: readonly V1Row[] = OPERATIONS.flatMap(({ operation, kind, method }): V1Row[] => {
  const of = (api: TestApi, more: Partial<Asked> = {}) => ask(api, kind, { method, ...more })
  const on = (status: number, request: V1Row['request']): V1Row => ({ operation, status, server: 'on', request })
  return [
    on(method === 'GET' ? 200 : 201, (api) => of(api)),
    on(401, (api) => of(api, { token: String(mint()) })),
    on(403, (api) => of(api, { roles: method === 'GET' ? [] : ['global-read'] })),
    on(404, (api) => of(api, { id: 2_147_483_647 })),
    { operation, status: 404, server: 'off', request: (api) => of(api) },
    on(415, async (api) => {
      const asked = await of(api)
      return { ...asked, body: 'x', headers: { ...asked.headers, 'content-type': 'text/csv' } }
    }),
    ...(method === 'GET'
      ? []
      : [
          on(400, (api) => of(api, { body: { data: { type: 'maintenance', attributes: { duration: 'soon' } } } })),
          on(413, (api) => of(api, { body: { ...WANTED, padding: 'x'.repeat(api.settings.get('api.max_body')) } })),
        ]),
  ]
})

/** Those that come last: many wrong tokens, and no database. */
export const MAINTENANCE_LAST_ROWS: readonly V1Row[] = OPERATIONS.flatMap(({ operation, kind, method }): V1Row[] => [
  {
    operation,
    status: 429,
    server: 'on',
    request: (api) => {
      const wrong = () => plain(kind, method, 1, String(mint()))
      for (let n = 0; n < 100; n++) void api.call(method, wrong().path, wrong())
      return wrong()
    },
  },
  { operation, status: 503, server: 'without database', request: () => plain(kind, method, 1, String(mint())) },
])
