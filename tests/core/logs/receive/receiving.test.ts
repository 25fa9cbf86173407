import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { type Receiving, receive } from '../../../../src/app/listeners.ts'
import { createSettings } from '../../../../src/config/settings.ts'
import { createLog } from '../../../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { eventually } from '../../../support/eventually.ts'
import { ran } from './support.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
let receiving: Receiving | null = null
beforeEach(async () => {
  database = await testDatabase()
  await database.store.sql`insert into devices (device_id, hostname, community) values (1, '127.0.0.1', 'public')`
})
afterEach(async () => {
  await receiving?.stop(2000)
  receiving = null
  await database.drop()
})

test('settings open and close the listeners while the server runs, and traps trigger a limited number of polls', async () => {
  const settings = createSettings({})
  const polled: number[] = []
  const written: string[] = []
  receiving = receive({
    url: database.url,
    store: database.store,
    settings,
    log: createLog('silent'),
    poller: {
      async poll(id) {
        polled.push(id)
        return { outcome: 'ok', tookMs: 1, failure: null, modules: [] }
      },
    },
    written: (_ids, what) => written.push(...what),
  })
  expect(await receiving.ready()).toEqual({})
  const now = (values: Readonly<Record<string, unknown>>) => settings.applyStored(new Map(Object.entries(values)))
  now({ 'syslog.udp': '127.0.0.1:0', 'traps.udp': '127.0.0.1:0' })
  const ports = await receiving.ready()
  expect(Object.keys(ports).toSorted()).toEqual(['syslog.udp', 'traps.udp'])
  await ran('logger', '-n', '127.0.0.1', '-d', '-P', String(ports['syslog.udp']), 'hello')
  for (let i = 0; i < 3; i++)
    await ran('snmptrap', '-v2c', '-c', 'public', `127.0.0.1:${ports['traps.udp']}`, '', '1.3.6.1.6.3.1.1.5.3')
  await eventually(async () => (receiving?.counts().traps.stored === 3 ? true : null))
  await eventually(async () => (receiving?.counts().syslog.stored === 1 ? true : null))
  await eventually(async () => (polled.length > 0 && written.includes('syslog') ? true : null))
  expect(polled).toEqual([1])
  expect(written).toContain('eventlog')

  now({ 'traps.udp': '127.0.0.1:0' })
  expect(Object.keys(await receiving.ready())).toEqual(['traps.udp'])
  const boots = async () => (await database.store.sql<{ boots: number }[]>`select boots from trap_engine`)[0]?.boots
  expect(await boots()).toBe(2)
  now({})
  expect(await receiving.ready()).toEqual({})
  expect(receiving.counts()).toMatchObject({ syslog: { stored: 1 }, traps: { stored: 3 } })
})
