import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeModules } from '../../src/core/polling/read-modules.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { inOrder } from '../../src/poller/worker/discover.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

test('modules that the last discovery did not finish run first, after system, and none runs twice', () => {
  const names = inOrder(MODULES, { skip: ['ports'], unfinished: ['bgp', 'fdb', 'ports'] }).map((m) => m.name)
  expect(names.slice(0, 3)).toEqual(['system', 'fdb', 'bgp'])
  expect(names.toSorted()).toEqual(
    MODULES.map((m) => m.name)
      .filter((name) => name !== 'ports')
      .toSorted(),
  )
})

test('a truncated module keeps its earlier findings, so that it is still polled', async () => {
  const { sql } = database.store
  const [device] = await sql<{ device_id: number }[]>`
    insert into devices (hostname) values ('chassis.example.net') returning device_id`
  const id = device?.device_id ?? 0
  const report = (name: string, rows: number, complete: boolean) => {
    return { name, rows, complete, requests: 1, tookMs: 1, note: '' }
  }
  await writeModules(database.store, id, [report('bgp', 40, true), report('ospf', 3, true), report('fdb', 9, true)])
  await writeModules(database.store, id, [report('bgp', 0, false), report('ospf', 0, true)])
  const rows = await sql<{ module: string; rows: number }[]>`
    select module, rows from device_modules where device_id = ${id} order by module`
  expect(rows.map(({ module, rows: n }) => `${module} ${n}`)).toEqual(['bgp 40', 'ospf 0'])
})
