import type { Role } from '../../../src/core/access/users/service.ts'
import { mint, type TestApi } from '../../support/api.ts'
import type { Request } from './row.ts'
import type { V1Row } from './v1.ts'

const operation = 'v1_transport_test'

/** A test of a new transport whose receiver is refused, because it is on this machine. */
async function asked(api: TestApi, roles: readonly Role[] = ['admin'], id: string | null = null): Promise<Request> {
  const [row] = await api.store.sql<{ id: number }[]>`
    insert into alert_transports (transport_name, transport_type, transport_config)
    values (${mint()}, 'webhook', '{"url": "http://127.0.0.1:9/"}') returning transport_id as id`
  return {
    method: 'POST',
    path: `/api/v1/transports/${id ?? row?.id ?? 0}/test`,
    token: null,
    headers: { Authorization: `Bearer ${(await api.token(roles)).token}` },
  }
}

const wrong = async (api: TestApi): Promise<Request> => ({
  ...(await asked(api)),
  headers: { Authorization: `Bearer ${mint()}` },
})

/** Outcomes of testing a transport. */
export const TRANSPORT_TEST_ROWS: readonly V1Row[] = [
  { operation, status: 200, server: 'on', request: (api) => asked(api) },
  { operation, status: 401, server: 'on', request: wrong },
  { operation, status: 403, server: 'on', request: (api) => asked(api, ['global-read']) },
  { operation, status: 404, server: 'on', request: (api) => asked(api, ['admin'], '2147483647') },
  { operation, status: 404, server: 'on', request: (api) => asked(api, ['admin'], 'x') },
  { operation, status: 404, server: 'off', request: (api) => asked(api) },
  {
    operation,
    status: 415,
    server: 'on',
    request: async (api) => {
      const request = await asked(api)
      return { ...request, body: 'x', headers: { ...request.headers, 'content-type': 'text/csv' } }
    },
  },
]

/** Those that come after the tests of single wrong tokens. */
export const TRANSPORT_TEST_LAST_ROWS: readonly V1Row[] = [
  {
    operation,
    status: 429,
    server: 'on',
    request: async (api) => {
      const request = await wrong(api)
      const again = () => ({ ...request, headers: { Authorization: `Bearer ${mint()}` } })
      for (let n = 0; n < 100; n++) void api.call('POST', request.path, again())
      return again()
    },
  },
  {
    operation,
    status: 503,
    server: 'without database',
    request: () => ({
      method: 'POST',
      path: '/api/v1/transports/1/test',
      token: null,
      headers: { Authorization: `Bearer ${mint()}` },
    }),
  },
]
