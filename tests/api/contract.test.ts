import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mountedRoutes } from '../../src/api/route-index.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { seed } from './fixtures.ts'
import { type NamedCheck, parseShape, shapeErrors } from './shape.ts'
import { ALL_ROWS } from './tables/all.ts'

/** The contract is kept outside the repository. */
const CONTRACT = join(import.meta.dir, '..', '..', '..', 'shared', 'contract')
const present = existsSync(join(CONTRACT, 'v0.json'))
if (!present) console.warn('../shared/contract is missing: answers are not held against the contract')

interface ContractOperation {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly route_name: string | null
  readonly also_operations: readonly string[]
  readonly success: { readonly shape: string; readonly serialization: string }
  readonly errors: readonly { readonly status: number; readonly message: string }[]
}

const operations: readonly ContractOperation[] = present
  ? (JSON.parse(readFileSync(join(CONTRACT, 'v0.json'), 'utf8')) as ContractOperation[])
  : []

const named = present ? recordTypes(readFileSync(join(CONTRACT, 'SCHEMA.md'), 'utf8')) : () => () => null

interface Column {
  readonly name: string
  readonly kind: string
  readonly nullable: boolean
}

/** The record tables of SCHEMA.md as checks. */
function recordTypes(markdown: string): (name: string) => NamedCheck {
  const tables = new Map<string, Column[]>()
  for (const section of markdown.split(/^## /m).slice(1)) {
    const name = /^\w+/.exec(section)?.[0] ?? ''
    const rows = [...section.matchAll(/^\| (\w+) \| [^|]+ \| (yes|no) \|[^|]*\| (\w+)/gm)]
    tables.set(
      name,
      rows.map(([, column = '', nullable, kind = '']) => ({ name: column, kind, nullable: nullable === 'yes' })),
    )
  }
  // keyed by id within its device
  tables.set(
    'Component',
    (tables.get('Component') ?? []).filter(({ name }) => name !== 'id' && name !== 'device_id'),
  )
  // rules are stored as text and sent as objects
  tables.set(
    'DeviceGroup',
    (tables.get('DeviceGroup') ?? []).filter(({ name }) => name !== 'rules'),
  )
  tables.set('DeviceRow', [
    ...(tables.get('Device') ?? []),
    ...['location', 'lat', 'lng', 'dependency_parent_id', 'dependency_parent_hostname'].map((name) => ({
      name,
      kind: 'string',
      nullable: true,
    })),
  ])
  tables.set('AlertListItem', [
    ...(tables.get('Alert') ?? []),
    ...['hostname', 'severity', 'name', 'proc', 'notes'].map((name) => ({ name, kind: 'string', nullable: true })),
  ])
  return (name) => (value, path) => {
    const columns = tables.get(name.replace(/Partial$/, ''))
    if (!columns || columns.length === 0) return null
    if (typeof value !== 'object' || value === null) return [`${path}: expected a ${name}`]
    const record = value as Record<string, unknown>
    return columns.flatMap((column) => {
      const member = record[column.name]
      if (member === undefined) return name.endsWith('Partial') ? [] : [`${path}.${column.name}: missing`]
      // get_location sends coordinates as numbers, lists as decimal text
      const degrees = (column.name === 'lat' || column.name === 'lng') && typeof member === 'number'
      if (degrees || fits(member, column)) return []
      return [`${path}.${column.name}: expected ${column.kind}, found ${JSON.stringify(member)}`]
    })
  }
}

function fits(value: unknown, { kind, nullable }: Column): boolean {
  if (value === null) return nullable
  if (kind === 'int') return Number.isInteger(value) || typeof value === 'boolean' || /^\d{16,}$/.test(String(value))
  return kind === 'number' ? typeof value === 'number' : typeof value === 'string'
}

describe.skipIf(!present)('the contract', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi()
  })
  afterAll(() => api.drop())

  /** Shapes of the other dialect, filtered records, empty responses, and shapes described in words. */
  const otherShape = /^(dialect|columns filter|one object|has the new name|monthly|bits: rates)/
  /** A member named by a sentence. */
  const describedInWords = /\["/
  const rows = ALL_ROWS.filter((row) => !otherShape.test(row.name))

  test.each(rows)('$operation $status: $name', async (row) => {
    const route = mountedRoutes(api.app).find((r) => r.operation === row.operation)
    // each form of an operation has its own shape
    const contract =
      operations.find((o) => o.method === route?.method && o.path === route.path) ??
      operations.find((o) => o.operation === route?.documented)
    if (!contract) throw new Error(`${row.operation} is not in the contract`)
    const seeded = await seed(api)
    const { method, path, ...options } = await row.request(seeded, api)
    const answer = await api.call(method, path, options)
    if (answer.headers.get('content-type') === 'image/png') {
      expect(contract.success.serialization).toBe('image')
    } else if (answer.status !== 200) {
      expect(answer.json).toMatchObject({ message: answer.status === 422 ? expect.anything() : expect.any(String) })
    } else if (contract.success.serialization !== 'image' && !describedInWords.test(contract.success.shape)) {
      expect(shapeErrors(answer.json, parseShape(contract.success.shape), named)).toEqual([])
    }
  })

  test('the route index has every operation name of the contract', async () => {
    const index = (await api.call('GET', '/api/v0')).json as Readonly<Record<string, string>>
    const isName = (name: string | null): name is string => name !== null && /^[a-z_]+$/.test(name)
    const missing = operations
      .filter(({ route_name: name }) => name !== null)
      .flatMap(({ operation, route_name: name, also_operations: also }) => [
        operation.replace(/\(.*/, ''),
        name,
        ...also,
      ])
      .filter(isName)
      .filter((name) => index[name] === undefined)
    expect(missing).toEqual([])
    // if a name belongs to two operations, it is the route name
    expect(index['get_device_groups']).toEndWith('/api/v0/devicegroups')
    expect(index['get_device_groups_device']).toEndWith('/api/v0/devices/{hostname}/groups')
  })

  test('every operation has the method, path, route name and permission of the contract', () => {
    interface Entry {
      operation: string
      route_name: string | null
      method: string
      path: string
      permission: { gate: string }
    }
    const entries = new Set(
      (operations as unknown as Entry[]).map((o) =>
        [o.operation.replace(/\(.*/, ''), o.route_name ?? 'root', o.method, o.path, o.permission.gate].join(' '),
      ),
    )
    const mounted = mountedRoutes(api.app)
      .filter((route) => route.path.startsWith('/api/v0'))
      .map((r) => {
        return [r.documented, r.name, r.method, r.path, r.gate].join(' ')
      })
    expect(mounted.filter((entry) => !entries.has(entry))).toEqual([])
  })
})

test('the notation of shapes', () => {
  const errors = (value: unknown, text: string) => shapeErrors(value, parseShape(text), () => () => null)
  expect(errors({ a: 1, b: [{ c: null }] }, '{a:int, b:{c:string|null}[] /* x */, d?:"k"}')).toEqual([])
  expect(errors({ a: '1' }, '{a:int}')).toEqual(['.a: expected int, found "1"'])
  expect(errors([{ s: 'ok' }], '[{s:"ok"}]')).toEqual([])
  expect(errors({ x: 'u', y: 2 }, '{[name:string]: string}')).toHaveLength(1)
  expect(errors({ a: 1 }, '{a:1} & {b:string}')).toEqual(['.b: missing'])
})
