import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listBackupDevices } from '../../../src/core/config-backups/read.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

test('what is not known of a device is unknown to the maps of a backup tool, and a name NULL is a name', async () => {
  const { store } = database
  await store.sql`insert into devices (hostname, "sysName", hardware) values ('a.example.net', null, 'NULL')`
  const columns = ['sysName', 'hardware', 'location', 'ip']
  const filter = { hostname: null, ignoreTypes: [], ignoreOs: [], columns }
  expect(await listBackupDevices(store, { kind: 'all' }, filter)).toMatchObject([
    { hostname: 'a.example.net', compared: [null, 'NULL', null, null] },
  ])
  expect(await listBackupDevices(store, { kind: 'all' }, { ...filter, columns: [] })).toMatchObject([{ compared: [] }])
})
