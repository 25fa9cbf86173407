import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connect, type Store } from '../../../src/core/database/client.ts'
import { addHistory, type Bounds, type LevelRows, noLevels } from '../../../src/core/import/history/levels.ts'
import {
  clearPartial,
  type HistoryBatch,
  type Packing,
  prepareTables,
  presentRows,
  writeHistory,
} from '../../../src/core/import/write-history.ts'
import { maintain } from '../../../src/core/series/write-roll-ups.ts'
import { KINDS } from '../../../src/series/kinds.ts'
import { rng } from '../../random/rng.ts'
import { type TestDatabase, testDatabase, testServers } from '../../support/database.ts'
import { HAS_FULL_EDITION, startFullEdition } from '../../support/full-edition.ts'

setDefaultTimeout(120_000)

const HOUR_S = 3600
const DAY_S = 86_400
const KEEP = { samplesDays: 30, hourlyDays: 400, dailyDays: 3650 }
const KIND = KINDS.port
const FIRST = [1, 2, 3, 4, 5, 6, 7, 8]
const LEVELS = [
  ['samples', 'samples', 'time'],
  ['1h', 'hours', 'bucket'],
  ['1d', 'days', 'bucket'],
] as const

const nowS = Math.floor(Date.now() / 1000)
const todayS = nowS - (nowS % DAY_S)
const BOUNDS: Bounds = {
  samplesFromS: nowS - 29 * DAY_S,
  hoursFromS: nowS - 399 * DAY_S,
  daysFromS: nowS - 3600 * DAY_S,
  hoursToS: todayS,
  daysToS: todayS,
}

/** Times of the history of a subject, epoch seconds: `every` of its rows, from `days` days ago until `until` days ago. */
interface Part {
  readonly days: number
  readonly until: number
  readonly every?: (row: number) => boolean
}

/** A history: days, then rows of two hours, then of five minutes; some values are unknown. */
function batchOf(ids: readonly number[], packing: Packing, part: Part = { days: 1200, until: 0 }): HistoryBatch {
  const levels = noLevels(KIND)
  for (const id of ids) {
    const r = rng(id)
    const [endS, widthS]: [number[], number[]] = [[], []]
    let row = 0
    for (let at = todayS - part.days * DAY_S; at < todayS - part.until * DAY_S; row++) {
      const ago = (todayS - at) / DAY_S
      const width = ago > 390 ? DAY_S : ago > 25 ? 2 * HOUR_S : 300
      at += width
      if (part.every?.(row) === false) continue
      endS.push(at)
      widthS.push(width)
    }
    const columns = KIND.columns.map((_, c) => {
      const average = endS.map(() => (r.chance(0.05) ? Number.NaN : c < 4 ? r.below(1e7) : r.chance(0.02) ? 0.25 : 0))
      return { average, lowest: average.map((v) => v * 0.5), highest: average.map((v) => v * 1.7) }
    })
    addHistory(KIND, levels, { id, rows: endS.length, endS, widthS, columns }, BOUNDS)
  }
  const { samples, hours, days, coarseS } = levels
  return { kind: KIND, samples, hours, days, journal: [], coarseS, packing }
}

/** The rows of a level as texts, in the form in which `stored` returns them. */
function given(rows: LevelRows, level: string): string[] {
  const real = (value: number) => (Number.isNaN(value) ? null : Math.fround(value))
  const whole = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? null : value)
  return rows.timeMs
    .map((ms, i) => {
      const values = KIND.columns.flatMap((_, c) => {
        const value = whole(rows.values[c]?.[i])
        if (level === 'samples') return [value]
        return [value, real(rows.lowest[c]?.[i] ?? Number.NaN), real(rows.highest[c]?.[i] ?? Number.NaN)]
      })
      const known = rows.known.slice(i * KIND.columns.length, (i + 1) * KIND.columns.length)
      const more = level === 'samples' ? [] : [rows.n[i], Number.isNaN(known[0]) ? null : known]
      return JSON.stringify([rows.id[i], ms, rows.periodMs[i], ...more, ...values])
    })
    .sort()
}

describe.each(testServers())('history on $name', ({ url }) => {
  let database: TestDatabase
  let store: Store
  let packing: Packing
  beforeAll(async () => {
    database = await testDatabase(url)
    store = database.store
    packing = await prepareTables(store.sql, 'port', {
      samples: BOUNDS.samplesFromS,
      '1h': BOUNDS.hoursFromS,
      '1d': BOUNDS.daysFromS,
    })
  })
  afterAll(() => database.drop())

  /** Removes all history and its partitions. */
  const forget = async (): Promise<void> => {
    await store.sql`select ts.forget('port', array(select generate_series(1, 100)))`
    const parts = await store.sql<{ part: string }[]>`
      select c.part::text from ts.series s, ts.chunks_of(s.packed) c where s.base = 'port'`
    for (const { part } of parts) await store.sql.unsafe(`drop table ${part}`)
    await maintain(store, KEEP)
  }

  async function stored(level: string, time: string, ids: readonly number[]): Promise<string[]> {
    const names = KIND.columns.flatMap(({ name }) =>
      level === 'samples' ? [name] : [name, `${name}_min`, `${name}_max`],
    )
    const values = names.map((name) => `"${name}"::float8`)
    const more = level === 'samples' ? [] : ['n', 'known::float8[] as known']
    const rows = await store.sql.unsafe<Record<string, unknown>[]>(
      `select port_id, extract(epoch from "${time}")::float8 * 1000 as ms, period_ms::float8, ${[...more, ...values].join()}
       from ts.port_${level}_stored where port_id = any($1::text::int[])`,
      [`{${ids.join()}}`],
    )
    return rows.map((row) => JSON.stringify(Object.values(row))).sort()
  }

  /** What is stored of these subjects is what the batches have, exactly. */
  async function expectStored(batches: readonly HistoryBatch[]): Promise<void> {
    for (const [level, of, time] of LEVELS) {
      const want = batches.flatMap((batch) => given(batch[of] as LevelRows, level)).sort()
      const ids = [...new Set(batches.flatMap((batch) => batch[of].id))]
      const found = await stored(level, time, ids)
      expect(found.length).toBe(want.length)
      expect(found.filter((row, i) => row !== want[i]).slice(0, 3)).toEqual(
        want.filter((row, i) => row !== found[i]).slice(0, 3),
      )
    }
  }

  /** Numbers of rows of these subjects that are not packed, of closed chunks and of open ones. */
  async function unpacked(level: 'samples' | '1h' | '1d', ids: readonly number[]) {
    const closed = new Date(packing[level]?.closedMs ?? 0).toISOString()
    const time = level === 'samples' ? '"time"' : 'bucket'
    const [row] = await store.sql.unsafe<{ closed: number; open: number }[]>(
      `select count(*) filter (where ${time} < '${closed}')::int as closed,
         count(*) filter (where ${time} >= '${closed}')::int as open from ts.port_${level} where port_id = any('{${ids.join()}}')`,
    )
    return row
  }

  async function closedParts(level: 'samples' | '1h' | '1d'): Promise<number> {
    const [row] = await store.sql<{ n: number }[]>`
      select count(*)::int as n from ts.chunks_of(${`ts.port_${level}`}::text::regclass) c
      where c.upto <= to_timestamp(${(packing[level]?.closedMs ?? 0) / 1000}::float8)`
    return row?.n ?? 0
  }

  /** Rounds of housekeeping until nothing is left to be packed. */
  async function settle(): Promise<void> {
    for (let round = 0; round < 40; round++) {
      const { failures, packed } = await maintain(store, KEEP)
      expect(failures).toEqual([])
      if (packed === 0 && (await closedParts('samples')) + (await closedParts('1h')) + (await closedParts('1d')) === 0)
        return
    }
    throw new Error('chunks are left')
  }

  test('is packed as far as chunks are closed, in less space, without partitions of rows', async () => {
    const batch = batchOf(FIRST, packing)
    await writeHistory(store.sql, 'test', batch)
    await expectStored([batch])
    for (const [level, of, time] of LEVELS) {
      const open = batch[of].timeMs.filter((ms) => ms >= (packing[level]?.closedMs ?? 0)).length
      expect(await unpacked(level, FIRST)).toEqual({ closed: 0, open })
      expect(await closedParts(level)).toBe(0)
      const rel = `ts.port_${level}`
      await store.sql.unsafe(`create table plain_${level} as select * from ${rel}_stored where span is not null;
        alter table plain_${level} add primary key (port_id, "${time}")`)
      const [size] = await store.sql.unsafe<{ packed: number; plain: number }[]>(`
        select sum(pg_total_relation_size(i.inhrelid))::float8 as packed, pg_total_relation_size('plain_${level}')::float8 as plain
        from pg_inherits i where i.inhparent = '${rel}_packed'::regclass`)
      if (level !== '1d') expect(size?.packed ?? 1).toBeLessThan(0.5 * (size?.plain ?? 0))
    }
  })

  test('times of packed rows are known, as those of others', async () => {
    const batch = batchOf(FIRST, packing)
    const present = await presentRows(store.sql, KIND, [2, 3])
    for (const [level, of] of LEVELS) {
      const want = batch[of].timeMs.flatMap((timeMs, i) =>
        [2, 3].includes(batch[of].id[i] ?? 0) ? [{ id: batch[of].id[i] ?? 0, timeMs }] : [],
      )
      expect(present[level].map((row) => ({ ...row }))).toEqual(want.sort((a, b) => a.id - b.id || a.timeMs - b.timeMs))
    }
  })

  test('packed partitions cover the chunks that a late row gets', async () => {
    for (const [level] of LEVELS) {
      const rel = `ts.port_${level}`
      await store.sql
        .begin(async (tx) => {
          const [row] = await tx.unsafe<{ sql: string }[]>(
            `select ts.unpack_sql('${rel}', '(select * from ${rel}_packed where port_id = 1)') as sql`,
          )
          await tx.unsafe(`do $$ declare s timestamptz; begin
          for s in select pack_span from ${rel}_packed loop perform ts.ensure_partitions('${rel}', s); end loop; end $$`)
          const [columns] = await tx.unsafe<{ text: string }[]>(`select ts.columns_of('${rel}') as text`)
          await tx.unsafe(`insert into ${rel} (${columns?.text}) select ${columns?.text} from (${row?.sql}) x`)
          const chunks = await tx.unsafe<{ fits: boolean }[]>(`
          select p.since is not distinct from c.since and p.upto is not distinct from c.upto as fits from ts.chunks_of('${rel}') c left join ts.attached_part('${rel}', c.since) a on true
          left join ts.chunks_of('${rel}_packed') p on p.part = a
          where c.upto <= to_timestamp(${(packing[level]?.closedMs ?? 0) / 1000})`)
          expect(chunks.length).toBeGreaterThan(0)
          expect(chunks.filter(({ fits }) => !fits)).toEqual([])
          throw new Error('undone')
        })
        .catch((error: unknown) => {
          if (!(error instanceof Error) || error.message !== 'undone') throw error
        })
    }
  })

  test('an hour and a day that were made from part of their time are removed from packed rows', async () => {
    await forget()
    const batch = batchOf([11, 12], packing)
    await writeHistory(store.sql, 'test', batch)
    const hourMs = (todayS - 200 * DAY_S) * 1000
    const dayMs = (todayS - 1000 * DAY_S) * 1000
    await clearPartial(store.sql, KIND, 11, hourMs, dayMs)
    const present = await presentRows(store.sql, KIND, [11, 12])
    for (const [level, of, atMs] of [
      ['1h', 'hours', hourMs],
      ['1d', 'days', dayMs],
    ] as const) {
      const count = batch[of].timeMs.length
      expect(present[level]).toHaveLength(count - 1)
      expect(present[level].filter(({ timeMs }) => timeMs === atMs).map(({ id }) => id)).toEqual([12])
    }
    // what replaces them
    const again = batchOf([11], packing)
    const only = (rows: LevelRows, ms: number): LevelRows => {
      const at = rows.timeMs.indexOf(ms)
      const one = <T>(list: readonly T[]): T[] => list.slice(at, at + 1)
      const width = KIND.columns.length
      return {
        timeMs: one(rows.timeMs),
        id: one(rows.id),
        n: one(rows.n),
        periodMs: one(rows.periodMs),
        known: rows.known.slice(at * width, (at + 1) * width),
        values: rows.values.map(one),
        lowest: rows.lowest.map(one),
        highest: rows.highest.map(one),
      }
    }
    await writeHistory(store.sql, 'test', {
      ...again,
      samples: noLevels(KIND).samples,
      hours: only(again.hours as LevelRows, hourMs),
      days: only(again.days as LevelRows, dayMs),
    })
    await expectStored([batch])
    await settle()
    await expectStored([batch])
  })

  test('more history of subjects that have packed rows is added to them by housekeeping', async () => {
    await forget()
    const [even, odd] = [
      batchOf([21, 22], packing, { days: 20, until: 0, every: (row) => row % 2 === 0 }),
      batchOf([21, 22], packing, { days: 20, until: 0, every: (row) => row % 2 === 1 }),
    ]
    const empty = { hours: noLevels(KIND).hours, days: noLevels(KIND).days }
    const batches = [
      { ...even, ...empty },
      { ...odd, ...empty },
    ]
    for (const batch of batches) await writeHistory(store.sql, 'test', batch)
    expect((await unpacked('samples', [21, 22]))?.closed).toBeGreaterThan(1000)
    await expectStored(batches)
    await settle()
    await expectStored(batches)
    expect((await unpacked('samples', [21, 22]))?.closed).toBe(0)
  })

  test('chunks that have rows, or are being packed, get rows', async () => {
    await forget()
    const parts = { days: 6, until: 0 }
    const polled = batchOf([31, 32, 33], {}, parts)
    const closedMs = packing.samples?.closedMs ?? 0
    await store.sql`select ts.ensure_partitions('ts.port_samples', g)
      from generate_series(to_timestamp(${closedMs / 1000 - 6 * DAY_S}::float8), now(), '1 day') g`
    await store.sql`select ts.ensure_partitions('ts.port_1h', now() - interval '7 days')`
    await store.sql`select ts.ensure_partitions('ts.port_1d', now() - interval '7 days')`
    await writeHistory(store.sql, 'test', polled)
    // one of them is packed wholly, and one in part
    for (let step = 0; step < 6; step++) await store.sql`select * from ts.pack_step('ts.port_samples', 1)`
    const [state] = await store.sql<{ packing: number }[]>`select count(*)::int as packing from ts.packing`
    const imported = batchOf(
      [30, 32, 34].map((id) => id + 10),
      packing,
      { days: 30, until: 0 },
    )
    await writeHistory(store.sql, 'test', imported)
    expect(state?.packing).toBe(1)
    const rows = await unpacked('samples', [40, 42, 44])
    expect(rows?.closed).toBeGreaterThan(1000)
    expect(rows?.closed).toBeLessThan(3 * 6 * 288)
    await expectStored([polled, imported])
    await settle()
    await expectStored([polled, imported])
  })

  test('what is not rolled up yet stays rows until it is', async () => {
    await forget()
    const batch = {
      ...batchOf([51], packing, { days: 10, until: 0 }),
      hours: noLevels(KIND).hours,
      days: noLevels(KIND).days,
    }
    await store.sql`select ts.late('port', array[to_timestamp(${todayS - 5 * DAY_S}::float8)])`
    await writeHistory(store.sql, 'test', batch)
    expect((await unpacked('samples', [51]))?.closed).toBe(288)
    await settle()
    const samples = await stored('samples', 'time', [51])
    expect(samples).toEqual(given(batch.samples as LevelRows, 'samples'))
    const [hour] = await store.sql<{ n: number }[]>`
      select n from ts.port_1h_stored where port_id = 51 and bucket = to_timestamp(${todayS - 5 * DAY_S}::float8)`
    expect(hour?.n).toBe(12)
  })
})

test.skipIf(!HAS_FULL_EDITION)('with a columnstore, history is written as rows', async () => {
  const server = await startFullEdition({ migrated: true })
  const { sql, close } = connect(server.url, { max: 1 })
  try {
    const from = todayS - 100 * DAY_S
    const packing = await prepareTables(sql, 'port', { samples: from, '1h': from, '1d': from })
    expect(packing).toEqual({})
    const batch = batchOf([1], packing, { days: 100, until: 0 })
    await writeHistory(sql, 'test', batch)
    for (const [level, of] of LEVELS) {
      const rows = await sql.unsafe(`select from ts.port_${level}`)
      expect(rows).toHaveLength(batch[of].timeMs.length)
    }
  } finally {
    await close()
    await server.stop()
  }
})
