import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createEventBudget, writeUnlisted } from '../../../src/core/discovery/event-budget.ts'
import type { Event } from '../../../src/core/discovery/events.ts'
import { writeDiscovery, writePortChanges } from '../../../src/core/discovery/write.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { messagesOf, newDevice, port, ports, portsOf } from './factories.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const MINUTE = 60_000
const run = { tookMs: 1, complete: true }
const event = (deviceId: number, type = 'interface'): Event => ({
  deviceId,
  type,
  message: 'changed',
  reference: null,
  severity: 3,
})
const some = (count: number, deviceId: number, type?: string) =>
  Array.from({ length: count }, () => event(deviceId, type))

test('a device whose names change at every poll gets the events of its budget, and one with the number of the others', async () => {
  const { store } = database
  let now = 1e12
  const budget = createEventBudget(
    () => 200,
    () => now,
  )
  const [flips, quiet] = [await newDevice(store), await newDevice(store)]
  for (const id of [flips, quiet])
    await writeDiscovery(store, id, [ports(Array.from({ length: 40 }, (_, i) => port(i + 1)))], run, budget)
  const rows = await portsOf(store, flips)
  const [other] = await portsOf(store, quiet)
  for (let poll = 0; poll < 60; poll++) {
    const changes = rows.map(({ port_id }) => ({ port_id, ifName: `name ${poll}` }))
    await writePortChanges(store, changes, budget)
    if (poll === 59) await writePortChanges(store, [{ port_id: other?.port_id ?? 0, ifOperStatus: 'down' }], budget)
    now += MINUTE
    await writeUnlisted(store, budget)
  }
  const messages = await messagesOf(store, flips)
  expect(messages.filter((text) => text.startsWith('ifName')).length).toBe(200)
  expect(messages.at(-1)).toBe(`${60 * 40 - 200} further interface events in the last hour were not listed`)
  expect(messages.length).toBe(1 + 200 + 1)
  expect(await messagesOf(store, quiet)).toContain('ifOperStatus: up -> down')
  expect(budget.unlisted).toBe(60 * 40 - 200)
  expect(budget.recent()).toEqual({ count: 2200, deviceIds: [flips], devices: 1 })
  // the names themselves are stored
  expect((await portsOf(store, flips)).every(({ ifName }) => ifName === 'name 59')).toBe(true)

  await writePortChanges(store, [{ port_id: rows[0]?.port_id ?? 0, ifName: 'later' }], budget)
  expect((await messagesOf(store, flips)).at(-1)).toBe('ifName: name 59 -> later')
  now += 120 * MINUTE
  expect(budget.recent()).toBe(null)
})

test('types and devices have budgets of their own; 0 is no limit', () => {
  let limit = 3
  const budget = createEventBudget(() => limit)
  const choice = budget.choose([...some(4, 1), ...some(2, 1, 'sensor'), ...some(5, 2)])
  expect(choice.unlisted.map(({ deviceId, type }) => [deviceId, type])).toEqual([
    [1, 'interface'],
    [2, 'interface'],
    [2, 'interface'],
  ])
  limit = 0
  expect(budget.choose(some(1000, 1)).listed.length).toBe(1000)
})

test('what could not be stored does not count', () => {
  const budget = createEventBudget(() => 3)
  for (let tries = 0; tries < 10; tries++) budget.choose(some(3, 1))
  const choice = budget.choose(some(3, 1))
  expect(choice.listed.length).toBe(3)
  budget.count(choice)
  expect(budget.choose(some(1, 1)).listed).toEqual([])
})

test('the events about a deleted device are dropped, and what was reported is not reported again', async () => {
  const { store } = database
  let now = 1e12
  const budget = createEventBudget(
    () => 1,
    () => now,
  )
  const [gone, stays] = [await newDevice(store), await newDevice(store)]
  budget.count(budget.choose([...some(3, gone), ...some(4, stays)]))
  await store.sql`delete from devices where device_id = ${gone}`
  await writeUnlisted(store, budget)
  expect(await messagesOf(store, stays)).toEqual([])
  now += 60 * MINUTE
  await writeUnlisted(store, budget)
  await writeUnlisted(store, budget)
  expect(await messagesOf(store, stays)).toEqual(['3 further interface events in the last hour were not listed'])
})

test('what is remembered is bounded, and no number is lost when hours end early', () => {
  const budget = createEventBudget(() => 1)
  const devices = 25_000
  for (let id = 1; id <= devices; id++) budget.count(budget.choose(some(2, id)))
  expect(budget.due().length).toBe(devices - 20_000)
  expect(budget.recent()).toMatchObject({ count: devices, devices })
})

test('a clock that was set back begins a new hour', () => {
  let now = 1e12
  const budget = createEventBudget(
    () => 1,
    () => now,
  )
  budget.count(budget.choose(some(1, 1)))
  now -= 1e9
  expect(budget.choose(some(1, 1)).listed.length).toBe(1)
})
