import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type Answer, type TestApi, testApi } from '../support/api.ts'
import { seed } from './fixtures.ts'

/** Every route of v0 with hostile input answers with an error of the contract, never with a server error or SQL. */

setDefaultTimeout(240_000)

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

interface Route {
  readonly method: string
  readonly path: string
  readonly query: readonly string[]
  readonly body: readonly string[] | null
  /** Declared statuses; empty: hidden. */
  readonly statuses: readonly number[]
}

interface Hooks {
  readonly query?: { readonly properties?: object }
  readonly body?: { readonly properties?: object }
  readonly response?: object
}

const routes = (): Route[] =>
  api.app.routes
    .filter(({ path }) => path.startsWith('/api/v0'))
    .map(({ method, path, hooks }) => {
      const { query, body, response } = hooks as Hooks
      return {
        method,
        path: path.replace('/*', '/x'),
        query: Object.keys(query?.properties ?? {}),
        body: method === 'GET' ? null : Object.keys(body?.properties ?? {}),
        statuses: Object.keys(response ?? {}).map(Number),
      }
    })

/** The path with existing objects, except for the parameter at `index`. */
async function filled(path: string, index: number, value: string): Promise<string> {
  const { hostname, portIds } = await known
  const values: Readonly<Record<string, string>> = { hostname, portid: String(portIds[0]), ifname: 'Gi0%2F1' }
  let at = 0
  return path.replaceAll(/:(\w+)/g, (_, name: string) => (at++ === index ? value : (values[name] ?? '1')))
}
let known: ReturnType<typeof seed>
beforeAll(() => {
  known = seed(api)
})

/** All callers use dialect `documented`: a 5xx is a bug, unless a device did not answer. */
function isFailure({ status, text }: Answer): boolean {
  return status >= 500 && !/"Could not (ping|connect to) /.test(text)
}

/** Statuses that any route may return; 404 also for segments that match no route. */
const SHARED: readonly number[] = [400, 401, 403, 404, 413, 503]

interface Hostile {
  readonly route: Route
  readonly path: string
  readonly body?: string
}

async function failuresOf(requests: AsyncGenerator<Hostile>) {
  const failures: string[] = []
  let sent = 0
  for await (const { route, path, body } of requests) {
    sent++
    const { method } = route
    const answer = await api.call(method, path, body === undefined ? {} : { body })
    const request = `${method} ${path}${body === undefined ? '' : ` ${body.slice(0, 120)}`}`.slice(0, 250)
    if (isFailure(answer)) failures.push(`${request}: ${answer.status} ${answer.text.slice(0, 120)}`)
    if (route.statuses.length > 0 && !route.statuses.includes(answer.status) && !SHARED.includes(answer.status)) {
      failures.push(`${request}: ${answer.status} is not declared`)
    }
  }
  return { failures, sent }
}

const SEGMENTS = [
  '9223372036854775808',
  '99999999999999999999999999',
  '-1',
  '0',
  '1e309',
  '0x10',
  'NaN',
  "'%20or%201%3D1--",
  '%2e%2e%2f',
  '%F0%9F%9A%80',
  '%25',
  '%5C',
  'a'.repeat(2000),
]

test('path parameters', async () => {
  async function* requests() {
    for (const route of routes()) {
      const { path, body } = route
      const count = [...path.matchAll(/:(\w+)/g)].length
      for (let i = 0; i < count; i++) {
        for (const value of SEGMENTS) {
          yield { route, path: await filled(path, i, value), ...(body !== null && { body: '{}' }) }
        }
      }
    }
  }
  const { failures, sent } = await failuresOf(requests())
  expect(failures).toEqual([])
  expect(sent).toBeGreaterThan(500)
})

test('NUL and broken UTF-8 in any parameter are a 400, on any route', async () => {
  for (const { method, path } of routes()) {
    const count = [...path.matchAll(/:(\w+)/g)].length
    for (let i = 0; i < count; i++) {
      for (const value of ['a%00b', '%ff', '%c3%28', '%ed%a0%80', '%']) {
        const answer = await api.call(method, await filled(path, i, value))
        expect({ method, path, value, status: answer.status }).toEqual({ method, path, value, status: 400 })
      }
    }
  }
})

const VALUES = ['9223372036854775808', '-1', '1e400', "'", '%', '%25%27', '{', '[]=1', ',', 'null', '%F0%9F%9A%80', 'é']

test('query parameters', async () => {
  async function* requests() {
    for (const route of routes()) {
      const { path, query, body } = route
      if (body !== null) continue
      for (const name of query) {
        for (const value of VALUES) yield { route, path: `${await filled(path, -1, '')}?${name}=${value}` }
      }
    }
  }
  const { failures, sent } = await failuresOf(requests())
  expect(failures).toEqual([])
  expect(sent).toBeGreaterThan(500)
})

const MEMBERS: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e30,
  2 ** 63,
  '',
  '9223372036854775808',
  "' or 1=1 --",
  '🚀\ud800',
  'a'.repeat(70_000),
  [],
  [null],
  [{}],
  [1e30, 'x'],
  {},
  { a: { b: [] } },
]

test('body members', async () => {
  async function* requests() {
    for (const route of routes()) {
      const { path, body } = route
      if (body === null || path.endsWith('/devices/:hostname')) continue
      const target = await filled(path, -1, '')
      for (const text of ['', '{', '[]', '[[]]', 'null', '"text"', '42', '{"a":1e999}'])
        yield { route, path: target, body: text }
      for (const name of body) {
        for (const value of MEMBERS) {
          yield { route, path: target, body: JSON.stringify({ [name]: value }) }
          // with all other members present, so that no missing one is reported first
          const rest = Object.fromEntries(body.map((other) => [other, '1']))
          yield { route, path: target, body: JSON.stringify({ ...rest, [name]: value }) }
        }
      }
    }
  }
  const { failures, sent } = await failuresOf(requests())
  expect(failures).toEqual([])
  expect(sent).toBeGreaterThan(100)
})

test('every route rejects bodies that are too large, too deep, not UTF-8, or with NUL or long lists', async () => {
  const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000)
  const cases = [
    { body: `"${'x'.repeat(4_194_304)}"`, status: 413 },
    { body: `[${'1,'.repeat(300_000)}1]`, status: 400 },
    { body: `{"devices":[${'1,'.repeat(300_000)}1]}`, status: 400 },
    { body: `{"a":{${Array.from({ length: 200_001 }, (_, n) => `"${n}":1`).join()}}}`, status: 400 },
    { body: deep('[', ']'), status: 400 },
    { body: deep('{"a":', '}'), status: 400 },
    { body: '{"a":"\\u0000"}', status: 400 },
    { body: '{"a\\u0000":1}', status: 400 },
  ]
  for (const { method, path } of routes().filter((route) => route.body !== null)) {
    const target = await filled(path, -1, '')
    for (const { body, status } of cases) {
      const answer = await api.call(method, target, { body })
      expect({ method, path, body: body.slice(0, 9), status: answer.status }).toEqual({
        method,
        path,
        body: body.slice(0, 9),
        status,
      })
    }
  }
  const { token } = await api.token(['admin'])
  const octets = await api.app.fetch(
    new Request('http://localhost/api/v0/devices', {
      method: 'POST',
      headers: { 'X-Auth-Token': token },
      body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    }),
  )
  expect(octets.status).toBe(400)
})

test('brackets in strings do not count as depth', async () => {
  const { deviceId } = await seed(api)
  const data = '[{"'.repeat(1000)
  const answer = await api.call('PATCH', `/api/v0/devices/${deviceId}`, { body: { field: 'notes', data } })
  expect(answer.status).toBe(200)
})

test('the server is healthy afterwards', async () => {
  expect((await api.call('GET', '/api/v0/ping')).json).toEqual({ message: 'pong' })
  const { deviceId } = await known
  expect((await api.call('GET', `/api/v0/devices/${deviceId}`)).status).toBe(200)
})
