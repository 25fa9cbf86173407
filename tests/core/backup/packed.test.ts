import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { connect, type Store } from '../../../src/core/database/client.ts'
import { emptyDatabase, testDatabase, testServers } from '../../support/database.ts'
import { fillPacked, packAll, progressOf, storedSums } from './packed-support.ts'
import { backupOf, restoreTo } from './support.ts'

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
const sources = new Map<string | null, Promise<Source>>()
/** A database with packed rows on a server, made once. */
function sourceOn(server: string | null): Promise<Source> {
  const known = sources.get(server)
  if (known !== undefined) return known
  const making = (async () => {
    const { store, drop } = await testDatabase(server)
    made.push({ drop })
    await fillPacked(store)
    return {
      store,
      before: await storedSums(store.sql),
      progress: await progressOf(store.sql),
      backup: await backupOf(store.url),
    }
  })()
  sources.set(server, making)
  return making
}

for (const from of testServers()) {
  test(`${from.name} packs rows of every kind and level, and is packing`, async () => {
    const { progress } = await sourceOn(from.url)
    expect(Object.entries(progress.packed).filter(([, n]) => n === 0)).toEqual([])
    expect(progress.packing).toEqual(['ts.port_samples'])
    expect(progress.dirty.length).toBeGreaterThan(0)
  })

  for (const to of testServers()) {
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
        // in a chunk that begins at another moment, the newest rows are not packed yet
        for (const [rel, n] of Object.entries(restored.rows)) {
          const stored = Number.parseInt(before[rel] ?? '', 10)
          if (from.name === to.name) expect([rel, n]).toEqual([rel, progress.rows[rel] ?? 0])
          else expect([rel, n < stored * 0.6]).toEqual([rel, true])
        }
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
