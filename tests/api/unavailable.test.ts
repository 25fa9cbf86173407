import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createApp } from '../../src/api/app.ts'
import { createSettings } from '../../src/config/settings.ts'
import { connect, type Store } from '../../src/core/database/client.ts'
import { createGateway } from '../../src/core/pollers/gateway.ts'
import { createServices, type Services } from '../../src/core/services.ts'
import { createLog } from '../../src/observe/log.ts'
import { testApi } from '../support/api.ts'

/** Nothing listens at the discard port of loopback. */
const NOWHERE = 'postgres://nobody:hunter2@127.0.0.1:9/none'

let store: Store
let app: ReturnType<typeof createApp>
beforeAll(() => {
  store = connect(NOWHERE, { max: 2 })
  const never = () => Promise.reject(new Error('not to be called'))
  const settings = createSettings({ flags: { 'api.v1.enabled': 'true' } })
  const log = createLog('silent')
  const services: Services = createServices({
    store,
    settings,
    gateway: createGateway({ store, settings, log, poller: never, ownerOf: never, changed: () => undefined }),
    graphs: { port: never, ports: never, device: never, service: never, drawing: never, deviceTypes: never },
    log,
    version: { name: 'Portlight', version: '0', revision: '', builtAt: '' },
  })
  app = createApp(services)
})
afterAll(() => store.close(0))

const get = async (path: string) => {
  const headers = { 'X-Auth-Token': 'a'.repeat(32), Authorization: `Bearer ${'a'.repeat(32)}` }
  const answer = await app.fetch(new Request(`http://localhost${path}`, { headers }))
  return { status: answer.status, retry: answer.headers.get('retry-after'), json: (await answer.json()) as unknown }
}

test('without a database v0 answers 503 and shows no secret', async () => {
  const answer = await get('/api/v0/ping')
  expect(answer).toEqual({
    status: 503,
    retry: '5',
    json: { status: 'error', message: expect.stringMatching(/^Error connecting to database: [A-Z_]+$/) },
  })
})

test('without a database v1 answers its generic 503', async () => {
  const want = {
    status: 503,
    retry: '5',
    json: {
      errors: [{ status: '503', title: 'Service Unavailable', detail: 'A required service is unavailable.' }],
    },
  }
  expect(await get('/api/v1/health')).toEqual(want)
  expect(await get('/api/v1/system')).toEqual(want)
})

test('requests with a cached token are 503 too when the database becomes unavailable', async () => {
  const api = await testApi()
  try {
    expect((await api.call('GET', '/api/v0/devices')).status).toBe(200)
    await api.store.close(0)
    for (const path of ['/devices', '/devices/1', '/ports', '/system', '/resources/sensors', '/ports/search/x']) {
      const answer = await api.call('GET', `/api/v0${path}`)
      expect({ path, status: answer.status, text: answer.text }).toEqual({
        path,
        status: 503,
        text: expect.stringMatching(/^\{"status":"error","message":"Error connecting to database: [A-Z_]+"\}$/),
      })
    }
    const rename = await api.call('PATCH', '/api/v0/devices/1/rename/other')
    expect(rename.status).toBe(503)
  } finally {
    await api.drop()
  }
})
