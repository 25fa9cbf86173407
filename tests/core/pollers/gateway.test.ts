import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import pino from 'pino'
import { join, type Member } from '../../../src/app/cluster/member.ts'
import { currentOwner } from '../../../src/app/cluster/owners.ts'
import { NO_REMOTE_POLLERS } from '../../../src/app/leader/served-pollers.ts'
import { rolesOf } from '../../../src/app/roles.ts'
import { commandGateway } from '../../../src/cli/command-gateway.ts'
import { createSettings } from '../../../src/config/settings.ts'
import { connect } from '../../../src/core/database/client.ts'
import { createGateway } from '../../../src/core/pollers/gateway.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

// Requests about devices that no running process can do: they are refused at once. If one waited for an answer instead,
// its deadline (330 s) would be longer than that of the test.

setDefaultTimeout(60_000)

const log = createLog('silent')
const settings = createSettings({ flags: { role: 'api' } })
const noPoller = () => Promise.reject(new Error('no poller was to be opened'))

let database: TestDatabase
let member: Member
/** A device of remote poller oslo, and one of a poller group that no poller serves. */
let atSite = 0
let unserved = 0

beforeAll(async () => {
  database = await testDatabase()
  const { store, url } = database
  await store.sql`insert into poller_groups (id, group_name, descr) values (7, 'Oslo', ''), (8, 'Bergen', '')`
  await store.sql`insert into remote_pollers (name, public_key, poller_group) values ('oslo', 'k', 7)`
  const rows = await store.sql<{ device_id: number }[]>`
    insert into devices (hostname, poller_group) values ('a', 7), ('b', 8) returning device_id`
  atSite = rows[0]?.device_id ?? 0
  unserved = rows[1]?.device_id ?? 0
  member = await join({ ...{ url, store, settings, log, version: '1' }, roles: rolesOf(settings) })
})
afterAll(async () => {
  await member?.stop()
  await database?.drop()
})

/** The gateway of a server without a poller, as the cluster knows the others. */
const ofServer = () => {
  const { store } = database
  const owners = { store, member, sites: NO_REMOTE_POLLERS, poller: { has: () => false } }
  return createGateway({
    ...{ store, settings, log, poller: noPoller, changed: () => undefined },
    ownerOf: (deviceId) => currentOwner(owners, deviceId),
  })
}

const refusal = (message: string) => ({ outcome: 'failed', failure: { kind: 'invalid', message }, modules: [] })

test('a server refuses to poll or discover a device whose remote poller is not served', async () => {
  const wanted = refusal('remote poller oslo is not served yet')
  expect(await ofServer().poll(atSite)).toMatchObject(wanted)
  expect(await ofServer().discover(atSite)).toMatchObject(wanted)
  expect(await ofServer().contact(atSite)).toEqual({ by: 'oslo', result: 'remote poller oslo is not served yet' })
})

test('so does a command, which does not poll the device itself', async () => {
  const { gateway, close } = commandGateway({ store: database.store, settings, log, openPoller: noPoller })
  expect(await gateway.poll(atSite)).toMatchObject(refusal('remote poller oslo is not served yet'))
  await close()
})

test('a server refuses to poll a device whose poller group no poller serves', async () => {
  const reason = 'no running poller serves the poller group of this device'
  expect(await ofServer().poll(unserved)).toMatchObject(refusal(reason))
  expect(await ofServer().contact(unserved)).toBeNull()
})

test('a command that cannot announce its change says so, and ends', async () => {
  const lines: string[] = []
  // as commands log by default
  const warnings = pino({ level: 'warn', base: null }, { write: (line) => void lines.push(line) })
  const store = connect(database.url, { max: 1 })
  const { gateway, close } = commandGateway({ store, settings, log: warnings, openPoller: noPoller })
  // the server goes away between the change and its announcement
  await store.close(0)
  gateway.refresh(atSite)
  await close()
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    deviceId: atSite,
    msg: 'could not notify the pollers of a change; they pick it up within 10 minutes',
  })
})
