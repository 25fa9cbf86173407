import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mint, type TestApi, testApi } from '../support/api.ts'
import { seed } from './fixtures.ts'
import { message } from './tables/row.ts'

// Concurrent requests that change the same data: none is answered with 500.

setDefaultTimeout(60_000)

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

test('adding a service to a device that is being deleted is 503', async () => {
  const { deviceId, hostname } = await seed(api)
  const { sql } = api.store
  let answering = api.call('GET', '/api/v0')
  await sql.begin(async (tx) => {
    await tx`delete from devices where device_id = ${deviceId}`
    // finds the device, then waits for this transaction to store its service
    answering = api.call('POST', `/api/v0/services/${hostname}`, { body: { type: 'ssh' } })
    const deadline = Date.now() + 20_000
    for (;;) {
      const waiting = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into "services"%'`
      if (waiting.length > 0) break
      if (Date.now() > deadline) throw new Error('no statement waits')
    }
  })
  const answer = await answering
  expect({ status: answer.status, message: message(answer) }).toEqual({
    status: 503,
    message: 'Another request changed the same data at the same time, try again',
  })
  const again = await api.call('POST', `/api/v0/services/${hostname}`, { body: { type: 'ssh' } })
  expect(again.status).toBe(404)
})

test('a location deleted while devices are moved there is created again', async () => {
  const { deviceId } = await seed(api)
  const room = `Room ${mint()}`
  for (let i = 0; i < 40; i++) {
    const answers = await Promise.all([
      api.call('PATCH', `/api/v0/devices/${deviceId}`, { body: { field: 'location', data: room } }),
      api.call('DELETE', `/api/v0/locations/${encodeURIComponent(room)}`),
      api.call('PATCH', `/api/v0/devices/${deviceId}`, { body: { field: 'location', data: room } }),
      api.call('DELETE', `/api/v0/locations/${encodeURIComponent(room)}`),
    ])
    expect(answers.map(({ status }) => status).filter((status) => ![200, 201, 400].includes(status))).toEqual([])
    expect([answers[0]?.status, answers[2]?.status]).toEqual([200, 200])
  }
})
