import type { Role } from '../../../src/core/access/users/service.ts'
import { mint, type TestApi } from '../../support/api.ts'
import type { Request } from './row.ts'
import { ALERTING_LAST_ROWS, ALERTING_ROWS } from './v1-alerting.ts'
import { CANDIDATE_LAST_ROWS, CANDIDATE_ROWS } from './v1-candidates.ts'
import { FAULT_LAST_ROWS, FAULT_ROWS } from './v1-faults.ts'
import { MAINTENANCE_LAST_ROWS, MAINTENANCE_ROWS } from './v1-maintenance.ts'
import { ON_CALL_LAST_ROWS, ON_CALL_ROWS } from './v1-on-call.ts'
import { TRANSPORT_TEST_LAST_ROWS, TRANSPORT_TEST_ROWS } from './v1-transport-test.ts'

/** One outcome of a v1 operation, on a server with v1 enabled or disabled, or without its database. */
export interface V1Row {
  readonly operation: `v1_${string}`
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
const bills = async (
  api: TestApi,
  path: (id: number) => string,
  roles: readonly Role[] = ['admin'],
): Promise<Request> => {
  const [bill] = await api.store.sql<{ id: number }[]>`
    insert into bills (bill_name, bill_type, dir_95th, bill_custid, bill_ref, bill_notes)
    values ('a bill', 'quota', 'in', '', '', '') returning bill_id as id`
  const { token } = await api.token(roles)
  return { method: 'GET', path: path(bill?.id ?? 0), token: null, headers: { Authorization: `Bearer ${token}` } }
}
const explain = (api: TestApi) => bills(api, (id) => `/api/v1/bills/${id}/explain?period=previous`)
const series = async (
  api: TestApi,
  query = '',
  roles: Parameters<TestApi['token']>[0] = ['admin'],
): Promise<Request> => {
  const [device] = await api.store.sql<{ device_id: number }[]>`
    insert into devices (hostname) values (${`series${mint()}`}) returning device_id`
  return {
    ...(await system(api)),
    path: `/api/v1/series?kind=device&id=${device?.device_id ?? 0}&from=-1h${query}`,
    headers: { Authorization: `Bearer ${(await api.token(roles)).token}` },
  }
}
const SIGHTINGS = [
  ['v1_sightings', '/api/v1/sightings', '?vlan=none'],
  ['v1_station', '/api/v1/stations/4c14a3000001', 'x'],
  ['v1_spanning_trees', '/api/v1/spanning-trees', '?limit=0'],
  ['v1_spanning_tree_ports', '/api/v1/spanning-tree-ports', '?device=x'],
  ['v1_isis_adjacencies', '/api/v1/isis-adjacencies', '?offset=-1'],
  ['v1_default_routes', '/api/v1/default-routes', '?device=0'],
  ['v1_qos_classes', '/api/v1/qos-classes', '?limit=1001'],
] as const
const sighting = async (api: TestApi, path: string, roles: readonly Role[] = ['admin']): Promise<Request> => ({
  ...(await system(api)),
  path,
  headers: { Authorization: `Bearer ${(await api.token(roles)).token}` },
})
const unsigned = (path: string): Request => ({ ...health(), path, headers: { Authorization: `Bearer ${mint()}` } })
/** Outcomes of the operations of sightings; those that need many wrong tokens come last. */
const SIGHTING_ROWS: readonly V1Row[] = SIGHTINGS.flatMap(([operation, path, wrong]): V1Row[] => [
  { operation, status: 200, server: 'on', request: (api) => sighting(api, path) },
  { operation, status: 400, server: 'on', request: (api) => sighting(api, `${path}${wrong}`) },
  { operation, status: 401, server: 'on', request: () => unsigned(path) },
  { operation, status: 403, server: 'on', request: (api) => sighting(api, path, []) },
  { operation, status: 404, server: 'off', request: (api) => sighting(api, path) },
  { operation, status: 415, server: 'on', request: async (api) => typed(await sighting(api, path)) },
])
const LATE_SIGHTING_ROWS: readonly V1Row[] = SIGHTINGS.flatMap(([operation, path]): V1Row[] => [
  {
    operation,
    status: 429,
    server: 'on',
    request: (api) => {
      for (let n = 0; n < 100; n++) void api.call('GET', path, unsigned(path))
      return unsigned(path)
    },
  },
  { operation, status: 503, server: 'without database', request: () => unsigned(path) },
])
const events = async (api: TestApi, query = '', roles: readonly Role[] = ['admin']): Promise<Request> => ({
  ...(await system(api)),
  path: `/api/v1/events${query}`,
  headers: { Authorization: `Bearer ${(await api.token(roles)).token}` },
})
/** A stream that ends because its user loses access after it was opened. */
const ended = async (api: TestApi): Promise<Request> => {
  const { token, username } = await api.token(['admin'])
  const { live, auth } = api.services
  const timer = setInterval(async () => {
    if (!live.metrics().some(({ name, value }) => name === 'portlight_live_clients' && value === 1)) return
    clearInterval(timer)
    await api.store.sql`update users set enabled = 0 where username = ${username}`
    auth.forget()
    live.accessChanged()
  }, 20)
  return { ...(await events(api)), headers: { Authorization: `Bearer ${token}` } }
}
/** A change of the limits of a new sensor. */
const limits = async (
  api: TestApi,
  { body = {}, roles = ['admin'], id = null }: { body?: object; roles?: readonly Role[]; id?: string | null } = {},
): Promise<Request> => {
  const [sensor] = await api.store.sql<{ id: number }[]>`
    with d as (insert into devices (hostname) values (${`limits${mint()}`}) returning device_id)
    insert into sensors (device_id, sensor_class, sensor_type, sensor_index, sensor_oid, sensor_descr)
    select device_id, 'temperature', 't', '1', '1.3', 'Inlet' from d returning sensor_id as id`
  return {
    method: 'PATCH',
    path: `/api/v1/sensors/${id ?? sensor?.id ?? 0}`,
    token: null,
    headers: {
      Authorization: `Bearer ${(await api.token(roles)).token}`,
      'content-type': 'application/vnd.api+json',
    },
    body: { data: { type: 'sensors', attributes: { sensor_limit: 40.5 } }, ...body },
  }
}
const typed = (request: Request): Request => ({
  ...request,
  method: 'POST',
  body: 'x',
  headers: { ...request.headers, 'content-type': 'text/csv' },
})

/** A request about a new scan in this state. */
const scan = async (
  api: TestApi,
  path: (id: number) => string,
  { method = 'POST', state = 'waiting', roles = ['admin'] }: ScanAsk = {},
): Promise<Request> => {
  const [row] = await api.store.sql<{ id: number }[]>`
    insert into scans (networks, rate, started_by, state) values ('{10.0.0.0/24}', 500, 'x', ${state}) returning id`
  const { token } = await api.token(roles)
  return { method, path: path(row?.id ?? 0), token: null, headers: { Authorization: `Bearer ${token}` } }
}
interface ScanAsk {
  readonly method?: 'GET' | 'POST'
  readonly state?: string
  readonly roles?: readonly Role[]
}
const start = async (api: TestApi, attributes: object, roles: readonly Role[] = ['admin']): Promise<Request> => {
  // the server on which v1 is off keeps it off
  if (api.settings.get('api.v1.enabled'))
    api.settings.applyStored(
      new Map<string, unknown>([
        ['api.v1.enabled', true],
        ['nets', ['10.0.0.0/16']],
      ]),
    )
  return {
    method: 'POST',
    path: '/api/v1/scans',
    token: null,
    headers: {
      Authorization: `Bearer ${(await api.token(roles)).token}`,
      'content-type': 'application/vnd.api+json',
    },
    body: { data: { type: 'scans', attributes } },
  }
}
const oneScan = (id: number): string => `/api/v1/scans/${id}`
const stopScan = (id: number): string => `${oneScan(id)}/stop`
const resumeScan = (id: number): string => `${oneScan(id)}/resume`
const noScan = () => oneScan(2_147_483_647)

/** Outcomes that the operations on scans have in common. */
function scanRows(
  operation: `v1_scan${string}`,
  request: (api: TestApi, roles?: readonly Role[]) => Promise<Request>,
): V1Row[] {
  const wrong = async (api: TestApi): Promise<Request> => {
    const { headers, ...rest } = await request(api)
    return { ...rest, headers: { ...headers, Authorization: `Bearer ${mint()}` } }
  }
  return [
    { operation, status: 200, server: 'on', request: (api) => request(api) },
    { operation, status: 401, server: 'on', request: wrong },
    { operation, status: 403, server: 'on', request: (api) => request(api, ['global-read']) },
    { operation, status: 404, server: 'off', request: (api) => request(api) },
    {
      operation,
      status: 415,
      server: 'on',
      request: async (api) => {
        const asked = await request(api)
        return { ...typed(asked), method: asked.method }
      },
    },
    {
      operation,
      status: 503,
      server: 'without database',
      request: () => ({
        method: operation === 'v1_scan' || operation === 'v1_scans' ? 'GET' : 'POST',
        path:
          { v1_scans: '/api/v1/scans', v1_scan_start: '/api/v1/scans', v1_scan: oneScan(1) }[operation as string] ??
          (operation === 'v1_scan_stop' ? stopScan(1) : resumeScan(1)),
        token: null,
        headers: { Authorization: `Bearer ${mint()}`, 'content-type': 'application/vnd.api+json' },
        ...(operation === 'v1_scan_start' && { body: {} }),
      }),
    },
  ]
}

/** More wrong tokens than are answered at once; these come after the tests of single wrong tokens. */
function throttledRow(operation: V1Row['operation'], request: (api: TestApi) => Promise<Request>): V1Row {
  return {
    operation,
    status: 429,
    server: 'on',
    request: async (api) => {
      const asked = await request(api)
      const wrong = () => ({ ...asked, headers: { ...asked.headers, Authorization: `Bearer ${mint()}` } })
      for (let n = 0; n < 100; n++) void api.call(asked.method, asked.path, wrong())
      return wrong()
    },
  }
}

const getScan = (api: TestApi, roles?: readonly Role[]) =>
  scan(api, oneScan, { method: 'GET', ...(roles !== undefined && { roles }) })
const listScans = (api: TestApi, roles?: readonly Role[]) =>
  scan(api, () => '/api/v1/scans', { method: 'GET', ...(roles !== undefined && { roles }) })
const stop = (api: TestApi, roles?: readonly Role[]) => scan(api, stopScan, { ...(roles !== undefined && { roles }) })
const resume = (api: TestApi, roles?: readonly Role[]) =>
  scan(api, resumeScan, { state: 'stopped', ...(roles !== undefined && { roles }) })
const begin = (api: TestApi, roles?: readonly Role[]) => start(api, { networks: ['10.0.1.0/24'] }, roles)

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
  ...scanRows('v1_scan', getScan),
  { operation: 'v1_scan', status: 404, server: 'on', request: (api) => scan(api, noScan, { method: 'GET' }) },
  ...scanRows('v1_scans', listScans),
  ...scanRows('v1_scan_start', begin),
  {
    operation: 'v1_scan_start',
    status: 400,
    server: 'on',
    request: (api) => start(api, { networks: ['192.0.2.0/24'] }),
  },
  {
    operation: 'v1_scan_start',
    status: 413,
    server: 'on',
    request: (api) => start(api, { networks: ['x'.repeat(api.settings.get('api.max_body'))] }),
  },
  ...TRANSPORT_TEST_ROWS,
  ...scanRows('v1_scan_stop', stop),
  { operation: 'v1_scan_stop', status: 404, server: 'on', request: (api) => scan(api, () => `${noScan()}/stop`) },
  { operation: 'v1_scan_stop', status: 409, server: 'on', request: (api) => scan(api, stopScan, { state: 'done' }) },
  ...scanRows('v1_scan_resume', resume),
  { operation: 'v1_scan_resume', status: 404, server: 'on', request: (api) => scan(api, () => `${noScan()}/resume`) },
  {
    operation: 'v1_scan_resume',
    status: 409,
    server: 'on',
    request: (api) => scan(api, resumeScan, { state: 'done' }),
  },
  { operation: 'v1_sensor_limits', status: 200, server: 'on', request: (api) => limits(api) },
  { operation: 'v1_sensor_limits', status: 400, server: 'on', request: (api) => limits(api, { body: { data: {} } }) },
  {
    operation: 'v1_sensor_limits',
    status: 401,
    server: 'on',
    request: async (api) => {
      const { headers, ...request } = await limits(api)
      return { ...request, headers: { ...headers, Authorization: `Bearer ${mint()}` } }
    },
  },
  {
    operation: 'v1_sensor_limits',
    status: 403,
    server: 'on',
    request: (api) => limits(api, { roles: ['global-read'] }),
  },
  { operation: 'v1_sensor_limits', status: 404, server: 'on', request: (api) => limits(api, { id: '2147483647' }) },
  { operation: 'v1_sensor_limits', status: 404, server: 'off', request: (api) => limits(api) },
  {
    operation: 'v1_sensor_limits',
    status: 413,
    server: 'on',
    request: (api) => limits(api, { body: { padding: 'x'.repeat(api.settings.get('api.max_body')) } }),
  },
  {
    operation: 'v1_sensor_limits',
    status: 415,
    server: 'on',
    request: async (api) => ({ ...typed(await limits(api)), method: 'PATCH' }),
  },
  ...ALERTING_ROWS,
  ...CANDIDATE_ROWS,
  ...MAINTENANCE_ROWS,
  ...FAULT_ROWS,
  ...ON_CALL_ROWS,
  // tests of wrong tokens come before those that send many of them
  { operation: 'v1_series', status: 200, server: 'on', request: (api) => series(api) },
  { operation: 'v1_series', status: 400, server: 'on', request: (api) => series(api, '&fn=sum') },
  {
    operation: 'v1_series',
    status: 401,
    server: 'on',
    request: () => ({ ...health(), path: '/api/v1/series', headers: { Authorization: `Bearer ${mint()}` } }),
  },
  { operation: 'v1_series', status: 403, server: 'on', request: (api) => series(api, '', ['user']) },
  { operation: 'v1_series', status: 404, server: 'off', request: (api) => series(api) },
  { operation: 'v1_series', status: 415, server: 'on', request: async (api) => typed(await series(api)) },
  ...SIGHTING_ROWS,
  { operation: 'v1_events', status: 200, server: 'on', request: ended },
  { operation: 'v1_events', status: 400, server: 'on', request: (api) => events(api, '?events=weather') },
  {
    operation: 'v1_events',
    status: 401,
    server: 'on',
    request: () => ({ ...health(), path: '/api/v1/events', headers: { Authorization: `Bearer ${mint()}` } }),
  },
  { operation: 'v1_events', status: 403, server: 'on', request: (api) => events(api, '', []) },
  { operation: 'v1_events', status: 404, server: 'off', request: (api) => events(api) },
  { operation: 'v1_events', status: 415, server: 'on', request: async (api) => typed(await events(api)) },
  {
    operation: 'v1_events',
    status: 429,
    server: 'on',
    request: (api) => {
      const none = [
        ['api.v1.enabled', true],
        ['events.max_clients', 0],
      ] as const
      api.settings.applyStored(new Map<string, boolean | number>(none))
      return events(api)
    },
  },
  {
    operation: 'v1_events',
    status: 503,
    server: 'without database',
    request: () => ({ ...health(), path: '/api/v1/events', headers: { Authorization: `Bearer ${mint()}` } }),
  },
  { operation: 'v1_bill_explain', status: 200, server: 'on', request: explain },
  {
    operation: 'v1_bill_explain',
    status: 401,
    server: 'on',
    request: () => ({ ...health(), path: '/api/v1/bills/1/explain', headers: { Authorization: `Bearer ${mint()}` } }),
  },
  {
    operation: 'v1_bill_explain',
    status: 403,
    server: 'on',
    request: (api) => bills(api, (id) => `/api/v1/bills/${id}/explain`, ['user']),
  },
  {
    operation: 'v1_bill_explain',
    status: 404,
    server: 'on',
    request: (api) => bills(api, (id) => `/api/v1/bills/${id + 1_000_000}/explain`),
  },
  {
    operation: 'v1_bill_explain',
    status: 404,
    server: 'on',
    request: (api) => bills(api, () => '/api/v1/bills/x/explain'),
  },
  { operation: 'v1_bill_explain', status: 415, server: 'on', request: async (api) => typed(await explain(api)) },
  {
    operation: 'v1_bill_explain',
    status: 429,
    server: 'on',
    request: (api) => {
      const wrong = () => ({
        ...health(),
        path: '/api/v1/bills/1/explain',
        headers: { Authorization: `Bearer ${mint()}` },
      })
      for (let n = 0; n < 100; n++) void api.call('GET', '/api/v1/bills/1/explain', wrong())
      return wrong()
    },
  },
  {
    operation: 'v1_bill_explain',
    status: 503,
    server: 'without database',
    request: () => ({
      ...health(),
      path: '/api/v1/bills/1/explain',
      headers: { Authorization: `Bearer ${'a'.repeat(32)}` },
    }),
  },
  {
    operation: 'v1_system',
    status: 429,
    server: 'on',
    request: (api) => {
      const wrong = () => ({ ...health(), path: '/api/v1/system', headers: { Authorization: `Bearer ${mint()}` } })
      // more than the number that is answered with a delay; all of them arrive before the last
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
  {
    operation: 'v1_series',
    status: 429,
    server: 'on',
    request: (api) => {
      const wrong = () => ({ ...health(), path: '/api/v1/series', headers: { Authorization: `Bearer ${mint()}` } })
      for (let n = 0; n < 100; n++) void api.call('GET', '/api/v1/series', wrong())
      return wrong()
    },
  },
  {
    operation: 'v1_series',
    status: 503,
    server: 'without database',
    request: () => ({ ...health(), path: '/api/v1/series', headers: { Authorization: `Bearer ${'a'.repeat(32)}` } }),
  },
  ...LATE_SIGHTING_ROWS,
  ...TRANSPORT_TEST_LAST_ROWS,
  throttledRow('v1_scan', getScan),
  throttledRow('v1_scans', listScans),
  throttledRow('v1_scan_start', begin),
  throttledRow('v1_scan_stop', stop),
  throttledRow('v1_scan_resume', resume),
  {
    operation: 'v1_sensor_limits',
    status: 429,
    server: 'on',
    request: async (api) => {
      const request = await limits(api)
      const wrong = () => ({ ...request, headers: { ...request.headers, Authorization: `Bearer ${mint()}` } })
      for (let n = 0; n < 100; n++) void api.call('PATCH', request.path, wrong())
      return wrong()
    },
  },
  {
    operation: 'v1_sensor_limits',
    status: 503,
    server: 'without database',
    request: () => ({
      method: 'PATCH',
      path: '/api/v1/sensors/1',
      token: null,
      headers: { Authorization: `Bearer ${mint()}`, 'content-type': 'application/vnd.api+json' },
      body: {},
    }),
  },
  ...ALERTING_LAST_ROWS,
  ...CANDIDATE_LAST_ROWS,
  ...MAINTENANCE_LAST_ROWS,
  ...FAULT_LAST_ROWS,
  ...ON_CALL_LAST_ROWS,
]
