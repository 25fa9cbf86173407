/** Encodes columns as PostgreSQL arrays in binary format, for statements that consist mostly of parameters. */

const INT4 = { element: 23, array: 1007 }
const BYTEA = { element: 17, array: 1001 }
const TEXT = { element: 25, array: 1009 }

/** A binary statement parameter and its type. Pass it through the client's `typed`. */
export interface BinaryArray {
  readonly value: Uint8Array
  /** OID of the array's type. */
  readonly type: number
}

/** Number of dimensions, flags, element type, length and lower bound of the only dimension. */
const HEADER_OCTETS = 20

function start(element: number, length: number, octets: number): DataView {
  const view = new DataView(new ArrayBuffer(HEADER_OCTETS + octets))
  view.setInt32(0, 1)
  view.setInt32(8, element)
  view.setInt32(12, length)
  view.setInt32(16, 1)
  return view
}

/** The columns concatenated into one int[]. */
export function int4s(columns: readonly (Int32Array | Uint32Array)[]): BinaryArray {
  const length = columns.reduce((sum, column) => sum + column.length, 0)
  const view = start(INT4.element, length, 8 * length)
  let at = HEADER_OCTETS
  for (const column of columns) {
    for (let i = 0; i < column.length; i++, at += 8) {
      view.setInt32(at, 4)
      view.setInt32(at + 4, column[i] as number)
    }
  }
  return { value: new Uint8Array(view.buffer), type: INT4.array }
}

/** A bytea[] of these octets. */
export const byteas = (cells: readonly Uint8Array[]): BinaryArray => sized(BYTEA, cells)

/** A text[] of these texts. */
export function texts(cells: readonly string[]): BinaryArray {
  const encoder = new TextEncoder()
  return sized(
    TEXT,
    cells.map((cell) => encoder.encode(cell)),
  )
}

function sized({ element, array }: typeof BYTEA, cells: readonly Uint8Array[]): BinaryArray {
  const view = start(
    element,
    cells.length,
    cells.reduce((sum, { length }) => sum + 4 + length, 0),
  )
  const value = new Uint8Array(view.buffer)
  let at = HEADER_OCTETS
  for (const cell of cells) {
    view.setInt32(at, cell.length)
    value.set(cell, at + 4)
    at += 4 + cell.length
  }
  return { value, type: array }
}
