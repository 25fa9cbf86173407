import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../src/core/database/client.ts'
import { keyIdOf, newKeyText, openText, parseKeys } from '../../src/core/secrets/codec.ts'
import { testDatabase } from '../support/database.ts'
import { command, portlight, spawnServe, startServe } from './support.ts'

setDefaultTimeout(180_000)

const DEVICES = 20_000
let folder: string
let store: Store
let close: () => Promise<void>
let data: string
let url: string
const [one, two] = [newKeyText(), newKeyText()]
const keys = parseKeys(`${one}\n${two}`, 'test')
const [firstId = '', secondId = ''] = keys.map(({ id }) => id)
const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  chmodSync(path, 0o600)
  return path
}
const run = (args: readonly string[], keyFile: string, env: Record<string, string> = {}) =>
  portlight([...args, '--database-url', url, ...(keyFile === '' ? [] : ['--set', `secrets.key_file=${keyFile}`])], {
    env,
  })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portlight-secrets-'))
  data = join(folder, 'data')
  const database = await testDatabase()
  store = database.store
  url = database.url
  close = () => database.drop()
  await store.sql`insert into devices (hostname, community)
    select 'd' || n || '.example.net', 'community-' || n from generate_series(1, ${DEVICES}::int) n`
})
afterAll(async () => {
  await close()
  rmSync(folder, { recursive: true, force: true })
})

/** Checks the communities, decrypted independently of the stores; returns counts by key. */
async function examine(): Promise<Record<string, number>> {
  const rows = await store.sql<{ hostname: string; community: string }[]>`select hostname, community from devices`
  expect(rows).toHaveLength(DEVICES)
  const counts: Record<string, number> = {}
  for (const { hostname, community } of rows) {
    const id = keyIdOf(community)
    const plain = id === null ? community : openText(keys, 'devices.community', community)
    if (plain !== hostname.replace(/^d(\d+)\..*/, 'community-$1')) throw new Error(`${hostname} reads ${plain}`)
    counts[id ?? 'plain'] = (counts[id ?? 'plain'] ?? 0) + 1
  }
  return counts
}

/** Starts a change of all secrets and kills it part-way; resolves to the number of values changed in the database. */
async function killHalfWay(name: string, keyFile: string, isDone: (id: string) => boolean): Promise<number> {
  for (let tries = 0; tries < 5; tries++) {
    const child = Bun.spawn(
      [...[...command, 'secrets', name, '--yes'], ...['--database-url', url, '--set', `secrets.key_file=${keyFile}`]],
      { cwd: tmpdir(), stdout: 'ignore', stderr: 'pipe' },
    )
    const reader = child.stderr.getReader()
    await reader.read()
    child.kill('SIGKILL')
    await child.exited
    const counts = await examine()
    const done = Object.entries(counts).reduce((sum, [id, count]) => (isDone(id) ? sum + count : sum), 0)
    if (done > 0 && done < DEVICES) return done
  }
  throw new Error(`${name} was never caught half-way`)
}

test('after a kill part-way everything can be read, and the next run finishes the change', async () => {
  const keyFile = file('one.key', `# the first\n${one}\n`)
  expect(await examine()).toEqual({ plain: DEVICES })
  await killHalfWay('enable', keyFile, (id) => id === firstId)
  const enabled = await run(['secrets', 'enable', '--yes'], keyFile)
  expect(enabled.out).toContain(`key ${firstId} is in force`)
  expect(enabled.code).toBe(0)
  expect(await examine()).toEqual({ [firstId]: DEVICES })

  const both = file('both.key', `${two}\n${one}\n`)
  await killHalfWay('rotate', both, (id) => id === secondId)
  const status = await run(['secrets', 'status', '--json'], both)
  expect(status.code).toBe(0)
  expect(JSON.parse(status.out)).toMatchObject({ given: [secondId, firstId], unreadable: [] })
  const early = await run(['secrets', 'status'], file('two.key', two))
  expect(early.out).toContain(`cannot be decrypted with the keys given: it needs key ${firstId}`)
  expect(early.code).toBe(1)
  expect(await run(['secrets', 'rotate', '--yes'], both)).toMatchObject({ code: 0 })
  expect(await examine()).toEqual({ [secondId]: DEVICES })
  expect(await run(['secrets', 'status'], join(folder, 'two.key'))).toMatchObject({ code: 0 })
})

test('a start without the key fails with an error that names the key', async () => {
  const start = async (args: readonly string[]) => {
    const log = join(folder, 'refused.log')
    const child = spawnServe(data, log, ['--database-url', url, ...args])
    return { code: await child.exited, said: readFileSync(log, 'utf8') }
  }
  const without = await start([])
  expect(without.code).toBe(1)
  expect(without.said).toContain(`are encrypted with key ${secondId}, and no key is given`)
  const wrong = await start(['--set', `secrets.key_file=${join(folder, 'one.key')}`])
  expect(wrong.code).toBe(1)
  expect(wrong.said).toContain(`are encrypted with key ${secondId}, which is not the one given (${firstId})`)
  const missing = await start(['--set', `secrets.key_file=${join(folder, 'nowhere')}`])
  expect(missing.said).toContain('cannot be read (ENOENT)')
  const broken = await start(['--set', `secrets.key_file=${file('broken.key', 'hunter2-is-no-key')}`])
  expect(broken.said).toContain('line 1: expected a key of 32 bytes')
  expect([missing.code, broken.code]).toEqual([1, 1])
  for (const { said } of [without, wrong, missing, broken])
    for (const text of [one, two, 'hunter2']) expect(said).not.toContain(text)
})

test('doctor names a damaged value, also with the key in the variable or in a credential', async () => {
  await store.sql`update devices set community = left(community, -6) || 'AAAAAA' where hostname = 'd7.example.net'`
  const [row] = await store.sql<{ id: number }[]>`select device_id as id from devices where hostname = 'd7.example.net'`
  const doctor = await run(['doctor'], '', { PORTLIGHT_SECRETS_KEY: `${two},${one}` })
  expect(doctor.out).toContain(`devices.community of ${row?.id} cannot be decrypted: it needs key ${secondId}`)
  expect(doctor.code).toBe(1)
  expect(doctor.err).not.toContain('PORTLIGHT_SECRETS_KEY')
  const credentials = mkdtempSync(join(folder, 'credentials-'))
  writeFileSync(join(credentials, 'portlight-secrets-key'), two)
  const shown = await run(['secrets', 'status'], '', { CREDENTIALS_DIRECTORY: credentials })
  expect(shown.out).toContain(`keys given   ${secondId}\n`)
  expect(shown.code).toBe(1)
  await store.sql`update devices set community = 'community-7' where hostname = 'd7.example.net'`
})

test('values are not encrypted while a server without the key is running', async () => {
  expect(await run(['secrets', 'disable', '--yes'], join(folder, 'two.key'))).toMatchObject({ code: 0 })
  expect(await examine()).toEqual({ plain: DEVICES })
  // of another database, because removing thousands of devices takes half a minute
  const small = await testDatabase()
  await small.store.sql`insert into devices (hostname, community) values ('d7.example.net', 'community-7')`
  const at = ['--database-url', small.url]
  const served = await startServe(data, join(folder, 'serve.log'), at)
  const keyFile = `secrets.key_file=${join(folder, 'one.key')}`
  const refused = await portlight(['secrets', 'enable', '--yes', ...at, '--set', keyFile])
  expect(refused.err).toContain(`does not have key ${firstId}`)
  expect(refused.code).toBe(1)
  served.process.kill('SIGTERM')
  await served.process.exited
  const [row] = await small.store.sql<{ community: string }[]>`select community from devices`
  expect(row?.community).toBe('community-7')
  await small.drop()
})
