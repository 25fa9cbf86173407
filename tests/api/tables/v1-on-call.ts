import { mint, type TestApi } from '../../support/api.ts'
import { lastOutcomes, type Operation, outcomes } from './v1-candidates.ts'

const SCHEDULES = '/api/v1/on-call/schedules'
const MISSING = 2_147_483_647

async function user({ store }: TestApi): Promise<number> {
  const [row] = await store.sql<{ user_id: number }[]>`
    insert into users (username) values (${`on-call-${mint()}`}) returning user_id`
  return row?.user_id ?? 0
}
async function schedule({ store }: TestApi, name = `schedule ${mint()}`): Promise<number> {
  const [row] = await store.sql<{ id: number }[]>`
    insert into on_call_schedules (name, zone) values (${name}, 'UTC') on conflict do nothing returning id`
  return row?.id ?? 0
}
async function override(api: TestApi): Promise<{ id: number; of: number }> {
  const [of, who] = [await schedule(api), await user(api)]
  const [row] = await api.store.sql<{ id: number }[]>`
    insert into on_call_overrides (schedule_id, user_id, begins_at, ends_at)
    values (${of}, ${who}, now(), now() + interval '1 day') returning id`
  return { id: row?.id ?? 0, of }
}
const layers = async (api: TestApi) => [{ begins: '2026-01-01 08:00', people: [await user(api)] }]
/** A schedule with a name that is in use. */
async function named(api: TestApi) {
  await schedule(api, 'in use')
  return { name: 'In use', zone: 'UTC', layers: await layers(api) }
}
const times = () => ({ from: new Date().toISOString(), to: new Date(Date.now() + 3_600_000).toISOString() })

const OPERATIONS: readonly Operation[] = [
  {
    operation: 'v1_on_call',
    plain: '/api/v1/on-call',
    method: 'GET',
    request: async () => ({ path: '/api/v1/on-call' }),
    refused: null,
  },
  {
    operation: 'v1_on_call_schedules',
    plain: SCHEDULES,
    method: 'GET',
    request: async () => ({ path: SCHEDULES }),
    refused: null,
  },
  {
    operation: 'v1_on_call_schedule',
    plain: `${SCHEDULES}/1`,
    method: 'GET',
    request: async (api) => ({ path: `${SCHEDULES}/${await schedule(api)}` }),
    missing: `${SCHEDULES}/${MISSING}`,
    refused: null,
  },
  {
    operation: 'v1_on_call_shifts',
    plain: `${SCHEDULES}/1/shifts`,
    method: 'GET',
    request: async (api) => ({ path: `${SCHEDULES}/${await schedule(api)}/shifts?from=1795000000` }),
    invalid: `${SCHEDULES}/1/shifts?from=yesterday`,
    missing: `${SCHEDULES}/${MISSING}/shifts`,
    refused: null,
  },
  {
    operation: 'v1_on_call_person',
    plain: '/api/v1/on-call/people/1',
    method: 'GET',
    request: async (api) => ({ path: `/api/v1/on-call/people/${await user(api)}` }),
    missing: `/api/v1/on-call/people/${MISSING}`,
  },
  {
    operation: 'v1_on_call_schedule_add',
    plain: SCHEDULES,
    method: 'POST',
    type: 'on-call-schedules',
    request: async (api) => ({
      path: SCHEDULES,
      attributes: { name: `NOC ${mint()}`, zone: 'Europe/Berlin', layers: await layers(api) },
    }),
    conflict: async (api) => ({ path: SCHEDULES, attributes: await named(api) }),
  },
  {
    operation: 'v1_on_call_schedule_change',
    plain: `${SCHEDULES}/1`,
    method: 'PUT',
    type: 'on-call-schedules',
    request: async (api) => ({
      path: `${SCHEDULES}/${await schedule(api)}`,
      attributes: { name: `NOC ${mint()}`, zone: 'UTC', layers: await layers(api) },
    }),
    missing: `${SCHEDULES}/${MISSING}`,
    conflict: async (api) => ({ path: `${SCHEDULES}/${await schedule(api)}`, attributes: await named(api) }),
  },
  {
    operation: 'v1_on_call_schedule_delete',
    plain: `${SCHEDULES}/1`,
    method: 'DELETE',
    request: async (api) => ({ path: `${SCHEDULES}/${await schedule(api)}` }),
    missing: `${SCHEDULES}/${MISSING}`,
  },
  {
    operation: 'v1_on_call_person_change',
    plain: '/api/v1/on-call/people/1',
    method: 'PUT',
    type: 'on-call-people',
    request: async (api) => ({
      path: `/api/v1/on-call/people/${await user(api)}`,
      attributes: { zone: 'UTC', ways: [] },
    }),
    missing: `/api/v1/on-call/people/${MISSING}`,
  },
  {
    operation: 'v1_on_call_override_add',
    plain: `${SCHEDULES}/1/overrides`,
    method: 'POST',
    type: 'on-call-overrides',
    request: async (api) => ({
      path: `${SCHEDULES}/${await schedule(api)}/overrides`,
      attributes: { user_id: await user(api), ...times() },
    }),
    missing: `${SCHEDULES}/${MISSING}/overrides`,
  },
  {
    operation: 'v1_on_call_override_delete',
    plain: `${SCHEDULES}/1/overrides/1`,
    method: 'DELETE',
    request: async (api) => {
      const { id, of } = await override(api)
      return { path: `${SCHEDULES}/${of}/overrides/${id}` }
    },
    missing: `${SCHEDULES}/1/overrides/${MISSING}`,
  },
]

/** Every outcome of the operations on people on call. */
export const ON_CALL_ROWS = outcomes(OPERATIONS)
export const ON_CALL_LAST_ROWS = lastOutcomes(OPERATIONS)
