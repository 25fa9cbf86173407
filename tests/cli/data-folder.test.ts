import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { client } from '../../src/core/database/client.ts'
import { createLog } from '../../src/observe/log.ts'
import { attachEmbedded, type EmbeddedServer } from '../../src/postgres/embedded.ts'
import { portlight, temporaryFolder } from './support.ts'

// A mistyped data folder or database is an error; nothing is created there.

setDefaultTimeout(180_000)
const folder = temporaryFolder()
afterAll(() => folder.remove())

const COMMANDS = [
  ['device', 'list'],
  ['device', 'add', '192.0.2.1', '--force', '--community', 'x'],
  ['user', 'add', 'alice'],
  ['token', 'list'],
  ['migrate'],
  ['backup', join(folder.path, 'never.tar')],
  ['upgrade-database'],
  ['config', 'set', 'poller.interval', '60'],
  ['grafana', 'credentials'],
  ['move-database', 'postgres://x@127.0.0.1:1/x'],
  ['definitions', 'list'],
]

test.each(COMMANDS)('%s %s in a folder without a database names the folder and creates nothing', async (...args) => {
  for (const [name, make] of [
    ['missing', () => undefined],
    ['other', mkdirSync],
  ] as const) {
    const dataDir = join(folder.path, `${name}-${args.join('-').replaceAll('/', '_')}`)
    make(dataDir)
    const { code, out, err } = await portlight([...args, '--data-dir', dataDir])
    expect({ code, out, lines: err.trim().split('\n').length }).toEqual({ code: 1, out: '', lines: 1 })
    expect(err).toContain(dataDir)
    expect(existsSync(dataDir) ? readdirSync(dataDir) : 'absent').toEqual(name === 'missing' ? 'absent' : [])
  }
})

test('a file as data folder, and doctor', async () => {
  const file = join(folder.path, 'file')
  writeFileSync(file, '')
  expect(await portlight(['user', 'list', '--data-dir', file])).toMatchObject({
    code: 1,
    err: expect.stringContaining(`there is no database in ${file}`),
  })
  const missing = join(folder.path, 'typo')
  const doctor = await portlight(['doctor', '--data-dir', missing])
  expect(doctor).toMatchObject({ code: 1, out: expect.stringContaining(`there is no database in ${missing}`) })
  expect(existsSync(missing)).toBe(false)
})

describe('an external database without tables of this program', () => {
  let server: EmbeddedServer
  let url: string

  beforeAll(async () => {
    server = await attachEmbedded(join(folder.path, 'server'), { log: createLog('silent') })
    url = server.url
  })
  afterAll(() => server.stop())

  test('is left alone by commands, and filled only by migrate', async () => {
    const sql = client(url, 1)
    await sql`create table someone_elses (n int)`
    const tables = async () => (await sql`select 1 from pg_tables where schemaname = 'public'`).length
    for (const args of [
      ['device', 'list'],
      ['user', 'add', 'x'],
      ['backup', join(folder.path, 'no.tar')],
    ]) {
      const { code, out } = await portlight([...args, '--database-url', url])
      expect({ code, out, tables: await tables() }).toEqual({ code: 1, out: '', tables: 1 })
    }
    expect(await portlight(['device', 'list', '--database-url', url])).toMatchObject({
      err: expect.stringContaining('no tables of Portlight'),
    })
    expect((await portlight(['migrate', '--database-url', url])).code).toBe(0)
    expect(await tables()).toBeGreaterThan(100)
    // migrated, but never used: not the database of a server
    const backup = join(folder.path, 'empty.tar')
    expect(await portlight(['backup', backup, '--database-url', url])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is empty'),
    })
    expect(existsSync(backup)).toBe(false)
    await sql.end()
  })
})
