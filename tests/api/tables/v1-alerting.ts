import { mint, type TestApi } from '../../support/api.ts'
import { lastOutcomes, type Operation, outcomes } from './v1-candidates.ts'

async function transport(api: TestApi): Promise<number> {
  const name = `t${mint()}`
  const draft = { kind: 'webhook', name, isDefault: false, settings: { url: 'https://hooks.example.net/a' }, rules: [] }
  return await api.services.transports.add(draft)
}
async function group(api: TestApi): Promise<{ id: number; name: string }> {
  const name = `g${mint()}`
  await api.services.transports.putGroup(name, [String(await transport(api))])
  const found = (await api.services.transports.groups()).find((one) => one.transport_group_name === name)
  return { id: found?.transport_group_id ?? 0, name }
}
const operationOf = (id: number, name = `o${mint()}`) => ({ name, segments: [{ targets: [String(id)] }] })
async function operation(api: TestApi): Promise<{ id: number; name: string }> {
  const { SYSTEM } = await import('../../../src/core/base/actor.ts')
  const name = `o${mint()}`
  const target = { type: 'single', id: await transport(api) } as const
  const segment = { phase: 'problem', from: 1, to: null, startS: 0, durationS: 0, targets: [target] } as const
  const draft = { name, stepDurationS: null, suppressed: false, segments: [segment] }
  return { id: await api.services.operations.add(SYSTEM, draft), name }
}
/** An operation that a rule uses. */
async function used(api: TestApi): Promise<number> {
  const { id } = await operation(api)
  await api.store.sql`insert into alert_rules (name, severity, extra, query, builder, alert_operation_id)
    values (${`r${mint()}`}, 'critical', '{}', '', '{}', ${id})`
  return id
}

const NONE = 2_147_483_647
const operations = '/api/v1/operations'
const transports = '/api/v1/transports'
const groups = '/api/v1/transport-groups'

const OPERATIONS: readonly Operation[] = [
  ...(
    [
      ['v1_operations', operations],
      ['v1_transports', transports],
      ['v1_transport_groups', groups],
    ] as const
  ).map(
    ([name, plain]): Operation => ({
      operation: name,
      plain,
      method: 'GET',
      request: async (api) => {
        await operation(api)
        await group(api)
        return { path: plain }
      },
      refused: 'user',
    }),
  ),
  ...(
    [
      ['v1_operation', operations, async (api: TestApi) => (await operation(api)).id],
      ['v1_transport', transports, transport],
      ['v1_transport_group', groups, async (api: TestApi) => (await group(api)).id],
    ] as const
  ).flatMap(([name, plain, stored]): Operation[] => [
    {
      operation: name,
      plain: `${plain}/1`,
      method: 'GET',
      request: async (api) => ({ path: `${plain}/${await stored(api)}` }),
      missing: `${plain}/${NONE}`,
      refused: 'user',
    },
    {
      operation: `${name}_delete` as Operation['operation'],
      plain: `${plain}/1`,
      method: 'DELETE',
      request: async (api) => ({ path: `${plain}/${await stored(api)}` }),
      missing: `${plain}/${NONE}`,
      ...(name === 'v1_operation' && {
        conflict: async (api: TestApi) => ({ path: `${plain}/${await used(api)}` }),
      }),
    },
  ]),
  {
    operation: 'v1_operation_add',
    plain: operations,
    method: 'POST',
    type: 'operations',
    request: async (api) => ({ path: operations, attributes: operationOf(await transport(api)) }),
    conflict: async (api) => ({
      path: operations,
      attributes: operationOf(await transport(api), (await operation(api)).name.toUpperCase()),
    }),
  },
  {
    operation: 'v1_operation_change',
    plain: `${operations}/1`,
    method: 'PUT',
    type: 'operations',
    request: async (api) => ({
      path: `${operations}/${(await operation(api)).id}`,
      attributes: operationOf(await transport(api)),
    }),
    missing: `${operations}/${NONE}`,
    conflict: async (api) => ({
      path: `${operations}/${(await operation(api)).id}`,
      attributes: operationOf(await transport(api), (await operation(api)).name),
    }),
  },
  {
    operation: 'v1_transport_add',
    plain: transports,
    method: 'POST',
    type: 'transports',
    request: async () => ({
      path: transports,
      attributes: { name: `t${mint()}`, kind: 'webhook', settings: { url: 'https://hooks.example.net/a' } },
    }),
    conflict: async (api) => {
      const name = `t${mint()}`
      const settings = { url: 'https://hooks.example.net/a' }
      await api.services.transports.add({ kind: 'webhook', name, isDefault: false, settings, rules: [] })
      return { path: transports, attributes: { name, kind: 'webhook', settings } }
    },
  },
  {
    operation: 'v1_transport_change',
    plain: `${transports}/1`,
    method: 'PATCH',
    type: 'transports',
    request: async (api) => ({
      path: `${transports}/${await transport(api)}`,
      attributes: { default: true, settings: { url: 'https://hooks.example.net/b' } },
    }),
    missing: `${transports}/${NONE}`,
  },
  {
    operation: 'v1_transport_group_add',
    plain: groups,
    method: 'POST',
    type: 'transport-groups',
    request: async (api) => ({
      path: groups,
      attributes: { name: `g${mint()}`, transports: [await transport(api)] },
    }),
    conflict: async (api) => ({
      path: groups,
      attributes: { name: (await group(api)).name.toUpperCase(), transports: [] },
    }),
  },
  {
    operation: 'v1_transport_group_change',
    plain: `${groups}/1`,
    method: 'PUT',
    type: 'transport-groups',
    request: async (api) => ({
      path: `${groups}/${(await group(api)).id}`,
      attributes: { name: `g${mint()}`, transports: [] },
    }),
    missing: `${groups}/${NONE}`,
    conflict: async (api) => ({
      path: `${groups}/${(await group(api)).id}`,
      attributes: { name: (await group(api)).name, transports: [] },
    }),
  },
]

/** Outcomes of the operations on operations, transports and groups of them. */
export const ALERTING_ROWS = outcomes(OPERATIONS)
export const ALERTING_LAST_ROWS = lastOutcomes(OPERATIONS)
