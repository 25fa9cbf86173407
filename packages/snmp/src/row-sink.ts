/**
 * What to read: columns of tables indexed by one integer (ifIndex for ifTable and ifXTable), and the known rows.
 * Created once and used for many polls.
 */
export interface RowPlan {
  /** Contents octets of the column OIDs; at most 32. */
  readonly columns: readonly Uint8Array[]
  /** Indexes of the rows, ascending, each once. */
  readonly indexes: Int32Array
  /**
   * Skip rows between the known ones (they cost varbinds). Set it when many rows are left out on purpose; new rows
   * there are then not reported.
   */
  readonly onlyKnown?: boolean
}

/**
 * Octets of a cell: `bytes[start, end)`, valid only during the call. Called again for a row that is requested again.
 */
export type OctetsListener = (column: number, row: number, bytes: Uint8Array, start: number, end: number) => void

/**
 * Buffer for the cells of one poll, allocated for the largest device and reused. Column-major: the cell of column c and
 * row r (its position in `RowPlan.indexes`) is at `c * capacity + r`.
 */
export class RowSink {
  /**
   * Integers of any type as unsigned 64 bits; a negative INTEGER is sign-extended. Stale where the bit in `present` is
   * 0.
   */
  readonly values: BigUint64Array
  /** The same memory in halves: low at `2 * cell`, high at `2 * cell + 1`. */
  readonly words: Uint32Array
  /** Bit c of row r: the agent returned an integer or octets for column c. */
  readonly present: Uint32Array
  /** sysUpTime of the response that carried the row, 1/100 s; 0: not reported. */
  readonly ticks: Uint32Array
  /** Bit c of row r: it is known whether the agent has this cell. */
  readonly settled: Uint32Array

  constructor(
    readonly capacity: number,
    readonly columns: number,
    readonly onOctets: OctetsListener | null = null,
  ) {
    // all platforms of Bun are little-endian, so `words` has the low half first
    this.values = new BigUint64Array(capacity * columns)
    this.words = new Uint32Array(this.values.buffer)
    this.present = new Uint32Array(capacity)
    this.ticks = new Uint32Array(capacity)
    this.settled = new Uint32Array(capacity)
  }

  /** Clears the first `rows` rows. */
  clear(rows: number): void {
    this.present.fill(0, 0, rows)
    this.ticks.fill(0, 0, rows)
    this.settled.fill(0, 0, rows)
  }

  /** The cell as a number; exact up to 2^53. NaN when absent. */
  number(column: number, row: number): number {
    if (((this.present[row] ?? 0) & (1 << column)) === 0) return Number.NaN
    const at = 2 * (column * this.capacity + row)
    return (this.words[at + 1] ?? 0) * 2 ** 32 + (this.words[at] ?? 0)
  }
}
