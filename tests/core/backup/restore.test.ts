import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { MIGRATIONS } from '../../../db/migrations.ts'
import { Reader } from '../../../src/core/backup/container.ts'
import { createBackup } from '../../../src/core/backup/create.ts'
import { BackupError } from '../../../src/core/backup/errors.ts'
import { type BackupEnd, parseEnd } from '../../../src/core/backup/manifest.ts'
import { BackupCheck, headerOf, verifyBackup } from '../../../src/core/backup/verify.ts'
import { client, connect, type Store } from '../../../src/core/database/client.ts'
import { migrate } from '../../../src/core/schema/migrate.ts'
import { maintain } from '../../../src/core/series/write-roll-ups.ts'
import { emptyDatabase, testDatabase, testServers } from '../../support/database.ts'
import { type FullEdition, HAS_FULL_EDITION, startFullEdition } from '../../support/full-edition.ts'
import { backupOf, constraints, fillDatabase, inPieces, log, restoreTo, sequenceValues, serverSums } from './support.ts'

setDefaultTimeout(240_000)
const made: { drop(): Promise<void> }[] = []
afterAll(async () => {
  for (const database of made) await database.drop()
})

async function empty(server: string | null = null): Promise<string> {
  const database = await emptyDatabase(server)
  made.push(database)
  return database.url
}

/** Contents of a database as the server itself computes them. */
async function contents(url: string, max = 2) {
  const sql = client(url, max)
  try {
    return { sums: await serverSums(sql), sequences: await sequenceValues(sql), keys: await constraints(sql) }
  } finally {
    await sql.end()
  }
}

async function filled(server: string | null, seed: number): Promise<Store> {
  const { store, drop } = await testDatabase(server)
  made.push({ drop })
  await fillDatabase(store, seed)
  return store
}

/** A filled database of the embedded server, what it holds and its backup, for tests that do not change it. */
interface Common {
  readonly store: Store
  readonly before: Awaited<ReturnType<typeof contents>>
  readonly backup: Buffer
}
let commonly: Promise<Common> | null = null
const common = (): Promise<Common> => {
  commonly ??= (async () => {
    const store = await filled(null, 7)
    return { store, before: await contents(store.url), backup: await backupOf(store.url) }
  })()
  return commonly
}

for (const from of testServers()) {
  for (const to of testServers()) {
    test(`a restored copy equals the original, from ${from.name} to ${to.name}`, async () => {
      const known = from.url === null ? await common() : null
      const store = known?.store ?? (await filled(from.url, 7))
      const before = known?.before ?? (await contents(store.url))
      expect(Object.values(before.sums).filter((text) => !text.startsWith('0 rows')).length).toBeGreaterThan(90)
      const backup = known?.backup ?? (await backupOf(store.url))
      const url = await empty(to.url)
      const report = await restoreTo(url, backup)
      expect(report.migrated).toEqual([])
      expect(await contents(url)).toEqual(before)
      expect(await contents(store.url)).toEqual(before)
      // it works like any database: new rows get new ids, and current samples have a partition
      const copy = connect(url)
      await fillDatabase(copy, 8)
      await copy.close()
    })
  }
}

test('a backup shows a single moment, whatever is written and removed meanwhile', async () => {
  const store = await filled(null, 4)
  const { sql } = store
  await sql`create sequence moments`
  // every transaction writes the same number to three tables, one of them a series
  let stop = false
  const [device] = await sql<{ id: number }[]>`select min(device_id) as id from devices`
  const writing = (async () => {
    for (let i = 1; !stop; i++)
      await sql.begin(async (tx) => {
        await tx`insert into config (name, value) values ('moment', ${sql.json(i)}) on conflict (name) do update set value = excluded.value`
        await tx`insert into eventlog (device_id, message, type) values (${device?.id ?? 0}, ${`moment ${i}`}, 'moment')`
        await tx`insert into ts.sensor_samples ("time", sensor_id, value) values (now(), ${1_000_000 + i}, ${i})`
      })
  })()
  const [ports] = await sql<{ n: number }[]>`select count(*)::int as n from ts.port_samples`
  let dropping: Promise<unknown> | null = null
  const parts: Uint8Array[] = []
  await createBackup({ url: store.url, dataDir: null, connections: 3, program: 'test' }, async (octets) => {
    parts.push(octets)
    // when the header arrives, no table has been read yet
    dropping ??= sql`set lock_timeout = '200ms'; select ts.drop_old('ts.port_samples', interval '1 hour')`
      .simple()
      .catch((error: Error) => error.message)
    await dropping
  })
  stop = true
  await writing
  expect(String(await dropping)).toContain('lock timeout')
  const copy = connect(await empty())
  await restoreTo(copy.url, Buffer.concat(parts))
  const [row] = await copy.sql`
    select (select value::int from config where name = 'moment') as setting,
      (select count(*)::int from eventlog where type = 'moment') as events,
      (select count(*)::int from ts.sensor_samples where sensor_id > 1000000) as samples,
      (select count(*)::int from ts.port_samples) as ports`
  await copy.close()
  expect(row?.['events']).toBe(row?.['setting'] ?? 0)
  expect(row?.['samples']).toBe(row?.['setting'] ?? 0)
  expect(row?.['ports']).toBe(ports?.n ?? -1)
})

test('a database that is not empty is refused and stays unchanged', async () => {
  const { store, backup, before } = await common()
  await expect(restoreTo(store.url, backup)).rejects.toThrow(
    /the database is not empty: it has \d+ tables and 4 devices/,
  )
  expect(await contents(store.url)).toEqual(before)
  const url = await empty()
  const sql = client(url, 1)
  await sql`create table mine (id int)`
  await sql.end()
  await expect(restoreTo(url, backup)).rejects.toThrow(/the database is not empty: it has 1 tables/)
})

test('a backup of an older version is restored and migrated', async () => {
  const { url: old, drop } = await emptyDatabase()
  made.push({ drop })
  const known = MIGRATIONS.filter(({ number }) => number <= 40)
  await migrate(old, log, known)
  const source = connect(old)
  await fillDatabase(source, 11)
  // a column that a kind no longer has
  await source.sql`alter table ts.sensor_samples add column once bigint`
  await source.sql`update ts.sensor_samples set once = 4711`
  await source.sql`delete from ts.rollup where base = 'supply'`
  await source.close()
  const backup = await backupOf(old)
  // what migrations in place make of the same rows
  await migrate(old, log)
  const before = await contents(old)
  const url = await empty()
  const report = await restoreTo(url, backup)
  expect(report.migrated).toEqual(MIGRATIONS.filter(({ number }) => number > 40).map(({ name }) => name))
  const after = await contents(url)
  for (const [name, sum] of Object.entries(before.sums))
    if (name !== 'ts.rollup') expect([name, after.sums[name]]).toEqual([name, sum])
  const sql = client(url, 1)
  const [row] = await sql`select count(*)::int as n from ts.rollup where base = 'supply'`
  await sql.end()
  expect(row).toEqual({ n: 2 })
  expect((await migrate(url, log)).applied).toEqual([])
})

test('a backup of a newer version is refused before anything is stored', async () => {
  const { url: newer, drop } = await testDatabase()
  made.push({ drop })
  await migrate(newer, log, [...MIGRATIONS, { number: 9999, name: 'later', text: 'create table later (id int)' }])
  const backup = await backupOf(newer)
  const url = await empty()
  await expect(restoreTo(url, backup)).rejects.toThrow(/migration 9999 \(later\) was made by a newer version/)
  expect(Object.keys((await contents(url)).sums)).toEqual([])
})

describe('truncated and corrupt backups', () => {
  let backup: Buffer
  beforeAll(async () => {
    backup = (await common()).backup
  })

  /** The problem that verification finds in a backup; null: none. */
  const problemOf = (octets: Buffer): Promise<Error | null> =>
    verifyBackup(inPieces(octets), () => undefined).then(
      () => null,
      (error: Error) => error,
    )

  test('verification detects any changed byte', async () => {
    expect((await verifyBackup(inPieces(backup), () => undefined)).rows).toBeGreaterThan(1000)
    // anywhere, and in the last file, of which no other has a checksum
    const end = backup.lastIndexOf('end.json')
    for (let i = 0; i < 120; i++) {
      const from = i % 2 === 0 ? 0 : end
      const at = from + Math.floor(Math.random() * (backup.length - 1024 - from))
      const corrupt = Buffer.from(backup)
      corrupt[at] = (corrupt[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8))
      const problem = await problemOf(corrupt)
      // padding, and tar fields that are not read, may change
      if (problem === null) expect({ at, unread: unread(backup, at) }).toEqual({ at, unread: true })
      else expect(problem.name).toBe('BackupError')
    }
  })

  test('every number and every name in its last file is checked', async () => {
    const reader = new Reader(inPieces(backup))
    let check: BackupCheck | null = null
    let end: BackupEnd | null = null
    for await (const member of reader.read()) {
      check ??= new BackupCheck(await headerOf(member), reader, 'checking', () => undefined)
      if (member.kind === 'chunk') check.rows(member, await member.text())
      if (member.kind === 'end') end = parseEnd((await member.text()).toString())
    }
    if (check === null || end === null) throw new Error('the backup has no end')
    const known = check
    known.end(end)
    const changed = (value: unknown) => (typeof value === 'number' ? value + 1 : `${value}x`)
    const { id, members, digest, tables } = end
    const wrong: BackupEnd[] = [
      ...Object.entries({ id, members, digest }).map(([key, value]) => ({ ...end, [key]: changed(value) })),
      ...tables.flatMap((table, i) =>
        Object.entries(table).map(([key, value]) => ({
          ...end,
          tables: tables.with(i, { ...table, [key]: changed(value) }),
        })),
      ),
      { ...end, tables: tables.slice(1) },
      { ...end, tables: tables.map((table, i) => tables[i === 0 ? 1 : i] ?? table) },
    ]
    expect(wrong.length).toBeGreaterThan(600)
    for (const one of wrong) expect(() => known.end(one)).toThrow(BackupError)
  })

  test('verification detects truncation at any point', async () => {
    for (let i = 0; i < 40; i++) {
      const cut = backup.subarray(0, Math.floor(Math.random() * (backup.length - 1024)))
      await expect(verifyBackup(inPieces(cut), () => undefined)).rejects.toThrow(
        /the backup is (truncated|incomplete|empty)/,
      )
    }
    await expect(verifyBackup(inPieces(Buffer.from('x'.repeat(5000))), () => undefined)).rejects.toThrow(
      /this is not a backup/,
    )
  })

  test('a partial restore is never served; it starts over with another backup, and continues with the whole of it', async () => {
    const { store, before } = await common()
    const url = await empty()
    await expect(restoreTo(url, backup.subarray(0, Math.floor(backup.length * 0.7)))).rejects.toThrow(/truncated/)
    await expect(migrate(url, log)).rejects.toThrow(/holds only part of backup .*run portlight restore/)
    const found: string[] = []
    const note = (what: string) => found.push(what)
    // one session makes the same backup as several, except for the order of its chunks
    const other = await backupOf(store.url, 1)
    const part = other.subarray(0, Math.floor(other.length * 0.7))
    await expect(restoreTo(url, part, 1, note)).rejects.toThrow(/truncated/)
    expect(found).toEqual(['begun anew'])
    await restoreTo(url, other, 1, note)
    expect(found).toEqual(['begun anew', 'continued'])
    expect(await contents(url)).toEqual(before)
    expect((await migrate(url, log)).applied).toEqual([])
  })

  test('tables whose rows differ from the backup are named', async () => {
    const url = await empty()
    const sql = client(url, 1)
    await expect(restoreTo(url, backup.subarray(0, Math.floor(backup.length * 0.7)))).rejects.toThrow(/truncated/)
    await sql`delete from ts.sensor_samples where ctid = (select min(ctid) from ts.sensor_samples)`
    const [left] = await sql<{ n: number }[]>`select count(*)::int as n from ts.sensor_samples`
    const [any] = await sql<{ n: number }[]>`select count(*)::int as n from public.eventlog`
    await sql`update public.eventlog set message = 'changed' where event_id = (select min(event_id) from public.eventlog)`
    await sql.end()
    expect((left?.n ?? 0) + (any?.n ?? 0)).toBeGreaterThan(0)
    await expect(restoreTo(url, backup)).rejects.toThrow(
      /the restored data differs from the backup: |a server is using/,
    )
    await expect(migrate(url, log)).rejects.toThrow(/holds only part of backup/)
  })
})

/** Whether reading ignores this byte: padding, or modes, owners and times in a tar header. */
function unread(tar: Buffer, at: number): boolean {
  for (let head = 0; head < tar.length; ) {
    const size = Number.parseInt(tar.toString('latin1', head + 124, head + 135), 8)
    const content = head + 512
    const next = content + Math.ceil(size / 512) * 512
    if (at < next) return at >= content + size || (at >= head + 148 && at < content && at - head !== 156)
    head = next
  }
  return false
}

describe.skipIf(!HAS_FULL_EDITION)('the full edition of TimescaleDB', () => {
  let server: FullEdition
  beforeAll(async () => {
    if (HAS_FULL_EDITION) server = await startFullEdition()
  })
  afterAll(async () => {
    if (HAS_FULL_EDITION) await server.stop()
  })

  test('takes a backup of the embedded server, compresses it, and gives it back', async () => {
    const { before, backup } = await common()
    await server.exec('drop table if exists mine')
    await restoreTo(server.url, backup, 1)
    expect(await contents(server.url, 1)).toEqual(before)
    const full = connect(server.url, { max: 1 })
    const round = await maintain(full, { samplesDays: 30, hourlyDays: 400, dailyDays: 3650 }, 120_000)
    expect(round.compressed).toBeGreaterThan(0)
    await full.close()
    const compressed = await contents(server.url, 1)
    const url = await empty()
    await restoreTo(url, await backupOf(server.url, 1))
    expect((await contents(url)).sums).toEqual(compressed.sums)
  })
})
