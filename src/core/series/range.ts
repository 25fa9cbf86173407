import { LEVEL_WIDTH_S, type Level, type LevelReach } from './level.ts'
import type { RangeFigures, SeriesWindow, Span } from './window.ts'

/** The time [fromS, toS), epoch seconds, and the level to read it from. */
export interface Piece {
  readonly level: Level
  readonly fromS: number
  readonly toS: number
}

const FINER: Readonly<Record<Level, Level | null>> = { '1d': '1h', '1h': 'samples', samples: null }

/** A window that ends within this many seconds of now ends now and includes everything stored. */
const NOW_S = 5

/**
 * Splits the window exactly: whole buckets of `level`, and for the partial buckets at its ends pieces of finer levels.
 * If those do not reach back far enough, the whole bucket counts. Pieces are in order and do not overlap. A window that
 * ends now has an open end, so its last bucket stays whole. `reach` as of `reachOf`.
 */
export function pieces({ fromS, toS }: SeriesWindow, level: Level, reach: LevelReach, nowS: number): readonly Piece[] {
  const cut = (from: number, to: number, of: Level): readonly Piece[] => {
    const finer = FINER[of]
    if (!(from < to)) return []
    if (finer === null) return [{ level: of, fromS: from, toS: to }]
    const width = LEVEL_WIDTH_S[of]
    const before = (s: number): number => (s === Number.POSITIVE_INFINITY ? s : Math.floor(s / width) * width)
    const after = (s: number): number => (s === Number.POSITIVE_INFINITY ? s : Math.ceil(s / width) * width)
    const reaches = (s: number): boolean => s >= nowS - reach[finer]
    const first = reaches(from) ? after(from) : before(from)
    const last = reaches(Math.max(from, before(to))) ? before(to) : after(to)
    // inside one bucket
    if (first > last) return cut(from, to, finer)
    const whole = first < last ? [{ level: of, fromS: first, toS: last }] : []
    return [...cut(from, first, finer), ...whole, ...cut(last, to, finer)]
  }
  return cut(fromS, toS >= nowS - NOW_S ? Number.POSITIVE_INFINITY : toS, level)
}

/** Milliseconds covered by at least one of the spans, which are ordered by end. */
export function knownMs(spans: readonly Span[]): number {
  let ms = 0
  let startMs = Number.POSITIVE_INFINITY
  for (const span of spans.toReversed()) {
    ms += Math.max(0, Math.min(span.endS * 1000, startMs) - span.startS * 1000)
    startMs = Math.min(startMs, span.startS * 1000)
  }
  return ms
}

/** A counter over a window: its total, and the milliseconds in which it is known. */
export function counterFigures(total: number | null, known: number): RangeFigures {
  return { total, average: total !== null && known > 0 ? (total * 1000) / known : null }
}
