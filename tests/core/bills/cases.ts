import { at, type BillInput, type Sample } from './support.ts'

/** Figures computed by hand; missing members are not compared. */
export interface Wanted {
  readonly rate_95th_in?: number
  readonly rate_95th_out?: number
  readonly rate_95th?: number
  readonly dir_95th?: string
  readonly total_data_in?: number
  readonly total_data_out?: number
  readonly total_data?: number
  readonly rate_average_in?: number
  readonly rate_average_out?: number
  readonly rate_average?: number
}

export interface BillCase extends BillInput {
  readonly name: string
  /** Speeds of the bill's ports, bit/s; default: one port of 1 Gbit/s. */
  readonly speeds?: readonly (number | null)[]
  /** Local time; default: 2026-03-10 12:00. */
  readonly now?: string
  /** Samples; `port` is its position in the bill. */
  readonly samples?: readonly Sample[]
  /** Rows from another program, before anything was counted. */
  readonly imported?: readonly {
    readonly endS: number
    readonly periodS: number
    readonly in: number
    readonly out: number
  }[]
  readonly want: Wanted
  /** Columns of the current period's history row. */
  readonly history?: Readonly<Record<string, string | number | null>>
  /** Columns of the previous period's history row. */
  readonly previous?: Readonly<Record<string, string | number | null>>
  /** Rows with known time: end in seconds after 2026-03-10 00:00, seconds, octets in and out, unknown seconds. */
  readonly rows?: readonly (readonly number[])[]
}

/** Octets of 100 bit/s in 300 s. */
const O = 3750
const DAY = '2026-03-10 00:00'

/** Consecutive samples of 300 s beginning at `from`; sample i has `octets[i]` in and `out[i]` (default 0) out. */
function five(
  octets: readonly (number | null)[],
  more: { from?: string; port?: number; out?: readonly (number | null)[] } = {},
): Sample[] {
  const { from = DAY, port = 0, out = [] } = more
  return octets.map((value, i) => ({
    port,
    endS: at(from) + (i + 1) * 300,
    periodS: 300,
    in: value,
    out: value === null ? null : (out[i] ?? 0),
  }))
}

/** One sample: `start` and `end` in seconds after `from`. */
const one = (
  start: number,
  end: number,
  octets: number | null,
  more: { from?: string; port?: number; out?: number } = {},
): Sample => ({
  port: more.port ?? 0,
  endS: at(more.from ?? DAY) + end,
  periodS: end - start,
  in: octets,
  out: octets === null ? null : (more.out ?? 0),
})

/** `n` samples: the i-th (from 1) has i times 100 bit/s. */
const rising = (n: number) => Array.from({ length: n }, (_, i) => (i + 1) * O)

export const PERCENTILES: readonly BillCase[] = [
  { name: 'no samples', want: { rate_95th: 0, dir_95th: 'in', total_data: 0, rate_average: 0 }, rows: [] },
  { name: 'no ports', speeds: [], want: { rate_95th: 0, dir_95th: 'in', total_data: 0, rate_average: 0 }, rows: [] },
  {
    name: 'one sample: round(0.95) - 2 is below 0, so it is the first',
    samples: five([O], { out: [O / 10] }),
    want: { rate_95th_in: 100, rate_95th_out: 10, rate_95th: 100, total_data: 4125, rate_average: 110 },
    rows: [[300, 300, O, 375, 0]],
  },
  {
    name: 'two samples: round(1.9) - 2 = 0, the lower',
    samples: five([2 * O, O]),
    want: { rate_95th: 100, rate_average: 150 },
  },
  { name: 'three: round(2.85) - 2 = 1, the second', samples: five(rising(3)), want: { rate_95th: 200 } },
  {
    name: 'ten: round(9.5) is 10, half away from zero; 8: the ninth',
    samples: five(rising(10)),
    want: { rate_95th: 900 },
  },
  { name: 'nineteen: round(18.05) - 2 = 16, the seventeenth', samples: five(rising(19)), want: { rate_95th: 1700 } },
  { name: 'twenty: 19 - 2 = 17, the eighteenth', samples: five(rising(20)), want: { rate_95th: 1800 } },
  { name: 'twenty-one: round(19.95) - 2 = 18, the nineteenth', samples: five(rising(21)), want: { rate_95th: 1900 } },
  { name: 'thirty: round(28.5) is 29; 27: the twenty-eighth', samples: five(rising(30)), want: { rate_95th: 2800 } },
  { name: 'a hundred: 95 - 2 = 93, the ninety-fourth', samples: five(rising(100)), want: { rate_95th: 9400 } },
  { name: 'the order of samples does not matter', samples: five(rising(100).reverse()), want: { rate_95th: 9400 } },
  {
    name: 'six peaks of a hundred are free, the seventh is billed',
    samples: five([...Array<number>(94).fill(O), ...Array<number>(6).fill(90 * O)]),
    want: { rate_95th: 100, rate_average: 634 }, // (94 x 100 + 6 x 9000) / 100
  },
  {
    name: 'seven peaks of a hundred: the lowest of them is the 95th',
    samples: five([...Array<number>(93).fill(O), 50 * O, ...Array<number>(6).fill(90 * O)]),
    want: { rate_95th: 5000 },
  },
  {
    name: 'rates are rounded to 2 places and then to whole bits per second',
    samples: five([1000, 1000, 1000]), // 26.666... bit/s
    want: { rate_95th: 27, rate_average: 27, total_data: 3000 },
  },
]

export const DIRECTIONS: readonly BillCase[] = [
  { name: 'a tie counts as in', samples: five([O], { out: [O] }), want: { rate_95th: 100, dir_95th: 'in' } },
  {
    name: 'a tie counts as in, even if out is set',
    dir: 'out',
    samples: five([O], { out: [O] }),
    want: { dir_95th: 'in' },
  },
  {
    name: 'the larger direction: out',
    samples: five([O], { out: [2 * O] }),
    want: { rate_95th: 200, dir_95th: 'out' },
  },
  {
    name: 'the larger direction: in, even if out is set',
    dir: 'out',
    samples: five([3 * O], { out: [2 * O] }),
    want: { rate_95th: 300, dir_95th: 'in' },
  },
  {
    name: 'agg is the percentile of both directions together, not the sum of two percentiles',
    dir: 'agg',
    // in 0, 3, 6 and out 6, 3, 0 hundred bit/s: 300 at position 1 in each direction, but always 600 together
    samples: five([0, 3 * O, 6 * O], { out: [6 * O, 3 * O, 0] }),
    want: { rate_95th_in: 300, rate_95th_out: 300, rate_95th: 600, dir_95th: 'agg' },
  },
  { name: 'agg stays agg without samples', dir: 'agg', want: { rate_95th: 0, dir_95th: 'agg' } },
]

export const LIMITS: readonly BillCase[] = [
  {
    name: 'cdr, exceeded',
    limit: 150,
    samples: five([2 * O]),
    want: { rate_95th: 200 },
    history: { bill_type: 'CDR', bill_allowed: 150, bill_used: 200, bill_overuse: 50, bill_percent: '133.33' },
  },
  {
    name: 'cdr, exactly',
    limit: 200,
    samples: five([2 * O]),
    want: {},
    history: { bill_overuse: 0, bill_percent: '100.00' },
  },
  {
    name: 'no limit',
    limit: 0,
    samples: five([2 * O]),
    want: {},
    history: { bill_overuse: 200, bill_percent: '0.00' },
  },
  {
    name: 'quota, exceeded',
    type: 'quota',
    limit: 10_000,
    samples: five([O, O], { out: [O, O] }),
    want: { total_data: 15_000 },
    history: {
      bill_type: 'Quota',
      bill_allowed: 10_000,
      bill_used: 15_000,
      bill_overuse: 5000,
      bill_percent: '150.00',
      traf_total: 15_000,
      traf_in: 7500,
    },
  },
  {
    name: 'quota, within',
    type: 'quota',
    limit: 30_000,
    samples: five([O, O], { out: [O, O] }),
    want: {},
    history: { bill_overuse: 0, bill_percent: '50.00' },
  },
  {
    name: 'a percentage too large for the column',
    limit: 1,
    samples: five([75_000_000_000]),
    want: { rate_95th: 2_000_000_000 },
    history: { bill_percent: '99999999.99' },
  },
  {
    name: 'peaks are the largest rows, separately for each direction',
    samples: five([O, 5 * O, 2 * O], { out: [9, 7, 8] }),
    want: {},
    history: { bill_peak_in: 5 * O, bill_peak_out: 9 },
  },
]

export const SPREADING: readonly BillCase[] = [
  {
    name: 'a sample with the octets of one direction only is unknown in both',
    samples: [
      { port: 0, endS: at(DAY) + 300, periodS: 300, in: O, out: O },
      { port: 0, endS: at(DAY) + 600, periodS: 300, in: O, out: null },
      { port: 0, endS: at(DAY) + 900, periodS: 300, in: null, out: O },
    ],
    want: { total_data_in: O, total_data_out: O, total_data: 2 * O, rate_average_in: 100, rate_average_out: 100 },
    rows: [[300, 300, O, O, 0]],
  },
  {
    name: 'a sample across two buckets: whole octets, rounded down at the boundary',
    samples: [one(150, 450, 1001)],
    want: { total_data: 1001 },
    rows: [
      [300, 150, 500, 0, 150],
      [600, 150, 501, 0, 150],
    ],
  },
  {
    name: 'thirds of an octet add up to the sample',
    samples: [one(0, 900, 1000, { out: 1 })],
    want: { total_data: 1001, total_data_out: 1 },
    rows: [
      [300, 300, 333, 0, 0],
      [600, 300, 333, 0, 0],
      [900, 300, 334, 1, 0],
    ],
  },
  {
    name: 'five samples of a minute each make one bucket',
    samples: [100, 200, 300, 400, 500].map((octets, i) => one(i * 60, i * 60 + 60, octets)),
    want: { rate_95th: 40, total_data: 1500 },
    rows: [[300, 300, 1500, 0, 0]],
  },
  {
    name: 'an hour without polls: its only sample is spread evenly',
    samples: [one(0, 3600, 12 * O)],
    want: { rate_95th: 100, total_data: 12 * O },
    rows: Array.from({ length: 12 }, (_, i) => [300 * (i + 1), 300, O, 0, 0]),
  },
  {
    name: 'a partly known bucket has the rate of its known part',
    samples: [one(200, 300, 1250)],
    want: { rate_95th: 100, rate_average: 100, total_data: 1250 },
    rows: [[300, 100, 1250, 0, 200]],
  },
  {
    name: 'less than 10 s missing is taken for clock difference',
    samples: [one(5, 300, O)],
    want: { rate_95th: 100 },
    rows: [[300, 300, O, 0, 0]],
  },
  {
    name: 'products of octets beyond 64 bits: 1 Tbit/s, a second after the bucket',
    samples: [one(1, 301, 37_500_000_000_000)],
    want: { total_data: 37_500_000_000_000 },
    rows: [
      [300, 300, 37_375_000_000_000, 0, 0],
      [600, 1, 125_000_000_000, 0, 299],
    ],
  },
]

export const UNKNOWN: readonly BillCase[] = [
  {
    name: 'a counter that was reset is unknown, not 0',
    samples: five([O, null, O]),
    want: { rate_95th: 100, rate_average: 100, total_data: 2 * O },
    rows: [
      [300, 300, O, 0, 0],
      [900, 300, O, 0, 0],
    ],
  },
  {
    name: 'only refused pairs',
    samples: five([null, null]),
    want: { rate_95th: 0, rate_average: 0, total_data: 0 },
    rows: [],
  },
  {
    name: 'a port without traffic is known: 19 zeros and a peak',
    samples: five([...Array<number>(19).fill(0), O]),
    want: { rate_95th: 0, rate_average: 5 },
  },
  {
    name: 'unknown buckets do not count as 0: only the two known ones count',
    samples: [...five([O]), ...five([3 * O], { from: '2026-03-10 06:00' })],
    want: { rate_95th: 100, rate_average: 200 },
  },
  {
    name: 'two ports are added up',
    speeds: [1e9, 1e9],
    samples: [...five([O, O]), ...five([2 * O, O], { port: 1 })],
    want: { rate_95th: 200, rate_average: 250 },
    rows: [
      [300, 300, 3 * O, 0, 0],
      [600, 300, 2 * O, 0, 0],
    ],
  },
  {
    name: 'one of two ports has no samples: the other is billed, and the time is unknown',
    speeds: [1e9, 1e9],
    samples: [...five([O, O]), ...five([2 * O], { port: 1 })],
    want: { rate_95th: 100, total_data: 4 * O },
    rows: [
      [300, 300, 3 * O, 0, 0],
      [600, 300, O, 0, 300],
    ],
  },
  {
    name: 'ports polled at different seconds overlap',
    speeds: [1e9, 1e9],
    samples: [
      one(0, 300, O),
      one(300, 600, O),
      one(-100, 200, O, { port: 1 }),
      one(200, 500, 2 * O, { port: 1 }),
      one(500, 800, O, { port: 1 }),
    ],
    want: { total_data: 6 * O },
    // 0: a third of O; 300: 2/3 O + 1/3 of 2 O; 600: 2/3 of 2 O + 1/3 O; 900: 2/3 O
    rows: [
      [0, 100, 1250, 0, 500],
      [300, 300, O + 2500 + 2500, 0, 0],
      [600, 300, O + 5000 + 1250, 0, 0],
      [900, 200, 2500, 0, 400],
    ],
  },
  {
    name: 'only the peak of one port while the other is unknown',
    speeds: [1e9, null],
    samples: five([O, 9 * O]),
    want: { rate_95th: 100, total_data: 10 * O },
    rows: [
      [300, 300, O, 0, 300],
      [600, 300, 9 * O, 0, 300],
    ],
  },
]

export const PERIODS: readonly BillCase[] = [
  {
    name: 'a sample across the beginning of the period: the old period keeps its part',
    samples: [one(-150, 150, 1000, { from: '2026-03-01 00:00' })],
    want: { total_data: 500 },
    previous: { traf_total: 500, bill_datefrom: '2026-02-01 00:00:00', bill_dateto: '2026-02-28 23:59:59' },
  },
  {
    name: 'a bucket that ends at midnight belongs to the period that ends then',
    samples: [one(-300, 0, O, { from: '2026-03-01 00:00' })],
    want: { total_data: 0 },
    previous: { traf_total: O },
  },
  {
    name: 'a leap day is counted: bill day 29 in 2024',
    day: 29,
    now: '2024-03-10 12:00',
    samples: [...five([O], { from: '2024-02-28 23:55' }), ...five([2 * O], { from: '2024-02-29 00:00' })],
    want: { total_data: 2 * O },
    history: { bill_datefrom: '2024-02-29 00:00:00', bill_dateto: '2024-03-28 23:59:59' },
    previous: { traf_total: O, bill_datefrom: '2024-01-29 00:00:00', bill_dateto: '2024-02-28 23:59:59' },
  },
  {
    name: 'bill day 29 without a leap day begins on 1 March',
    day: 29,
    now: '2026-03-05 12:00',
    samples: five([O], { from: '2026-03-01 00:00' }),
    want: { total_data: O },
    history: { bill_datefrom: '2026-03-01 00:00:00', bill_dateto: '2026-03-28 23:59:59' },
  },
  {
    name: 'bill day 31 on 2 March: the period that began on 31 January, not one that begins tomorrow',
    day: 31,
    now: '2026-03-02 12:00',
    samples: five([O], { from: '2026-03-02 00:00' }),
    want: { total_data: O },
    history: { bill_datefrom: '2026-01-31 00:00:00', bill_dateto: '2026-03-02 23:59:59' },
  },
  {
    name: 'bill day 31 on 31 March: the old period is current',
    day: 31,
    now: '2026-03-31 12:00',
    samples: [...five([O], { from: '2026-03-30 23:55' }), ...five([O], { from: '2026-03-31 06:00' })],
    want: { total_data: O },
    history: { bill_datefrom: '2026-03-03 00:00:00', bill_dateto: '2026-03-30 23:59:59' },
  },
  {
    name: 'bill day 31 in April ends on the 30th',
    day: 31,
    now: '2026-04-15 12:00',
    samples: five([O], { from: '2026-03-31 00:00' }),
    want: { total_data: O },
    history: { bill_datefrom: '2026-03-31 00:00:00', bill_dateto: '2026-04-30 23:59:59' },
  },
  {
    name: 'across the new year',
    day: 20,
    now: '2026-01-03 12:00',
    samples: [...five([O], { from: '2025-12-31 23:55' }), ...five([O], { from: '2026-01-01 00:00' })],
    want: { total_data: 2 * O },
    history: { bill_datefrom: '2025-12-20 00:00:00', bill_dateto: '2026-01-19 23:59:59' },
  },
]

export const IMPORTED: readonly BillCase[] = [
  {
    name: 'rows from another program are summed over 5 minutes of clock time',
    // 00:05:01 and 00:09:59 are in one bucket: (1000 + 2000) * 8 / 300; 00:10:02 in the next: 4000 * 8 / 100
    imported: [
      { endS: at('2026-03-10 00:05:01'), periodS: 100, in: 1000, out: 0 },
      { endS: at('2026-03-10 00:09:59'), periodS: 200, in: 2000, out: 0 },
      { endS: at('2026-03-10 00:10:02'), periodS: 100, in: 4000, out: 0 },
    ],
    want: { rate_95th: 80, total_data: 7000, rate_average: 140 },
  },
  {
    name: 'its first row has no time: octets count, the rate does not',
    imported: [
      { endS: at('2026-03-10 00:00:01'), periodS: 0, in: 500, out: 0 },
      { endS: at('2026-03-10 00:05:01'), periodS: 300, in: O, out: 0 },
    ],
    want: { rate_95th: 100, total_data: O + 500, rate_average: 113 }, // 4250 * 8 / 300 = 113.33
  },
  {
    name: 'samples from before the last imported row are not counted twice',
    imported: [{ endS: at('2026-03-10 00:10:02'), periodS: 300, in: O, out: 0 }],
    samples: five([9 * O, 9 * O, 9 * O, 2 * O]),
    // the bucket up to 00:15 began before 00:10:02 and is left out
    want: { total_data: 3 * O },
  },
]
