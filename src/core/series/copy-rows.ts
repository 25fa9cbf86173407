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

/** Signature, flags, and length of the header extension. */
const HEADER = new Uint8Array([0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0, 0, 0, 0, 0, 0, 0, 0, 0])
const MAX_CELL_OCTETS = 12
/** Dimensions, flags, type, length and lower bound before an array's elements. */
const ARRAY_OCTETS = 20
const INT8_OID = 20
/** Epoch of PostgreSQL's timestamps, 2000-01-01. */
const EPOCH_MS = 946_684_800_000
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
  const bytes = new Uint8Array(HEADER.length + rows * (2 + columns.length * MAX_CELL_OCTETS + arrays) + 2)
  const view = new DataView(bytes.buffer)
  bytes.set(HEADER)
  let at = HEADER.length
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

/** Writes a length and a value; returns the end. */
function writeCell(view: DataView, at: number, type: Exclude<CopyType, 'bigint[]'>, value: number): number {
  switch (type) {
    case 'bigint':
      return writeBigint(view, at, Math.round(value))
    case 'timestamptz':
      return writeBigint(view, at, Math.round((value - EPOCH_MS) * 1000))
    case 'int':
      if ((value | 0) !== value) return writeNull(view, at)
      view.setInt32(at, 4)
      view.setInt32(at + 4, value)
      return at + 8
    case 'real':
      if (!Number.isFinite(Math.fround(value))) return writeNull(view, at)
      view.setInt32(at, 4)
      view.setFloat32(at + 4, value)
      return at + 8
    case 'float8':
      if (!Number.isFinite(value)) return writeNull(view, at)
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
