import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { connect } from '../../../src/core/database/client.ts'
import { kindSeries, portSeries, type SeriesData } from '../../../src/core/series/read.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { maintain } from '../../../src/core/series/write-roll-ups.ts'
import { DEVICE_BITS, portGraph } from '../../../src/graphs/catalogue/ports.ts'
import { multiportGraph, readMultiport } from '../../../src/graphs/multiport.ts'
import { storedSeries } from '../../../src/graphs/store-source.ts'
import { traces } from '../../../src/graphs/trace.ts'
import { testDatabase, testServers } from '../../support/database.ts'
import { batch, makeDevice, type PortSample, portSamples } from '../../support/samples.ts'

setDefaultTimeout(120_000)
const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 86_400
const RULE = { intervals: 3, intervalS: 300 }
const KEEP = { samplesDays: 30, hourlyDays: 400, dailyDays: 3650 }
/** Bucket widths that read samples, hours and days. */
const STEPS = [1, 47, 300, HOUR_S, 9 * HOUR_S, DAY_S, 9 * DAY_S]
const SETTINGS = { 'poller.interval': 300, 'ping.interval': 60, 'series.gap_intervals': 3 }

interface Reading {
  readonly fromS: number
  readonly toS: number
  readonly stepS: number
}

/** Legend of inbound and outbound traffic. */
function legendOf(data: SeriesData, type = portGraph('port_bits') ?? DEVICE_BITS) {
  return traces(type, data, false).map(({ statistics: { total, avg, max } }) => ({ total, avg, max }))
}

describe.each(testServers())('totals on $name', async ({ url }) => {
  const database = await testDatabase(url)
  const { store } = database
  const { sql } = store
  afterAll(() => database.drop())

  const read = (portIds: readonly number[], window: Reading) =>
    portSeries(store, portIds, window, RULE, ['in_octets', 'out_octets'])

  /** Stored octets and known seconds of samples that end in [fromS, toS). */
  async function stored(portId: number, fromS = 0, toS = 2 ** 33) {
    const [row] = await sql<{ total: number | null; knownS: number | null }[]>`
      select sum(in_octets)::float8 as total, sum(period_ms) filter (where in_octets is not null) / 1000.0::float8 as "knownS"
      from ts.port_samples_stored
      where port_id = ${portId} and "time" >= to_timestamp(${fromS}) and "time" < to_timestamp(${toS})`
    return { total: row?.total ?? null, knownS: row?.knownS ?? null }
  }

  /** Contiguous samples up to `endMs`, last first: their periods, following pauses, and octets. */
  function backwards(portId: number, endMs: number, steps: readonly Step[]): PortSample[] {
    let time = endMs
    return steps.map(({ periodMs, pauseMs, octets }) => {
      const sample = { portId, time, periodMs, deltas: octets === null ? {} : { in_octets: octets } }
      time -= periodMs + pauseMs
      return sample
    })
  }

  interface Step {
    readonly periodMs: number
    readonly pauseMs: number
    readonly octets: number | null
  }
  const step: fc.Arbitrary<Step> = fc.record({
    periodMs: fc.oneof(fc.integer({ min: 1, max: 700_000 }), fc.integer({ min: 1, max: 3 * HOUR_S * 1000 })),
    pauseMs: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 2 * DAY_S * 1000 })),
    octets: fc.option(fc.oneof(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 0, max: 2 ** 46 })), {
      freq: 6,
    }),
  })
  /** Parts of the time before and after the stored samples. */
  const shares = fc.array(fc.tuple(fc.nat(1000), fc.nat(1000), fc.constantFrom(...STEPS)), {
    minLength: 6,
    maxLength: 6,
  })

  /** Several ports in each round of housekeeping, which takes longer than all else. */
  const ofPorts = <T>(history: fc.Arbitrary<T>) => fc.array(history, { minLength: 5, maxLength: 5 })

  test('are the sum of the stored octets in every range that contains the data, at every level', async () => {
    const history = fc.record({
      old: fc.array(step, { minLength: 1, maxLength: 80 }),
      recent: fc.array(step, { maxLength: 5 }),
      ranges: shares,
    })
    await fc.assert(
      fc.asyncProperty(ofPorts(history), async (histories) => {
        const { portIds } = await makeDevice(store, histories.length)
        const ports = histories.map((one, i) => ({ ...one, portId: portIds[i] ?? 0 }))
        const nowMs = Date.now()
        const oldest = nowMs - 25 * DAY_S * 1000
        // the former are rolled up, the latter are the live tail of the roll-ups
        const hour = Math.floor(nowMs / (HOUR_S * 1000)) * HOUR_S * 1000
        const samples = ports.flatMap(({ portId, old }) =>
          backwards(portId, hour - 2 * HOUR_S * 1000, old).filter((s) => s.time > oldest),
        )
        await writeSamples(store, batch({ ports: portSamples(samples) }))
        await maintain(store, KEEP)
        const tails = ports.flatMap(({ portId, recent }) =>
          backwards(portId, nowMs - 2000, recent).filter((s) => s.time > hour),
        )
        await writeSamples(store, batch({ ports: portSamples(tails) }))
        for (const { portId, ranges } of ports) {
          const { total, knownS } = await stored(portId)
          const times = [...samples, ...tails].filter((s) => s.portId === portId).map((s) => s.time)
          const firstS = Math.floor(Math.min(...times) / 1000)
          const lastS = Math.floor(Math.max(...times) / 1000) + 1
          const seen = []
          for (const [before, after, stepS] of ranges) {
            const fromS = firstS - Math.floor((before / 1000) ** 3 * 399 * DAY_S)
            const toS = lastS + Math.floor((after / 1000) * DAY_S)
            const [into] = legendOf(await read([portId], { fromS, toS, stepS }))
            seen.push({ total: into?.total, right: near(into?.avg, total, knownS) })
          }
          expect(seen).toEqual(ranges.map(() => ({ total, right: true })))
        }
      }),
      { numRuns: 5 },
    )
  })

  test('of a range within the data are those of the samples that end in it', async () => {
    const history = fc.record({ steps: fc.array(step, { minLength: 2, maxLength: 80 }), ranges: shares })
    await fc.assert(
      fc.asyncProperty(ofPorts(history), async (histories) => {
        const { portIds } = await makeDevice(store, histories.length)
        const endS = Math.floor(Date.now() / HOUR_S / 1000) * HOUR_S - 2 * HOUR_S
        const ports = histories.map(({ steps, ranges }, i) => {
          const portId = portIds[i] ?? 0
          const samples = backwards(portId, endS * 1000, steps)
          return { portId, ranges, samples: samples.filter((s) => s.time > (endS - 25 * DAY_S) * 1000) }
        })
        await writeSamples(store, batch({ ports: portSamples(ports.flatMap(({ samples }) => samples)) }))
        await maintain(store, KEEP)
        for (const { portId, samples, ranges } of ports) {
          const startS = Math.floor(Math.min(...samples.map((s) => s.time - s.periodMs)) / 1000)
          const at = (share: number) => startS + Math.floor((share / 1000) * (endS + 1 - startS))
          for (const [a, b, stepS] of ranges)
            await expectParts(portId, { fromS: at(Math.min(a, b)), toS: at(Math.max(a, b)) + 1, stepS })
        }
      }),
      { numRuns: 3 },
    )
  })

  /** The whole range and its parts: nothing is lost or counted twice between them. */
  async function expectParts(portId: number, { fromS, toS, stepS }: Reading): Promise<void> {
    const middleS = Math.floor((fromS + toS) / 2)
    const totals = []
    for (const part of [
      { fromS, toS },
      { fromS, toS: middleS },
      { fromS: middleS, toS },
    ]) {
      const [into] = part.toS > part.fromS ? legendOf(await read([portId], { ...part, stepS })) : []
      const want = await stored(portId, part.fromS, part.toS)
      expect({ part, stepS, total: into?.total ?? null }).toEqual({ part, stepS, total: want.total })
      if (want.total !== null) expect(near(into?.avg, want.total, want.knownS)).toBe(true)
      totals.push(into?.total ?? 0)
    }
    expect(totals[0]).toBe((totals[1] ?? 0) + (totals[2] ?? 0))
  }

  /** Writes a sample every 5 minutes from `startS` with these octets; null: unknown. */
  async function each5Minutes(portId: number, startS: number, octets: readonly (number | null)[]): Promise<void> {
    const samples = octets.map((one, i): PortSample => {
      const deltas = one === null ? {} : { in_octets: one, out_octets: 2 * one }
      return { portId, time: (startS + (i + 1) * 300) * 1000, periodMs: 300_000, deltas }
    })
    await writeSamples(store, batch({ ports: portSamples(samples) }))
  }

  /** Start of the day three days ago. */
  const THEN_S = Math.floor(Date.now() / 1000 / DAY_S) * DAY_S - 3 * DAY_S
  const ODD = 123_456_789_012_345

  test('15 minutes of traffic are the same amount in a graph of 15 minutes and of a year', async () => {
    const [portId = 0] = (await makeDevice(store, 1)).portIds
    const nowS = Math.floor(Date.now() / 1000)
    await each5Minutes(portId, nowS - 15 * MINUTE_S - 2, [ODD, ODD + 1, ODD + 2])
    // the first sample may belong to an hour that is already rolled up
    await maintain(store, KEEP)
    for (const [agoS, stepS] of [
      [16 * MINUTE_S, 1],
      [DAY_S, 60],
      [31 * DAY_S, HOUR_S],
      [365 * DAY_S, 9 * HOUR_S],
      [3650 * DAY_S, 4 * DAY_S],
    ] as const) {
      const [into, out] = legendOf(await read([portId], { fromS: nowS - agoS, toS: nowS, stepS }))
      expect([into?.total, out?.total]).toEqual([3 * ODD + 3, 6 * ODD + 6])
      expect(into?.avg).toBeCloseTo((3 * ODD + 3) / 900, 0)
    }
  })

  test('a sample that ends with an hour counts in the next one, at every level', async () => {
    const [portId = 0] = (await makeDevice(store, 1)).portIds
    await each5Minutes(portId, THEN_S + HOUR_S - 900, [1, 20, 300, 4000])
    await maintain(store, KEEP)
    const total = async (fromS: number, toS: number, stepS: number) =>
      legendOf(await read([portId], { fromS, toS, stepS }))[0]?.total ?? null
    for (const stepS of STEPS) {
      expect(await total(THEN_S, THEN_S + HOUR_S, stepS)).toBe(21)
      expect(await total(THEN_S + HOUR_S, THEN_S + 2 * HOUR_S, stepS)).toBe(4300)
      expect(await total(THEN_S + HOUR_S, THEN_S + HOUR_S + 1, stepS)).toBe(300)
      expect(await total(THEN_S + HOUR_S - 1, THEN_S + HOUR_S, stepS)).toBeNull()
    }
  })

  test('without samples, an hour cut by the range counts in full', async () => {
    const [portId = 0] = (await makeDevice(store, 1)).portIds
    const oldS = THEN_S - 3 * DAY_S
    await each5Minutes(portId, oldS, [1, 20, 300, 4000])
    await maintain(store, KEEP)
    await maintain(store, { ...KEEP, samplesDays: 3 })
    // the reach of each level is cached for a minute per connection
    const other = connect(database.url, { max: 1 })
    try {
      for (const stepS of STEPS) {
        const window = { fromS: oldS + 700, toS: oldS + 1000, stepS }
        const [into] = legendOf(await portSeries(other, [portId], window, RULE, ['in_octets']))
        expect([into?.total, into?.avg]).toEqual([4321, 4321 / 1200])
      }
    } finally {
      await other.close()
      await maintain(store, KEEP)
    }
  })

  test('of several ports are their sum, even if one is unknown for a while', async () => {
    const { portIds } = await makeDevice(store, 3)
    const [a = 0, b = 0, c = 0] = portIds
    await each5Minutes(a, THEN_S, [100, 200, 300])
    await each5Minutes(b, THEN_S, [1000, null, 3000])
    await each5Minutes(c, THEN_S + 100, [50_000])
    await maintain(store, KEEP)
    for (const stepS of STEPS) {
      const window = { fromS: THEN_S, toS: THEN_S + DAY_S, stepS }
      const [into, out] = legendOf(await read(portIds, window), DEVICE_BITS)
      expect([into?.total, out?.total, into?.avg]).toEqual([54_600, 109_200, 54_600 / 900])
      const names = ['a', 'b', 'c']
      const source = storedSeries(store, { get: (name) => SETTINGS[name] })
      const stack = legendOf(await readMultiport(source, portIds, window), multiportGraph(names))
      expect(stack.map((line) => line.total)).toEqual([600, 1200, 4000, 8000, 50_000, 100_000, 54_600, 109_200])
    }
  })

  test('a sample over a gap is not drawn, but counts', async () => {
    const [portId = 0] = (await makeDevice(store, 1)).portIds
    const sample = (endS: number, periodS: number, octets: number): PortSample => ({
      portId,
      time: (THEN_S + endS) * 1000,
      periodMs: periodS * 1000,
      deltas: { in_octets: octets },
    })
    const samples = [sample(300, 300, 3000), sample(7500, 7200, 7_200_000), sample(7800, 300, 9000)]
    await writeSamples(store, batch({ ports: portSamples(samples) }))
    await maintain(store, KEEP)
    for (const stepS of STEPS) {
      const [into] = legendOf(await read([portId], { fromS: THEN_S, toS: THEN_S + DAY_S, stepS }))
      expect([into?.total, into?.avg]).toEqual([7_212_000, 7_212_000 / 7800])
    }
  })

  test('do not exist for gauges, whose average is weighted by known samples', async () => {
    const { deviceId, sensorId } = await makeDevice(store, 0)
    const at = (i: number, value: number) => ({ id: sensorId, time: (THEN_S + i * 300) * 1000, value })
    const cold = Array.from({ length: 11 }, (_, i) => at(i + 1, 20))
    await writeSamples(store, batch({ sensors: [...cold, at(12, Number.NaN), at(13, 80)] }))
    await maintain(store, KEEP)
    for (const stepS of STEPS) {
      const window = { fromS: THEN_S, toS: THEN_S + DAY_S, stepS }
      const data = await kindSeries(store, 'sensor', { deviceId, class: 'temperature' }, window, RULE)
      const [inlet] = legendOf(data, { ...DEVICE_BITS, elements: 'lines' })
      expect(inlet?.total).toBeNull()
      expect(inlet?.avg).toBeCloseTo((11 * 20 + 80) / 12, 6)
    }
  })
})

/** Whether an average equals the octets over the known seconds, or both are unknown. */
function near(avg: number | null | undefined, total: number | null, knownS: number | null): boolean {
  if (total === null || knownS === null) return avg === null
  const want = total / knownS
  return typeof avg === 'number' && Math.abs(avg - want) <= Math.abs(want) * 1e-9
}
