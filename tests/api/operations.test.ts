import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { mountedRoutes } from '../../src/api/route-index.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { type Seeded, seed } from './fixtures.ts'
import { ADDRESS_ROWS } from './tables/addresses.ts'
import { ALERT_RULE_ROWS } from './tables/alert-rules.ts'
import { ALERT_ROWS } from './tables/alerts.ts'
import { BILL_GRAPH_ROWS } from './tables/bill-graphs.ts'
import { BILL_ROWS } from './tables/bills.ts'
import { COMPONENT_ROWS } from './tables/components.ts'
import { DEVICE_ROWS } from './tables/devices.ts'
import { GROUP_ROWS } from './tables/groups.ts'
import { HEALTH_ROWS } from './tables/health.ts'
import { LOG_ROWS } from './tables/logs.ts'
import { NEIGHBOUR_ROWS } from './tables/neighbours.ts'
import { OPERATOR_ROWS } from './tables/operator.ts'
import { OPTICS_ROWS } from './tables/optics.ts'
import { OTHER_ROWS } from './tables/others.ts'
import { PORT_GROUP_ROWS } from './tables/port-groups.ts'
import { PORT_ROWS } from './tables/ports.ts'
import { ROUTING_ROWS } from './tables/routing.ts'
import { SERVICE_ROWS } from './tables/services.ts'
import { SWITCHING_ROWS } from './tables/switching.ts'

const ROWS = [
  ...DEVICE_ROWS,
  ...LOG_ROWS,
  ...ALERT_RULE_ROWS,
  ...ALERT_ROWS,
  ...ADDRESS_ROWS,
  ...HEALTH_ROWS,
  ...GROUP_ROWS,
  ...NEIGHBOUR_ROWS,
  ...PORT_GROUP_ROWS,
  ...PORT_ROWS,
  ...OPTICS_ROWS,
  ...OTHER_ROWS,
  ...OPERATOR_ROWS,
  ...ROUTING_ROWS,
  ...BILL_ROWS,
  ...BILL_GRAPH_ROWS,
  ...COMPONENT_ROWS,
  ...SERVICE_ROWS,
  ...SWITCHING_ROWS,
]

let api: TestApi
let seeded: Seeded
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

describe.each(ROWS)('$operation $status: $name', (row) => {
  test('answers as the table says, in the form of its model', async () => {
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
  })
})

test('every mounted operation has a row for every status it declares', () => {
  const tested = new Set(ROWS.map((row) => `${row.operation} ${row.status}`))
  const declared = mountedRoutes(api.app)
    .filter((route) => route.path.startsWith('/api/v0'))
    .flatMap(({ operation }) => Object.keys(responses(operation)).map((status) => `${operation} ${status}`))
  expect(declared.length).toBeGreaterThan(60)
  expect(declared.filter((name) => !tested.has(name))).toEqual([])
})

test('every row names a mounted operation', () => {
  const mounted = new Set(mountedRoutes(api.app).map((route) => route.operation))
  expect(ROWS.filter((row) => !mounted.has(row.operation))).toEqual([])
})

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
