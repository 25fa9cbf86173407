import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { portlight, temporaryFolder } from './support.ts'

const folder = temporaryFolder()
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  folder.remove()
  await database.drop()
})

test('import csv adds devices with credentials, location and groups; export prints them without secrets', async () => {
  const file = join(folder.path, 'devices.csv')
  await Bun.write(
    file,
    '\uFEFFhostname,community,location,groups\r\nsw1.example.net,"se""cret, really",Köln,Core;Edge\r\nsw2.example.net,public,,Core\r\n\r\n',
  )
  const to = ['--database-url', database.url]
  const first = await portlight(['import', 'csv', file, '--force', ...to])
  expect(first).toMatchObject({ code: 0, out: '2 added, 0 already present, 0 failed\n' })
  const again = await portlight(['import', 'csv', file, '--force', ...to])
  expect(again.out).toContain('0 added, 2 already present, 0 failed')
  const { sql } = database.store
  expect(
    await sql`select hostname, community, location from devices left join locations on id = location_id order by 1`,
  ).toMatchObject([
    { hostname: 'sw1.example.net', community: 'se"cret, really', location: 'Köln' },
    { hostname: 'sw2.example.net', community: 'public', location: null },
  ])
  expect(
    await sql`select name, count(*)::int as n from device_groups join device_group_device on device_group_id = id group by 1 order by 1`,
  ).toMatchObject([
    { name: 'Core', n: 2 },
    { name: 'Edge', n: 1 },
  ])
  const shown = await portlight(['export', ...to])
  expect(shown.code).toBe(0)
  const lines = shown.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { table: string; row: Record<string, unknown> })
  expect(lines.filter(({ table }) => table === 'devices').map(({ row }) => row['hostname'])).toEqual([
    'sw1.example.net',
    'sw2.example.net',
  ])
  expect(shown.out).not.toMatch(/really|"community"|password|token_hash/)
  expect((await portlight(['export', '--secrets', '--no-history', ...to])).out).toContain('really')
  await Bun.write(file, 'name\nx\n')
  expect(await portlight(['import', 'csv', file, ...to])).toMatchObject({
    code: 1,
    err: expect.stringContaining('hostname'),
  })
})
