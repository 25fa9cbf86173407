import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type ApiServer, serveApi } from '../../src/api/serve.ts'
import { apiPages } from '../../tools/reference/api/pages.ts'
import { seed } from '../api/fixtures.ts'
import { ALL_ROWS } from '../api/tables/all.ts'
import type { Request } from '../api/tables/row.ts'
import { V1_ROWS } from '../api/tables/v1.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { type Call, pythonClient, redocly, typescriptClient } from './generators.ts'

// Clients generated from openapi.json call every read of a real server over HTTP.

setDefaultTimeout(600_000)

const document = apiPages().find(({ path }) => path === 'openapi.json')?.text ?? ''

interface Item {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
}
const { paths, components } = JSON.parse(document) as {
  paths: Record<string, Record<string, Item>>
  components: { schemas: Record<string, unknown> }
}
const operations = Object.values(paths).flatMap((item) => Object.values(item)).length
const reads = Object.entries(paths).flatMap(([template, item]) =>
  item['get'] === undefined ? [] : [{ template, ...item['get'] }],
)

const python = await pythonClient(document)
const typescript = await typescriptClient(document)
const problems = await redocly(document)

let api: TestApi
let server: ApiServer
let token: string
beforeAll(async () => {
  if (python === null && typescript === null) return
  api = await testApi({ 'api.v1.enabled': 'true' })
  server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 })
  token = (await api.token(['admin'])).token
})
afterAll(async () => {
  python?.remove()
  typescript?.remove()
  await server?.stop()
  await api?.drop()
})

/** The rows of the tables of operations that read successfully. */
const rows = reads.flatMap((read) =>
  [
    ...ALL_ROWS.filter(({ operation, status }) => operation === read.operationId && status === 200),
    ...V1_ROWS.filter((row) => row.operation === read.operationId && row.status === 200 && row.server === 'on'),
  ].map((row) => ({ row, ...read })),
)

const CLIENTS = { 'openapi-python-client': python, 'openapi-ts': typescript } as const
type ClientName = keyof typeof CLIENTS

/** What went wrong in calls of all rows, by client. Both make each call, because what a row asks for is stored first. */
async function callAll(): Promise<ReadonlyMap<ClientName, string[]>> {
  const callers = Object.entries(CLIENTS).flatMap(([name, client]) =>
    client === null
      ? []
      : [{ caller: client.start(`http://127.0.0.1:${server.port}`), name: name as ClientName, faults: [] as string[] }],
  )
  for (const { row, operationId, tags, template, parameters } of rows) {
    const seeded = await seed(api)
    const request = 'name' in row ? await row.request(seeded, api) : await row.request(api)
    const { path, query } = parametersOf(template, request.path)
    const declared = Object.entries(query).filter(([name]) =>
      parameters.some((p) => p.in === 'query' && p.name === name),
    )
    const call: Call = {
      operation: operationId,
      tag: tags[0] ?? '',
      token: tokenOf(request) ?? token,
      path,
      query: Object.fromEntries(declared),
    }
    for (const { caller, faults } of callers) {
      const fault = await caller.call(call)
      if (fault !== null) faults.push(`${operationId} ${request.path}: ${fault}`)
    }
  }
  for (const { caller } of callers) await caller.stop()
  return new Map(callers.map(({ name, faults }) => [name, faults]))
}

let called: ReturnType<typeof callAll> | null = null
async function faultsOf(name: ClientName): Promise<string[] | undefined> {
  called ??= callAll()
  return (await called).get(name)
}

function tokenOf({ token, headers }: Request): string | undefined {
  return headers?.['Authorization']?.replace('Bearer ', '') ?? token ?? undefined
}

/** The parameters of a path as the document names them; the last one may hold slashes. */
function parametersOf(template: string, path: string): Pick<Call, 'path' | 'query'> {
  const url = new URL(path, 'http://localhost')
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`)
  const values = pattern.exec(url.pathname)?.slice(1) ?? []
  expect({ path, template, values: values.length }).toEqual({ path, template, values: names.length })
  return {
    path: Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(values[i] ?? '')])),
    query: Object.fromEntries(url.searchParams),
  }
}

test.skipIf(problems === null)('Redocly finds only what the paths of the API imply', () => {
  // `/ports/mac/{search}` and `/ports/{portid}/ip` are both in the contract; one operation always refuses.
  const known = /^(no-ambiguous-paths #\/paths\/~1api~1v0~1ports~1\{portid\}|operation-2xx-response .*~1\{metric\})/
  expect(problems?.filter((problem) => !known.test(problem))).toEqual([])
})

test('every object of the document has a name, and none is defined in place', () => {
  expect(Object.keys(components.schemas).length).toBeGreaterThan(150)
  expect(JSON.stringify(paths)).not.toContain('"properties"')
})

test('the tables have a call of every read', () => {
  const called = new Set(rows.map(({ operationId }) => operationId))
  expect(reads.map(({ operationId }) => operationId).filter((operation) => !called.has(operation))).toEqual([])
})

describe.each(Object.entries(CLIENTS))('%s', (name, client) => {
  test.skipIf(client === null)('understands the whole document', async () => {
    expect(client?.warnings).toBe('')
    expect(await client?.check()).toBe('')
    // one file for each object and operation, rather than one for each place where an object is used
    expect(client?.files).toBeLessThan(1.25 * (Object.keys(components.schemas).length + operations))
  })

  test.skipIf(client === null)('calls every read and understands the answer', async () => {
    expect(await faultsOf(name as ClientName)).toEqual([])
  })
})
