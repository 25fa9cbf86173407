import { compareOid, formatIndex } from './oid.ts'
import type { PduView } from './pdu.ts'
import type { SnmpValue } from './value.ts'
import { makeValue } from './value-octets.ts'

/** Values by the index of their row: the sub-identifiers after the walked OID, dotted decimal, in the agent's order. */
export interface Cells extends Iterable<[string, SnmpValue]> {
  readonly size: number
  get(index: string): SnmpValue | undefined
  keys(): Iterable<string>
}

/** Octets of a record besides index and value: two lengths of two octets each and the tag. */
const RECORD_OCTETS = 5
const FIRST_CHUNK = 256
const LARGEST_CHUNK = 65_536

/**
 * Cells of one column as consecutive binary records: length of the index, index, tag, length of the value, value. Texts
 * and value objects are created only when read. A cell takes about as much memory as on the wire; as text and object it
 * would take 150 bytes.
 */
export class CellStore implements Cells {
  readonly chunks: Uint8Array[] = []
  /** Bytes used in each chunk. */
  readonly used: number[] = []
  size = 0

  /** Takes varbind `i`, whose OID has `prefix` octets before the index. */
  add(pdu: PduView, i: number, prefix: number): void {
    const { bytes } = pdu
    const indexStart = (pdu.oidStart[i] ?? 0) + prefix
    const indexEnd = pdu.oidEnd[i] ?? 0
    const valueStart = pdu.valueStart[i] ?? 0
    const valueEnd = pdu.valueEnd[i] ?? 0
    const chunk = this.room(RECORD_OCTETS + indexEnd - indexStart + valueEnd - valueStart)
    let at = this.used.at(-1) ?? 0
    at = put(chunk, at, bytes, indexStart, indexEnd)
    chunk[at++] = pdu.tag[i] ?? 0
    this.used[this.used.length - 1] = put(chunk, at, bytes, valueStart, valueEnd)
    this.size++
  }

  /** The last chunk, or a new one, with room for `octets`. */
  private room(octets: number): Uint8Array {
    const last = this.chunks.at(-1)
    if (last !== undefined && (this.used.at(-1) ?? 0) + octets <= last.length) return last
    const size = last === undefined ? FIRST_CHUNK : Math.min(LARGEST_CHUNK, last.length * 4)
    const chunk = new Uint8Array(Math.max(size, octets))
    this.chunks.push(chunk)
    this.used.push(0)
    return chunk
  }

  /** Takes the current record of a cursor, without the first `prefix` octets of its index. */
  copy(from: CellCursor, prefix: number): void {
    const index = from.indexOctets().subarray(prefix)
    const value = from.valueOctets()
    const chunk = this.room(RECORD_OCTETS + index.length + value.length)
    let at = this.used.at(-1) ?? 0
    at = put(chunk, at, index, 0, index.length)
    chunk[at++] = from.tag
    this.used[this.used.length - 1] = put(chunk, at, value, 0, value.length)
    this.size++
  }

  get(index: string): SnmpValue | undefined {
    for (const [key, value] of this) if (key === index) return value
    return undefined
  }

  *keys(): Generator<string> {
    const cursor = new CellCursor(this)
    while (cursor.next()) yield cursor.index()
  }

  *[Symbol.iterator](): Generator<[string, SnmpValue]> {
    const cursor = new CellCursor(this)
    while (cursor.next()) yield [cursor.index(), cursor.value()]
  }
}

/** Writes a length of two octets and the octets themselves; returns the position after them. */
function put(chunk: Uint8Array, at: number, bytes: Uint8Array, start: number, end: number): number {
  const size = end - start
  chunk[at] = size >> 8
  chunk[at + 1] = size & 0xff
  if (size > 32) chunk.set(bytes.subarray(start, end), at + 2)
  else for (let i = 0; i < size; i++) chunk[at + 2 + i] = bytes[start + i] ?? 0
  return at + 2 + size
}

/** Iterates over the records of a store. */
export class CellCursor {
  private chunk = 0
  private at = 0
  private bytes: Uint8Array
  private indexStart = 0
  private indexEnd = 0
  tag = 0
  private valueStart = 0

  constructor(private readonly store: CellStore) {
    this.bytes = store.chunks[0] ?? new Uint8Array(0)
  }

  /** Moves to the next record; false at the end. */
  next(): boolean {
    while (this.at >= (this.store.used[this.chunk] ?? 0)) {
      if (this.chunk + 1 >= this.store.chunks.length) return false
      this.bytes = this.store.chunks[++this.chunk] as Uint8Array
      this.at = 0
    }
    this.indexStart = this.at + 2
    this.indexEnd = this.indexStart + this.length(this.at)
    this.tag = this.bytes[this.indexEnd] ?? 0
    this.valueStart = this.indexEnd + 3
    this.at = this.valueStart + this.length(this.indexEnd + 1)
    return true
  }

  private length(at: number): number {
    return ((this.bytes[at] ?? 0) << 8) | (this.bytes[at + 1] ?? 0)
  }

  indexOctets(): Uint8Array {
    return this.bytes.subarray(this.indexStart, this.indexEnd)
  }

  valueOctets(): Uint8Array {
    return this.bytes.subarray(this.valueStart, this.at)
  }

  /** A cursor at the same record. */
  fork(): CellCursor {
    return Object.assign(new CellCursor(this.store), this)
  }

  index(): string {
    return formatIndex(this.bytes, this.indexStart, this.indexEnd).slice(1)
  }

  value(): SnmpValue {
    return makeValue(this.bytes, this.tag, this.valueStart, this.at)
  }

  /** Compares the indexes of the two current records as OIDs. */
  compare(other: CellCursor): number {
    return compareOid(this.bytes, this.indexStart, this.indexEnd, other.bytes, other.indexStart, other.indexEnd)
  }
}

/** The records in the order of their indexes. */
export function sortedCells(store: CellStore): CellStore {
  const records: CellCursor[] = []
  const cursor = new CellCursor(store)
  while (cursor.next()) records.push(cursor.fork())
  records.sort((a, b) => a.compare(b))
  const sorted = new CellStore()
  for (const record of records) sorted.copy(record, 0)
  return sorted
}

/** The records of a whole table by column: the first sub-identifier of their indexes, which they lose. */
export function cellsByColumn(store: CellStore): ReadonlyMap<number, CellStore> {
  const columns = new Map<number, CellStore>()
  const cursor = new CellCursor(store)
  while (cursor.next()) {
    const octets = cursor.indexOctets()
    const last = octets.findIndex((octet) => octet < 0x80)
    const id = octets.subarray(0, last + 1).reduce((sum, octet) => sum * 128 + (octet & 0x7f), 0)
    let column = columns.get(id)
    if (column === undefined) {
      column = new CellStore()
      columns.set(id, column)
    }
    column.copy(cursor, last + 1)
  }
  return columns
}

/** Index texts of a table's first column, reused for its other columns, which mostly have the same rows. */
export class IndexTexts {
  private readonly texts: string[] = []
  private cursor: CellCursor | null = null
  private at = -1

  constructor(private readonly lead: CellStore) {
    const cursor = new CellCursor(lead)
    while (cursor.next()) this.texts.push(cursor.index())
  }

  /** Call before the first record of each column. */
  rewind(): void {
    this.cursor = new CellCursor(this.lead)
    this.at = this.cursor.next() ? 0 : this.texts.length
  }

  /** Text of the index of `cell`, which must follow the index of the previous call. */
  of(cell: CellCursor): string {
    const { cursor, texts } = this
    while (cursor !== null && this.at < texts.length) {
      const order = cursor.compare(cell)
      if (order === 0) return texts[this.at] ?? ''
      if (order > 0) break
      this.at = cursor.next() ? this.at + 1 : texts.length
    }
    return cell.index()
  }
}
