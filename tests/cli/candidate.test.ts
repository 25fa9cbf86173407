import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { portlight, temporaryFolder } from './support.ts'

setDefaultTimeout(180_000)

const folder = temporaryFolder()
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  const { sql } = database.store
  await sql`insert into candidates (address, sys_name, os, why) values ('10.0.0.1', 'core-1', 'ios', 'No rule fits it'), ('10.0.0.2', 'edge-2', 'junos', '')`
  await sql`insert into candidate_addresses (poller_group, address, candidate_id) values (0, '10.0.0.1', 1), (0, '10.0.0.2', 2)`
  await sql`insert into candidate_sources (candidate_id, kind, scan_id) values (1, 'scan', 1), (2, 'scan', 1)`
})
afterAll(async () => {
  await database.drop()
  folder.remove()
})

const candidate = (...args: string[]) =>
  portlight(['candidate', ...args, '--data-dir', join(folder.path, 'data')], { env: { DATABASE_URL: database.url } })

test('found devices are listed, one object a line with --json, and ignored', async () => {
  const listed = await candidate('list', '--order', 'name', '--json')
  const rows = listed.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; name: string; address: string })
  expect(rows.map(({ id, name, address }) => [id, name, address])).toEqual([
    [1, 'core-1', '10.0.0.1'],
    [2, 'edge-2', '10.0.0.2'],
  ])
  expect((await candidate('list', '--os', 'ios')).out).toMatch(
    /^ID +NAME.*\n *1 +core-1 +10\.0\.0\.1 +ios +scan +No rule fits it\n$/,
  )
  expect(await candidate('ignore', '2')).toMatchObject({ code: 0, err: '1 ignored\n' })
  expect(JSON.parse((await candidate('show', '2', '--json')).out)).toMatchObject({ state: 'ignored' })
  expect(await candidate('unignore', '2')).toMatchObject({ code: 0, err: '1 no longer ignored\n' })
  expect((await candidate('show', '1')).out).toContain('core-1')
})

test('what cannot be added is said, with exit code 1', async () => {
  const refused = await candidate('accept', '1', '--name-by', 'address')
  expect(refused.code).toBe(1)
  expect(refused.err).toContain('candidate 1 not added: It does not answer SNMP with the credentials of the settings')
  expect((await candidate('accept', '77')).code).not.toBe(0)
})

test('rules are added, ordered and deleted', async () => {
  expect(await candidate('rule', 'add', 'ignore', '--protocol', 'cdp', '--platform', '/phone/i')).toMatchObject({
    code: 0,
    err: 'rule 1 added\n',
  })
  expect((await candidate('rule', 'add', 'accept', '--os', 'ios')).code).toBe(0)
  expect((await candidate('rule', 'add', 'accept', '--sysname', '/(/')).err).toContain('linear regular expression')
  expect((await candidate('rule', 'order', '2')).err).toContain('2, 1')
  expect((await candidate('rule', 'delete', '1')).code).toBe(0)
  expect(JSON.parse((await candidate('rule', 'list', '--json')).out)).toMatchObject([
    { id: 2, action: 'accept', os: 'ios' },
  ])
  expect(await candidate('exclude', '10.9.1.1/16')).toMatchObject({ code: 0, err: '10.9.0.0/16 is excluded\n' })
})
