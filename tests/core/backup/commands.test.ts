import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { client, type Sql } from '../../../src/core/database/client.ts'
import { restoreState } from '../../../src/core/database/restore-state.ts'
import { attachEmbedded } from '../../../src/postgres/embedded.ts'
import { readPidFile } from '../../../src/postgres/postmaster.ts'
import { command, portlight, spawnPortlight, temporaryFolder } from '../../cli/support.ts'
import { startTestServer, type TestServer, until } from '../../e2e/server.ts'
import { emptyDatabase } from '../../support/database.ts'
import { constraints, fillDatabase, log, sequenceValues, serverSums } from './support.ts'

// Runs the commands as processes beside a running server, and kills them at random moments.

setDefaultTimeout(300_000)
const folder = temporaryFolder()
let server: TestServer
/** A complete backup, and how long it takes to make one. */
const backup = join(folder.path, 'backup.tar')
let tookMs = 0
/** The folder to which a test restores it, for those that follow, and how long that takes. */
const other = join(folder.path, 'other')
let restoreMs = 0

/** What `look` finds in the database of a folder. */
async function withDatabase<T>(dataDir: string, look: (sql: Sql) => Promise<T>): Promise<T> {
  const embedded = await attachEmbedded(dataDir, { log })
  const sql = client(embedded.url, 2)
  try {
    return await look(sql)
  } finally {
    await sql.end()
    await embedded.stop()
  }
}
const contents = async (sql: Sql) => ({
  sums: await serverSums(sql),
  sequences: await sequenceValues(sql),
  keys: await constraints(sql),
})

beforeAll(async () => {
  server = await startTestServer([])
  const store = await server.store()
  await fillDatabase(store, 5, 3)
  await store.sql`select ts.ensure_partitions('ts.port_samples', now() - d * interval '1 day') from generate_series(0, 2) d`
  await store.sql`
    insert into ts.port_samples ("time", port_id, period_ms, in_octets, out_octets)
    select date_trunc('hour', now()) - n * interval '5 minutes', 1000000 + p, 300000, (random() * 1e12)::bigint, p
    from generate_series(1, 300) n, generate_series(1, 80) p`
  await mkdir(join(server.dataDir, 'definitions/0123456789ab-x'), { recursive: true })
  writeFileSync(join(server.dataDir, 'definitions/0123456789ab-x/.index'), '{"form":0}')
  writeFileSync(join(server.dataDir, 'definitions/current.json'), '{"folder":"0123456789ab-x"}')
  const began = performance.now()
  const made = await portlight(['backup', backup, '--data-dir', server.dataDir])
  tookMs = performance.now() - began
  expect(made).toMatchObject({ code: 0 })
  expect(made.err).toMatch(/backup\.tar: [\d,]+ rows of \d+ tables and 2 files as of/)
})
afterAll(async () => {
  await server?.stop()
  folder.remove()
})

test('a backup made beside a running server is readable by its owner only, passes verification, and is an ordinary tar file', async () => {
  expect(statSync(backup).mode & 0o777).toBe(0o600)
  const checked = await portlight(['backup', 'verify', backup])
  expect(checked).toMatchObject({ code: 0 })
  expect(checked.out).toMatch(/is complete and unchanged: [\d,]+ rows of \d+ tables and 2 files/)
  const listed = Bun.spawnSync(['tar', 'tf', backup]).stdout.toString().trim().split('\n')
  expect(listed[0]).toBe('header.json')
  expect(listed.at(-1)).toBe('end.json')
  expect(listed).toContain('files/definitions/current.json.zst')
  const chunk = listed.find((path) => path.startsWith('tables/public.devices/')) ?? ''
  const text = Bun.spawnSync(['sh', '-c', 'tar xOf "$0" "$1" | zstd -dc', backup, chunk]).stdout.toString()
  expect(text.split('\n').length - 1).toBe(4)
  const again = await portlight(['backup', backup, '--data-dir', server.dataDir])
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('exists already') })
})

test('to stdout and from stdin', async () => {
  const piped = join(folder.path, 'piped.tar')
  const main = command.join(' ')
  const both = `${main} backup - --data-dir "$0" | tee "$1" | ${main} backup verify -`
  const made = Bun.spawnSync(['sh', '-c', both, server.dataDir, piped])
  expect(made.stdout.toString()).toMatch(/^- is complete and unchanged/)
  expect(await portlight(['backup', 'verify', piped])).toMatchObject({ code: 0 })
})

test('restored into another folder, everything that the running server did not change meanwhile is equal', async () => {
  const before = await serverSums((await server.store()).sql)
  const restored = await portlight(['restore', backup, '--data-dir', other])
  expect(restored).toMatchObject({ code: 0, err: expect.stringMatching(/equal: [\d,]+ rows of \d+ tables/) })
  const copy = await withDatabase(other, serverSums)
  expect(Object.keys(copy)).toEqual(Object.keys(before))
  const differing = Object.keys(copy).filter((name) => copy[name] !== before[name])
  // what housekeeping, the first administrator's token and the server's own records change
  const kept =
    /^(public\.(devices|ports|sensors|users|api_tokens|config|eventlog|alert_rules|bills|services)|ts\.(port_samples|sensor_samples))$/
  expect(differing.filter((name) => kept.test(name))).toEqual([])
  expect(readFileSync(join(other, 'definitions/current.json'), 'utf8')).toBe('{"folder":"0123456789ab-x"}')
  // it serves: the same token, the same devices
  const listed = await portlight(['device', 'list', '--json', '--data-dir', other])
  expect(listed).toMatchObject({ code: 0 })
  expect(listed.out).toContain('device0-5.example.net')
  const refused = await portlight(['restore', backup, '--data-dir', other])
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringMatching(/the database is not empty: it has \d+ tables and 4 devices/),
  })
  const unasked = await portlight(['restore', backup, '--data-dir', other, '--force'])
  expect(unasked).toMatchObject({ code: 2, err: expect.stringContaining('repeat the command with --yes') })
  const began = performance.now()
  const forced = await portlight(['restore', backup, '--data-dir', other, '--force', '--yes'])
  restoreMs = performance.now() - began
  expect(forced).toMatchObject({
    code: 0,
    err: expect.stringContaining('folder definitions already exists in the data folder'),
  })
  expect(await withDatabase(other, serverSums)).toEqual(copy)
})

test('a restore into a database that is being served is refused', async () => {
  const refused = await portlight(['restore', backup, '--data-dir', server.dataDir, '--force', '--yes'])
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining('a server is using this database: stop it first'),
  })
})

test('killed at any moment, a backup leaves no file that looks complete', async () => {
  const file = join(folder.path, 'killed.tar')
  let cut = 0
  for (let i = 0; i < 3; i++) {
    rmSync(`${file}.part`, { force: true })
    const child = spawnPortlight(['backup', file, '--data-dir', server.dataDir])
    // the first is killed at any moment, the others while they write
    const writes = i >= 1
    while (writes && child.exitCode === null && !existsSync(`${file}.part`)) await Bun.sleep(1)
    await Bun.sleep(writes ? Math.random() * 20 : Math.random() * tookMs)
    child.kill('SIGKILL')
    await child.exited
    if (existsSync(file)) {
      expect(await portlight(['backup', 'verify', file])).toMatchObject({ code: 0 })
      rmSync(file)
    } else if (existsSync(`${file}.part`)) {
      const part = await portlight(['backup', 'verify', `${file}.part`])
      // it may be complete, but not renamed yet
      if (part.code !== 0) expect(part.err).toMatch(/the backup is (truncated|empty|incomplete)/)
      cut += part.code
    }
  }
  expect(cut).toBeGreaterThan(0)
  let whole = await portlight(['backup', file, '--data-dir', server.dataDir])
  // the server may begin to pack at that moment
  for (let i = 0; i < 20 && whole.err.includes('was created just now: try again'); i++)
    whole = await portlight(['backup', file, '--data-dir', server.dataDir])
  expect(whole).toMatchObject({ code: 0 })
  expect(await portlight(['backup', 'verify', file])).toMatchObject({ code: 0 })
})

/** Waits until the process has marked the folder's database as being restored, or has ended. */
async function loads(dataDir: string, child: { readonly exitCode: number | null }): Promise<void> {
  const data = join(dataDir, 'postgres', 'data')
  while (child.exitCode === null) {
    if (readPidFile(data)?.ready === true && (await withDatabase(dataDir, restoreState)) !== null) return
    await Bun.sleep(5)
  }
}

test('after a restore is killed at any moment, every command refuses the database until it is completed, and then equal', async () => {
  const whole = await withDatabase(other, contents)
  const target = join(folder.path, 'target')
  let refused = 0
  for (let i = 0; i < 2; i++) {
    const child = spawnPortlight(['restore', backup, '--data-dir', target])
    // read, so that it cannot fill up; its end is not awaited, because a database server that outlives the command holds it
    void child.stderr.text()
    // the first is killed while it loads, the other at any moment
    if (refused === 0) await loads(target, child)
    else await Bun.sleep(restoreMs * (0.2 + Math.random() * 0.7))
    child.kill('SIGKILL')
    await child.exited
    if (child.signalCode === null) break
    const state = await withDatabase(target, restoreState)
    if (state === null) continue
    if (refused++ > 0) continue
    for (const args of [['device', 'list'], ['serve', '--port', '0'], ['migrate']]) {
      const outcome = await portlight([...args, '--data-dir', target])
      expect(outcome).toMatchObject({
        code: 1,
        err: expect.stringMatching(/holds only part of backup .*run portlight restore/),
      })
    }
  }
  expect(refused).toBeGreaterThan(0)
  const last = await portlight(['restore', backup, '--data-dir', target, '--force', '--yes'])
  expect(last).toMatchObject({ code: 0 })
  expect(await withDatabase(target, contents)).toEqual(whole)
  expect(await portlight(['device', 'list', '--data-dir', target])).toMatchObject({ code: 0 })
})

/** A place near the middle that is compressed data: between the files of an archive are zeros, which nobody reads. */
function insideOfData(octets: Uint8Array): number {
  for (let at = Math.floor(octets.length / 2); at < octets.length; at++)
    if (octets.subarray(at - 16, at + 16).every((octet) => octet !== 0)) return at
  throw new Error('the archive has no data after its middle')
}

test('a corrupt or truncated file is refused with the reason', async () => {
  const bad = join(folder.path, 'bad.tar')
  const octets = readFileSync(backup)
  const at = insideOfData(octets)
  octets[at] = (octets[at] ?? 0) ^ 0xff
  writeFileSync(bad, octets)
  expect(await portlight(['backup', 'verify', bad])).toMatchObject({ code: 1, err: expect.stringContaining('corrupt') })
  truncateSync(bad, 100_000)
  expect(await portlight(['backup', 'verify', bad])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/corrupt|truncated/),
  })
  const missing = await portlight(['restore', join(folder.path, 'none.tar'), '--data-dir', join(folder.path, 'fresh')])
  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('cannot be read') })
})

test('a database moved to another server and back is equal, and the source stays', async () => {
  const whole = await withDatabase(other, contents)
  const { url, drop } = await emptyDatabase(process.env['TEST_TIMESCALE_URL'] ?? null)
  const moved = await portlight(['move-database', '-', '--data-dir', other], { input: `${url}\n` })
  expect(moved.code).toBe(0)
  expect(moved.err).toMatch(/equal: [\d,]+ rows.*to switch: stop the server/s)
  const password = new URL(url).password
  if (password !== '') expect(moved.err).not.toContain(password)
  const sql = client(url, 2)
  expect(await contents(sql)).toEqual(whole)
  await sql.end()
  // whoever forgets DATABASE_URL would look at the old database
  const forgot = await Promise.all([
    portlight(['device', 'list', '--data-dir', other]),
    portlight(['serve', '--port', '0', '--data-dir', other]),
    portlight(['backup', join(folder.path, 'forgot'), '--data-dir', other]),
  ])
  const note = join(other, 'postgres.moved')
  for (const { code, err } of forgot) {
    expect(code).toBe(1)
    expect(err).toContain(`was moved to ${moved.err.match(/postgres:[^ ]+(?= with its password)/)?.[0]} on 20`)
    expect(err).toContain(`or DATABASE_URL in the environment`)
    expect(err).toContain(`to use the old one again, remove ${note}`)
    expect(err).not.toContain(password === '' ? 'internal error' : password)
  }
  expect(await portlight(['device', 'list', '--data-dir', other], { env: { DATABASE_URL: url } })).toMatchObject({
    code: 0,
  })
  rmSync(note)
  expect(await withDatabase(other, contents)).toEqual(whole)
  const home = join(folder.path, 'home')
  const env = { DATABASE_URL: url }
  mkdirSync(home)
  writeFileSync(join(home, 'postgres.moved'), 'postgres://elsewhere/x on 2026-01-31')
  const back = await portlight(['move-database', '--to-embedded', '--data-dir', home], { env })
  expect(back).toMatchObject({ code: 0 })
  expect(existsSync(join(home, 'postgres.moved'))).toBe(false)
  expect(await withDatabase(home, contents)).toEqual(whole)
  const twice = await portlight(['move-database', '--to-embedded', '--data-dir', home], { env })
  expect(twice).toMatchObject({ code: 1, err: expect.stringContaining('the database is not empty') })
  await drop()
})

test('metrics show how old the last backup is', async () => {
  await server.restart('SIGTERM')
  const text = await until(20, 'the age of the backup', async () => {
    const body = await (await fetch(`${server.url}/metrics`)).text()
    return body.includes('portlight_backup_age_seconds') ? body : null
  })
  const age = Number(/^portlight_backup_age_seconds (\d+)$/m.exec(text)?.[1])
  expect(age).toBeGreaterThanOrEqual(0)
  expect(age).toBeLessThan(3600)
  expect(Number(/^portlight_backup_size_bytes (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(100_000)
})
