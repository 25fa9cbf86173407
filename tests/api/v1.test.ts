import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createRateLimit } from '../../src/api/v1/rate-limit.ts'
import { type CallOptions, type TestApi, testApi } from '../support/api.ts'
import { seed } from './fixtures.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

const NOT_FOUND = {
  errors: [{ status: '404', title: 'Not Found', detail: 'The requested resource could not be found.' }],
}
const OFF = {
  errors: [{ status: '404', title: 'Not Found', detail: 'API v1 is off: turn it on with setting api.v1.enabled' }],
}
const TYPE = 'application/vnd.api+json'
const get = (path: string, options: CallOptions = {}) => api.call('GET', `/api/v1${path}`, { token: null, ...options })
const bearer = async (roles: Parameters<TestApi['token']>[0]) => ({
  headers: { Authorization: `Bearer ${(await api.token(roles)).token}` },
})

describe('disabled', () => {
  test.each(['', '/health', '/system', '/nonsense/x'])(
    '/api/v1%s is not there and says why, with a token or without',
    async (path) => {
      for (const options of [{}, await bearer(['admin'])]) {
        const answer = await get(path, options)
        expect({ status: answer.status, json: answer.json }).toEqual({ status: 404, json: OFF })
        expect(answer.headers.get('content-type')).toBe(TYPE)
      }
    },
  )

  test('the body is checked before the setting', async () => {
    const answer = await api.call('POST', '/api/v1/health', { body: 'x', headers: { 'content-type': 'text/plain' } })
    expect({ status: answer.status, json: answer.json }).toEqual({
      status: 415,
      json: { errors: [{ status: '415', title: 'Unsupported Media Type' }] },
    })
  })
})

describe('enabled', () => {
  beforeEach(() => {
    api.settings.applyStored(new Map([['api.v1.enabled', true]]))
  })

  test("unknown paths and methods are 404 in v1's form", async () => {
    expect((await get('/nonsense')).json).toEqual(NOT_FOUND)
    expect((await api.call('POST', '/api/v1/health', { token: null })).json).toEqual(NOT_FOUND)
  })

  test('system requires a bearer token; other places of a token are ignored', async () => {
    const { token } = await api.token(['admin'])
    for (const options of [{}, { token }, { headers: { Authorization: `Basic ${btoa(`x:${token}`)}` } }]) {
      const answer = await get('/system', options)
      expect({ status: answer.status, json: answer.json }).toEqual({
        status: 401,
        json: { message: 'Unauthenticated.' },
      })
      expect(answer.headers.get('content-type')).toBe(TYPE)
    }
    for (const name of ['api_token', 'access_token', '', '%ED%A0%80', '\ud800']) {
      expect((await get(`/system?${name}=${token}`)).status).toBe(401)
    }
  })

  test.each([
    ['Bearer TOKEN', 200],
    ['bearer TOKEN', 200],
    ['BEARER  TOKEN', 200],
    ['Bearer TOKEN more', 200],
    ['Bearer:TOKEN', 401],
    ['BearerTOKEN', 401],
    ['Bearer', 401],
    ['Token TOKEN', 401],
  ])('the header Authorization: %s is answered by %d', async (header, status) => {
    const { token } = await api.token(['admin'])
    const Authorization = header.replace('TOKEN', token)
    expect((await get('/system', { headers: { Authorization } })).status).toBe(status)
    expect((await api.call('GET', '/api/v0/ping', { token: null, headers: { Authorization } })).status).toBe(status)
  })

  test('the same over a connection', async () => {
    const { token } = await api.token(['admin'])
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: api.app.fetch })
    try {
      for (const [path, Authorization, status] of [
        ['/system', `Bearer ${token}`, 200],
        ['/system', `bearer  ${token}`, 200],
        ['/system', `Bearer:${token}`, 401],
        [`/system?access_token=${token}`, 'Basic eA==', 401],
      ] as const) {
        const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1${path}`, { headers: { Authorization } })
        expect(answer.status).toBe(status)
      }
    } finally {
      await server.stop(true)
    }
  })

  test('routes of v0 do not copy all headers of their requests', () => {
    const copying = api.app.routes.filter((route) => route.compile().toString().includes('headers.toJSON()'))
    expect(copying.map(({ path }) => path).filter((path) => !path.startsWith('/api/v1/'))).toEqual([])
    expect(copying.map(({ path }) => path)).toContain('/api/v1/system')
  })

  test('system counts what the user may see', async () => {
    const mine = await seed(api)
    await seed(api)
    const { token, username } = await api.token(['user'])
    await api.services.users.grant(username, { deviceIds: [mine.deviceId] })
    const answer = await get('/system/', { headers: { Authorization: `Bearer ${token}` } })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      meta: {
        application: { name: 'Portlight', version: '0.0.0-test' },
        statistics: { devices: 1, ports: 2, users: expect.any(Number), sensors: 1 },
      },
    })
    const all = (await get('/system', await bearer(['admin']))).json
    expect(all).toMatchObject({ meta: { statistics: { devices: 2, ports: 4 } } })
  })

  test('health needs no token and is limited to 60 requests a minute', async () => {
    const first = await get('/health', { headers: { Authorization: 'Bearer wrong' } })
    expect({ status: first.status, json: first.json }).toEqual({ status: 200, json: { meta: { status: 'healthy' } } })
    expect(first.headers.get('x-ratelimit-limit')).toBe('60')
    expect(first.headers.get('x-ratelimit-remaining')).toBe('59')
    let last = first
    for (let i = 0; i < 60; i++) last = await get('/health')
    expect({ status: last.status, json: last.json }).toEqual({
      status: 429,
      json: {
        errors: [{ status: '429', title: 'Too Many Requests', detail: 'Too many requests. Please try again later.' }],
      },
    })
  })

  test('disabling it takes effect at once', async () => {
    api.settings.applyStored(new Map())
    expect((await get('/health')).json).toEqual(OFF)
  })
})

describe('the limit', () => {
  test('is per client and restarts with each window', () => {
    let now = 0
    const turn = createRateLimit(2, 1000, () => now)
    expect([turn('a'), turn('a'), turn('a')].map((t) => t.allowed)).toEqual([true, true, false])
    expect(turn('b').allowed).toBe(true)
    now = 999
    expect(turn('a')).toEqual({ allowed: false, remaining: 0, resetS: 1 })
    now = 1000
    expect(turn('a')).toEqual({ allowed: true, remaining: 1, resetS: 1 })
  })

  test('remembers a bounded number of clients', () => {
    const turn = createRateLimit(1, 1000, () => 0)
    for (let i = 0; i < 20_000; i++) turn(`client${i}`)
    expect(turn('client0').allowed).toBe(true) // forgotten
    expect(turn('client19999').allowed).toBe(false)
  })
})

test('a path whose escapes are no UTF-8 is not found, whatever the operation', async () => {
  const server = await testApi({ 'api.v1.enabled': 'true' })
  try {
    const { paths } = (await server.call('GET', '/openapi.json')).json as { paths: Record<string, object> }
    const named = Object.entries(paths).flatMap(([path, item]) =>
      path.startsWith('/api/v1/') && path.includes('{')
        ? Object.keys(item).map((method) => [method, path] as const)
        : [],
    )
    expect(named.length).toBeGreaterThan(30)
    const { token } = await server.token(['admin'])
    const found: string[] = []
    for (const [method, path] of named) {
      const { status } = await server.call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '%ed%a0%80'), {
        token: null,
        headers: { Authorization: `Bearer ${token}`, 'content-type': TYPE },
        ...(method === 'get' || method === 'delete' ? {} : { body: { data: { type: 'x', attributes: {} } } }),
      })
      if (status !== 404 && status !== 400) found.push(`${method} ${path}: ${status}`)
    }
    expect(found).toEqual([])
  } finally {
    await server.drop()
  }
})
