import type { Bounds, History, Levels } from './levels.ts'

/** Octets that a port received according to its file, and the span in each level in which they must be found. */
export interface PortProbe {
  readonly portId: number
  readonly levels: readonly {
    readonly level: 'samples' | '1h' | '1d'
    /** Epoch seconds. */
    readonly fromS: number
    readonly toS: number
    readonly octets: number
    /** Number of unknown rows; rounding starts again after each. */
    readonly gaps: number
  }[]
}

const HOUR_S = 3600
const DAY_S = 86_400
/** Longer rows are not stored as samples. */
const LONGEST_SAMPLE_S = 1800

/**
 * The sum of the rows of a file over the whole hours and days between the first row that a level keeps and the last
 * that the importer stores; null: it has none.
 */
export function probeOf(history: History, own: Levels, bounds: Bounds): PortProbe | null {
  const column = history.columns[0]
  if (column === null || column === undefined) return null
  const span = (level: 'samples' | '1h' | '1d', fromS: number, toS: number) => {
    let [octets, gaps] = [0, 0]
    for (let r = 0; r < history.rows; r++) {
      const end = history.endS[r] as number
      if (end <= fromS || end > toS) continue
      const value = column.average[r] as number
      if (Number.isNaN(value)) gaps++
      else octets += value * (history.widthS[r] as number)
    }
    return { level, fromS, toS, octets, gaps }
  }
  const found: PortProbe['levels'][number][] = []
  const { samples, hours, days } = own
  const ends = (times: readonly number[]) => [(times[0] ?? 0) / 1000, (times.at(-1) ?? 0) / 1000] as const
  if (days.timeMs.length > 0) {
    const [first, last] = ends(days.timeMs)
    // The first day may lack rows that were already too old.
    found.push(span('1d', first + DAY_S, last + DAY_S))
  }
  if (hours.timeMs.length > 0) {
    const [first, last] = ends(hours.timeMs)
    // Rows of a whole day are only in the daily level. Rows of several hours end at the end of a day at the latest.
    const fromS = Math.max(Math.ceil(first / DAY_S) * DAY_S, lastEnd(history, DAY_S))
    found.push(span('1h', fromS, Math.floor((last + HOUR_S) / DAY_S) * DAY_S))
  }
  if (samples.timeMs.length > 0) {
    const [first] = ends(samples.timeMs)
    found.push(
      span(
        'samples',
        Math.max(first, lastEnd(history, LONGEST_SAMPLE_S + 1)),
        Math.min(bounds.hoursToS, ends(samples.timeMs)[1]),
      ),
    )
  }
  return { portId: history.id, levels: found.filter(({ fromS, toS }) => toS > fromS) }
}

/** End of the last row of at least this width, epoch seconds; 0: there is none. */
function lastEnd({ rows, endS, widthS }: History, leastS: number): number {
  let last = 0
  for (let r = 0; r < rows; r++) if ((widthS[r] as number) >= leastS) last = Math.max(last, endS[r] as number)
  return last
}
