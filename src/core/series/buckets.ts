import type { GapRule, SeriesWindow, Span } from './window.ts'

/** More buckets than any graph or table needs; longer windows get wider buckets. */
const MAX_BUCKETS = 20_000

/**
 * The time axis of a window, with buckets a multiple of `unitS` wide. Starts are multiples of the width; the last
 * bucket reaches `toS`.
 */
export function axis(window: SeriesWindow, unitS: number): { timeS: Float64Array; stepS: number } {
  const span = Math.max(0, window.toS - window.fromS)
  const wanted = Math.max(window.stepS, span / MAX_BUCKETS, unitS)
  const stepS = Math.ceil(wanted / unitS) * unitS
  const first = Math.floor(window.fromS / stepS) * stepS
  const count = Math.max(0, Math.ceil((window.toS - first) / stepS))
  return { timeS: Float64Array.from({ length: count }, (_, i) => first + i * stepS), stepS }
}

/**
 * Time-weighted averages over the buckets of an axis. A value counts in each bucket for the time it was valid there, so
 * fine buckets have no holes between samples and coarse ones mix exactly. Values with overlapping spans are added. A
 * roll-up row is weighted by its known time. NaN values are ignored; a bucket without any span is NaN.
 */
export class Buckets {
  private readonly area: Float64Array
  private readonly peak: Float64Array
  private readonly trough: Float64Array
  private readonly covered: Float64Array
  private readonly spans: Span[] = []
  constructor(
    private readonly timeS: Float64Array,
    private readonly stepS: number,
  ) {
    this.area = new Float64Array(timeS.length)
    this.covered = new Float64Array(timeS.length)
    this.peak = new Float64Array(timeS.length).fill(Number.NaN)
    this.trough = new Float64Array(timeS.length).fill(Number.NaN)
  }

  add(span: Span, value: number): void {
    if (Number.isNaN(value) || !(span.endS > span.startS)) return
    this.spans.push(span)
    this.each(span, (i, seconds) => this.count(i, value * seconds, value, value))
  }

  /**
   * A roll-up row: spans of one series do not overlap, and `weight` is the known part of the span. `lowest` and
   * `highest`: the extremes within the span; NaN where they are not kept.
   */
  addRolled(span: Span, value: number, weight: number, lowest = value, highest = value): void {
    if (Number.isNaN(value) || !(weight > 0)) return
    this.each(span, (i, seconds) => {
      this.count(i, value * seconds * weight, lowest, highest)
      this.covered[i] = (this.covered[i] as number) + seconds * weight
    })
  }

  average(): Float64Array {
    const covered = this.covered.slice()
    for (const span of union(this.spans)) {
      this.each(span, (i, seconds) => {
        covered[i] = (covered[i] as number) + seconds
      })
    }
    return this.area.map((area, i) => ((covered[i] as number) > 0 ? area / (covered[i] as number) : Number.NaN))
  }

  /** The lowest value in each bucket; NaN where unknown. Meaningless if spans overlap. */
  min(): Float64Array {
    return this.trough
  }

  /** The highest value in each bucket; NaN where unknown. Meaningless if spans overlap. */
  max(): Float64Array {
    return this.peak
  }

  private count(i: number, area: number, lowest: number, highest: number): void {
    this.area[i] = (this.area[i] as number) + area
    if (!(highest <= (this.peak[i] as number))) this.peak[i] = highest
    if (!(lowest >= (this.trough[i] as number))) this.trough[i] = lowest
  }

  /** Calls `use` for each bucket that the span overlaps, with the seconds of overlap. */
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

/** The union of the spans, without overlaps. */
function union(spans: readonly Span[]): Span[] {
  const merged: { startS: number; endS: number }[] = []
  for (const { startS, endS } of spans.toSorted((a, b) => a.startS - b.startS)) {
    const last = merged.at(-1)
    if (last !== undefined && startS <= last.endS) last.endS = Math.max(last.endS, endS)
    else merged.push({ startS, endS })
  }
  return merged
}

/**
 * Marks spans that are gaps by the rule; `spans` are ordered by end. Spans with the same end belong to one round of
 * polling.
 */
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
 * Spans of gauge samples: a value is valid since the previous sample, or for one interval if that is too long ago.
 * `timesS` ascends.
 */
export function gaugeSpans(timesS: readonly number[], rule: GapRule): Span[] {
  const spans = timesS.map((endS, i) => ({ startS: timesS[i - 1] ?? endS - rule.intervalS, endS }))
  const isGap = gaps(spans, rule)
  return spans.map((span, i) => (isGap[i] === true ? { startS: span.endS - rule.intervalS, endS: span.endS } : span))
}

/** Spans of counters to draw; what was counted over a gap is not drawn, so its span is empty. */
export function counterSpans(spans: readonly Span[], rule: GapRule): Span[] {
  const isGap = gaps(spans, rule)
  return spans.map((span, i) => (isGap[i] === true ? { startS: span.endS, endS: span.endS } : span))
}
