import type { Joined } from '@portlight/rrd/join.ts'
import type { KindName } from '../../../series/kinds.ts'
import type { ColumnValues } from './levels.ts'

/** Returns the columns of a kind from the data sets of a file; null: the file lacks them. */
export type Columns = (
  joined: Joined,
  names: readonly string[],
  stepS: number,
) => readonly (ColumnValues | null)[] | null

const PORT = [
  'INOCTETS',
  'OUTOCTETS',
  'INUCASTPKTS',
  'OUTUCASTPKTS',
  'INERRORS',
  'OUTERRORS',
  'INDISCARDS',
  'OUTDISCARDS',
  'INBROADCASTPKTS',
  'OUTBROADCASTPKTS',
  'INMULTICASTPKTS',
  'OUTMULTICASTPKTS',
]

/** The values of a data set, multiplied by `factor`; null: the file has no data set with that name. */
export function dataSet(joined: Joined, names: readonly string[], name: string, factor = 1): ColumnValues | null {
  const at = names.indexOf(name)
  if (at < 0) return null
  const cut = (values: Float64Array): Float64Array => {
    const own = new Float64Array(joined.rows)
    for (let r = 0; r < joined.rows; r++) own[r] = (values[r * joined.dataSets + at] as number) * factor
    return own
  }
  return { average: cut(joined.average), lowest: cut(joined.lowest), highest: cut(joined.highest) }
}

const single =
  (name: string, factor = 1): Columns =>
  (joined, names) => {
    const column = dataSet(joined, names, name, factor)
    return column === null ? null : [column]
  }

/** Used and free bytes as used, free, total and percent. */
const usage: Columns = (joined, names) => {
  const used = dataSet(joined, names, 'used')
  const free = dataSet(joined, names, 'free')
  if (used === null || free === null) return null
  const of = (make: (used: number, free: number) => number): ColumnValues => {
    const all = (which: keyof ColumnValues, other: keyof ColumnValues): Float64Array =>
      Float64Array.from({ length: joined.rows }, (_, r) => make(used[which][r] as number, free[other][r] as number))
    return { average: all('average', 'average'), lowest: all('lowest', 'highest'), highest: all('highest', 'lowest') }
  }
  return [used, free, of((u, f) => u + f), of((u, f) => (u + f > 0 ? (100 * u) / (u + f) : Number.NaN))]
}

/** Columns by kind, for kinds that have all of them in one file. */
export const COLUMNS: Readonly<Partial<Record<KindName, Columns>>> = {
  port: (joined, names) => PORT.map((name) => dataSet(joined, names, name)),
  sensor: single('sensor'),
  wireless: single('sensor'),
  processor: single('usage'),
  mempool: usage,
  storage: usage,
  supply: single('toner'),
  icmp: (joined, names, stepS) => [
    dataSet(joined, names, 'avg'),
    dataSet(joined, names, 'min'),
    dataSet(joined, names, 'max'),
    // Assumes one ping round per step.
    dataSet(joined, names, 'xmt', 1 / stepS),
    dataSet(joined, names, 'rcv', 1 / stepS),
  ],
}

/** Mean round-trip times from a file in the format used before 2024. */
export const PING: Columns = (joined, names) => {
  const average = dataSet(joined, names, 'ping')
  return average === null ? null : [average, null, null, null, null]
}

/** One data set of a service. */
export const oneOf =
  (name: string): Columns =>
  (joined, names) => {
    const column = dataSet(joined, names, name)
    return column === null ? null : [column]
  }
