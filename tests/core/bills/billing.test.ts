import { afterEach, describe, expect, test } from 'bun:test'
import { billFigures } from '../../../src/core/bills/figures.ts'
import { billPoints, monthlyBars, trafficBars, usualFactor } from '../../../src/core/bills/graph-data.ts'
import { billingPeriod } from '../../../src/core/bills/period.ts'
import { batchesOf, type CountedBill, spansOf } from '../../../src/core/bills/spans.ts'
import type { BillSample } from '../../../src/core/bills/usage.ts'

const local = (text: string) => new Date(text).getTime() / 1000
const period = (billDay: number, at: string, back?: number) => {
  const { fromS, toS } = billingPeriod(billDay, local(at), back)
  return [new Date(fromS * 1000), new Date(toS * 1000)]
}
const dates = (from: string, to: string) => [new Date(`${from}T00:00:00`), new Date(`${to}T23:59:59`)]

describe('the period of a bill', () => {
  test.each([
    {
      name: 'after the bill day: the period began this month',
      day: 5,
      at: '2026-08-06T00:00:00',
      want: dates('2026-08-05', '2026-09-04'),
    },
    {
      name: 'on the bill day the old period is current',
      day: 5,
      at: '2026-08-05T23:59:59',
      want: dates('2026-07-05', '2026-08-04'),
    },
    { name: 'before the bill day', day: 5, at: '2026-08-01T12:00:00', want: dates('2026-07-05', '2026-08-04') },
    { name: 'across the new year', day: 20, at: '2026-01-03T12:00:00', want: dates('2025-12-20', '2026-01-19') },
    {
      name: '31 on the last day of January',
      day: 31,
      at: '2026-01-31T12:00:00',
      want: dates('2025-12-31', '2026-01-30'),
    },
    { name: '31 in February', day: 31, at: '2026-02-15T12:00:00', want: dates('2026-01-31', '2026-03-02') },
    {
      name: '31 before the day that rolled over',
      day: 31,
      at: '2026-03-02T12:00:00',
      want: dates('2026-01-31', '2026-03-02'),
    },
    {
      name: '31 on the day that rolled over',
      day: 31,
      at: '2026-03-03T12:00:00',
      want: dates('2026-01-31', '2026-03-02'),
    },
    {
      name: '31 after the day that rolled over',
      day: 31,
      at: '2026-03-04T12:00:00',
      want: dates('2026-03-03', '2026-03-30'),
    },
    { name: '31 on 1 May, the 31 April', day: 31, at: '2026-05-01T12:00:00', want: dates('2026-03-31', '2026-04-30') },
    { name: '30 in February', day: 30, at: '2026-02-20T12:00:00', want: dates('2026-01-30', '2026-03-01') },
    { name: '29 in a leap year', day: 29, at: '2024-03-01T12:00:00', want: dates('2024-02-29', '2024-03-28') },
    { name: '29 in another year', day: 29, at: '2026-03-02T12:00:00', want: dates('2026-03-01', '2026-03-28') },
    { name: '28 in February', day: 28, at: '2026-03-01T12:00:00', want: dates('2026-02-28', '2026-03-27') },
  ])('$name', ({ day, at, want }) => {
    expect(period(day, at)).toEqual(want)
  })

  test('earlier periods follow each other without a gap', () => {
    expect(period(1, '2026-10-15T00:00:00', 1)).toEqual(dates('2026-09-01', '2026-09-30'))
    expect(period(1, '2026-10-15T00:00:00', 2)).toEqual(dates('2026-08-01', '2026-08-31'))
  })
})

describe('the clock changes', () => {
  const zone = process.env['TZ']
  afterEach(() => {
    // Etc/UTC is the zone of `bun test`; deleting the variable would leave the last zone in effect
    process.env['TZ'] = zone ?? 'Etc/UTC'
  })

  test.each([
    // hours: 31 x 24, one less in spring and one more in autumn
    { zone: 'Europe/Berlin', day: 1, at: '2026-03-15T12:00:00', from: '2026-02-28T23:00:00Z', hours: 743 },
    { zone: 'Europe/Berlin', day: 1, at: '2026-10-15T12:00:00', from: '2026-09-30T22:00:00Z', hours: 745 },
    { zone: 'Europe/Berlin', day: 1, at: '2026-12-15T12:00:00', from: '2026-11-30T23:00:00Z', hours: 744 },
    { zone: 'America/New_York', day: 8, at: '2026-03-20T12:00:00', from: '2026-03-08T05:00:00Z', hours: 743 },
    // the clock goes from 0:00 to 1:00: the bill day begins at 1:00
    { zone: 'America/Havana', day: 8, at: '2026-03-20T12:00:00', from: '2026-03-08T05:00:00Z', hours: 743 },
    // summer time differs by half an hour
    { zone: 'Australia/Lord_Howe', day: 1, at: '2026-04-15T12:00:00', from: '2026-03-31T13:00:00Z', hours: 720.5 },
    { zone: 'Asia/Kathmandu', day: 1, at: '2026-04-15T12:00:00', from: '2026-03-31T18:15:00Z', hours: 720 },
  ])('$zone, period of $at', (one) => {
    process.env['TZ'] = one.zone
    const { fromS, toS } = billingPeriod(one.day, local(one.at))
    expect(new Date(fromS * 1000)).toEqual(new Date(one.from))
    expect((toS + 1 - fromS) / 3600).toBe(one.hours)
    expect(fromS % 300).toBe(0)
  })

  test('for any bill day and any day, periods are contiguous and the current one has begun', () => {
    process.env['TZ'] = 'Europe/Berlin'
    for (let billDay = 1; billDay <= 31; billDay++) {
      for (let day = 0; day < 800; day++) {
        const nowS = local('2024-01-01T12:00:00') + day * 86_400
        const [current, before] = [billingPeriod(billDay, nowS), billingPeriod(billDay, nowS, 1)]
        if (!(current.fromS < nowS && nowS <= current.toS + 86_401 && before.toS + 1 === current.fromS)) {
          throw new Error(`day ${billDay} on ${new Date(nowS * 1000)}`)
        }
      }
    }
  })
})

describe('what a run counts', () => {
  const upTo = { nowS: 1_800_000_660, keptS: 0, recountS: 1800 }
  const counted = {
    billId: 1,
    billDay: 1,
    ports: 1,
    intervalS: 300,
    uptoS: 1_800_000_000,
    fromS: null,
    newestS: null,
    lateFromS: null,
    lateToS: null,
  }
  const spans = (more: Partial<CountedBill>, nowS = upTo.nowS) =>
    spansOf({ ...counted, ...more }, { ...upTo, nowS }).map(({ fromS, toS }) => [
      fromS - 1_800_000_000,
      toS - 1_800_000_000,
    ])

  test.each([
    ['new buckets, and those of the last half hour again', {}, [[-1500, 300]]],
    ['nothing before the next bucket', { uptoS: 1_800_000_300 }, []],
    ['all since the last run', { uptoS: 1_799_990_400 }, [[-9600, 300]]],
    ['a slow device is waited for', { intervalS: 600, uptoS: 1_799_999_700 }, [[-1800, 0]]],
    ['but not longer than 15 minutes', { intervalS: 86_400, uptoS: 1_799_999_400 }, [[-2100, -300]]],
    [
      'only late samples',
      { lateFromS: 1_799_990_100, lateToS: 1_799_990_401 },
      [
        [-9900, -9300],
        [-1500, 300],
      ],
    ],
    ['late samples until now', { lateFromS: 1_799_990_101, lateToS: 1_800_000_500 }, [[-9900, 300]]],
    [
      'late samples without a new bucket',
      { uptoS: 1_800_000_300, lateFromS: 1_799_990_101, lateToS: 1_799_990_300 },
      [
        [-9900, -9600],
        [-1500, 300],
      ],
    ],
    [
      'nothing before the first count',
      { fromS: 1_799_999_400, lateFromS: 1_799_990_101, lateToS: 1_799_990_300 },
      [[-600, 300]],
    ],
    ['an import continues after its newest row', { uptoS: null, newestS: 1_799_999_402 }, [[-300, 300]]],
  ] as const)('%s', (_, more, want) => {
    expect(spans(more)).toEqual(want.map((span) => [...span]))
  })

  test('work is divided into bounded statements, with each bill at most once in each', () => {
    const batches = batchesOf(
      [
        { billId: 1, fromS: 0, toS: 300_000 },
        { billId: 2, fromS: 0, toS: 600 },
        { billId: 3, fromS: 0, toS: 600 },
      ],
      (billId) => (billId === 1 ? 1000 : 10),
    )
    expect(batches.map((batch) => batch.map(({ billId, fromS, toS }) => [billId, fromS, toS]))).toEqual([
      ...Array.from({ length: 6 }, (_, i) => [[1, i * 45_000, (i + 1) * 45_000]]),
      [
        [1, 270_000, 300_000],
        [2, 0, 600],
        [3, 0, 600],
      ],
    ])
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
  test('points of three samples each, and a remainder with traffic', () => {
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

test('bars by day: future days are empty and not averaged; there is one more average than bars', () => {
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
