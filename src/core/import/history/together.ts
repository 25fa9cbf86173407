import { SYSTEM_STATS, type SystemStat } from '../../../lib/system-stats.ts'
import { fileName } from '../rrd-names.ts'
import type { FileValues } from './files.ts'
import type { ColumnValues } from './levels.ts'

/** Several files whose values together form the rows of one subject. */
export interface Together {
  /** File names within the device's folder. */
  readonly files: readonly string[]
  /** The columns of a kind; null: not in the files. */
  columns(from: Aligned): readonly (ColumnValues | null)[]
}

/** Rows of several files with the same end and width. */
export interface Aligned {
  readonly rows: number
  readonly endS: Float64Array
  readonly widthS: Float64Array
  /** Values of a data set in a file; NaN for rows that the file lacks. null: no such file or data set. */
  column(file: string, dataSet: string, factor?: number): ColumnValues | null
}

/**
 * The rows of the most recently updated file, with the rows of the others that have the same end and width. Files of
 * one device are updated in the same polls and have the same archives; rows in which they differ are left out.
 */
export function align(files: ReadonlyMap<string, FileValues>): Aligned | null {
  let newest: FileValues | null = null
  for (const file of files.values()) if (newest === null || file.lastUpdateS > newest.lastUpdateS) newest = file
  if (newest === null) return null
  const { rows, endS, widthS } = newest.joined
  const places = new Map([...files].map(([name, file]) => [name, placesOf(newest.joined, file.joined)]))
  return {
    rows,
    endS,
    widthS,
    column(name, dataSet, factor = 1) {
      const file = files.get(name)
      const at = file?.names.indexOf(dataSet) ?? -1
      if (file === undefined || at < 0) return null
      const { joined } = file
      const place = places.get(name) as Int32Array
      const cut = (values: Float64Array): Float64Array =>
        Float64Array.from({ length: rows }, (_, r) => {
          const row = place[r] as number
          return row < 0 ? Number.NaN : (values[row * joined.dataSets + at] as number) * factor
        })
      return { average: cut(joined.average), lowest: cut(joined.lowest), highest: cut(joined.highest) }
    },
  }
}

interface Rows {
  readonly rows: number
  readonly endS: Float64Array
  readonly widthS: Float64Array
}

/** For each row of `of`, the index of the same row in `other`; -1: it has none. */
function placesOf(of: Rows, other: Rows): Int32Array {
  const places = new Int32Array(of.rows).fill(-1)
  for (let r = 0, o = 0; r < of.rows; r++) {
    while (o < other.rows && (other.endS[o] as number) < (of.endS[r] as number)) o++
    if (o < other.rows && other.endS[o] === of.endS[r] && other.widthS[o] === of.widthS[r]) places[r] = o
  }
  return places
}

/**
 * Polls of a device: its uptime and how long each took. A mean uptime across a restart was never the real uptime, but
 * its extremes were.
 */
export const POLLS: Together = {
  files: ['uptime.rrd', 'poller-perf.rrd'],
  columns(from) {
    const uptime = from.column('uptime.rrd', 'uptime')
    const whole = (values: ArrayLike<number>) => Float64Array.from(values, Math.round)
    const rounded: ColumnValues | null =
      uptime === null
        ? null
        : { average: whole(uptime.average), lowest: whole(uptime.lowest), highest: whole(uptime.highest) }
    return [rounded, from.column('poller-perf.rrd', 'poller', 1000), null, null]
  },
}

/** All processor time is divided among these; the other groups are parts of them. */
const TIMES = ['User', 'Nice', 'Idle', 'Wait', 'Steal'] as const
const KERNEL_PARTS = ['Kernel', 'Interrupt', 'SoftIRQ'] as const
/** Data set names are truncated to this length. */
const NAME_LENGTH = 19

/** Statistics of a device as a whole. */
export const STATS: Together = {
  files: [...new Set(SYSTEM_STATS.map((stat) => placeOf(stat).file))],
  columns(from) {
    const all = ticksOf(from)
    return SYSTEM_STATS.map((stat) => {
      const { file, dataSet, factor } = placeOf(stat)
      const column = from.column(file, dataSet, factor) ?? from.column(file, dataSet.slice(0, NAME_LENGTH), factor)
      if (column === null || stat.kind !== 'ticks') return column
      const percent = (values: ArrayLike<number>) =>
        Float64Array.from({ length: from.rows }, (_, r) => {
          const total = all[r] as number
          return total > 0 ? Math.min(100, (100 * (values[r] as number)) / total) : Number.NaN
        })
      return { average: percent(column.average), lowest: percent(column.lowest), highest: percent(column.highest) }
    })
  },
}

/** The file and data set that contain the history of a statistic. */
function placeOf({ name, group }: SystemStat): {
  readonly file: string
  readonly dataSet: string
  readonly factor: number
} {
  const at = (file: string, dataSet = 'value', factor = 1) => ({ file: fileName(file), dataSet, factor })
  switch (group) {
    case 'load':
      // The file has hundredths.
      return at('ucd_load', `${name.replace('load', '')}min`, 0.01)
    case 'cpu':
    case 'kernel':
      return at(`ucd_${name}`)
    case 'users':
      return at('hr_users', 'users')
    case 'processes':
      return at('hr_processes', 'procs')
    case 'ipv4':
    case 'ipv6':
      return at(`ipSystemStats-${group}`, name.slice(4))
    case 'portlight':
      return at(name)
    default:
      return at(`netstats-${group}`, name)
  }
}

/** Ticks per second of all processors, by row, counting every part of the time once. NaN: unknown. */
function ticksOf(from: Aligned): Float64Array {
  const rate = (part: string) => from.column(fileName(`ucd_ssCpuRaw${part}`), 'value')?.average ?? null
  const times = TIMES.map(rate)
  const parts = KERNEL_PARTS.map(rate)
  const system = rate('System')
  // A missing file counts as 0.
  const sum = (columns: readonly (ArrayLike<number> | null)[], r: number) =>
    columns.reduce((all, column) => all + (column === null ? 0 : (column[r] as number)), 0)
  return Float64Array.from({ length: from.rows }, (_, r) => {
    return sum(times, r) + Math.max(system === null ? 0 : (system[r] as number), sum(parts, r))
  })
}
