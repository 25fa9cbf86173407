import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join, type Member } from '../../../src/app/cluster-member.ts'
import { rolesOf } from '../../../src/app/roles.ts'
import { createSettings } from '../../../src/config/settings.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
const members: Member[] = []

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  for (const one of members) await one.stop()
  await database.drop()
})

async function member(name: string, polls: () => boolean): Promise<Member> {
  const settings = createSettings({ flags: { 'poller.name': name, role: 'poller' } })
  const { url, store } = database
  const quiet = () => undefined
  const made = await join({
    ...{ url, store, settings, polls, version: '1', roles: rolesOf(settings), log: createLog('silent') },
    figures: () => ({ devices: 0 }),
    moved: quiet,
    led: quiet,
  })
  members.push(made)
  return made
}

test('a poller that is still starting gets no devices, from itself or from others', async () => {
  let ready = false
  const before = await member('before', () => true)
  expect(before.ownership().serving(0)).toEqual(['before'])
  const starting = await member('starting', () => ready)
  await before.report()
  expect(before.ownership().serving(0)).toEqual(['before'])
  expect(starting.ownership().serving(0)).toEqual(['before'])
  expect(before.others).toBe(true)
  ready = true
  await starting.report()
  await before.report()
  expect(starting.ownership().serving(0)).toEqual(['before', 'starting'])
  expect(before.ownership().serving(0)).toEqual(['before', 'starting'])
})
