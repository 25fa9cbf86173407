import { describe, expect, test } from 'bun:test'
import { billFigures } from '../../src/domain/billing/figures.ts'
import { billPoints, monthlyBars, trafficBars, usualFactor } from '../../src/domain/billing/graph-data.ts'
import { billingPeriod } from '../../src/domain/billing/period.ts'
import { type BillSample, billUsage } from '../../src/domain/billing/usage.ts'

const local = (text: string) => new Date(text).getTime() / 1000
const period = (billDay: number, at: string, back?: number) => {
  const { fromS, toS } = billingPeriod(billDay, local(at), back)
  return [new Date(fromS * 1000), new Date(toS * 1000)]
}
const dates = (from: string, to: string) => [new Date(`${from}T00:00:00`), new Date(`${to}T23:59:59`)]

describe('the period of a bill', () => {
  test.each([
    {
      name: 'after the bill day: began this month',
      day: 5,
      at: '2026-08-06T00:00:00',
      want: dates('2026-08-05', '2026-09-04'),
    },
    {
      name: 'on the bill day the old one is current',
      day: 5,
      at: '2026-08-05T23:59:59',
      want: dates('2026-07-05', '2026-08-04'),
    },
    { name: 'before the bill day', day: 5, at: '2026-08-01T12:00:00', want: dates('2026-07-05', '2026-08-04') },
    { name: 'over the new year', day: 20, at: '2026-01-03T12:00:00', want: dates('2025-12-20', '2026-01-19') },
    {
      name: 'a day that the month does not have',
      day: 31,
      at: '2026-03-02T12:00:00',
      want: dates('2026-03-03', '2026-03-30'),
    },
  ])('$name', ({ day, at, want }) => {
    expect(period(day, at)).toEqual(want)
  })

  test('earlier periods follow each other without a gap', () => {
    expect(period(1, '2026-10-15T00:00:00', 1)).toEqual(dates('2026-09-01', '2026-09-30'))
    expect(period(1, '2026-10-15T00:00:00', 2)).toEqual(dates('2026-08-01', '2026-08-31'))
  })
})

/** 5-minute samples; sample i carried `octets(i)` in and a tenth of that out. */
const samples = (n: number, octets: (i: number) => number): BillSample[] =>
  Array.from({ length: n }, (_, i) => ({
    timeS: 1_800_000_000 + i * 300,
    periodS: 300,
    inOctets: octets(i),
    outOctets: octets(i) / 10,
  }))

describe('figures of a bill', () => {
  test('the 95th percentile of 100 samples is the 94th: index round(95) - 2', () => {
    // sample i: (i + 1) * 3750 octets in 300 s, that is (i + 1) * 100 bit/s
    const usage = billUsage(
      samples(100, (i) => (i + 1) * 3750),
      'in',
    )
    expect(usage).toMatchObject({ rate95thIn: 9400, rate95thOut: 940, rate95th: 9400, dir95th: 'in' })
    expect(usage).toMatchObject({ totalIn: 5050 * 3750, totalOut: 505 * 3750, averageIn: 5050, averageOut: 505 })
    expect(usage).toMatchObject({ peakIn: 375_000, peakOut: 37_500 })
  })

  test('agg is the percentile of both directions together', () => {
    expect(
      billUsage(
        samples(100, (i) => (i + 1) * 3750),
        'agg',
      ),
    ).toMatchObject({ rate95th: 10_340, dir95th: 'agg' })
  })

  test('the larger direction is used; in on a tie', () => {
    const out = samples(3, () => 3000).map((s) => ({ ...s, inOctets: 0 }))
    expect(billUsage(out, 'in')).toMatchObject({ dir95th: 'out', rate95th: 8 })
    expect(billUsage([], 'out')).toMatchObject({ dir95th: 'in', rate95th: 0, averageIn: 0 })
  })

  test('samples within the same 5 minutes give one rate, and a first sample without a period gives none', () => {
    const at = (timeS: number, periodS: number, octets: number) => ({ timeS, periodS, inOctets: octets, outOctets: 0 })
    const usage = billUsage([at(0, 0, 999), at(300, 100, 1000), at(400, 300, 1000)], 'in')
    expect(usage).toMatchObject({ rate95thIn: 40, totalIn: 2999 })
  })
})

test.each([
  { type: 'cdr', limit: 1e7, used: 129_963_765, want: ['10 Mbps', '129.96 Mbps', 1299.64, '119.96 M'] },
  { type: 'cdr', limit: 0, used: 0, want: ['0 bps', '0 bps', '-', '-'] },
  { type: 'quota', limit: 2e12, used: 1e9, want: ['2 TB', '1 GB', 0.05, '-'] },
  { type: 'quota', limit: 1000, used: 2500, want: ['1 kB', '2.5 kB', 250, '1.5 kB'] },
] as const)('figures of $type, $used of $limit', ({ want, ...account }) => {
  const { allowed, used, percent, overuse } = billFigures(account, 1000)
  expect([allowed, used, percent, overuse]).toEqual([...want])
})

test('octets with binary prefixes', () => {
  expect(billFigures({ type: 'quota', limit: 2 ** 40, used: 1536 }, 1024)).toMatchObject({
    allowed: '1 TiB',
    used: '1.5 KiB',
  })
})

describe('points of a graph', () => {
  test('each point of three samples, and a remainder with traffic', () => {
    const points = billPoints(
      samples(7, (i) => (i + 1) * 3750),
      3,
    )
    expect(points).toMatchObject({
      in_data: [200, 500, 700],
      out_data: [20, 50, 70],
      tot_data: [220, 550, 770],
      ticks: [1_800_000_600, 1_800_001_500, 1_800_001_800],
      first: 1_800_000_000,
      last: 1_800_001_800,
    })
    expect(points).toMatchObject({ max_in: 700, max_out: 70, ave_in: 400, ave_out: 40, last_in: 700, last_out: 70 })
  })

  test('a remainder without inbound traffic is omitted; no samples give no statistics', () => {
    expect(
      billPoints(
        samples(4, (i) => (i < 3 ? 3750 : 0)),
        3,
      ).in_data,
    ).toEqual([100])
    expect(billPoints([], 1)).toEqual({ first: null, last: null, in_data: [], out_data: [], tot_data: [], ticks: [] })
  })

  test('the default factor gives at least 400 points', () => {
    expect([usualFactor(0, 86_400), usualFactor(0, 31 * 86_400), usualFactor(5, 5)]).toEqual([1, 22, 1])
  })
})

test('bars by day: future days are empty and not averaged; the average is listed once more than the bars', () => {
  const bars = [
    { label: '2026-08-01', in: 100, out: 50 },
    { label: '2026-08-02', in: 50, out: 0 },
    { label: '', in: 0, out: 0 },
  ]
  expect(trafficBars('August', bars)).toMatchObject({ tot_data: [150, 50, 0], ave_data: [100, 100, 100, 100] })
})

test('there are twelve monthly bars', () => {
  const bars = monthlyBars('Bill', [{ label: 'July', in: 1, out: 2, used: 3, allowed: 2, overuse: 1 }])
  expect(bars.tot_data).toEqual([3, ...Array<number>(11).fill(0)])
  expect(bars).toMatchObject({
    ave_data: Array<number>(12).fill(3),
    ticklabels: ['July', ...Array<string>(11).fill('')],
  })
})
