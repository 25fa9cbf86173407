import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import type { Store } from '../../../src/core/database/client.ts'
import { portSeries } from '../../../src/core/series/read.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { maintain } from '../../../src/core/series/write-roll-ups.ts'
import { testDatabase, testServers } from '../../support/database.ts'
import { HAS_FULL_EDITION, startFullEdition } from '../../support/full-edition.ts'
import { batch, makeDevice, type PortSample, portSamples } from '../../support/samples.ts'

// Samples through the writer and housekeeping: what is stored is what was sent first, in whatever form it is kept.

setDefaultTimeout(300_000)

const HOUR = 3_600_000
const DAY = 24 * HOUR
const KEEP = { samplesDays: 30, hourlyDays: 400, dailyDays: 3650 }
const ROUND_MS = 120_000
const TODAY = Math.floor(Date.now() / DAY) * DAY
/** The oldest sample that the writer takes, with room for a slow test. */
const OLDEST = Date.now() - 7 * DAY + HOUR

interface Server {
  readonly name: string
  open(): Promise<{ store: Store; packs: boolean; drop(): Promise<void> }>
}

async function onFullEdition(): Promise<Awaited<ReturnType<Server['open']>>> {
  const { connect } = await import('../../../src/core/database/client.ts')
  const server = await startFullEdition({ migrated: true })
  const store = connect(server.url, { max: 1 })
  return {
    store,
    packs: false,
    async drop() {
      await store.close()
      await server.stop()
    },
  }
}

const SERVERS: Server[] = [
  ...testServers().map(({ name, url }) => ({
    name,
    open: async () => ({ ...(await testDatabase(url)), packs: true }),
  })),
  ...(HAS_FULL_EDITION ? [{ name: 'the full edition', open: onFullEdition }] : []),
]

/** A sample of a port or a sensor, in the order of arrival. */
interface Sent {
  readonly subject: number
  /** Milliseconds since OLDEST. */
  readonly at: number
  readonly value: number | null
  readonly periodMs: number
}

const sent: fc.Arbitrary<Sent> = fc.record({
  subject: fc.nat(3),
  at: fc.oneof(
    // a regular poll, with jitter, and anything
    fc.nat(1900).map((n) => n * 300_000),
    fc.tuple(fc.nat(1900), fc.nat(2000)).map(([n, jitter]) => n * 300_000 + jitter),
    fc.nat(6 * DAY),
  ),
  value: fc.option(
    fc.oneof(
      fc.constantFrom(0, 1, 32_767, 32_768, 2 ** 31 - 1, 2 ** 31, 2 ** 46, 2 ** 53 - 1),
      fc.nat(2 ** 31 - 1),
      fc.constant(300_000),
    ),
    { freq: 6 },
  ),
  periodMs: fc.oneof(fc.constant(300_000), fc.integer({ min: 1, max: 2 ** 31 - 1 })),
})

/** The first of each subject and time, which is what counts. */
function firsts(all: readonly Sent[]): Sent[] {
  const found = new Map<string, Sent>()
  for (const sample of all) {
    const key = `${sample.subject} ${sample.at}`
    if (!found.has(key)) found.set(key, sample)
  }
  return [...found.values()].toSorted((a, b) => a.subject - b.subject || a.at - b.at)
}

describe.each(SERVERS)('packing on $name', (server) => {
  let opened: Awaited<ReturnType<Server['open']>>
  let store: Store
  beforeAll(async () => {
    opened = await server.open()
    store = opened.store
  })
  afterAll(() => opened.drop())

  async function round(): Promise<void> {
    const report = await maintain(store, KEEP, ROUND_MS)
    expect(report).toMatchObject({ failures: [], busy: 0 })
  }

  const asPort = (portIds: readonly number[], { subject, at, value, periodMs }: Sent): PortSample => ({
    portId: portIds[subject] ?? 0,
    time: OLDEST + at,
    periodMs,
    deltas: value === null ? { out_err: 7 } : { in_octets: value, out_octets: Math.floor(value / 3) },
  })

  /** What is stored of these ports, as it was sent. */
  async function stored(portIds: readonly number[]): Promise<unknown[]> {
    const rows = await store.sql<{ port: number; ms: string; period: number; octets: string | null }[]>`
      select port_id as port, (extract(epoch from "time") * 1000)::text as ms, period_ms as period, in_octets::text as octets,
        out_octets::text as out, out_err::text as errors
      from ts.port_samples_stored where port_id = any(${portIds}) order by 1, "time"`
    return rows.map((row) => ({ ...row, ms: Number(row.ms) }))
  }
  const wanted = (portIds: readonly number[], all: readonly Sent[]): unknown[] =>
    firsts(all).map(({ subject, at, value, periodMs }) => ({
      port: portIds[subject],
      ms: OLDEST + at,
      period: periodMs,
      octets: value === null ? null : String(BigInt(value)),
      out: value === null ? null : String(BigInt(Math.floor(value / 3))),
      errors: value === null ? '7' : null,
    }))

  /** Rows of closed days that are not packed. */
  async function unpacked(portIds: readonly number[]): Promise<number> {
    const [row] = await store.sql<{ n: number }[]>`
      select count(*)::int as n from ts.port_samples
      where port_id = any(${portIds}) and "time" < ${new Date(TODAY - DAY).toISOString()}`
    return row?.n ?? 0
  }

  test('what was sent first is stored, however often and late it is sent', async () => {
    const history = fc.record({
      first: fc.array(sent, { minLength: 1, maxLength: 200 }),
      late: fc.array(sent, { maxLength: 60 }),
      again: fc.array(fc.nat(199), { maxLength: 20 }),
    })
    // several devices in each round of housekeeping, which takes longer than all else
    const devices = opened.packs ? 3 : 1
    await fc.assert(
      fc.asyncProperty(fc.array(history, { minLength: devices, maxLength: devices }), async (histories) => {
        const all: { portIds: readonly number[]; sent: Sent[] }[] = []
        for (const _ of histories) all.push({ portIds: (await makeDevice(store, 4)).portIds, sent: [] })
        const send = async (parts: readonly (readonly Sent[])[]) => {
          for (const [i, samples] of parts.entries()) {
            const { portIds, sent } = all[i] ?? { portIds: [], sent: [] }
            await writeSamples(store, batch({ ports: portSamples(firsts(samples).map((s) => asPort(portIds, s))) }))
            sent.push(...samples)
          }
        }
        const expectStored = async () => {
          for (const { portIds, sent } of all) expect(await stored(portIds)).toEqual(wanted(portIds, sent))
        }
        await send(histories.map(({ first }) => first))
        await round()
        await expectStored()
        // late ones, some for a second time with another value
        await send(histories.map(({ late }) => late))
        await expectStored()
        await send(
          histories.map(({ first, again }) =>
            again.flatMap((i) => {
              const known = first[i]
              return known === undefined ? [] : [{ ...known, value: 5, periodMs: 5 }]
            }),
          ),
        )
        await expectStored()
        await round()
        await round()
        await expectStored()
        if (opened.packs) for (const { portIds } of all) expect(await unpacked(portIds)).toBe(0)
      }),
      // the full edition is WebAssembly here, and slow
      { numRuns: opened.packs ? 2 : 1, endOnFailure: true },
    )
  })

  test('roll-ups are those of all samples, also of late ones', async () => {
    const { portIds } = await makeDevice(store, 2)
    const [port = 0, other = 0] = portIds
    const since = TODAY - 5 * DAY
    const sample = (portId: number, i: number): PortSample => ({
      portId,
      time: since + i * 300_000,
      periodMs: 300_000,
      deltas: { in_octets: i * 300 },
    })
    const every = Array.from({ length: 3 * 288 }, (_, i) => i + 1)
    const early = every.filter((i) => i % 7 > 2)
    await writeSamples(store, batch({ ports: portSamples(every.map((i) => sample(other, i))) }))
    await writeSamples(store, batch({ ports: portSamples(early.map((i) => sample(port, i))) }))
    await round()
    for (const rest of [1, 2, 0]) {
      const part = every.filter((i) => i % 7 === rest)
      await writeSamples(store, batch({ ports: portSamples(part.map((i) => sample(port, i))) }))
      await round()
    }
    const rolled = (portId: number, level: string) =>
      store.sql.unsafe(`
      select bucket, n, period_ms, in_octets, in_octets_min, in_octets_max from ts.port_${level}_stored
      where port_id = ${portId} order by bucket`)
    for (const level of ['1h', '1d']) {
      const want = [...(await rolled(other, level))]
      expect(want.length).toBeGreaterThan(2)
      expect([...(await rolled(port, level))]).toEqual(want)
    }
    const window = { fromS: since / 1000, toS: since / 1000 + 3 * 86_400, stepS: 300 }
    const read = (portId: number) =>
      portSeries(store, [portId], window, { intervals: 3, intervalS: 300 }, ['in_octets'])
    const [a, b] = [await read(port), await read(other)]
    expect(a).toEqual(b)
    expect(a.series[0]?.values.filter((v) => !Number.isNaN(v)).length).toBe(every.length)
  })

  test.if(server.name !== 'the full edition')(
    'a query reads packed days only of its times, and all before its view knows them',
    async () => {
      const { portIds } = await makeDevice(store, 1)
      const [port = 0] = portIds
      const days = [6, 5, 4, 3, 2, 0].map((day) => TODAY - day * DAY + 1000)
      const samples = days.map((time) => ({ portId: port, time, periodMs: 1000, deltas: {} }))
      await writeSamples(store, batch({ ports: portSamples(samples) }))
      const session = await store.sql.reserve()
      await session`set constraint_exclusion = on` // as new sessions have it
      const read = async (sinceMs: number, uptoMs: number) => {
        const query = `select "time" from ts.port_samples_dated where port_id = ${port}
        and "time" >= to_timestamp(${sinceMs / 1000}) and "time" < to_timestamp(${uptoMs / 1000})`
        const plan = JSON.stringify(await session.unsafe(`explain (format json) ${query}`))
        const rows = await session.unsafe<{ time: Date }[]>(`${query} order by 1`)
        return { chunks: new Set(plan.match(/packed_p\d{8}/g)).size, times: rows.map(({ time }) => time.getTime()) }
      }
      await session`select ts.roll('ts.port_1h', 400), ts.roll('ts.port_1d', 400)`
      for (let steps = 0; steps < 40; steps++)
        await session`select ts.pack_step('ts.port_samples'), ts.pack_late('ts.port_samples')`
      expect((await read(0, TODAY + DAY)).times).toEqual(days)
      await session`select ts.make_dated('ts.port_samples')`
      expect((await read(0, TODAY + DAY)).times).toEqual(days)
      expect(await read(TODAY, TODAY + DAY)).toEqual({ chunks: 0, times: days.slice(5) })
      // the newest packed day alone, older ones in groups
      expect(await read(TODAY - 2 * DAY, TODAY - DAY)).toEqual({ chunks: 1, times: days.slice(4, 5) })
      expect((await read(0, TODAY - 5 * DAY)).times).toEqual(days.slice(0, 1))
      session.release()
    },
  )

  test('a port that is deleted leaves nothing, also when its samples are being packed', async () => {
    const { portIds } = await makeDevice(store, 3)
    const [port = 0, kept = 0] = portIds
    const times = Array.from({ length: 400 }, (_, i) => TODAY - 4 * DAY + i * 300_000)
    const some = (portId: number) => times.map((time) => ({ portId, time, periodMs: 1000, deltas: { in_octets: 5 } }))
    await writeSamples(store, batch({ ports: portSamples([...some(port), ...some(kept)]) }))
    await store.sql`select ts.roll('ts.port_1h', 400), ts.roll('ts.port_1d', 400)`
    // the first subject of each chunk is packed, and the chunk not finished
    if (opened.packs) await store.sql`select ts.pack_step('ts.port_samples', 1)`
    await store.sql`delete from ports where port_id = ${port}`
    await round()
    await Bun.sleep(10_100) // deleted subjects are removed a second time
    await round()
    const count = async (portId: number) => {
      const [row] = await store.sql<{ n: number }[]>`
        select ((select count(*) from ts.port_samples_stored where port_id = ${portId})
          + (select count(*) from ts.port_1h_stored where port_id = ${portId}))::int as n`
      return row?.n ?? 0
    }
    expect(await count(port)).toBe(0)
    expect(await count(kept)).toBeGreaterThan(times.length)
  })

  test.if(server.name !== 'the full edition')(
    'hours and days of years ago are packed, and changed ones replaced',
    async () => {
      const { portIds } = await makeDevice(store, 1)
      const [port = 0] = portIds
      const { sql } = store
      for (const days of [120, 106, 92, 80])
        await sql`select ts.ensure_partitions('ts.port_1h', now() - ${days} * interval '1 day')`
      await sql`insert into ts.port_1h (bucket, port_id, n, period_ms, in_octets, in_octets_max)
      select date_bin('1 hour', now(), timestamptz '2000-01-03Z') - i * interval '1 hour', ${port}, 12, 3600000, i, i / 7.0
      from generate_series(80 * 24, 110 * 24) i`
      const all = async () => [
        ...(await sql`select bucket, n, period_ms, in_octets, in_octets_max, in_octets_min from ts.port_1h_stored where port_id = ${port} order by 1`),
      ]
      const before = await all()
      await round()
      await round()
      expect(
        (await sql`select from ts.port_1h where port_id = ${port} and bucket < now() - interval '92 days'`).length,
      ).toBe(0)
      expect(await all()).toEqual(before)
      const hour = before[40]?.['bucket'] as Date
      await sql`select ts.unpack_rows('ts.port_1h', ${[port]}, ${hour}, ${hour}::timestamptz + interval '1 hour')`
      await sql`update ts.port_1h set in_octets = 99 where port_id = ${port} and bucket = ${hour}`
      const changed = before.map((row) =>
        row['bucket'].getTime() === hour.getTime() ? { ...row, in_octets: 99 } : row,
      )
      expect(await all()).toEqual(changed)
      await round()
      expect(
        (await sql`select from ts.port_1h where port_id = ${port} and bucket < now() - interval '92 days'`).length,
      ).toBe(0)
      expect(await all()).toEqual(changed)
    },
  )
})
