import { mint, type TestApi } from '../../support/api.ts'
import type { Request } from './row.ts'

/** An operation of v1 with one outcome, on a server with v1 enabled or disabled, or without its database. */
export interface V1Row {
  readonly operation: 'v1_health' | 'v1_system'
  readonly status: number
  readonly server: 'on' | 'off' | 'without database'
  readonly request: (api: TestApi) => Request | Promise<Request>
}

const health = (): Request => ({ method: 'GET', path: '/api/v1/health', token: null })
const system = async (api: TestApi): Promise<Request> => ({
  method: 'GET',
  path: '/api/v1/system',
  token: null,
  headers: { Authorization: `Bearer ${(await api.token(['admin'])).token}` },
})
const typed = (request: Request): Request => ({
  ...request,
  method: 'POST',
  body: 'x',
  headers: { ...request.headers, 'content-type': 'text/csv' },
})

export const V1_ROWS: readonly V1Row[] = [
  { operation: 'v1_health', status: 200, server: 'on', request: health },
  { operation: 'v1_health', status: 404, server: 'off', request: health },
  {
    operation: 'v1_health',
    status: 415,
    server: 'on',
    request: () => typed(health()),
  },
  {
    operation: 'v1_health',
    status: 429,
    server: 'on',
    request: async (api) => {
      for (let i = 0; i < 60; i++) await api.call('GET', '/api/v1/health', { token: null })
      return health()
    },
  },
  { operation: 'v1_health', status: 503, server: 'without database', request: health },
  { operation: 'v1_system', status: 200, server: 'on', request: system },
  {
    operation: 'v1_system',
    status: 401,
    server: 'on',
    request: () => ({ ...health(), path: '/api/v1/system', headers: { Authorization: `Bearer ${mint()}` } }),
  },
  { operation: 'v1_system', status: 404, server: 'off', request: system },
  { operation: 'v1_system', status: 415, server: 'on', request: async (api) => typed(await system(api)) },
  {
    operation: 'v1_system',
    status: 429,
    server: 'on',
    request: (api) => {
      const wrong = () => ({ ...health(), path: '/api/v1/system', headers: { Authorization: `Bearer ${mint()}` } })
      // more than are answered and delayed; all of them arrive before the last
      for (let n = 0; n < 100; n++) void api.call('GET', '/api/v1/system', wrong())
      return wrong()
    },
  },
  {
    operation: 'v1_system',
    status: 503,
    server: 'without database',
    request: () => ({ ...health(), path: '/api/v1/system', headers: { Authorization: `Bearer ${'a'.repeat(32)}` } }),
  },
]
