import { TAG } from './ber.ts'
import { encodeOid } from './oid.ts'
import type { PduView } from './pdu.ts'
import type { RowPlan, RowSink } from './row-sink.ts'

/** Rows [start, end) and columns [from, to) of a plan, read with one request. */
export interface Slice {
  readonly start: number
  readonly end: number
  readonly from: number
  readonly to: number
  /** Start just before the first row rather than after the row before the slice, which would also read unknown rows. */
  readonly tight: boolean
}

const SYS_UP_TIME = encodeOid('1.3.6.1.2.1.1.3.0')

/** Larger than every index. */
export const ENDED = 0x7fff_ffff

/** Reads the responses to row requests into a sink: sysUpTime.0 first, then cell by cell. */
export class RowReader {
  /** sysUpTime of the last response; null: never reported. */
  ticks: number | null = null
  /** Indexes seen that are missing from the plan. */
  readonly newIndexes = new Set<number>()
  /** Per column: no row has a larger index than this. */
  readonly columnEnd: Int32Array
  /** Per active column of the current response: last index seen, and position in the slice. */
  private readonly passed: Int32Array
  private readonly rowAt: Int32Array

  constructor(
    private readonly plan: RowPlan,
    private readonly sink: RowSink,
  ) {
    const n = plan.columns.length
    this.columnEnd = new Int32Array(n).fill(ENDED)
    this.passed = new Int32Array(n)
    this.rowAt = new Int32Array(n)
  }

  /** Index after which the slice's request starts; -1: at the start of the column. */
  startIndex(slice: Slice): number {
    const { indexes } = this.plan
    if (slice.tight) return (indexes[slice.start] ?? 0) - 1
    return slice.start === 0 ? -1 : (indexes[slice.start - 1] ?? 0)
  }

  /** The columns of the slice that may have rows in it. */
  activeColumns(slice: Slice): number[] {
    const start = this.startIndex(slice)
    const active: number[] = []
    for (let c = slice.from; c < slice.to; c++) if ((this.columnEnd[c] ?? 0) > start) active.push(c)
    return active
  }

  /**
   * Reads a response to GETBULK. Returns the first row that is not completely known; it and the rows after it must be
   * requested again, and none of their cells are kept. -1: the indexes do not increase, and nothing is kept.
   */
  takeBulk(slice: Slice, active: readonly number[], pdu: PduView): number {
    const { passed, rowAt } = this
    const { indexes } = this.plan
    const ticks = this.readTicks(pdu)
    const start = this.startIndex(slice)
    const columns = active.length
    passed.fill(start, 0, columns)
    rowAt.fill(slice.start, 0, columns)
    let k = 0
    for (let i = 1; i < pdu.count; i++) {
      const column = active[k] ?? 0
      const before = passed[k] ?? 0
      if (before !== ENDED) {
        const index = this.indexOf(pdu, i, column)
        if (index < 0) {
          this.columnEnd[column] = Math.min(this.columnEnd[column] ?? 0, before)
          passed[k] = ENDED
        } else if (index <= before) {
          this.closeRows(slice, slice.start, 0)
          return -1
        } else {
          passed[k] = index
          let row = rowAt[k] ?? 0
          while (row < slice.end && (indexes[row] ?? 0) < index) row++
          if (row < slice.end && indexes[row] === index) this.store(pdu, i, column, row++)
          else this.noteUnknown(index)
          rowAt[k] = row
        }
      }
      if (++k === columns) k = 0
    }
    let least = ENDED
    for (let c = 0; c < columns; c++) least = Math.min(least, passed[c] ?? 0)
    let end = slice.start
    while (end < slice.end && (indexes[end] ?? 0) <= least) end++
    this.closeRows(slice, end, ticks)
    return end
  }

  /**
   * Reads a response to GETNEXT or, if `exact`, GET, which has the cells row by row; returns the same as `takeBulk`. -1:
   * a cell is not the one that was asked for by its OID.
   */
  takeNext(slice: Slice, active: readonly number[], pdu: PduView, exact: boolean): number {
    const { indexes } = this.plan
    const ticks = this.readTicks(pdu)
    const columns = active.length
    const rows = Math.max(0, Math.min(slice.end - slice.start, Math.floor((pdu.count - 1) / columns)))
    for (let r = 0; r < rows; r++) {
      const row = slice.start + r
      for (let k = 0; k < columns; k++) {
        const i = 1 + r * columns + k
        const column = active[k] ?? 0
        if (exact && this.indexOf(pdu, i, column, true) !== indexes[row]) return -1
        const index = this.indexOf(pdu, i, column)
        if (index === indexes[row]) this.store(pdu, i, column, row)
        else if (index >= 0) this.noteUnknown(index)
      }
    }
    this.closeRows(slice, slice.start + rows, ticks)
    return slice.start + rows
  }

  /** Marks the slice's columns as settled in the rows before `end`. */
  settle(slice: Slice, end: number): void {
    const { settled } = this.sink
    const mask = maskOf(slice)
    for (let row = slice.start; row < end; row++) settled[row] = (settled[row] ?? 0) | mask
  }

  /** Reads the non-repeater; 0 when the agent has no sysUpTime. */
  private readTicks(pdu: PduView): number {
    const start = pdu.oidStart[0] ?? 0
    if (pdu.count === 0 || (pdu.oidEnd[0] ?? 0) - start !== SYS_UP_TIME.length) return 0
    for (let i = 0; i < SYS_UP_TIME.length; i++) if (pdu.bytes[start + i] !== SYS_UP_TIME[i]) return 0
    if (!pdu.load(0)) return 0
    this.ticks = pdu.low
    return pdu.low
  }

  /** The index of varbind `i` if it belongs to the column; -1 when the column has ended. `absent`: also without a value. */
  private indexOf(pdu: PduView, i: number, column: number, absent = false): number {
    const oid = this.plan.columns[column]
    const { bytes } = pdu
    const start = pdu.oidStart[i] ?? 0
    const end = pdu.oidEnd[i] ?? 0
    if (oid === undefined || (!absent && (pdu.tag[i] ?? 0) >= 0x80)) return -1
    const size = oid.length
    if (end - start <= size) return -1
    for (let at = size - 1; at >= 0; at--) if (bytes[start + at] !== oid[at]) return -1
    let index = 0
    for (let at = start + size; at < end; at++) {
      const octet = bytes[at] ?? 0
      index = index * 128 + (octet & 0x7f)
      // an index with more sub-identifiers does not belong to a table indexed by one integer
      if (octet < 0x80 && at !== end - 1) return -1
    }
    return index < ENDED ? index : -1
  }

  private store(pdu: PduView, i: number, column: number, row: number): void {
    const { sink } = this
    if (pdu.load(i)) {
      const at = 2 * (column * sink.capacity + row)
      sink.words[at] = pdu.low
      sink.words[at + 1] = pdu.high
    } else if (pdu.tag[i] === TAG.OctetString) {
      sink.onOctets?.(column, row, pdu.bytes, pdu.valueStart[i] ?? 0, pdu.valueEnd[i] ?? 0)
    } else return
    sink.present[row] = (sink.present[row] ?? 0) | (1 << column)
  }

  /** Records an index that is not in the plan. */
  private noteUnknown(index: number): void {
    const { indexes } = this.plan
    let low = 0
    let high = indexes.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((indexes[middle] ?? 0) < index) low = middle + 1
      else high = middle
    }
    if (indexes[low] !== index) this.newIndexes.add(index)
  }

  /** Keeps the cells of rows before `end` and discards the others. */
  private closeRows(slice: Slice, end: number, ticks: number): void {
    const { sink } = this
    const mask = maskOf(slice)
    for (let row = slice.start; row < end; row++) {
      // a row read in several responses gets the sysUpTime of its first columns
      if (slice.from === 0) sink.ticks[row] = ticks
    }
    for (let row = end; row < slice.end; row++) sink.present[row] = (sink.present[row] ?? 0) & ~mask
    this.settle(slice, end)
  }
}

function maskOf(slice: Slice): number {
  const width = slice.to - slice.from
  return width === 32 ? -1 : ((1 << width) - 1) << slice.from
}
