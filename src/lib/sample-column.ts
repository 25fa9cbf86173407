/**
 * Whole samples of one series, or rows of its roll-up, in order of time and without overlaps. Statistics that are
 * calculated from them depend only on the range, not on the width of an image. All values are finite.
 */
export interface SampleColumn {
  /** Each value holds from `startS` to `endS`, epoch seconds. */
  readonly startS: Float64Array
  readonly endS: Float64Array
  /** The sample, or the average of a row of a roll-up. */
  readonly value: Float64Array
  /** Lowest and highest sample within the row; for a single sample, the value. */
  readonly lowest: Float64Array
  readonly highest: Float64Array
  /** The known share of the span, above 0 and at most 1. */
  readonly known: Float64Array
}

/** One sample, or one row of a roll-up. */
export interface Sample {
  readonly startS: number
  readonly endS: number
  readonly value: number
  /** Absent or NaN: the value. */
  readonly lowest?: number
  readonly highest?: number
  /** Absent: all of the span. */
  readonly known?: number
}

/** A pause shorter than this share of a sample is the difference between two clocks. */
const JITTER = 0.1
/** Samples that end within this many of their lengths before the newest belong to the same round of polls. */
const SAME_ROUND = 1.5

/** A column of samples ordered by their ends. Samples without a finite value or length are left out. */
export function sampleColumn(samples: readonly Sample[]): SampleColumn {
  const out = emptyColumn(samples.length)
  let n = 0
  for (const { startS, endS, value, lowest = value, highest = value, known = 1 } of samples) {
    const beforeS = n === 0 ? Number.NEGATIVE_INFINITY : (out.endS[n - 1] ?? 0)
    if (!(Number.isFinite(value) && endS > startS && endS > beforeS && known > 0)) continue
    // an agent's clock and the poller's differ a little, so neighbours overlap or leave slivers
    out.startS[n] = startS - beforeS < JITTER * (endS - startS) ? beforeS : startS
    out.endS[n] = endS
    out.value[n] = value
    out.lowest[n] = Number.isFinite(lowest) ? Math.min(lowest, value) : value
    out.highest[n] = Number.isFinite(highest) ? Math.max(highest, value) : value
    out.known[n] = Math.min(1, known)
    n++
  }
  return cut(out, n)
}

/** Rows of a roll-up, of which the end is replaced with a series' last sample. Without one, the rows as they are. */
export function endedBy(rows: SampleColumn, samples: SampleColumn): SampleColumn {
  const n = samples.value.length
  if (n === 0) return rows
  const [startS, endS, value] = [at(samples.startS, n - 1), at(samples.endS, n - 1), at(samples.value, n - 1)]
  const listed = samplesOf(rows)
  // the row that is not over yet ends where the last sample begins
  const before = listed.flatMap((row) => (row.startS >= startS ? [] : [{ ...row, endS: Math.min(row.endS, startS) }]))
  return sampleColumn([...before, { startS, endS, value }])
}

function samplesOf(column: SampleColumn): readonly Sample[] {
  return Array.from(column.value, (value, i) => ({
    startS: at(column.startS, i),
    endS: at(column.endS, i),
    value,
    lowest: at(column.lowest, i),
    highest: at(column.highest, i),
    known: at(column.known, i),
  }))
}

/** Sum of several series over time. A series adds nothing while it is unknown; the sum is unknown while all are. */
export function sumOf(columns: readonly SampleColumn[]): SampleColumn {
  return combined(columns, false)
}

/** Mean of those series that are known at the time. */
export function meanOf(columns: readonly SampleColumn[]): SampleColumn {
  return combined(columns, true)
}

/** Statistics of whole samples; null: there are none. */
export interface SampleFigures {
  readonly last: number
  /** End of the last sample, epoch seconds. */
  readonly lastS: number
  readonly min: number
  readonly max: number
  /** Weighted by known time. */
  readonly avg: number
}

export function figuresOf({ startS, endS, value, lowest, highest, known }: SampleColumn): SampleFigures | null {
  const n = value.length
  if (n === 0) return null
  let [min, max, mean, seconds] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0]
  for (let i = 0; i < n; i++) {
    min = Math.min(min, at(lowest, i))
    max = Math.max(max, at(highest, i))
    const weight = (at(endS, i) - at(startS, i)) * at(known, i)
    seconds += weight
    // a running mean, because a sum of large values may overflow
    mean += at(value, i) * (weight / seconds) - mean * (weight / seconds)
  }
  const avg = Math.max(min, Math.min(max, mean))
  return { last: at(value, n - 1), lastS: at(endS, n - 1), min, max, avg }
}

/** The last value of a sum of series: that of each whose last sample belongs to the newest round of polls. */
export function lastOfSum(columns: readonly SampleColumn[]): { readonly value: number; readonly atS: number } | null {
  const current = columns.filter((column) => endsWith(column, newestS(columns)))
  if (current.length === 0) return null
  return { value: current.reduce((sum, { value }) => sum + (value.at(-1) ?? 0), 0), atS: newestS(columns) }
}

/** Longest span that is divided into means of `widthS`; rows of roll-ups are longer and count as they are. */
const DIVIDED = 4

/**
 * Means over clock-aligned slots of `widthS`, as bills use them, in order; unknown slots are left out. A series whose
 * samples are several slots long has no finer values than these: then they are returned.
 */
export function slotMeans(column: SampleColumn, widthS: number): Float64Array {
  const { startS, endS, value, known } = column
  const n = value.length
  if (n === 0 || stepOf(column) >= DIVIDED * widthS) return value
  const first = Math.floor(at(startS, 0) / widthS)
  const count = Math.max(0, Math.ceil(at(endS, n - 1) / widthS) - first)
  // a pause of years between two samples is not worth an array of its slots
  if (count > MOST_SLOTS) return value
  const [area, seconds] = [new Float64Array(count), new Float64Array(count)]
  for (let i = 0; i < n; i++) {
    const [from, to] = [at(startS, i), at(endS, i)]
    const last = Math.min(count - 1, Math.ceil(to / widthS) - 1 - first)
    for (let slot = Math.max(0, Math.floor(from / widthS) - first); slot <= last; slot++) {
      const start = (first + slot) * widthS
      const weight = (Math.min(to, start + widthS) - Math.max(from, start)) * at(known, i)
      area[slot] = at(area, slot) + at(value, i) * weight
      seconds[slot] = at(seconds, slot) + weight
    }
  }
  return area.map((sum, i) => sum / at(seconds, i)).filter(Number.isFinite)
}

/** Slots of 5 minutes in a year. */
const MOST_SLOTS = 105_120

/** The usual length of a sample, seconds: the median; 0 without samples. */
export function stepOf({ startS, endS }: SampleColumn): number {
  const lengths = endS.map((end, i) => end - at(startS, i)).sort()
  return lengths[lengths.length >> 1] ?? 0
}

/** Lowest and highest sample within each bucket of an axis; NaN where none is known. */
export function extremesIn(
  { startS, endS, lowest, highest }: SampleColumn,
  timeS: Float64Array,
  stepS: number,
): { readonly lowest: Float64Array; readonly highest: Float64Array } {
  const low = new Float64Array(timeS.length).fill(Number.NaN)
  const high = new Float64Array(timeS.length).fill(Number.NaN)
  const origin = timeS[0] ?? Number.NaN
  if (!(stepS > 0)) return { lowest: low, highest: high }
  for (let i = 0; i < startS.length; i++) {
    const last = Math.min(timeS.length - 1, Math.ceil((at(endS, i) - origin) / stepS) - 1)
    for (let b = Math.max(0, Math.floor((at(startS, i) - origin) / stepS)); b <= last; b++) {
      if (!(at(low, b) <= at(lowest, i))) low[b] = at(lowest, i)
      if (!(at(high, b) >= at(highest, i))) high[b] = at(highest, i)
    }
  }
  return { lowest: low, highest: high }
}

const at = (values: Float64Array, i: number): number => values[i] ?? Number.NaN

type Columns = { readonly [name in keyof SampleColumn]: Float64Array }

function emptyColumn(length: number): Columns {
  const column = () => new Float64Array(length)
  return { startS: column(), endS: column(), value: column(), lowest: column(), highest: column(), known: column() }
}

function cut({ startS, endS, value, lowest, highest, known }: Columns, n: number): SampleColumn {
  return {
    startS: startS.subarray(0, n),
    endS: endS.subarray(0, n),
    value: value.subarray(0, n),
    lowest: lowest.subarray(0, n),
    highest: highest.subarray(0, n),
    known: known.subarray(0, n),
  }
}

const newestS = (columns: readonly SampleColumn[]): number =>
  columns.reduce((newest, { endS }) => Math.max(newest, endS.at(-1) ?? newest), Number.NEGATIVE_INFINITY)

const endsWith = ({ startS, endS }: SampleColumn, newest: number): boolean => {
  const [start, end] = [startS.at(-1), endS.at(-1)]
  return start !== undefined && end !== undefined && newest - end <= SAME_ROUND * (end - start)
}

/** The time in which all series of the first and last round of polls are known: in between, a missing one is unknown. */
function commonTime(columns: readonly SampleColumn[]): readonly [fromS: number, toS: number] {
  const newest = newestS(columns)
  const oldest = columns.reduce((first, { startS }) => Math.min(first, startS[0] ?? first), Number.POSITIVE_INFINITY)
  let [from, to] = [oldest, newest]
  for (const column of columns) {
    const [start, end] = [column.startS[0], column.endS[0]]
    if (start === undefined || end === undefined) continue
    if (start - oldest <= SAME_ROUND * (end - start)) from = Math.max(from, start)
    if (endsWith(column, newest)) to = Math.min(to, column.endS.at(-1) ?? to)
  }
  return from < to ? [from, to] : [oldest, newest]
}

/**
 * Walks through all times at which a series changes. Within a row of a roll-up only bounds are known: the sum was at
 * least as high as when one series was at its highest and the others at their lowest, and at least its average.
 */
function combined(all: readonly SampleColumn[], isMean: boolean): SampleColumn {
  const columns = all.filter(({ value }) => value.length > 0)
  const [only] = columns
  if (only === undefined) return cut(emptyColumn(0), 0)
  if (columns.length === 1) return only
  const times = timesOf(columns)
  const length = Math.max(0, times.length - 1)
  const sum = { ...emptyColumn(length), series: new Float64Array(length), spread: new Float64Array(length) }
  for (const column of columns) {
    let i = 0
    for (let t = 0; t < length; t++) {
      const [from, to] = [at(times, t), at(times, t + 1)]
      while (i < column.endS.length && at(column.endS, i) <= from) i++
      if (i >= column.endS.length) break
      if (at(column.startS, i) >= to) continue
      sum.value[t] = at(sum.value, t) + at(column.value, i)
      sum.lowest[t] = at(sum.lowest, t) + at(column.lowest, i)
      sum.highest[t] = at(sum.highest, t) + at(column.highest, i)
      sum.known[t] = Math.max(at(sum.known, t), at(column.known, i))
      sum.spread[t] = Math.max(at(sum.spread, t), at(column.highest, i) - at(column.lowest, i))
      sum.series[t] = at(sum.series, t) + 1
    }
  }
  const [fromS, toS] = commonTime(columns)
  const found: Sample[] = []
  for (let t = 0; t < length; t++) {
    const n = at(sum.series, t)
    const [startS, endS] = [at(times, t), at(times, t + 1)]
    if (n === 0 || startS < fromS || endS > toS) continue
    const [value, spread] = [at(sum.value, t), at(sum.spread, t)]
    const by = isMean ? n : 1
    found.push({
      startS,
      endS,
      value: value / by,
      highest: spread === 0 ? value / by : Math.max(value, at(sum.lowest, t) + spread) / by,
      lowest: spread === 0 ? value / by : Math.min(value, at(sum.highest, t) - spread) / by,
      known: at(sum.known, t),
    })
  }
  return sampleColumn(found)
}

/** All starts and ends, each once, in order. */
export function timesOf(columns: readonly SampleColumn[]): Float64Array {
  const length = columns.reduce((sum, { endS }) => sum + 2 * endS.length, 0)
  const times = new Float64Array(length)
  let n = 0
  for (const { startS, endS } of columns) {
    times.set(startS, n)
    times.set(endS, n + startS.length)
    n += 2 * startS.length
  }
  times.sort()
  let kept = 0
  for (let i = 0; i < length; i++) if (i === 0 || at(times, i) !== at(times, kept - 1)) times[kept++] = at(times, i)
  return times.subarray(0, kept)
}
