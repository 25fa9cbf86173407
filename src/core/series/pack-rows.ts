import { type CopyColumn, type CopyType, storedValue } from './copy-rows.ts'
import { CopyWriter } from './copy-writer.ts'

/** Rows of several subjects; their times in epoch ms. */
export interface RowsToPack {
  readonly timeMs: ArrayLike<number>
  readonly id: ArrayLike<number>
  readonly columns: readonly (CopyColumn & { readonly name: string })[]
}

/** The chunks of a series: epoch ms of one's beginning, their length in ms, and whether the table is a wide one. */
export interface Chunks {
  readonly originMs: number
  readonly widthMs: number
  readonly wide: boolean
}

/** Rows for COPY in binary, and the columns that they have. */
export interface PackedRows {
  readonly names: readonly string[]
  readonly copy: Uint8Array
}

/**
 * Packs these rows (their indexes): a packed row for each subject and chunk, in the forms that ts.pack_sql
 * (db/series/24-packed-form.sql) chooses; a test compares them. What a column's type cannot hold is NULL, as in `copyRows`. Throws
 * if a subject has two rows of the same time.
 */
export function packRows(
  key: string,
  { timeMs, id, columns }: RowsToPack,
  rows: readonly number[],
  { originMs, widthMs, wide }: Chunks,
): PackedRows {
  const spanOf = (row: number): number =>
    originMs + Math.floor(((timeMs[row] as number) - originMs) / widthMs) * widthMs
  const order = inOrder(timeMs, id, rows)
  const forms = columns.map(({ name, type }) => FORMS[type](wide).map((suffix) => `${name}_${suffix}`))
  const names = [key, 'pack_span', 'pack_n', 'pack_first', 'pack_unit', 'pack_step', ...OFFSETS, ...forms.flat()]
  const out = new CopyWriter()
  for (let from = 0; from < order.length; ) {
    const first = order[from] as number
    const span = spanOf(first)
    let to = from + 1
    while (to < order.length && id[order[to] as number] === id[first] && spanOf(order[to] as number) === span) to++
    const group = order.slice(from, to)
    out.row(names.length)
    out.int(id[first] as number)
    out.instant(span)
    out.int(group.length)
    out.instant(timeMs[first] as number)
    writeTimes(out, group, timeMs)
    for (const column of columns) PACK[column.type](out, column, group, wide)
    from = to
  }
  return { names, copy: out.end() }
}

const OFFSETS = ['pack_off_2', 'pack_off_4', 'pack_off_8']

/** By subject and time. */
function inOrder(timeMs: ArrayLike<number>, id: ArrayLike<number>, rows: readonly number[]): readonly number[] {
  const compare = (a: number, b: number): number =>
    (id[a] as number) - (id[b] as number) || (timeMs[a] as number) - (timeMs[b] as number)
  const order = rows.every((row, i) => i === 0 || compare(rows[i - 1] as number, row) < 0)
    ? rows
    : rows.toSorted(compare)
  order.forEach((row, i) => {
    if (i > 0 && compare(order[i - 1] as number, row) === 0)
      throw new Error(`two rows of subject ${id[row]} at ${new Date(timeMs[row] as number).toISOString()}`)
  })
  return order
}

/** The unit in microseconds, the step in units, and the offset of each time from the regular one. */
function writeTimes(out: CopyWriter, group: readonly number[], timeMs: ArrayLike<number>): void {
  const begin = timeMs[group[0] as number] as number
  const us = group.map((row) => Math.round(((timeMs[row] as number) - begin) * 1000))
  const gaps = us.slice(1).map((at, i) => at - (us[i] as number))
  const gap = gaps.sort((a, b) => a - b)[Math.ceil(gaps.length / 2) - 1] ?? 0
  const unit = gap > 0 && us.every((at) => at % gap === 0) ? gap : us.every((at) => at % 1000 === 0) ? 1000 : 1
  const step = Math.round(gap / unit)
  const offsets = us.map((at, i) => at / unit - i * step)
  const { low, high } = rangeOf(offsets, offsets.length)
  out.bigint(unit)
  out.bigint(step)
  const form = isSmall(low, high) ? 0 : isInt(low, high) ? 1 : 2
  for (const [i, type] of (['smallint', 'int', 'bigint'] as const).entries()) {
    if (i === form) out.array(type, offsets, offsets.length)
    else out.none()
  }
}

/** The suffixes of the columns for the values of each type. */
const FORMS: Readonly<Record<CopyType, (wide: boolean) => readonly string[]>> = {
  int: () => ['2', '4'],
  bigint: () => ['2', '4', 'h', '8'],
  real: (wide) => (wide ? ['f'] : ['2', 'd', 'f']),
  float8: (wide) => (wide ? ['f'] : ['2', '4', 'd', 'f']),
  'bigint[]': () => ['t'],
  timestamptz: () => {
    throw new Error('instants are not values')
  },
}

type Pack = (out: CopyWriter, column: CopyColumn, group: readonly number[], wide: boolean) => void

/** Writes the values of a group in each of the forms of `FORMS`, all but the chosen ones NULL. */
const PACK: Readonly<Record<CopyType, Pack>> = {
  int: (out, column, group) => {
    const { values, low, high } = valuesOf(column, group)
    const small = isSmall(low, high)
    write(out, 'smallint', small ? values : null)
    write(out, 'int', small || Number.isNaN(low) ? null : values)
  },
  bigint: (out, column, group) => {
    const { values, low, high } = valuesOf(column, group)
    const small = isSmall(low, high)
    const int = !small && isInt(low, high)
    const halves = !small && !int && low >= 0 && high < 2 ** 46
    write(out, 'smallint', small ? values : null)
    write(out, 'int', int ? values : halves ? values.map((v) => v % 2 ** 31) : null)
    write(out, 'smallint', halves ? values.map((v) => Math.floor(v / 2 ** 31)) : null)
    write(out, 'bigint', small || int || halves || Number.isNaN(low) ? null : values)
  },
  real: (out, column, group, wide) => {
    const { values, low, high } = valuesOf(column, group)
    if (wide) {
      write(out, 'real', Number.isNaN(low) ? null : values)
      return
    }
    const by = divisorOf(values, 32_767, Math.fround)
    const small = by > 0 && by * Math.max(Math.abs(low), Math.abs(high)) <= 32_767
    write(out, 'smallint', small ? values.map((v) => Math.round(v * by)) : null)
    if (small) out.smallint(by)
    else out.none()
    write(out, 'real', small || Number.isNaN(low) ? null : values)
  },
  float8: (out, column, group, wide) => {
    const { values, low, high } = valuesOf(column, group)
    if (wide) {
      write(out, 'float8', Number.isNaN(low) ? null : values)
      return
    }
    const by = divisorOf(values, 2_000_000, (v) => v)
    const small = by > 0 && by * Math.max(Math.abs(low), Math.abs(high)) <= 32_767
    const scaled = by > 0 ? values.map((v) => Math.round(v * by)) : null
    write(out, 'smallint', small ? scaled : null)
    write(out, 'int', small ? null : scaled)
    if (by > 0) out.smallint(by)
    else out.none()
    write(out, 'float8', by > 0 || Number.isNaN(low) ? null : values)
  },
  'bigint[]': (out, { cells, offset = 0, width = 0 }, group) => {
    const texts = group.map((row) => {
      const from = offset + row * width
      if (Number.isNaN(cells[from])) return null
      const one = (i: number): string => {
        const value = storedValue('bigint', cells[from + i] as number)
        return Number.isNaN(value) ? 'NULL' : String(value)
      }
      return `{${Array.from({ length: width }, (_, i) => one(i)).join()}}`
    })
    if (texts.every((text) => text === null)) out.none()
    else out.texts(texts)
  },
  timestamptz: () => undefined,
}

function write(
  out: CopyWriter,
  type: 'smallint' | 'int' | 'bigint' | 'real' | 'float8',
  values: Float64Array | null,
): void {
  if (values === null) out.none()
  else out.array(type, values, values.length)
}

/** The values of a group's rows as they are stored (NaN: NULL), and the lowest and highest (NaN: all are NULL). */
function valuesOf({ type, cells, offset = 0 }: CopyColumn, group: readonly number[]) {
  const values = new Float64Array(group.length)
  for (let i = 0; i < group.length; i++) values[i] = storedValue(type, cells[offset + (group[i] as number)] as number)
  return { values, ...rangeOf(values, values.length) }
}

function rangeOf(values: ArrayLike<number>, count: number): { readonly low: number; readonly high: number } {
  let [low, high] = [Number.NaN, Number.NaN]
  for (let i = 0; i < count; i++) {
    const value = values[i] as number
    if (Number.isNaN(value)) continue
    if (!(value >= low)) low = value
    if (!(value <= high)) high = value
  }
  return { low, high }
}

const isSmall = (low: number, high: number): boolean => low >= -32_768 && high <= 32_767
const isInt = (low: number, high: number): boolean => low >= -2_147_483_648 && high <= 2_147_483_647

/**
 * What all values are to be multiplied by so that they are whole and give themselves back: 1, 10, 100 or 1000; 0: nothing
 * does, or there are no values. `stored` rounds to the column's type.
 */
function divisorOf(values: Float64Array, below: number, stored: (value: number) => number): number {
  let most = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (Number.isNaN(value)) continue
    if (!(Math.abs(value) < below) || Object.is(value, -0)) return 0
    let by = 1
    while (by <= 1000 && stored(Math.round(value * by) / by) !== value) by *= 10
    if (by > 1000) return 0
    most = Math.max(most, by)
  }
  return most
}
