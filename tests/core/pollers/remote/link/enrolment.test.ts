import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createSettings } from '../../../../../src/config/settings.ts'
import { SYSTEM } from '../../../../../src/core/base/actor.ts'
import { NatsSettingsError, natsOptions } from '../../../../../src/core/pollers/remote/link/connection.ts'
import { sentSettings } from '../../../../../src/core/pollers/remote/link/sent-settings.ts'
import { createRemotePollerService } from '../../../../../src/core/pollers/remote/service.ts'
import { createPollerService } from '../../../../../src/core/pollers/service.ts'
import { generateSiteKey } from '../../../../../src/lib/site-keys.ts'
import { type TestDatabase, testDatabase } from '../../../../support/database.ts'

let database: TestDatabase
const KEY = generateSiteKey().publicText
const oslo = { name: 'oslo', key: KEY, group: 'Oslo', domain: 'oslo' }

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database?.drop())

test('a remote poller is enrolled once: its name, key and group are unique', async () => {
  const { store } = database
  const pollers = createPollerService({ store, settings: createSettings({}) })
  const remote = createRemotePollerService({ store })
  await expect(remote.add(oslo)).rejects.toMatchObject({ code: 'not_found' })
  await pollers.addGroup(SYSTEM, 'Oslo', '')
  await pollers.addGroup(SYSTEM, 'Bergen', '')
  await remote.add(oslo)
  for (const other of [
    { ...oslo, key: generateSiteKey().publicText, group: 'Bergen' },
    { ...oslo, name: 'bergen', group: 'Bergen' },
    { ...oslo, name: 'bergen', key: generateSiteKey().publicText },
  ])
    await expect(remote.add(other)).rejects.toMatchObject({ code: 'conflict' })
  for (const wrong of [
    { ...oslo, name: 'a.b' },
    { ...oslo, key: 'secret' },
    { ...oslo, domain: 'a>b' },
  ])
    await expect(remote.add(wrong)).rejects.toMatchObject({ code: 'invalid' })
  expect((await remote.list()).map(({ name, group_name, report }) => [name, group_name, report])).toEqual([
    ['oslo', 'Oslo', null],
  ])
  const key = await remote.centreKey()
  expect(await createRemotePollerService({ store }).centreKey()).toBe(key)
  await expect(pollers.deleteGroup(SYSTEM, 'Oslo')).rejects.toMatchObject({ code: 'conflict' })
  await remote.remove('oslo')
  await expect(remote.remove('oslo')).rejects.toMatchObject({ code: 'not_found' })
  await pollers.deleteGroup(SYSTEM, 'Oslo')
})

test.each([
  ['no server', {}, 'no NATS server is set'],
  ['a password in the address', { 'nats.url': 'nats://u:geheim@h:1' }, 'user and password belong in the file'],
  ['TLS for one server only', { 'nats.url': 'nats://a:1,tls://b:1' }, 'every server must be given as tls://'],
  ['half a certificate', { 'nats.url': 'tls://a:1', 'nats.cert': '/etc/hostname' }, 'both or neither'],
  ['a missing file', { 'nats.url': 'tls://a:1', 'nats.ca': '/nowhere/ca.pem' }, '/nowhere/ca.pem: ENOENT'],
])('NATS settings with %s are refused with an explanation', (_name, flags, sentence) => {
  const settings = createSettings({ flags })
  expect(() => natsOptions(settings, 'test')).toThrow(NatsSettingsError)
  try {
    natsOptions(settings, 'test')
  } catch (error) {
    expect(String(error)).toContain(sentence)
    expect(String(error)).not.toContain('geheim')
  }
})

test('a poller is sent the settings for polling, but no secrets and no settings of the machine', () => {
  const settings = createSettings({
    flags: {
      'poller.interval': '60',
      'snmp.timeout': '2',
      'poller.workers': '4',
      'snmp.community': 'geheim',
      'nats.url': 'nats://a:1',
      database_url: 'postgres://u:geheim@h/d',
    },
  })
  expect(sentSettings(settings)).toEqual({ 'poller.interval': 60, 'snmp.timeout': 2 })
})
