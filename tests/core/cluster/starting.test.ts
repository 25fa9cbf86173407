import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join, type Member } from '../../../src/app/cluster/member.ts'
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

async function member(name: string): Promise<Member> {
  const settings = createSettings({ flags: { 'poller.name': name, role: 'poller' } })
  const { url, store } = database
  const made = await join({
    ...{ url, store, settings, version: '1', roles: rolesOf(settings), log: createLog('silent') },
  })
  members.push(made)
  return made
}

test('a poller that is still starting gets no devices, from itself or from others', async () => {
  const before = await member('before')
  expect(before.ownership().serving(0)).toEqual([])
  await before.takeDevices()
  expect(before.ownership().serving(0)).toEqual(['before'])
  const starting = await member('starting')
  await before.report()
  expect(before.ownership().serving(0)).toEqual(['before'])
  expect(starting.ownership().serving(0)).toEqual(['before'])
  expect(before.others).toBe(true)
  await starting.takeDevices()
  await before.report()
  expect(starting.ownership().serving(0)).toEqual(['before', 'starting'])
  expect(before.ownership().serving(0)).toEqual(['before', 'starting'])
})

test('followers hear of devices that move and of a change of the leader', async () => {
  const [first] = members
  let moves = 0
  const isLeader: boolean[] = []
  first?.followMoves(() => moves++)
  first?.followLeadership((now) => isLeader.push(now))
  expect(isLeader).toEqual([first?.isLeader() ?? false])
  await members[1]?.stop()
  await first?.report()
  expect(moves).toBe(1)
  expect(first?.ownership().serving(0)).toEqual(['before'])
})
