import type { Role } from '../../../src/core/access/users/service.ts'
import { mint, type TestApi } from '../../support/api.ts'
import type { Request } from './row.ts'
import type { V1Row } from './v1.ts'

type Attributes = Readonly<Record<string, unknown>>

/** Stores an open fault, of a device of its own; returns its id. */
export async function storedFault(
  api: Pick<TestApi, 'store'>,
  { state = 1 }: { readonly state?: 0 | 1 | 2 } = {},
): Promise<number> {
  const name = `fault${mint()}`
  const [row] = await api.store.sql<{ id: number }[]>`
    with d as (insert into devices (hostname) values (${name}) returning device_id),
      r as (insert into alert_rules (name, severity, extra, query, builder) values (${name}, 'critical', '{}', '', '{}') returning id),
      a as (insert into alerts (device_id, rule_id, state, began_at) select device_id, id, 1, now() from d, r returning id, device_id, rule_id)
    insert into faults (rule_id, device_id, alert_id, key, state, severity, began_at, message, acknowledged_at, acknowledged_until, ended_at)
    select rule_id, device_id, id, '7', ${state}, 'critical', now(), 'a port is down',
      case when ${state} = 2 then now() end, case when ${state} = 2 then 'clear' end, case when ${state} = 0 then now() end
    from a returning id`
  return row?.id ?? 0
}

interface Operation {
  readonly operation: V1Row['operation']
  /** What follows the id in the path; null: it has none. */
  readonly rest: string | null
  /** Of the body; undefined: it has none. */
  readonly attributes?: Attributes
  readonly wrong?: Attributes
  readonly invalid?: string
  /** A state in which the fault can be changed. */
  readonly state?: 1 | 2
}

const OPERATIONS: readonly Operation[] = [
  { operation: 'v1_faults', rest: null, invalid: '/api/v1/faults?state=weather' },
  { operation: 'v1_fault', rest: '' },
  { operation: 'v1_fault_history', rest: '/history' },
  {
    operation: 'v1_fault_acknowledge',
    rest: '/acknowledge',
    attributes: { note: 'seen', until: 'worse' },
    wrong: { until: 'noon' },
  },
  {
    operation: 'v1_fault_unacknowledge',
    rest: '/unacknowledge',
    attributes: { note: 'x' },
    wrong: { note: 1 },
    state: 2,
  },
  { operation: 'v1_fault_assign', rest: '/assign', attributes: { user_id: null }, wrong: { user_id: 'root' } },
  { operation: 'v1_fault_mute', rest: '/mute', attributes: { until: 'clear' }, wrong: { until: 'worse' } },
  { operation: 'v1_fault_note', rest: '/notes', attributes: { note: 'a note' }, wrong: { note: ' ' } },
]

const pathOf = ({ rest }: Operation, id: number): string =>
  rest === null ? '/api/v1/faults' : `/api/v1/faults/${id}${rest}`

async function made(
  api: TestApi,
  one: Operation,
  {
    roles = ['admin'],
    body,
    id,
  }: { readonly roles?: readonly Role[]; readonly body?: unknown; readonly id?: number } = {},
): Promise<Request> {
  const { attributes } = one
  const given = attributes === undefined ? undefined : { data: { type: 'faults', attributes } }
  const sent = body ?? given
  return {
    method: attributes === undefined ? 'GET' : 'POST',
    path: pathOf(one, id ?? (await storedFault(api, one.state === undefined ? {} : { state: one.state }))),
    token: null,
    headers: {
      Authorization: `Bearer ${(await api.token(roles)).token}`,
      'content-type': 'application/vnd.api+json',
    },
    ...(sent !== undefined && { body: sent }),
  }
}

const wrongToken = (request: Request): Request => ({
  ...request,
  headers: { ...request.headers, Authorization: `Bearer ${mint()}` },
})

/** A fault that cannot be changed: it is over, or its history is full. */
async function fixed(api: TestApi, one: Operation): Promise<Request> {
  const id = await storedFault(api, { state: one.operation === 'v1_fault_note' ? 1 : 0 })
  await api.store.sql`insert into fault_history (fault_id, what) select ${id}, 'note' from generate_series(1, 1000)`
  return await made(api, one, { id })
}

/** Every outcome of the operations on faults. */
export const FAULT_ROWS: readonly V1Row[] = OPERATIONS.flatMap((one): V1Row[] => {
  const at = { operation: one.operation, server: 'on' } as const
  const { attributes, wrong, invalid, rest } = one
  const written: V1Row[] =
    attributes === undefined
      ? []
      : [
          { ...at, status: 400, request: (api) => made(api, one, { body: wrong }) },
          { ...at, status: 409, request: (api) => fixed(api, one) },
          {
            ...at,
            status: 413,
            request: (api) => made(api, one, { body: { padding: 'x'.repeat(api.settings.get('api.max_body')) } }),
          },
        ]
  return [
    { ...at, status: 200, request: (api) => made(api, one) },
    ...written,
    ...(invalid === undefined
      ? []
      : [{ ...at, status: 400, request: async (api: TestApi) => ({ ...(await made(api, one)), path: invalid }) }]),
    { ...at, status: 401, request: async (api) => wrongToken(await made(api, one)) },
    {
      ...at,
      status: 403,
      request: (api) => made(api, one, { roles: attributes === undefined ? [] : ['global-read'] }),
    },
    ...(rest === null
      ? []
      : [{ ...at, status: 404, request: (api: TestApi) => made(api, one, { id: 2_147_483_647 }) }]),
    { ...at, server: 'off', status: 404, request: (api) => made(api, one) },
    {
      ...at,
      status: 415,
      request: async (api) => {
        const request = await made(api, one)
        return { ...request, method: 'POST', body: 'x', headers: { ...request.headers, 'content-type': 'text/csv' } }
      },
    },
  ]
})

/** Those of many wrong tokens and of a stopped database, which come last. */
export const FAULT_LAST_ROWS: readonly V1Row[] = OPERATIONS.flatMap((one): V1Row[] => [
  {
    operation: one.operation,
    status: 429,
    server: 'on',
    request: async (api) => {
      const request = await made(api, one)
      for (let n = 0; n < 100; n++) void api.call(request.method, request.path, wrongToken(request))
      return wrongToken(request)
    },
  },
  {
    operation: one.operation,
    status: 503,
    server: 'without database',
    request: () => ({
      method: one.attributes === undefined ? 'GET' : 'POST',
      path: pathOf(one, 1),
      token: null,
      headers: { Authorization: `Bearer ${'a'.repeat(32)}` },
    }),
  },
])
