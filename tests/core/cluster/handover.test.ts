import { afterAll, afterEach, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../../src/config/settings.ts'
import { listen } from '../../../src/core/database/listen.ts'
import { claimDevices } from '../../../src/core/database/write-claims.ts'
import { createGateway } from '../../../src/core/pollers/gateway.ts'
import { HERE } from '../../../src/core/pollers/owner.ts'
import type { Upstream } from '../../../src/core/pollers/upstream.ts'
import { type DemoAgent, openDemoAgent } from '../../../src/demo/serve.ts'
import { createLog } from '../../../src/observe/log.ts'
import { databaseUpstream } from '../../../src/poller/database-upstream.ts'
import { createPoller, type Poller } from '../../../src/poller/poller.ts'
import { until } from '../../e2e/server.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

// A poller with real workers and a real database, whose view of the other pollers is controlled by the test.

setDefaultTimeout(60_000)

let database: TestDatabase
let agent: DemoAgent
let poller: Poller
let deviceId = 0
/** Whether the poller believes that it owns the device. */
let owned = true
let learned: () => void = () => undefined
/** Runs before the centre answers with plans. */
let held: () => Promise<void> = () => Promise.resolve()

beforeAll(async () => {
  database = await testDatabase()
  agent = await openDemoAgent('web-1')
  const [row] = await database.store.sql<{ device_id: number }[]>`
    insert into devices (hostname, overwrite_ip, port, community, snmpver)
    values ('web-1', ${agent.address}, ${agent.port}, ${agent.community}, 'v2c') returning device_id`
  deviceId = row?.device_id ?? 0
})
beforeEach(async () => {
  owned = true
  learned = () => undefined
  held = () => Promise.resolve()
  const direct = databaseUpstream(database.store, {
    owns: () => owned,
    shared: () => true,
    id: () => 1,
    learn: () => Promise.resolve(learned()),
  })
  const centre: Upstream = {
    ...direct,
    async plans(ids) {
      const plans = await direct.plans(ids)
      await held()
      return plans
    },
  }
  const settings = createSettings({ flags: { 'poller.interval': '5', 'poller.workers': '1', icmp_check: 'false' } })
  poller = createPoller({ upstream: centre, settings, log: createLog('silent') })
  await poller.start()
})
afterEach(async () => {
  await poller.stop(2000)
})
afterAll(async () => {
  agent?.stop()
  await database?.drop()
})

const claim = async (): Promise<{ claim: number; poller: number }> => {
  const [row] = await database.store.sql<{ claim: number; poller: number }[]>`
    select claim::float8 as claim, poller from device_claims where device_id = ${deviceId}`
  return row ?? { claim: 0, poller: 0 }
}

test('a change is announced even if this process does not know of another yet', async () => {
  const heard = Promise.withResolvers<unknown>()
  const listening = Promise.withResolvers<void>()
  const channel = listen(
    database.store,
    'portlight_request',
    (payload) => heard.resolve(JSON.parse(payload)),
    listening.resolve,
    createLog('silent'),
  )
  await listening.promise
  const gateway = createGateway({
    ...{ store: database.store, settings: createSettings({}), log: createLog('silent'), changed: () => undefined },
    poller: () => Promise.resolve(poller),
    ownerOf: () => Promise.resolve(HERE),
  })
  gateway.refresh(deviceId)
  expect(await heard.promise).toMatchObject({ verb: 'refresh', deviceId })
  await channel.stop()
})

test('a device that is given back while its plan is being read is kept', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const reading = Promise.withResolvers<void>()
  held = () => {
    reading.resolve()
    held = () => Promise.resolve()
    return promise
  }
  owned = false
  poller.refresh(deviceId)
  await reading.promise
  await poller.rebalance()
  expect(poller.has(deviceId)).toBe(false)
  owned = true
  await poller.rebalance()
  expect(poller.has(deviceId)).toBe(true)
  resolve()
  const { runs } = poller.stats()
  await until(30, 'a poll of the device', async () => poller.stats().runs.polls > runs.polls + 1)
  expect(poller.has(deviceId)).toBe(true)
})

test('a poller whose device was claimed looks for other pollers before it claims the device again', async () => {
  await until(30, 'a poll', async () => poller.stats().runs.polls > 0)
  const asked: number[] = []
  // it learns that another poller is back
  learned = () => {
    asked.push(deviceId)
    owned = false
  }
  const number = await claimDevices(database.store, [deviceId], 2)
  await until(30, 'its samples are refused', async () => poller.stats().fenced.samples > 0)
  await until(30, 'the device is given up', async () => !poller.has(deviceId) && asked.length > 0)
  await poller.rebalance()
  expect(await claim()).toEqual({ claim: number, poller: 2 })
})

test('a device whose samples were refused is claimed again if it still belongs to the poller', async () => {
  await until(30, 'a poll', async () => poller.stats().runs.polls > 0)
  const number = await claimDevices(database.store, [deviceId], 2)
  await until(30, 'it is claimed again', async () => (await claim()).poller === 1)
  expect((await claim()).claim).toBeGreaterThan(number)
  const stored = async (): Promise<number> => {
    const [row] = await database.store.sql<{ n: number }[]>`
      select count(*)::int as n from ts.device_samples where device_id = ${deviceId}`
    return row?.n ?? 0
  }
  const before = await stored()
  await until(30, 'polls are stored', async () => (await stored()) > before)
})
