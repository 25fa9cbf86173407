import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { mountedRoutes } from '../../src/api/route-index.ts'
import { type Answer, type TestApi, testApi } from '../support/api.ts'
import { type Seeded, seed } from './fixtures.ts'
import { ALL_ROWS } from './tables/all.ts'
import { V1_ROWS, type V1Row } from './tables/v1.ts'

setDefaultTimeout(60_000)

/** The contract is kept outside the repository; without it, the list of routes is used. */
const CONTRACT = join(import.meta.dir, '..', '..', '..', 'shared', 'contract')
const present = existsSync(join(CONTRACT, 'v0.json'))
if (!present) console.warn('../shared/contract is missing: the table of operations is that of the mounted routes')

let api: TestApi
let seeded: Seeded
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

/** Messages sent with status 500, by operation; only dialect `librenms` does that. */
const failed = new Map<string, Set<string>>()

/** Statuses that each operation returned as expected, for the table at the end. */
const answered = new Map<string, Set<number>>()
function note(operation: string, status: number): void {
  answered.set(operation, (answered.get(operation) ?? new Set()).add(status))
}

describe.each(ALL_ROWS)('$operation $status: $name', (row) => {
  test('answers as in the table, matching its model', async () => {
    seeded = await seed(api)
    const { method, path, ...options } = await row.request(seeded, api)
    const answer = await api.call(method, path, options)
    expect({ status: answer.status, body: answer.status === row.status ? '' : answer.text }).toEqual({
      status: row.status,
      body: '',
    })
    if (answer.headers.get('content-type') !== 'image/png') {
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.headers.get('cache-control')).toBe('no-cache, private')
      const model = responseModel(row.operation, row.status)
      expect([...Value.Errors(model, answer.json)].slice(0, 3)).toEqual([])
    }
    await row.check?.(answer, seeded, api)
    note(row.operation, row.status)
    if (row.status === 500) failed.set(row.operation, (failed.get(row.operation) ?? new Set()).add(textOf(answer)))
  })
})

describe('v1', () => {
  const servers = new Map<V1Row['server'], TestApi>()
  beforeAll(async () => {
    servers.set('off', api)
    servers.set('on', await testApi({ 'api.v1.enabled': 'true' }))
    const cut = await testApi({ 'api.v1.enabled': 'true' })
    await cut.store.close(0)
    servers.set('without database', cut)
  })
  afterAll(() => Promise.all([servers.get('on')?.drop(), servers.get('without database')?.drop()]))

  test.each(V1_ROWS)('$operation $status, server $server', async (row) => {
    const server = servers.get(row.server) ?? api
    const { method, path, ...options } = await row.request(server)
    const answer = await server.call(method, path, options)
    expect({ status: answer.status, body: answer.status === row.status ? '' : answer.text }).toEqual({
      status: row.status,
      body: '',
    })
    expect([...Value.Errors(responseModel(row.operation, row.status), answer.json)].slice(0, 3)).toEqual([])
    if (row.server === 'without database') expect(answer.headers.get('retry-after')).toBe('5')
    note(row.operation, row.status)
  })

  test('a query with NUL is a bad request, of every operation that knows one', async () => {
    const on = servers.get('on') ?? api
    const { token } = await on.token(['admin'])
    const routes = mountedRoutes(on.app).filter(({ path }) => path.startsWith('/api/v1/'))
    // the stream of events reads its parameters itself, and no text among them
    const knowing = routes.filter(({ operation }) => operation !== 'v1_events' && '400' in responses(operation))
    expect(knowing.length).toBeGreaterThan(50)
    for (const { operation, method, path } of knowing) {
      const answer = await on.call(method, `${path.replaceAll(/:\w+/g, '1')}?text=a%00b`, {
        token: null,
        headers: { Authorization: `Bearer ${token}` },
      })
      expect({ operation, status: answer.status }).toEqual({ operation, status: 400 })
      expect([...Value.Errors(responseModel(operation, 400), answer.json)].slice(0, 3)).toEqual([])
      note(operation, 400)
    }
  })
})

/** The contract's fallbacks, which have no route. */
const FALLBACKS: Readonly<Record<string, (api: TestApi) => Promise<Answer>>> = {
  'ANY /api/v0/*': (on) => on.call('GET', '/api/v0/no/such/route'),
  'ANY /api/v1/*': (on) => on.call('DELETE', '/api/v1/no/such/route'),
}
test.each(Object.entries(FALLBACKS))('%s is 404', async (name, ask) => {
  const answer = await ask(api)
  expect(answer.status).toBe(404)
  note(name, 404)
})

/** Failures listed as 500 by the contract that are answered differently: `when` of the contract, and the reason. */
const NEVER: readonly (readonly [when: RegExp, why: string])[] = [
  [/^renderer failure$/, 'a fault of this program'],
  [
    /^(any other failure|deletion failed|delete failed|database refused|insert failed|store failed|failed|failure)$/,
    'a fault of this program',
  ],
  [/^save failed$/, 'a fault of this program, where it is not answered to an input that does not fit'],
  [/^unknown port \(admin\)$/, 'an absent port is 404 everywhere'],
  [/^type has no underscore/, 'an absent device is 404 everywhere, and such a graph is an unknown one'],
  [/^edit: /, 'add_rule adds; edit_rule answers so'],
  [/^unknown graph type\/subtype$/, 'the operations of one graph know no other'],
]

test.skipIf(!present)(
  'every failure that the contract lists as 500 is answered so in dialect librenms, and only there',
  () => {
    const listed = (JSON.parse(readFileSync(join(CONTRACT, 'v0.json'), 'utf8')) as ContractOperation[]).flatMap((o) =>
      o.errors.filter(({ status }) => status === 500).map((error) => ({ ...o, ...error })),
    )
    const routes = mountedRoutes(api.app)
    const missing = listed.filter(({ method, path, message: words }) => {
      const route = routes.find((r) => r.method === method && r.path === path)
      return ![...(failed.get(route?.operation ?? '') ?? [])].some((text) => patternOf(words).test(text))
    })
    expect(listed.length).toBeGreaterThan(75)
    expect(missing.filter(({ when }) => !NEVER.some(([never]) => never.test(when)))).toEqual([])
    expect(listed.length - missing.length).toBeGreaterThan(50)
    // other failures have another status in both dialects
    expect(ALL_ROWS.filter((row) => row.status === 500 && !row.name.endsWith('dialect librenms'))).toEqual([])
  },
)

interface ContractOperation {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly errors: readonly { readonly when: string; readonly status: number; readonly message: string }[]
}

/** A message of the contract, `Device {hostname} already exists (a remark)`, as a regular expression. */
function patternOf(words: string): RegExp {
  const plain = words.replace(/ \((?:LibreNMS|each name) .*\)$/, '').replace('{name} {name}', '{name}')
  return new RegExp(
    `^${plain
      .split(/\{[^}]*\}/)
      .map((part) => RegExp.escape(part))
      .join('.*')}$`,
    's',
  )
}

function textOf({ json }: Answer): string {
  return typeof json === 'object' && json !== null && 'message' in json ? String(json.message) : ''
}

test('every row has a mounted operation', () => {
  const mounted = new Set(mountedRoutes(api.app).map((route) => route.operation))
  expect(ALL_ROWS.filter((row) => !mounted.has(row.operation))).toEqual([])
})

test('the table of operations: each is mounted, and has returned every status it declares', () => {
  const table = operationTable()
  const width = (of: (line: Line) => string) => Math.max(...table.map((line) => of(line).length))
  const [operation, path, statuses] = [width((l) => l.operation), width((l) => l.path), width((l) => l.statuses)]
  const lines = table.map((l) =>
    [
      l.operation.padEnd(operation),
      l.method.padEnd(6),
      l.path.padEnd(path),
      l.statuses.padEnd(statuses),
      l.missing.length === 0 ? 'ok' : `missing: ${l.missing.join(' ')}`,
    ].join('  '),
  )
  const missing = table.filter((l) => l.missing.length > 0)
  console.log(`${lines.join('\n')}\n${table.length} operations, ${missing.length} with something missing`)
  expect(missing).toEqual([])
  expect(table.length).toBeGreaterThanOrEqual(158)
})

interface Line {
  readonly operation: string
  readonly method: string
  readonly path: string
  /** Statuses returned in this run. */
  readonly statuses: string
  /** Declared statuses that were not returned; `route` if there is no route. */
  readonly missing: readonly string[]
}

/** One line per operation of the contract and per other route. */
function operationTable(): Line[] {
  const routes = new Map(mountedRoutes(api.app).map((route) => [`${route.method} ${route.path}`, route]))
  const asked = ['v0.json', 'v1.json'].flatMap((file) =>
    present ? (JSON.parse(readFileSync(join(CONTRACT, file), 'utf8')) as { method: string; path: string }[]) : [],
  )
  const names = new Set([...asked.map(({ method, path }) => `${method} ${path}`), ...routes.keys()])
  return [...names, ...Object.keys(FALLBACKS).filter((name) => !names.has(name))].map((name) => {
    const route = routes.get(name)
    const operation = route?.operation ?? name
    const statuses = [...(answered.get(operation) ?? [])].toSorted((a, b) => a - b).map(String)
    const declared = route ? Object.keys(responses(operation)) : name in FALLBACKS ? ['404'] : ['route']
    const [method = '', path = ''] = name.split(' ')
    return {
      operation: route ? operation : 'not found',
      method,
      path,
      statuses: statuses.join(' '),
      missing: declared.filter((status) => !statuses.includes(status)),
    }
  })
}

type Schema = Parameters<typeof Value.Errors>[0]

function responses(operation: string): Readonly<Record<string, Schema>> {
  const route = api.app.routes.find((r) => hooksOf(r.hooks).detail?.operationId === operation)
  return route ? (hooksOf(route.hooks).response ?? {}) : {}
}

function responseModel(operation: string, status: number): Schema {
  const model = responses(operation)[String(status)]
  if (!model) throw new Error(`${operation} declares no answer ${status}`)
  return model
}

function hooksOf(hooks: unknown) {
  return hooks as { detail?: { operationId?: string }; response?: Record<string, Schema> }
}
