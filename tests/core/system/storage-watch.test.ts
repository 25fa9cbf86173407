import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import pino from 'pino'
import { keepHouse } from '../../../src/app/leader/housekeeping.ts'
import { packingLog } from '../../../src/app/leader/packing-log.ts'
import { storageMetrics, watchStorage } from '../../../src/app/storage-watch.ts'
import { createSettings } from '../../../src/config/settings.ts'
import { connect, type Store } from '../../../src/core/database/client.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { readStorage } from '../../../src/core/system/read-storage.ts'
import type { DiskSpace, PackingState } from '../../../src/core/system/storage.ts'
import { formatMetrics, type Metric } from '../../../src/observe/metrics.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { batch, makeDevice, portSamples } from '../../support/samples.ts'

setDefaultTimeout(120_000)

/** A log whose lines are kept. */
function keptLog(): { readonly log: pino.Logger; readonly lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => void lines.push(JSON.parse(line))
  return { lines, log: pino({ base: null, timestamp: false }, { write }) }
}

describe('the log of packing older data', () => {
  const HOUR = 3_600_000
  const state = (waiting: number, leftS: number | null = null): PackingState => ({
    ...{
      form: 'packed',
      done: 0,
      waiting,
      oldest: new Date(Date.UTC(2026, 0, 2)),
      overdue: waiting,
      leftS,
      problems: [],
    },
    run: { began: new Date(0), total: 100 },
  })

  test('says that it begins, once an hour how far it is, and that it is finished', () => {
    const { log, lines } = keptLog()
    const say = packingLog(log)
    say('began', { ...state(100), run: null }, 0)
    for (let minute = 10; minute <= 180; minute += 10) say('goes on', state(100 - minute / 2, 7000), minute * 60_000)
    say('finished', state(0), 200 * 60_000)
    say(null, state(0), 210 * 60_000)
    expect(lines.map(({ msg, done, total }) => [msg, done, total])).toEqual([
      ['packing of older samples began; they stay readable meanwhile', 0, 100],
      ['packing of older samples goes on', 30, 100],
      ['packing of older samples goes on', 60, 100],
      ['packing of older samples goes on', 90, 100],
      ['packing of older samples is finished', 100, 100],
    ])
    expect(lines[0]).toMatchObject({ oldest: '2026-01-02' })
    expect(lines[1]).toMatchObject({ leftHours: 2 })
    expect(lines[4]).not.toHaveProperty('oldest')
  })

  test('says nothing again while nothing goes on, and goes on after a restart', () => {
    const { log, lines } = keptLog()
    const say = packingLog(log)
    for (let hour = 0; hour < 5; hour++) say('goes on', state(40), hour * HOUR)
    expect(lines).toHaveLength(1)
    say(null, state(40), 6 * HOUR)
    expect(lines).toHaveLength(1)
  })
})

test('housekeeping logs that older data is being packed and is finished, and notes the size of the day', async () => {
  const database = await testDatabase()
  const { store } = database
  const settings = createSettings({})
  try {
    const portId = (await makeDevice(store, 1)).portIds[0] ?? 0
    const old = { portId, time: Date.now() - 6 * 86_400_000, periodMs: 300_000, deltas: { in_octets: 1 } }
    await writeSamples(store, batch({ ports: portSamples([old]) }))
    await store.sql`select ts.create_packed('ts.port_samples')`
    await store.sql.unsafe('alter table ts.port_samples_packed add constraint none check (pack_n < 0)')
    const { log, lines } = keptLog()
    /** One round of all chores, until the log has said it. */
    const round = async (said: string): Promise<void> => {
      const house = keepHouse({ store, settings, log, clockSettled: () => true })
      while (!lines.some(({ msg }) => msg === said)) await Bun.sleep(10)
      await house.stop()
    }
    await round('packing of older samples began; they stay readable meanwhile')
    await store.sql`delete from ts.size_note`
    await store.sql.unsafe('alter table ts.port_samples_packed drop constraint none')
    await round('packing of older samples is finished')
    while ((await store.sql`select from ts.size_note`).length === 0) await Bun.sleep(10)
    expect((await readStorage(store, null)).packing).toMatchObject({ run: null, waiting: 0, overdue: 0 })
  } finally {
    await database.drop()
  }
})

describe('the watch of the storage', () => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await testDatabase()
    store = database.store
  })
  afterAll(() => database.drop())

  const events = async () =>
    (await store.sql<{ message: string }[]>`select message from eventlog order by event_id`).map(
      ({ message }) => message,
    )

  /** Starts a watch, waits for its first look, and stops it, as a restart of the server does. */
  async function look(disk: () => DiskSpace | null, from = store): Promise<readonly Metric[]> {
    const { log, lines } = keptLog()
    const watch = watchStorage(from, disk, log, 0)
    while (watch.metrics().length === 0) await Bun.sleep(5)
    await watch.stop()
    logged.push(...lines.map(({ msg }) => String(msg)))
    return watch.metrics()
  }
  const logged: string[] = []

  test('warns once about a full disk, also over restarts, and says when it is over', async () => {
    const full = () => ({ free: 5e9, size: 1e11 })
    const metrics = formatMetrics(await look(full))
    expect(metrics).toContain('portlight_disk_warning 1\n')
    expect(metrics).not.toContain('portlight_disk_full_seconds')
    await look(full)
    await look(() => null)
    expect(formatMetrics(await look(() => ({ free: 5e10, size: 1e11 })))).toContain('portlight_disk_warning 0\n')
    expect(await events()).toEqual([
      'The disk of the database is filling up: 5 % of the disk of the database are free',
      'The disk of the database has enough room again',
    ])
    expect(logged).toEqual(['the disk of the database is filling up', 'the disk of the database has enough room again'])
  })

  test('a database that accepts no writes is warned about as well', async () => {
    await store.sql.unsafe(
      `alter database ${new URL(database.url).pathname.slice(1)} set default_transaction_read_only = on`,
    )
    const before = (await events()).length
    const readOnly = connect(database.url, { max: 1 })
    await expect(readOnly.sql`delete from ts.notice`.execute()).rejects.toThrow('read-only')
    await look(() => ({ free: 1e9, size: 1e11 }), readOnly)
    await readOnly.close()
    expect(await events()).toHaveLength(before + 1)
    await store.sql.begin('read write', (tx) =>
      tx.unsafe(`alter database ${new URL(database.url).pathname.slice(1)} reset default_transaction_read_only`),
    )
  })

  test('metrics: growth and forecast when they are known, none of the disk where it is not', async () => {
    const without = formatMetrics(storageMetrics(await readStorage(store, null)))
    expect(without).toContain('portlight_series_size_bytes{level="samples",form="packed"} 0\n')
    expect(without).toContain('portlight_packing_waiting_chunks{level="1h"} 0\n')
    expect(without).not.toMatch(/portlight_(database_growth|disk)/)
    await store.sql`insert into ts.size_note (day, noted_at, octets, settled) select current_date - n, now() - n * interval '1 day',
      1000000000 - n * 1000000, true from generate_series(1, 3) n`
    const known = formatMetrics(storageMetrics(await readStorage(store, { free: 5e8, size: 1e9 })))
    expect(known).toContain('portlight_database_growth_bytes 1000000\n')
    expect(known).toContain(`portlight_disk_full_seconds ${500 * 86_400}\n`)
  })
})
