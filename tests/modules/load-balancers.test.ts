import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { listComponents } from '../../src/core/components/read.ts'
import { writeDiscovery } from '../../src/core/discovery/write.ts'
import type { ComponentRow } from '../../src/modules/load-balancers/observation.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { messagesOf, newDevice } from '../core/discovery/factories.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { agentOf, discover, int, moduleOf, octets, only, text } from './agent.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const F5 = '1.3.6.1.4.1.3375.2.2'
const named = (name: string) => `${name.length}.${[...new TextEncoder().encode(name)].join('.')}`
const POOL = named('/Common/web')
const MEMBER = `${POOL}.${named('/Common/10.0.0.5')}.80`
const SERVER = named('/Common/shop')

/** A pool that requires two members and has one, a member that is down, and a virtual server that is up. */
const BALANCER: Readonly<Record<string, SnmpValue>> = {
  [`${F5}.5.1.2.1.1.${POOL}`]: text('/Common/web'),
  [`${F5}.5.1.2.1.2.${POOL}`]: int(2),
  [`${F5}.5.1.2.1.4.${POOL}`]: int(2),
  [`${F5}.5.1.2.1.5.${POOL}`]: int(1),
  [`${F5}.5.1.2.1.8.${POOL}`]: int(1),
  [`${F5}.5.3.2.1.1.${MEMBER}`]: text('/Common/web'),
  [`${F5}.5.3.2.1.3.${MEMBER}`]: octets('0a000005'),
  [`${F5}.5.3.2.1.19.${MEMBER}`]: text('/Common/10.0.0.5'),
  [`${F5}.5.6.2.1.5.${MEMBER}`]: int(3),
  [`${F5}.5.6.2.1.8.${MEMBER}`]: text('Pool member has been marked down by a monitor'),
  [`${F5}.10.1.2.1.1.${SERVER}`]: text('/Common/shop'),
  [`${F5}.10.1.2.1.3.${SERVER}`]: octets('0a000064'),
  [`${F5}.10.1.2.1.19.${SERVER}`]: text('/Common/web'),
  [`${F5}.10.13.2.1.2.${SERVER}`]: int(1),
  [`${F5}.13.1.3.1.1.${named('/Common/slow')}`]: text('/Common/slow'),
}

const read = (enterprise: number) =>
  discover([moduleOf(MODULES, 'load-balancers')], agentOf(BALANCER), {
    sysObjectID: `.1.3.6.1.4.1.${enterprise}.2.1.3.4`,
  })

test('pools, members, virtual servers and bandwidth policies with their errors', async () => {
  const { complete, rows } = only(await read(3375), 'components')
  expect(complete).toBe(true)
  expect(rows).toMatchObject([
    { type: 'f5-ltm-pool', label: '/Common/web', status: 2, error: 'Minimum Pool Members not met' },
    {
      type: 'f5-ltm-poolmember',
      label: '/Common/web',
      status: 2,
      error: 'Pool member has been marked down by a monitor',
      attributes: { IP: '10.0.0.5', nodename: '/Common/10.0.0.5', available: '3' },
    },
    {
      type: 'f5-ltm-vs',
      label: '/Common/shop',
      status: 0,
      error: '',
      attributes: { IP: '10.0.0.100', pool: '/Common/web' },
    },
    { type: 'f5-ltm-bwc', label: '/Common/slow', status: 0, error: '', attributes: {} },
  ])
})

test('nothing is read from devices of other vendors', async () => {
  const agent = agentOf(BALANCER)
  const found = await discover([moduleOf(MODULES, 'load-balancers')], agent, { sysObjectID: '.1.3.6.1.4.1.9.1' })
  expect([found, agent.asked]).toEqual([[], []])
})

const row = (uid: string, more: Partial<ComponentRow> = {}): ComponentRow => ({
  type: 'f5-ltm-vs',
  uid,
  label: `/Common/${uid}`,
  status: 0,
  error: '',
  attributes: { port: '80' },
  ...more,
})
const write = (deviceId: number, rows: readonly ComponentRow[], complete = true) =>
  writeDiscovery(database.store, deviceId, [{ kind: 'components', complete, rows }], { tookMs: 1, complete: true })
const stored = async (deviceId: number) => await listComponents(database.store, deviceId, {})

test('components keep their IDs and user settings; status changes are logged; a truncated walk removes none', async () => {
  const { store } = database
  const deviceId = await newDevice(store)
  await write(deviceId, [row('a'), row('b')])
  const [a, b] = await stored(deviceId)
  await store.sql`update component set ignore = 1 where id = ${a?.id ?? 0}`
  await store.sql`insert into component (device_id, type, label) values (${deviceId}, 'ntp', 'own')`
  const changed = row('a', { status: 2, error: 'down', attributes: { port: '81' } })
  expect((await write(deviceId, [changed], false)).kinds.components).toEqual({ added: 0, changed: 1, removed: 0 })
  expect(await stored(deviceId)).toMatchObject([
    { id: a?.id, status: 2, ignore: 1, error: 'down', attributes: { UID: 'a', port: '81' } },
    { id: b?.id },
    { type: 'ntp' },
  ])
  expect((await write(deviceId, [changed])).kinds.components).toEqual({ added: 0, changed: 0, removed: 1 })
  expect((await stored(deviceId)).map((one) => one.type)).toEqual(['f5-ltm-vs', 'ntp'])
  expect(await messagesOf(store, deviceId)).toContain('Component /Common/a (f5-ltm-vs) is critical: down')
  const log =
    await store.sql`select status, message from component_statuslog where component_id = ${a?.id ?? 0} order by id`
  expect([...log]).toEqual([
    { status: 0, message: 'Component Created' },
    { status: 2, message: 'down' },
  ])
})
