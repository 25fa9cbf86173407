import { hasCounters, type SampleKind } from '../../../series/kind.ts'

/** Values of one column, one per row of a file. Counters and totals are per second. NaN: unknown. */
export interface ColumnValues {
  readonly average: ArrayLike<number>
  readonly lowest: ArrayLike<number>
  readonly highest: ArrayLike<number>
}

/** History of one subject, oldest first, without overlap. */
export interface History {
  readonly id: number
  readonly rows: number
  readonly endS: ArrayLike<number>
  readonly widthS: ArrayLike<number>
  /** In the order of the kind's columns; null: not in the file. */
  readonly columns: readonly (ColumnValues | null)[]
  /** The values are states, so the mean of different ones is meaningless. */
  readonly states?: boolean
}

/** From when on each level keeps rows, and up to when the importer writes roll-ups; epoch seconds. */
export interface Bounds {
  readonly samplesFromS: number
  readonly hoursFromS: number
  readonly daysFromS: number
  /** Hours that end after this are rolled up from samples by maintenance. */
  readonly hoursToS: number
  readonly daysToS: number
}

/** Rows of a level, by column. `timeMs`: end of a sample, or start of an hour or day. */
export interface LevelRows {
  readonly timeMs: number[]
  readonly id: number[]
  readonly n: number[]
  readonly periodMs: number[]
  /** Weights of each column, row by row; NaN in the first: that of the row. */
  readonly known: number[]
  readonly values: readonly number[][]
  readonly lowest: readonly number[][]
  readonly highest: readonly number[][]
}

export interface Levels {
  readonly samples: LevelRows
  readonly hours: LevelRows
  readonly days: LevelRows
  /** End of the last day without hourly rows, epoch seconds; 0: there is none. */
  coarseS: number
}

const HOUR_S = 3600
const DAY_S = 86_400
/** Longer rows are not stored as samples. */
const LONGEST_SAMPLE_S = 1800

export function noLevels({ columns }: SampleKind): Levels {
  const rows = (): LevelRows => ({
    timeMs: [],
    id: [],
    n: [],
    periodMs: [],
    known: [],
    values: columns.map(() => []),
    lowest: columns.map(() => []),
    highest: columns.map(() => []),
  })
  return { samples: rows(), hours: rows(), days: rows(), coarseS: 0 }
}

/**
 * Adds a subject's history to the rows of each level. A row belongs to the hour and the day in which it ends; one that
 * ends exactly on the hour belongs to the hour before. Rows longer than an hour are spread evenly over their hours.
 * Counter deltas are rounded to whole numbers with the remainder carried over to the next row, so that sums are exact
 * to within 1.
 */
export function addHistory(kind: SampleKind, levels: Levels, history: History, bounds: Bounds): void {
  const { rows, endS, widthS } = history
  const hour = new Bucket(kind, levels.hours, HOUR_S, history.id, bounds.hoursFromS, bounds.hoursToS)
  const day = new Bucket(kind, levels.days, DAY_S, history.id, bounds.daysFromS, bounds.daysToS)
  const amounts = kind.columns.map(({ role }) => role !== 'gauge')
  const left = new Float64Array(kind.columns.length)
  const row: OneRow = {
    value: new Float64Array(kind.columns.length),
    lowest: new Float64Array(kind.columns.length),
    highest: new Float64Array(kind.columns.length),
  }
  for (let r = 0; r < rows; r++) {
    const end = endS[r] as number
    const width = widthS[r] as number
    let known = 0
    for (let c = 0; c < kind.columns.length; c++) {
      const column = history.columns[c]
      const value = column?.average[r] ?? Number.NaN
      row.lowest[c] = column?.lowest[r] ?? Number.NaN
      row.highest[c] = column?.highest[r] ?? Number.NaN
      if (Number.isNaN(value)) {
        row.value[c] = Number.NaN
        left[c] = 0
        continue
      }
      known++
      if (amounts[c] === true) {
        const exact = value * width + (left[c] as number)
        const whole = Math.round(exact)
        left[c] = exact - whole
        row.value[c] = whole
      } else row.value[c] = value
    }
    if (known === 0) continue
    if (width <= LONGEST_SAMPLE_S && end > bounds.samplesFromS)
      addSample(kind, levels.samples, history, row, end, width, bounds.hoursToS)
    if (width <= HOUR_S) hour.add(Math.ceil(end / HOUR_S) * HOUR_S - HOUR_S, row, width)
    else if (width < DAY_S && width % HOUR_S === 0) hour.spread(end, row, width)
    if (width >= DAY_S) levels.coarseS = Math.max(levels.coarseS, end)
    if (width <= DAY_S) day.add(Math.ceil(end / DAY_S) * DAY_S - DAY_S, row, width)
    else if (width % DAY_S === 0) day.spread(end, row, width)
  }
  hour.flush()
  day.flush()
}

interface OneRow {
  readonly value: Float64Array
  readonly lowest: Float64Array
  readonly highest: Float64Array
}

function addSample(
  kind: SampleKind,
  into: LevelRows,
  history: History,
  row: OneRow,
  endS: number,
  widthS: number,
  hoursToS: number,
): void {
  const first = row.value[0] as number
  const mixed = history.states === true && widthS > HOUR_S / 12 && Math.abs(first - Math.round(first)) > 1e-6
  if (mixed) return
  // Maintenance counts a sample in the hour that contains its time, so one that ends with an hour is moved into it by 1
  // ms.
  const shared = endS % HOUR_S === 0 && endS >= hoursToS
  into.timeMs.push(endS * 1000 - (shared ? 1 : 0))
  into.id.push(history.id)
  into.periodMs.push(widthS * 1000)
  for (let c = 0; c < kind.columns.length; c++)
    into.values[c]?.push(history.states === true ? Math.round(row.value[c] as number) : (row.value[c] as number))
}

/** The hour or day to which rows are being added. */
class Bucket {
  private readonly sum: Float64Array
  private readonly weight: Float64Array
  private readonly counted: Float64Array
  private readonly lowest: Float64Array
  private readonly highest: Float64Array
  private readonly counters: boolean
  private begin = Number.NaN
  private rows = 0
  private seconds = 0

  constructor(
    private readonly kind: SampleKind,
    private readonly into: LevelRows,
    private readonly widthS: number,
    private readonly id: number,
    private readonly fromS: number,
    private readonly toS: number,
  ) {
    const count = kind.columns.length
    this.sum = new Float64Array(count)
    this.weight = new Float64Array(count)
    this.counted = new Float64Array(count)
    this.lowest = new Float64Array(count)
    this.highest = new Float64Array(count)
    this.counters = hasCounters(kind.columns)
  }

  /** Adds a row that lies within the bucket beginning at `begin`. */
  add(begin: number, row: OneRow, widthS: number): void {
    if (begin !== this.begin) this.open(begin)
    if (!this.wanted) return
    this.rows++
    this.seconds += widthS
    this.kind.columns.forEach(({ role }, c) => {
      const value = row.value[c] as number
      if (Number.isNaN(value)) return
      this.sum[c] = (this.sum[c] as number) + (role === 'gauge' ? value * widthS : value)
      this.weight[c] = (this.weight[c] as number) + widthS
      this.counted[c] = (this.counted[c] as number) + 1
      // For totals the extremes are those of whole rows, for other columns those per second.
      const low = role === 'total' ? value : (row.lowest[c] as number)
      const high = role === 'total' ? value : (row.highest[c] as number)
      if (!(low >= (this.lowest[c] as number))) this.lowest[c] = low
      if (!(high <= (this.highest[c] as number))) this.highest[c] = high
    })
  }

  /** Spreads a row evenly over several buckets; the parts of a whole amount are whole and add up to it. */
  spread(endS: number, row: OneRow, widthS: number): void {
    const parts = widthS / this.widthS
    const value = new Float64Array(row.value.length)
    for (let p = 0; p < parts; p++) {
      this.kind.columns.forEach(({ role }, c) => {
        const all = row.value[c] as number
        value[c] = role === 'gauge' ? all : Math.floor((all * (p + 1)) / parts) - Math.floor((all * p) / parts)
      })
      this.add(endS - widthS + p * this.widthS, { ...row, value }, this.widthS)
    }
  }

  flush(): void {
    if (this.wanted && this.rows > 0) this.write()
    this.begin = Number.NaN
    this.rows = 0
  }

  private get wanted(): boolean {
    return this.begin + this.widthS > this.fromS && this.begin + this.widthS <= this.toS
  }

  private open(begin: number): void {
    this.flush()
    this.begin = begin
    this.seconds = 0
    this.sum.fill(0)
    this.weight.fill(0)
    this.counted.fill(0)
    this.lowest.fill(Number.NaN)
    this.highest.fill(Number.NaN)
  }

  private write(): void {
    const { into, rows, seconds, counters } = this
    into.timeMs.push(this.begin * 1000)
    into.id.push(this.id)
    into.n.push(rows)
    into.periodMs.push(seconds * 1000)
    let complete = true
    this.kind.columns.forEach(({ role, type }, c) => {
      const counted = this.counted[c] as number
      if (counted !== rows) complete = false
      const value = role === 'gauge' ? (this.sum[c] as number) / (this.weight[c] as number) : (this.sum[c] as number)
      const whole = (x: number): number => (type === 'int' ? Math.round(x) : x)
      into.values[c]?.push(counted === 0 ? Number.NaN : whole(value))
      into.lowest[c]?.push(role === 'counter' ? (this.lowest[c] as number) : whole(this.lowest[c] as number))
      into.highest[c]?.push(role === 'counter' ? (this.highest[c] as number) : whole(this.highest[c] as number))
    })
    for (let c = 0; c < this.kind.columns.length; c++) {
      const weight = counters ? (this.weight[c] as number) * 1000 : (this.counted[c] as number)
      into.known.push(complete ? Number.NaN : weight)
    }
  }
}
