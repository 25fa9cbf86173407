import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { Reader, Writer } from '../../../src/core/backup/container.ts'
import { type BackupHeader, parseEnd, parseHeader } from '../../../src/core/backup/manifest.ts'
import { moveDatabase } from '../../../src/core/backup/move.ts'
import { connect, type Store } from '../../../src/core/database/client.ts'
import { emptyDatabase, testDatabase, testServers } from '../../support/database.ts'
import {
  FEW_KINDS,
  fillPacked,
  fillSeries,
  halfOfPacked,
  KINDS,
  packAll,
  progressOf,
  storedSums,
} from './packed-support.ts'
import { backupOf, inPieces, log, restoreTo } from './support.ts'

setDefaultTimeout(240_000)
const made: { drop(): Promise<void> }[] = []
afterAll(async () => {
  for (const database of made) await database.drop()
})

interface Source {
  readonly store: Store
  readonly before: Awaited<ReturnType<typeof storedSums>>
  readonly progress: Awaited<ReturnType<typeof progressOf>>
  readonly backup: Buffer
}
const sources = new Map<string, Promise<Source>>()
/** A database with packed rows on a server, made once. */
function sourceOn(server: string | null, kinds: readonly string[] = KINDS): Promise<Source> {
  const name = `${server} ${kinds}`
  const known = sources.get(name)
  if (known !== undefined) return known
  const making = (async () => {
    const { store, drop } = await testDatabase(server)
    made.push({ drop })
    await fillPacked(store, kinds)
    return {
      store,
      before: await storedSums(store.sql),
      progress: await progressOf(store.sql),
      backup: await backupOf(store.url),
    }
  })()
  sources.set(name, making)
  return making
}

for (const from of testServers()) {
  test(`${from.name} packs rows of every kind and level, and is packing`, async () => {
    const { store, progress } = await sourceOn(from.url)
    // a restore knows where chunks begin here before there are any
    const [known] = await store.sql`
      select bool_and(ts.is_chunk(s.rel, c.since, c.upto)) as all from ts.series s, ts.chunks_of(s.rel) c`
    expect(known).toEqual({ all: true })
    expect(Object.entries(progress.packed).filter(([, n]) => n === 0)).toEqual([])
    expect(progress.packing).toEqual(['ts.port_samples'])
    expect(progress.dirty.length).toBeGreaterThan(0)
  })

  // between different servers, or with one alone from that to itself
  for (const to of testServers().filter(({ name }, _, all) => all.length === 1 || name !== from.name)) {
    test(`packed rows are restored packed, each once, from ${from.name} to ${to.name}`, async () => {
      const { before, progress, backup } = await sourceOn(from.url)
      const { url, drop } = await emptyDatabase(to.url)
      made.push({ drop })
      await restoreTo(url, backup)
      const copy = connect(url)
      try {
        expect(await storedSums(copy.sql)).toEqual(before)
        const restored = await progressOf(copy.sql)
        expect(restored.rollups).toEqual(progress.rollups)
        expect(restored.dirty).toEqual(progress.dirty)
        expect(restored.packing).toEqual([])
        expect(Object.entries(restored.packed).filter(([, n]) => n === 0)).toEqual([])
        // samples of ports are in chunks of a day, which begin at midnight everywhere
        if (from.name === to.name) expect(restored.packed).toEqual(progress.packed)
        else expect(restored.packed['ts.port_samples']).toBe(progress.packed['ts.port_samples'] ?? 0)
        // where chunks begin at other moments, how much is packed depends on the day of the week
        for (const [rel, n] of Object.entries(restored.rows))
          if (from.name === to.name) expect([rel, n]).toEqual([rel, progress.rows[rel] ?? 0])
        // what is rolled up again, and then packed, goes on as in the original
        await packAll(copy.sql)
        expect(await storedSums(copy.sql)).toEqual(before)
        await copy.sql`delete from ts.dirty`
        expect(await packAll(copy.sql)).toBeGreaterThan(0)
        expect(await storedSums(copy.sql)).toEqual(before)
        const { rows } = await progressOf(copy.sql)
        expect(rows['ts.port_samples']).toBeLessThan(progress.rows['ts.port_samples'] ?? 0)
      } finally {
        await copy.close()
      }
    })
  }
}

const other = testServers().at(-1) ?? { name: 'embedded', url: null }
test(`a restore that stopped among packed rows continues, from embedded to ${other.name}`, async () => {
  const { before, backup } = await sourceOn(null, FEW_KINDS)
  const { url, drop } = await emptyDatabase(other.url)
  made.push({ drop })
  await expect(restoreTo(url, halfOfPacked(backup))).rejects.toThrow(/truncated/)
  const found: string[] = []
  await restoreTo(url, backup, 2, (what) => found.push(what))
  expect(found).toEqual(['continued'])
  const copy = connect(url)
  expect(await storedSums(copy.sql)).toEqual(before)
  await copy.close()
})

test(`a packed row that is not what the backup has is noticed, in ${other.name}`, async () => {
  const { backup } = await sourceOn(null, FEW_KINDS)
  const { url, drop } = await emptyDatabase(other.url)
  made.push({ drop })
  await expect(restoreTo(url, halfOfPacked(backup))).rejects.toThrow(/truncated/)
  const copy = connect(url)
  const [changed] = await copy.sql`
    with gone as (delete from ts.icmp_1h_packed where device_id = 1 returning 1) select count(*)::int > 0 as any from gone`
  await copy.close()
  expect(changed).toEqual({ any: true })
  await expect(restoreTo(url, backup)).rejects.toThrow(
    /the restored data differs from the backup: ts\.icmp_1h(_packed)? has \d+ rows instead of \d+/,
  )
})

test(`moved from embedded to ${other.name} and back, the original stays`, async () => {
  const { store, before, progress } = await sourceOn(null, FEW_KINDS)
  const [there, back] = [await emptyDatabase(other.url), await emptyDatabase()]
  made.push(there, back)
  const rest = { program: 'test', log, watch: () => undefined, found: () => undefined }
  await moveDatabase({ from: store.url, to: there.url, ...rest })
  await moveDatabase({ from: there.url, to: back.url, ...rest })
  const copy = connect(back.url)
  expect(await storedSums(copy.sql)).toEqual(before)
  const { rollups, dirty } = await progressOf(copy.sql)
  await copy.close()
  expect({ rollups, dirty }).toEqual({ rollups: progress.rollups, dirty: progress.dirty })
  expect(await storedSums(store.sql)).toEqual(before)
  expect(await progressOf(store.sql)).toEqual(progress)
})

test('a backup has each row once, whatever is packed meanwhile', async () => {
  const source = await testDatabase()
  made.push(source)
  const { sql } = source.store
  await fillSeries(sql, FEW_KINDS)
  await sql`select ts.create_packed(rel) from ts.series`
  const before = await storedSums(sql)
  let stop = false
  let refused = 0
  const packing = (async () => {
    await sql`set lock_timeout = '100ms'`
    while (!stop) {
      for (const rel of Object.keys(before)) {
        // 2 subjects of 3, so that most chunks are halfway at any moment
        await sql`select subjects from ts.pack_step(${rel}::text::regclass, 2)`.catch(() => refused++)
      }
    }
  })()
  const backups: Buffer[] = []
  for (let i = 0; i < 2; i++) backups.push(await backupOf(source.url))
  stop = true
  await packing
  // chunks that are finished are dropped when no backup reads them
  expect(refused).toBeGreaterThan(0)
  expect(await storedSums(sql)).toEqual(before)
  for (const backup of backups) {
    const { url, drop } = await emptyDatabase()
    await restoreTo(url, backup)
    const copy = connect(url)
    expect(await storedSums(copy.sql)).toEqual(before)
    await copy.close()
    await drop()
  }
})

/** The same backup as an earlier version would have written it: format 1, without a word about packed rows. */
async function asFormat1(backup: Buffer): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const writer = new Writer((octets) => {
    parts.push(Uint8Array.from(octets))
    return Promise.resolve()
  }, new Date())
  for await (const member of new Reader(inPieces(backup)).read()) {
    const text = await member.text()
    if (member.kind === 'header') {
      const header = JSON.parse(text.toString()) as BackupHeader
      const tables = header.tables.map(({ packs, ...table }) => table)
      await writer.addJson('header.json', { ...header, format: 1, tables })
    } else if (member.kind === 'chunk') await writer.addChunk(member, text)
    else if (member.kind === 'end') {
      const end = { ...parseEnd(text.toString()), format: 1, members: writer.members, digest: await writer.digest() }
      await writer.addJson('end.json', end)
    }
  }
  await writer.end()
  return Buffer.concat(parts)
}

test('a backup of format 1 is restored; one of a format that is not known is refused', async () => {
  const source = await testDatabase()
  made.push(source)
  await source.store.sql`
    insert into ts.sensor_samples ("time", sensor_id, value) select now() - n * interval '1 minute', 1, n from generate_series(1, 100) n`
  const backup = await backupOf(source.url)
  const { url, drop } = await emptyDatabase()
  made.push({ drop })
  await restoreTo(url, await asFormat1(backup))
  const copy = connect(url)
  expect((await storedSums(copy.sql))['ts.sensor_samples']).toBe(
    (await storedSums(source.store.sql))['ts.sensor_samples'] ?? '',
  )
  await copy.close()
  for await (const member of new Reader(inPieces(backup)).read()) {
    if (member.kind !== 'header') break
    const header = JSON.parse((await member.text()).toString()) as BackupHeader
    // an earlier version reads 1 only, and says so
    expect(header.format).toBe(2)
    expect(() => parseHeader(JSON.stringify({ ...header, format: 3 }))).toThrow(
      'the backup has format 3, this program reads 1 and 2: use the version that made it or a newer one',
    )
  }
})
