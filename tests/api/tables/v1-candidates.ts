import type { Role } from '../../../src/core/access/users/service.ts'
import { mint, type TestApi } from '../../support/api.ts'
import type { Request } from './row.ts'
import type { V1Row } from './v1.ts'

type Attributes = Readonly<Record<string, unknown>>

/** An operation: how a request that succeeds is made, after what it needs was stored. */
export interface Operation {
  readonly operation: V1Row['operation']
  readonly method: string
  /** The path and the attributes of the body; undefined: it has none. */
  readonly request: (api: TestApi) => Promise<{ path: string; attributes?: Attributes }>
  readonly type?: string
  /** A path without anything stored. */
  readonly plain: string
  /** A path that is refused as invalid, for an operation without a body. */
  readonly invalid?: string
  /** A path that does not exist. */
  readonly missing?: string
  /** The role that is refused; null: a user without roles; default: global-read. */
  readonly refused?: Role | null
  /** Makes a request that is in conflict with what is stored. */
  readonly conflict?: (api: TestApi) => Promise<{ path: string; attributes?: Attributes }>
}

async function candidate(api: TestApi): Promise<number> {
  const address = `10.200.${mint() % 250}.${mint() % 250}`
  const [row] = await api.store.sql<{ id: number }[]>`
    with c as (insert into candidates (address, sys_name) values (${address}::inet, 'found') returning id)
    insert into candidate_addresses (poller_group, address, candidate_id)
    select 0, ${address}::inet, id from c on conflict (poller_group, address) do update set candidate_id = excluded.candidate_id
    returning candidate_id as id`
  return row?.id ?? 0
}
async function rule(api: TestApi): Promise<number> {
  const [row] = await api.store.sql<{ id: number }[]>`
    insert into candidate_rules (position, action, os) values (1, 'ignore', 'ping') returning id`
  return row?.id ?? 0
}

const OPERATIONS: readonly Operation[] = [
  {
    operation: 'v1_candidates',
    plain: '/api/v1/candidates',
    method: 'GET',
    request: async (api) => ({ path: `/api/v1/candidates?state=all&text=found&x=${await candidate(api)}` }),
    invalid: '/api/v1/candidates?order=weather',
  },
  {
    operation: 'v1_candidate',
    plain: '/api/v1/candidates/1',
    method: 'GET',
    request: async (api) => ({ path: `/api/v1/candidates/${await candidate(api)}` }),
    missing: '/api/v1/candidates/2147483647',
  },
  ...(['accept', 'ignore', 'unignore'] as const).map(
    (what): Operation => ({
      operation: `v1_candidates_${what}`,
      plain: `/api/v1/candidates/${what}`,
      method: 'POST',
      type: 'candidates',
      request: async (api) => ({ path: `/api/v1/candidates/${what}`, attributes: { ids: [await candidate(api)] } }),
    }),
  ),
  {
    operation: 'v1_candidates_exclude',
    plain: '/api/v1/candidates/exclude',
    method: 'POST',
    type: 'candidates',
    request: async () => ({ path: '/api/v1/candidates/exclude', attributes: { network: '192.0.2.0/24' } }),
  },
  {
    operation: 'v1_candidate_rules',
    plain: '/api/v1/candidate-rules',
    method: 'GET',
    request: async () => ({ path: '/api/v1/candidate-rules' }),
  },
  {
    operation: 'v1_candidate_rule_add',
    plain: '/api/v1/candidate-rules',
    method: 'POST',
    type: 'candidate-rules',
    request: async () => ({ path: '/api/v1/candidate-rules', attributes: { action: 'ignore', sysName: '/^phone-/i' } }),
  },
  {
    operation: 'v1_candidate_rules_order',
    plain: '/api/v1/candidate-rules/order',
    method: 'POST',
    type: 'candidate-rules',
    request: async (api) => ({ path: '/api/v1/candidate-rules/order', attributes: { ids: [await rule(api)] } }),
  },
  {
    operation: 'v1_candidate_rule_change',
    plain: '/api/v1/candidate-rules/1',
    method: 'PUT',
    type: 'candidate-rules',
    request: async (api) => ({
      path: `/api/v1/candidate-rules/${await rule(api)}`,
      attributes: { action: 'accept', os: 'ios' },
    }),
  },
  {
    operation: 'v1_candidate_rule_delete',
    plain: '/api/v1/candidate-rules/1',
    method: 'DELETE',
    request: async (api) => ({ path: `/api/v1/candidate-rules/${await rule(api)}` }),
    missing: '/api/v1/candidate-rules/2147483647',
  },
]

/** A request of the operation by a user with these roles; `body` replaces the one that succeeds. */
async function made(
  api: TestApi,
  one: Operation,
  roles: readonly Role[] = ['admin'],
  body?: unknown,
): Promise<Request> {
  const { path, attributes } = await one.request(api)
  const { token } = await api.token(roles)
  const given = attributes === undefined ? undefined : { data: { type: one.type, attributes } }
  const sent = body ?? given
  return {
    method: one.method,
    path,
    token: null,
    headers: { Authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' },
    ...(sent !== undefined && { body: sent }),
  }
}
const wrongToken = (request: Request): Request => ({
  ...request,
  headers: { ...request.headers, Authorization: `Bearer ${mint()}` },
})

/** Every outcome of operations, but those of many wrong tokens and of a stopped database. */
export const outcomes = (operations: readonly Operation[]): readonly V1Row[] =>
  operations.flatMap((one): V1Row[] => {
    const { conflict } = one
    const at = { operation: one.operation, server: 'on' } as const
    const hasBody = one.type !== undefined
    return [
      { ...at, status: 200, request: (api) => made(api, one) },
      ...(hasBody ? [{ ...at, status: 400, request: (api: TestApi) => made(api, one, ['admin'], { data: {} }) }] : []),
      ...(hasBody
        ? [
            {
              ...at,
              status: 413,
              request: (api: TestApi) =>
                made(api, one, ['admin'], { padding: 'x'.repeat(api.settings.get('api.max_body')) }),
            },
          ]
        : []),
      ...(one.invalid === undefined
        ? []
        : [
            {
              ...at,
              status: 400,
              request: async (api: TestApi) => ({ ...(await made(api, one)), path: one.invalid ?? '' }),
            },
          ]),
      { ...at, status: 401, request: async (api) => wrongToken(await made(api, one)) },
      {
        ...at,
        status: 403,
        request: (api) => made(api, one, one.refused === null ? [] : [one.refused ?? 'global-read']),
      },
      ...(one.missing === undefined
        ? []
        : [
            {
              ...at,
              status: 404,
              request: async (api: TestApi) => ({ ...(await made(api, one)), path: one.missing ?? '' }),
            },
          ]),
      ...(conflict === undefined
        ? []
        : [
            {
              ...at,
              status: 409,
              request: (api: TestApi) => made(api, { ...one, request: conflict }),
            },
          ]),
      { ...at, server: 'off', status: 404, request: (api) => made(api, one) },
      {
        ...at,
        status: 415,
        request: async (api) => {
          const request = await made(api, one)
          const headers = { ...request.headers, 'content-type': 'text/csv' }
          return { ...request, headers, body: 'x', method: request.method === 'GET' ? 'POST' : request.method }
        },
      },
    ]
  })

/** Those of many wrong tokens and of a stopped database, which come last. */
export const lastOutcomes = (operations: readonly Operation[]): readonly V1Row[] =>
  operations.flatMap((one): V1Row[] => [
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
        method: one.method,
        path: one.plain,
        token: null,
        headers: { Authorization: `Bearer ${'a'.repeat(32)}` },
      }),
    },
  ])

/** Outcomes of the operations on found devices. */
export const CANDIDATE_ROWS = outcomes(OPERATIONS)
export const CANDIDATE_LAST_ROWS = lastOutcomes(OPERATIONS)
