import type { Store } from '../database/client.ts'
import type { Level, SeriesWindow } from './window.ts'

export type { Level } from './window.ts'

/** Bucket width of a roll-up in seconds; 0 for samples. */
export const LEVEL_WIDTH_S: Readonly<Record<Level, number>> = { samples: 1, '1h': 3600, '1d': 86_400 }

/** How far back each level reaches, seconds. */
export type LevelReach = Readonly<Record<Level, number>>

/** One request reads at most about this many rows; more subjects or longer windows are read from a coarser level. */
const MAX_ROWS = 3_000_000

/** How many rows a level has: subjects, and the interval at which they are polled. */
export interface Density {
  readonly subjects: number
  readonly intervalS: number
  /** The database adds the subjects up, so that only one row for all of them is returned. */
  readonly isSummed?: boolean
}

/** The longest ranges whose statistics come from samples and from hours: a long month, and half a year. */
const SAMPLES_S = 32 * 86_400
const HOURS_S = 190 * 86_400

/** The finest level that reaches back to the window's start, at a cost that its length and its subjects allow. */
function wholeLevel(window: SeriesWindow, most: number, reach: LevelReach, nowS: number, density: Density): Level {
  const lengthS = window.toS - window.fromS
  const fits = (level: Level, rowS: number, longestS: number): boolean =>
    lengthS <= longestS &&
    window.fromS >= nowS - reach[level] &&
    (density.subjects * lengthS) / rowS <= (density.isSummed ? MAX_ROWS : most) &&
    lengthS / rowS <= most
  if (fits('samples', Math.max(1, density.intervalS), SAMPLES_S)) return 'samples'
  return fits('1h', LEVEL_WIDTH_S['1h'], HOURS_S) ? '1h' : '1d'
}

/**
 * The coarsest level that is fine enough for the window's step and reaches back to its start, or a coarser one if that
 * would be millions of rows. For a window with `mostSamples`, the finest level that keeps to that.
 */
export function pickLevel(window: SeriesWindow, reach: LevelReach, nowS: number, density: Density): Level {
  if (window.mostSamples !== undefined) return wholeLevel(window, window.mostSamples, reach, nowS, density)
  const fits = (level: Level, rowS: number): boolean =>
    window.fromS >= nowS - reach[level] && (density.subjects * (window.toS - window.fromS)) / rowS <= MAX_ROWS
  if (window.stepS < LEVEL_WIDTH_S['1h'] && fits('samples', Math.max(1, density.intervalS))) return 'samples'
  if (window.stepS < LEVEL_WIDTH_S['1d'] && fits('1h', LEVEL_WIDTH_S['1h'])) return '1h'
  return '1d'
}

/** The level that a window of a series is read from; see `pickLevel`. */
export async function levelFor(store: Store, base: string, window: SeriesWindow, density: Density): Promise<Level> {
  return window.level ?? pickLevel(window, await reachOf(store, base), Date.now() / 1000, density)
}

const REMEMBER_MS = 60_000
const known = new WeakMap<Store, { at: number; reach: Promise<Map<string, LevelReach>> }>()

/** Retention of each series by base name; cached for a minute. */
export async function reachOf(store: Store, base: string): Promise<LevelReach> {
  let entry = known.get(store)
  if (entry === undefined || performance.now() - entry.at > REMEMBER_MS) {
    entry = { at: performance.now(), reach: readReach(store) }
    known.set(store, entry)
    entry.reach.catch(() => known.delete(store))
  }
  const reach = (await entry.reach).get(base)
  if (reach === undefined) throw new Error(`no such series: ${base}`)
  return reach
}

async function readReach({ sql }: Store): Promise<Map<string, LevelReach>> {
  const rows = await sql<{ base: string; level: Level; s: number }[]>`
    select base, level, extract(epoch from keep)::float8 as s from ts.series`
  const reach = new Map<string, Record<Level, number>>()
  for (const { base, level, s } of rows) {
    reach.set(base, { ...(reach.get(base) ?? { samples: 0, '1h': 0, '1d': 0 }), [level]: s })
  }
  return reach
}
