import { COPY_HEADER, EPOCH_MS } from './copy-writer.ts'

/** A column of rows for COPY: its type, and a cell for each row from `offset` on. NaN is NULL (unknown). */
export interface CopyColumn {
  readonly type: CopyType
  readonly cells: ArrayLike<number>
  readonly offset?: number
  /** For a `bigint[]`: number of consecutive cells of each row. If the first is NaN, the row's array is NULL. */
  readonly width?: number
}

/** Types of SQL. A timestamptz is in epoch milliseconds. */
export type CopyType = 'int' | 'bigint' | 'real' | 'float8' | 'timestamptz' | 'bigint[]'

const MAX_CELL_OCTETS = 12
/** Dimensions, flags, type, length and lower bound before an array's elements. */
const ARRAY_OCTETS = 20
const INT8_OID = 20
const TWO_32 = 2 ** 32

/**
 * Rows in PostgreSQL's binary COPY format (documentation of COPY, "Binary Format"). A value that its type cannot hold
 * is NULL: a fraction for int, anything beyond a real's range.
 */
export function copyRows(columns: readonly CopyColumn[], rows: number): Uint8Array {
  const arrays = columns.reduce(
    (sum, { width = 0 }) => sum + (width === 0 ? 0 : ARRAY_OCTETS + width * MAX_CELL_OCTETS),
    0,
  )
  const bytes = new Uint8Array(COPY_HEADER.length + rows * (2 + columns.length * MAX_CELL_OCTETS + arrays) + 2)
  const view = new DataView(bytes.buffer)
  bytes.set(COPY_HEADER)
  let at = COPY_HEADER.length
  for (let row = 0; row < rows; row++) {
    view.setInt16(at, columns.length)
    at += 2
    for (const { type, cells, offset = 0, width = 0 } of columns) {
      if (type === 'bigint[]') at = writeArray(view, at, cells, offset + row * width, width)
      else at = writeCell(view, at, type, cells[offset + row] as number)
    }
  }
  view.setInt16(at, -1)
  return bytes.subarray(0, at + 2)
}

/** The value that a column of this type stores for a cell; NaN: NULL. */
export function storedValue(type: CopyType, cell: number): number {
  switch (type) {
    case 'int':
      return (cell | 0) === cell ? cell : Number.NaN
    case 'real': {
      const stored = Math.fround(cell)
      return Number.isFinite(stored) ? stored : Number.NaN
    }
    case 'float8':
      return Number.isFinite(cell) ? cell : Number.NaN
    default: {
      const whole = Math.round(cell)
      return Number.isSafeInteger(whole) ? whole : Number.NaN
    }
  }
}

/** Writes a length and a value; returns the end. */
function writeCell(view: DataView, at: number, type: Exclude<CopyType, 'bigint[]'>, cell: number): number {
  if (type === 'timestamptz') return writeBigint(view, at, Math.round((cell - EPOCH_MS) * 1000))
  const value = storedValue(type, cell)
  if (Number.isNaN(value)) return writeNull(view, at)
  switch (type) {
    case 'bigint':
      return writeBigint(view, at, value)
    case 'int':
      view.setInt32(at, 4)
      view.setInt32(at + 4, value)
      return at + 8
    case 'real':
      view.setInt32(at, 4)
      view.setFloat32(at + 4, value)
      return at + 8
    case 'float8':
      view.setInt32(at, 8)
      view.setFloat64(at + 4, value)
      return at + 12
  }
}

/** An array of one dimension. */
function writeArray(view: DataView, start: number, cells: ArrayLike<number>, from: number, width: number): number {
  if (Number.isNaN(cells[from])) return writeNull(view, start)
  view.setInt32(start + 4, 1)
  view.setInt32(start + 8, 1)
  view.setInt32(start + 12, INT8_OID)
  view.setInt32(start + 16, width)
  view.setInt32(start + 20, 1)
  let at = start + 24
  for (let i = 0; i < width; i++) at = writeBigint(view, at, Math.round(cells[from + i] as number))
  view.setInt32(start, at - start - 4)
  return at
}

function writeBigint(view: DataView, at: number, value: number): number {
  if (!Number.isSafeInteger(value)) return writeNull(view, at)
  view.setInt32(at, 8)
  view.setInt32(at + 4, Math.floor(value / TWO_32))
  view.setUint32(at + 8, value >>> 0)
  return at + 12
}

function writeNull(view: DataView, at: number): number {
  view.setInt32(at, -1)
  return at + 4
}
