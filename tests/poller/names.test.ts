import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { explanationText } from '../../src/cli/device-report.ts'
import { createSettings } from '../../src/config/settings.ts'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { createDeviceService, type DeviceService } from '../../src/core/devices/service.ts'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { createLog } from '../../src/observe/log.ts'
import { databaseUpstream } from '../../src/poller/database-upstream.ts'
import { createPoller, type Poller } from '../../src/poller/poller.ts'
import { createResolver } from '../../src/poller/resolve.ts'
import { until } from '../e2e/server.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { startDns, type TestDns } from '../support/dns.ts'

// Devices whose names appear in and disappear from DNS, with a real name server, workers, agent and database.

setDefaultTimeout(120_000)

const flags = {
  'poller.interval': '5',
  'poller.workers': '1',
  'ping.interval': '5',
  'snmp.timeout': '0.3',
  'snmp.retries': '1',
}

let database: TestDatabase
let poller: Poller
let devices: DeviceService
let agent: DemoAgent
let dns: TestDns
const others: TestDatabase[] = []

beforeAll(async () => {
  dns = await startDns()
  database = await testDatabase()
  agent = await openDemoAgent('access-1')
  const { store } = database
  const settings = createSettings({ flags })
  const resolver = createResolver({ keepMs: 0, keepNothingMs: 0 })
  poller = createPoller({ upstream: databaseUpstream(store), settings, log: createLog('silent'), resolver })
  await poller.start()
  devices = createDeviceService({ store, settings, gateway: poller })
})
afterAll(async () => {
  await poller?.stop(2000)
  agent?.stop()
  dns?.stop()
  for (const made of [database, ...others]) await made?.drop()
})

async function state(hostname: string): Promise<{ status: number; reason: string; events: string[] }> {
  const { sql } = database.store
  const [row] = await sql<{ device_id: number; status: number; reason: string }[]>`
    select device_id, status, status_reason as reason from devices where hostname = ${hostname}`
  const events = await sql<{ message: string }[]>`
    select message from eventlog where device_id = ${row?.device_id ?? 0} and type in ('dns', 'up', 'down')
      and message not like '%first check.' order by event_id`
  return { status: row?.status ?? -1, reason: row?.reason ?? '', events: events.map(({ message }) => message) }
}

const explained = async (name: string) => explanationText(await devices.explain(SYSTEM, name))
const add = (hostname: string, more: object = {}) =>
  devices.add(SYSTEM, { hostname, port: agent.port, snmpver: 'v2c', community: agent.community, force: true, ...more })

test('a name that does not resolve: event and reason exist as soon as the device is added', async () => {
  const record = await add('gone.example.net')
  expect(record['status_reason']).toBe('icmp,snmp')
  const missing = 'the name gone.example.net does not resolve'
  expect(await state('gone.example.net')).toEqual({ status: 0, reason: 'icmp,snmp', events: [`DNS: ${missing}`] })
  const explanation = await explained('gone.example.net')
  expect(explanation).toContain('down: icmp,snmp')
  expect(explanation).toMatch(new RegExp(`reason +${missing}; since`))
  // after several rounds of polls and pings there is still only one event
  const asked = dns.asked
  await until(60, 'further look-ups', async () => dns.asked >= asked + 10)
  expect((await state('gone.example.net')).events).toEqual([`DNS: ${missing}`])
})

test('a device comes up once its name resolves, goes down when it no longer does, and comes up again', async () => {
  const name = 'moving.example.net'
  const events = [`DNS: the name ${name} does not resolve`]
  await add(name)
  dns.names.set(name, agent.address)
  await until(60, 'up', async () => (await state(name)).status === 1)
  events.push(`DNS: the name ${name} resolves`, 'Device status changed to Up from icmp,snmp check.')
  expect(await state(name)).toEqual({ status: 1, reason: '', events })
  expect(await explained(name)).not.toMatch(/^reason/m)

  dns.names.delete(name)
  await until(60, 'down', async () => (await state(name)).status === 0)
  events.push(`DNS: the name ${name} does not resolve`, 'Device status changed to Down from icmp,snmp check.')
  expect(await state(name)).toEqual({ status: 0, reason: 'icmp,snmp', events })

  dns.names.set(name, agent.address)
  await until(60, 'up again', async () => (await state(name)).status === 1)
  events.push(`DNS: the name ${name} resolves`, 'Device status changed to Up from icmp,snmp check.')
  expect((await state(name)).events).toEqual(events)
})

test('while no name server answers, the last address stays in use', async () => {
  const name = 'steady.example.net'
  dns.names.set(name, agent.address)
  await add(name)
  const polled = async () => {
    const [row] = await database.store.sql<
      { at: Date | null }[]
    >`select last_polled as at from devices where hostname = ${name}`
    return row?.at?.getTime() ?? 0
  }
  await until(60, 'up and polled', async () => (await state(name)).status === 1 && (await polled()) > 0)
  dns.up = false
  const [before, asked] = [await polled(), dns.asked]
  await until(60, 'polls in the meantime', async () => dns.asked > asked + 6 && (await polled()) > before + 3000)
  expect(await state(name)).toEqual({ status: 1, reason: '', events: [] })
  dns.up = true
})

test('a device that is only pinged reports it as well', async () => {
  const name = 'ping-only.example.net'
  await add(name, { community: undefined, snmpDisable: true })
  const missing = `DNS: the name ${name} does not resolve`
  expect(await state(name)).toEqual({ status: 0, reason: 'icmp', events: [missing] })
  dns.names.set(name, agent.address)
  await until(60, 'up', async () => (await state(name)).status === 1)
  expect((await state(name)).events.slice(0, 2)).toEqual([missing, `DNS: the name ${name} resolves`])
})

test('a device renamed to a name that does not resolve is down at once', async () => {
  const name = 'renamed.example.net'
  dns.names.set(name, agent.address)
  await add(name)
  await until(60, 'up', async () => (await state(name)).status === 1)
  await devices.rename(SYSTEM, name, 'nowhere.example.net')
  await until(20, 'down', async () => (await state('nowhere.example.net')).status === 0)
  expect((await state('nowhere.example.net')).events).toEqual([
    'DNS: the name nowhere.example.net does not resolve',
    'Device status changed to Down from icmp,snmp check.',
  ])
})

test('a start does not wait for silent name servers, and devices come up when these answer', async () => {
  const made = await testDatabase()
  others.push(made)
  const { store } = made
  const name = 'late.example.net'
  dns.names.set(name, agent.address)
  await store.sql`
    insert into devices (hostname, community, snmpver, port, transport, status, status_reason)
    values (${name}, ${agent.community}, 'v2c', ${agent.port}, 'udp', 1, '')`
  const resolver = createResolver()
  const settings = createSettings({ flags })
  const starting = createPoller({ upstream: databaseUpstream(store), settings, log: createLog('silent'), resolver })
  dns.silent = true
  try {
    const found = resolver.resolve(name, 'any').then(() => 'found')
    const first = await Promise.race([starting.start().then(() => 'started'), found])
    expect(first).toBe('started')
    dns.silent = false
    expect(await found).toBe('found')
    await until(60, 'a poll', async () => {
      const [row] = await store.sql<{ polled: boolean }[]>`
        select last_polled is not null and status = 1 as polled from devices`
      return row?.polled === true
    })
  } finally {
    dns.silent = false
    await starting.stop(2000)
  }
})
