import { type Phase, type Segment, type Target, targetText } from './operation.ts'

/** A segment with the time that its steps take filled in, seconds, at least 1. */
export type TimedSegment = Segment

/**
 * The segments of a phase. `defaults`: how long a step takes, the operation's value first, then that of the
 * installation. After an alert ended or changed nothing can stop the steps, so there a segment without an end has one.
 */
export function segmentsOf(
  segments: readonly Segment[],
  phase: Phase,
  defaults: readonly (number | null)[],
): readonly TimedSegment[] {
  const usualS = defaults.find((seconds) => seconds !== null && seconds > 0) ?? FALLBACK_S
  return segments
    .filter((segment) => segment.phase === phase)
    .map((segment) => ({
      ...segment,
      to: phase === 'problem' ? segment.to : (segment.to ?? segment.from),
      durationS: Math.max(1, segment.durationS > 0 ? segment.durationS : usualS),
    }))
}

const FALLBACK_S = 300

/** One notification of an operation. */
export interface Step {
  /** Seconds since the phase began. */
  readonly atS: number
  /** The highest of the steps that are due at this time. */
  readonly number: number
  /** Those of all segments with a step at this time, each once. */
  readonly targets: readonly Target[]
}

/**
 * Seconds since the phase began at which each segment begins: `startS` after the end of all earlier steps of the other
 * segments. Segments that begin with the same step do not wait for each other, and steps that no segment has take no
 * time.
 */
export function beginnings(segments: readonly TimedSegment[]): readonly number[] {
  const order = segments.map((segment, i) => ({ segment, i })).toSorted((a, b) => a.segment.from - b.segment.from)
  const begins = new Array<number>(segments.length).fill(0)
  for (const { segment, i } of order) {
    let after = 0
    for (const { segment: other, i: j } of order) {
      if (other.from >= segment.from) break
      const last = Math.min(other.to ?? Number.POSITIVE_INFINITY, segment.from - 1)
      after = Math.max(after, (begins[j] ?? 0) + (last - other.from + 1) * other.durationS)
    }
    begins[i] = after + segment.startS
  }
  return begins
}

/**
 * The first step later than `afterS` (seconds since the phase began; null: the very first); null: there is none. Does
 * not loop over steps, so large numbers cost nothing.
 */
export function nextStep(segments: readonly TimedSegment[], afterS: number | null): Step | null {
  const begins = beginnings(segments)
  const coming = segments.flatMap((segment, i) => {
    const begin = begins[i] ?? 0
    const index = afterS === null ? 0 : Math.max(0, Math.floor((afterS - begin) / segment.durationS) + 1)
    const number = segment.from + index
    if (segment.to !== null && number > segment.to) return []
    return [{ atS: begin + index * segment.durationS, number, targets: segment.targets }]
  })
  if (coming.length === 0) return null
  const atS = Math.min(...coming.map((one) => one.atS))
  const due = coming.filter((one) => one.atS === atS)
  const targets = new Map(due.flatMap((one) => one.targets.map((target) => [targetText(target), target])))
  return { atS, number: Math.max(...due.map(({ number }) => number)), targets: [...targets.values()] }
}

/** The first steps of a phase, for display; at most `limit`. */
export function firstSteps(segments: readonly TimedSegment[], limit: number): readonly Step[] {
  const steps: Step[] = []
  for (let step = nextStep(segments, null); step !== null && steps.length < limit; step = nextStep(segments, step.atS))
    steps.push(step)
  return steps
}
