import { describe, expect, test } from 'bun:test'
import { SYSTEM_STATS, statPosition } from '../../src/lib/system-stats.ts'
import { supplyPercent } from '../../src/modules/printer-supplies/poll.ts'
import { type StatBaseline, type StatReading, statRow } from '../../src/modules/system-stats/rates.ts'

const reading = (time: number, known: Readonly<Record<string, number>>): StatReading => {
  const values = new Float64Array(SYSTEM_STATS.length).fill(Number.NaN)
  for (const [name, value] of Object.entries(known)) values[statPosition(name)] = value
  return { time, values }
}
const after60s = (before: Record<string, number>, now: Record<string, number>) => {
  const { baseline } = statRow(null, reading(0, before))
  const { row } = statRow(baseline, reading(60_000, now))
  return (name: string): number => row[statPosition(name)] as number
}

describe('statistics of a device', () => {
  test('counters become rates, gauges stay in their unit', () => {
    const row = after60s({ ipInReceives: 100 }, { ipInReceives: 700, load1: 152, hrSystemProcesses: 94 })
    expect(row('ipInReceives')).toBe(10)
    expect(row('load1')).toBeCloseTo(1.52)
    expect(row('hrSystemProcesses')).toBe(94)
  })
  test('at the first poll gauges are known, counters are not', () => {
    const { row } = statRow(null, reading(0, { ipInReceives: 5, load1: 100 }))
    expect(row[statPosition('ipInReceives')]).toBeNaN()
    expect(row[statPosition('load1')]).toBe(1)
  })
  test('a 32-bit counter wraps; a decreased 64-bit or low counter means a restart', () => {
    const row = after60s(
      { ipInReceives: 2 ** 32 - 60, udpInDatagrams: 1000, ipv4InReceives: 2 ** 40 },
      { ipInReceives: 0, udpInDatagrams: 10, ipv4InReceives: 7 },
    )
    expect(row('ipInReceives')).toBe(1)
    expect(row('udpInDatagrams')).toBeNaN()
    expect(row('ipv4InReceives')).toBeNaN()
  })
  test('an agent that refreshes its counters every other poll has a steady rate, with unknown polls in between', () => {
    let baseline: StatBaseline | null = null
    const rates: number[] = []
    for (let poll = 0; poll <= 6; poll++) {
      // refreshed once a minute, polled every 30 seconds; udp is read from the kernel at every poll
      const found = { ipInReceives: 600 * Math.floor(poll / 2), ipInDiscards: 0, udpInDatagrams: 30 * poll }
      const result = statRow(baseline, reading(poll * 30_000, found))
      baseline = result.baseline
      rates.push(result.row[statPosition('ipInReceives')] as number)
      if (poll > 0) expect(result.row[statPosition('udpInDatagrams')]).toBe(1)
    }
    const { NaN: unknown } = Number
    expect(rates).toEqual([unknown, unknown, 10, unknown, 10, unknown, 10])
  })
  test('a counter that stands still for two minutes has a rate of 0', () => {
    let baseline: StatBaseline | null = null
    const rates: number[] = []
    for (const at of [0, 60_000, 120_000, 180_000, 480_000]) {
      const result = statRow(baseline, reading(at, { ipv6InReceives: 5 }))
      baseline = result.baseline
      rates.push(result.row[statPosition('ipv6InReceives')] as number)
    }
    const { NaN: unknown } = Number
    expect(rates).toEqual([unknown, unknown, 0, unknown, 0])
  })
  test('shares of processor time add up to 100; parts of System are not counted twice', () => {
    const zero = { ssCpuRawUser: 0, ssCpuRawSystem: 0, ssCpuRawKernel: 0, ssCpuRawSoftIRQ: 0, ssCpuRawIdle: 0 }
    const row = after60s(zero, {
      ssCpuRawUser: 2000,
      ssCpuRawSystem: 1000,
      ssCpuRawKernel: 900,
      ssCpuRawSoftIRQ: 100,
      ssCpuRawIdle: 3000,
    })
    expect(row('ssCpuRawUser') + row('ssCpuRawSystem') + row('ssCpuRawIdle')).toBeCloseTo(100)
    expect(row('ssCpuRawIdle')).toBe(50)
  })
  test('each has its own position and OID', () => {
    const oids = SYSTEM_STATS.flatMap((s) => (s.kind === 'own' ? [] : [s.oid]))
    expect(new Set(oids).size).toBe(oids.length)
    expect(oids.every((oid) => /^1(\.\d+)+$/.test(oid))).toBe(true)
    expect(new Set(SYSTEM_STATS.map((s) => s.name)).size).toBe(SYSTEM_STATS.length)
  })
})

test.each([
  { name: 'half full', level: 5000, capacity: 10_000, want: 50 },
  { name: 'a percentage if no capacity is reported', level: 70, capacity: null, want: 70 },
  { name: 'unknown (-2)', level: -2, capacity: 100, want: null },
  { name: 'at least one (-3)', level: -3, capacity: 100, want: null },
  { name: 'above its capacity', level: 300, capacity: 100, want: null },
])('a supply: $name', ({ level, capacity, want }) => {
  expect(supplyPercent(level, capacity)).toBe(want)
})
