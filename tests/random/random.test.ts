import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type TestApi, testApi } from '../support/api.ts'
import { fill } from './pool.ts'
import { bytesOf, type Caller, type Outcome, runRandom } from './run.ts'

/** Every operation of the document with random input. `RANDOM_SEED` repeats a run. */

setDefaultTimeout(240_000)

const seed = Number(process.env['RANDOM_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const REQUESTS = Number(process.env['RANDOM_REQUESTS'] ?? 2000)

let api: TestApi
let kept: readonly number[]
let outcome: Outcome
beforeAll(async () => {
  api = await testApi({ 'api.v1.enabled': 'true' })
  kept = await fill(api.store, 60)
  const callers = await makeCallers()
  const document = (await api.call('GET', '/openapi.json')).json
  outcome = await runRandom({
    requests: REQUESTS,
    seed,
    callers,
    document,
    store: api.store,
    kept,
    atOnce: 4,
    async send({ operation: { method }, path, body }, { token }) {
      const headers = new Headers(token === null ? {} : { 'X-Auth-Token': token, Authorization: `Bearer ${token}` })
      if (body !== null && path.startsWith('/api/v1/')) headers.set('Content-Type', 'application/vnd.api+json')
      const answer = await api.app.fetch(new Request(`http://localhost${path}`, { method, headers, body }))
      const type = answer.headers.get('content-type')?.split(';')[0] ?? ''
      return { status: answer.status, type, bytes: await bytesOf(answer) }
    },
  })
})
afterAll(() => api.drop())

async function makeCallers(): Promise<Caller[]> {
  const callers: Caller[] = [{ name: 'nobody', token: null, dialect: 'documented' }]
  for (const dialect of ['documented', 'librenms'] as const) {
    for (const [role, times] of [
      ['admin', 12],
      ['global-read', 2],
      ['user', 3],
    ] as const) {
      const { token, username } = await api.token([role], dialect)
      if (role === 'user') {
        await api.services.users.grant(
          username,
          await api.services.users.grantable({
            deviceIds: [String(kept[0])],
            deviceGroupIds: [],
            portIds: [],
            billIds: [],
          }),
        )
      }
      for (let i = 0; i < times; i++) callers.push({ name: `${role}, ${dialect}`, token, dialect })
    }
  }
  return callers
}

test('every answer is as its operation declares it, and none tells of the inside', () => {
  if (outcome.faults.length > 0) console.error(`RANDOM_SEED=${seed}`)
  expect(outcome.faults).toEqual([])
  expect(outcome.sent).toBeGreaterThanOrEqual(REQUESTS)
})

test('a 500 is a fault of this program: there is none in dialect documented', () => {
  expect(outcome.statuses.documented[500] ?? 0).toBe(0)
  expect(outcome.statuses.documented[400] ?? 0).toBeGreaterThan(0)
})

test('the run reached most operations: most succeeded at least once', () => {
  expect(outcome.succeeded.size / outcome.operations).toBeGreaterThan(0.6)
})

test('afterwards the API answers, and lists exactly the devices that there are', async () => {
  expect((await api.call('GET', '/api/v0/ping')).json).toEqual({ message: 'pong' })
  const answer = await api.call('GET', '/api/v0/devices')
  const stored = await api.store.sql<{ device_id: number }[]>`select device_id from devices order by hostname`
  expect(answer.json).toMatchObject({ count: stored.length })
  const { devices } = answer.json as { devices: { device_id: number }[] }
  expect(devices.map((device) => device.device_id).toSorted()).toEqual(stored.map((row) => row.device_id).toSorted())
})
