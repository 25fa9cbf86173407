import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { billingPeriod } from '../../../src/core/bills/period.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { type TestDatabase, testDatabase, testServers } from '../../support/database.ts'
import { batch, portSamples } from '../../support/samples.ts'
import { bill, makeBill, makePorts, type Sample, shown, store } from './support.ts'

setDefaultTimeout(300_000)

/** mulberry32: a run can be repeated with RANDOM_SEED. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * A port's samples from `fromS` to `toS`: irregular periods, gaps, long samples, refused pairs, jitter of the clocks.
 */
function samplesOf(port: number, fromS: number, toS: number, random: () => number): Sample[] {
  const samples: Sample[] = []
  const level = 10 ** (2 + random() * 10)
  for (let endS = fromS + Math.floor(random() * 300); endS < toS; ) {
    const kind = random()
    const stepS =
      kind < 0.002 ? 3600 + random() * 20_000 : kind < 0.01 ? 900 * random() + 60 : 300 + (random() - 0.5) * 4
    endS = Math.round((endS + stepS) * 1000) / 1000
    if (random() < 0.004) endS += Math.round(random() * 7200)
    const periodS = Math.max(1, Math.round((stepS + (random() - 0.5) * 0.4) * 1000) / 1000)
    const refused = random() < 0.004
    const octets = () => Math.floor(level * random() ** 3 * (periodS / 300))
    samples.push({ port, endS, periodS, in: refused ? null : octets(), out: refused ? null : octets() })
  }
  return samples
}

/**
 * The figures of one period, calculated from the samples by definition: every 5 minutes with every sample that overlaps
 * them, exact decimals, and the percentile by row_number.
 */
const INDEPENDENT = `
  with grid as (select e from generate_series($2::bigint + 300, $3::bigint, 300) e),
  s as materialized (
    select port_id, round(extract(epoch from "time") * 1000) as t, period_ms::numeric as p, in_octets::numeric as i, out_octets::numeric as o
    from ts.port_samples_stored where port_id = any($1::int[]) and in_octets is not null),
  near as (
    select s.*, (floor(t / 300000)::bigint + k) * 300 as e from s, generate_series(-3, 1) k where p <= 900000
    union all select s.*, e from s, grid where p > 900000),
  part as (
    select e, port_id, i, o, p, least(p, greatest(0, e * 1000 - (t - p))) as till,
      least(p, greatest(0, (e - 300) * 1000 - (t - p))) as since
    from near join grid using (e) where e * 1000 > t - p and (e - 300) * 1000 < t),
  port as (
    select e, port_id, sum(floor(i * till / p) - floor(i * since / p)) as i, sum(floor(o * till / p) - floor(o * since / p)) as o,
      sum(till - since) as ms from part group by e, port_id),
  bucket as (
    select e, sum(i) as i, sum(o) as o, round(max(case when ms > 290000 then 300000 else ms end) / 1000) as s from port group by e),
  place as (select greatest(0, round(count(*) * 0.95) - 2) + 1 as n from bucket where s > 0),
  rates as (
    select row_number() over (order by i / s) as ni, row_number() over (order by o / s) as no,
      row_number() over (order by (i + o) / s) as nb, round(i * 8 / s, 2) as ri, round(o * 8 / s, 2) as ro, round((i + o) * 8 / s, 2) as rb
    from bucket where s > 0),
  ranked as (
    select coalesce(max(ri) filter (where ni = n), 0) as r_in, coalesce(max(ro) filter (where no = n), 0) as r_out,
      coalesce(max(rb) filter (where nb = n), 0) as r_both from rates, place)
  select round(r_in)::float8 as "in", round(r_out)::float8 as "out", round(r_both)::float8 as "both", r_out > r_in as larger,
    (select coalesce(sum(i), 0)::float8 from bucket) as total_in, (select coalesce(sum(o), 0)::float8 from bucket) as total_out,
    (select coalesce(round(sum(i + o) * 8 / nullif(sum(s), 0)), 0)::float8 from bucket) as average,
    (select coalesce(max(i), 0)::float8 from bucket) as peak_in, (select coalesce(max(o), 0)::float8 from bucket) as peak_out
  from ranked`

interface Independent {
  readonly in: number
  readonly out: number
  readonly both: number
  readonly larger: boolean
  readonly total_in: number
  readonly total_out: number
  readonly average: number
  readonly peak_in: number
  readonly peak_out: number
}

for (const server of testServers()) {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase(server.url)
  })
  afterAll(() => database.drop())

  const seed = Number(process.env['RANDOM_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  test.each([0, 1, 2, 3])(
    `${server.name}: a random month, counted as samples arrive, is what the samples say (seed ${seed} + %d)`,
    async (more) => {
      const random = randomOf(seed + more)
      const { store: db } = database
      const dir = (['in', 'out', 'agg'] as const)[Math.floor(random() * 3)] ?? 'in'
      const day = 1 + Math.floor(random() * 31)
      const anyS = Date.UTC(2024, 0, 2) / 1000 + Math.floor(random() * 700) * 86_400 + 43_200
      const { fromS, toS } = billingPeriod(day, anyS)
      const ports = await makePorts(
        db,
        Array.from({ length: 1 + Math.floor(random() * 3) }, () => 1e12),
      )
      const all = ports.flatMap((port) => samplesOf(port, fromS - 3600, toS + 7200, random))
      const id = await makeBill(db, ports, { day, dir, type: 'quota', limit: 1e15 })
      // several runs; a tenth of the samples arrives one or more runs late, and is noted as the writer does it
      const runs = Array.from({ length: 6 }, (_, i) => fromS + Math.round(((toS + 1 - fromS) * (i + 1)) / 6) + 43_200)
      const arrival = (sample: Sample) => sample.endS + (random() < 0.1 ? random() * 20 * 86_400 : 0)
      const arrives = new Map(all.map((sample) => [sample, Math.min(arrival(sample), (runs.at(-1) ?? 0) - 1)]))
      let beforeS = 0
      for (const nowS of runs) {
        const fresh = all.filter((sample) => (arrives.get(sample) ?? 0) >= beforeS && (arrives.get(sample) ?? 0) < nowS)
        await store(db, fresh)
        const late = fresh.filter((sample) => sample.endS - sample.periodS < beforeS)
        for (const port of ports) {
          const own = late.filter((sample) => sample.port === port)
          if (own.length === 0 || beforeS === 0) continue
          await db.sql`insert into bill_late values (${port},
          to_timestamp(${Math.min(...own.map((s) => s.endS - s.periodS))}), to_timestamp(${Math.max(...own.map((s) => s.endS))}))`
        }
        await bill(db, nowS, 168)
        beforeS = nowS
      }
      const [want] = await db.sql.unsafe<Independent[]>(INDEPENDENT, [`{${ports.join()}}`, fromS, toS + 1])
      const { history } = await shown(db, id)
      const got = history.find((period) => period.from_s === fromS)
      if (want === undefined || got === undefined) throw new Error('no figures')
      expect({ ...got, traf: [got.traf_in, got.traf_out] }).toMatchObject({
        rate_95th_in: want.in,
        rate_95th_out: want.out,
        rate_95th: dir === 'agg' ? want.both : Math.max(want.in, want.out),
        dir_95th: dir === 'agg' ? 'agg' : want.larger ? 'out' : 'in',
        rate_average: want.average,
        traf: [want.total_in, want.total_out],
        bill_used: want.total_in + want.total_out,
        bill_peak_in: want.peak_in,
        bill_peak_out: want.peak_out,
      })
      expect(want.total_in).toBeGreaterThan(0)
      await db.sql`delete from bills`
    },
  )

  test(`${server.name}: samples that arrive in any order give the same bill`, async () => {
    const random = randomOf(seed + 100)
    const { store: db } = database
    const ports = await makePorts(db, [1e9, 1e9, 1e9])
    const nowS = Math.floor(Date.now() / 300_000) * 300
    const day = new Date((nowS - 4 * 86_400) * 1000).getDate()
    const id = await makeBill(db, ports, { day })
    const made = ports.flatMap((port) => samplesOf(port, nowS - 3 * 86_400, nowS - 1800, random))
    // the last sample may be long or late, and the last ten minutes are not counted yet
    const waiting = made.filter(({ endS }) => endS <= nowS - 600)
    while (waiting.length > 0) {
      const now = waiting.splice(0, 1 + Math.floor(random() * 700))
      const ahead = now.filter(() => random() < 0.7)
      waiting.push(...now.filter((sample) => !ahead.includes(sample)))
      await writeSamples(
        db,
        batch({
          ports: portSamples(
            ahead.map((s) => ({
              portId: s.port,
              time: Math.round(s.endS * 1000),
              periodMs: Math.round(s.periodS * 1000),
              deltas: s.in === null ? {} : { in_octets: s.in, out_octets: s.out ?? 0 },
            })),
          ),
        }),
      )
      await bill(db, nowS)
    }
    const [want] = await db.sql<{ i: number; o: number }[]>`
      select sum(in_octets)::float8 as i, sum(out_octets)::float8 as o from ts.port_samples_stored
      where port_id = any(${ports}::int[])`
    expect((await shown(db, id)).record).toMatchObject({ total_data_in: want?.i, total_data_out: want?.o })
    await db.sql`delete from bills`
  })
}
