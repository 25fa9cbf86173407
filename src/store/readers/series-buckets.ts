/** A time range, epoch seconds, and the wanted width of a bucket, seconds. */
export interface SeriesWindow {
  readonly fromS: number
  readonly toS: number
  readonly stepS: number
}

/**
 * When a pause of polling is a gap: longer than `intervals` times `intervalS`, the interval that polling has now, and as
 * much longer than the samples around it (the interval may have been another one then).
 */
export interface GapRule {
  readonly intervals: number
  readonly intervalS: number
}

/** Columns over one time axis. `timeS` holds starts of buckets, each covers [timeS, timeS + stepS). */
export interface SeriesData {
  readonly timeS: Float64Array
  readonly stepS: number
  readonly series: readonly NamedSeries[]
}

/** `values[i]` belongs to `timeS[i]`; NaN is unknown. */
export interface NamedSeries {
  readonly name: string
  readonly values: Float64Array
}

/** What was true from `startS` to `endS` (epoch seconds). */
export interface Span {
  readonly startS: number
  readonly endS: number
}

/** More buckets than any picture or table has use for; a window with more gets wider ones. */
const MOST_BUCKETS = 20_000

/** The axis of a window whose buckets are multiples of `unitS`: starts are multiples of the width, the last one reaches `toS`. */
export function axis(window: SeriesWindow, unitS: number): { timeS: Float64Array; stepS: number } {
  const span = Math.max(0, window.toS - window.fromS)
  const wanted = Math.max(window.stepS, span / MOST_BUCKETS, unitS)
  const stepS = Math.ceil(wanted / unitS) * unitS
  const first = Math.floor(window.fromS / stepS) * stepS
  const count = Math.max(0, Math.ceil((window.toS - first) / stepS))
  return { timeS: Float64Array.from({ length: count }, (_, i) => first + i * stepS), stepS }
}

/**
 * Averages over the buckets of an axis, weighted by time: a value counts in each bucket for as long as it was true
 * there, so that fine buckets have no holes between samples and coarse ones mix exactly. Values whose spans overlap add
 * up. NaN values count nowhere, and a bucket that no span touches is NaN.
 */
export class Buckets {
  private readonly area: Float64Array
  private readonly peak: Float64Array
  private readonly spans: Span[] = []
  constructor(
    private readonly timeS: Float64Array,
    private readonly stepS: number,
  ) {
    this.area = new Float64Array(timeS.length)
    this.peak = new Float64Array(timeS.length).fill(Number.NaN)
  }

  /** `largest`: the highest value within the span, where that is known to be more. */
  add(span: Span, value: number, largest = value): void {
    if (Number.isNaN(value) || !(span.endS > span.startS)) return
    this.spans.push(span)
    this.each(span, (i, seconds) => {
      this.area[i] = (this.area[i] as number) + value * seconds
      if (!(largest <= (this.peak[i] as number))) this.peak[i] = largest
    })
  }

  average(): Float64Array {
    const covered = new Float64Array(this.timeS.length)
    for (const span of union(this.spans)) {
      this.each(span, (i, seconds) => {
        covered[i] = (covered[i] as number) + seconds
      })
    }
    return this.area.map((area, i) => ((covered[i] as number) > 0 ? area / (covered[i] as number) : Number.NaN))
  }

  most(): Float64Array {
    return this.peak
  }

  /** The buckets that the span touches, and for how many seconds. */
  private each({ startS, endS }: Span, use: (bucket: number, seconds: number) => void): void {
    const { stepS } = this
    const origin = this.timeS[0]
    if (origin === undefined) return
    const last = Math.min(this.timeS.length - 1, Math.ceil((endS - origin) / stepS) - 1)
    for (let i = Math.max(0, Math.floor((startS - origin) / stepS)); i <= last; i++) {
      const start = origin + i * stepS
      use(i, Math.min(endS, start + stepS) - Math.max(startS, start))
    }
  }
}

/** The same time, without overlaps. */
function union(spans: readonly Span[]): Span[] {
  const merged: { startS: number; endS: number }[] = []
  for (const { startS, endS } of spans.toSorted((a, b) => a.startS - b.startS)) {
    const last = merged.at(-1)
    if (last !== undefined && startS <= last.endS) last.endS = Math.max(last.endS, endS)
    else merged.push({ startS, endS })
  }
  return merged
}

/** Marks the spans that are gaps by the rule; `spans` are in order of their ends. Spans with one end are one round of polling. */
export function gaps(spans: readonly Span[], rule: GapRule): boolean[] {
  const rounds: { endS: number; shortest: number }[] = []
  const roundOf = spans.map(({ startS, endS }) => {
    const last = rounds.at(-1)
    if (last?.endS === endS) last.shortest = Math.min(last.shortest, endS - startS)
    else rounds.push({ endS, shortest: endS - startS })
    return rounds.length - 1
  })
  return spans.map(({ startS, endS }, i) => {
    const round = roundOf[i] as number
    const usual = Math.max(rule.intervalS, rounds[round - 1]?.shortest ?? 0, rounds[round + 1]?.shortest ?? 0)
    return endS - startS > rule.intervals * usual
  })
}

/**
 * The spans of gauge samples: each value is taken to hold since the sample before, or for one interval where that is too
 * long ago. `timesS` ascend.
 */
export function gaugeSpans(timesS: readonly number[], rule: GapRule): Span[] {
  const spans = timesS.map((endS, i) => ({ startS: timesS[i - 1] ?? endS - rule.intervalS, endS }))
  const isGap = gaps(spans, rule)
  return spans.map((span, i) => (isGap[i] === true ? { startS: span.endS - rule.intervalS, endS: span.endS } : span))
}
