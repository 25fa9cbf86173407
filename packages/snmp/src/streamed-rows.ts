import { CellCursor, type CellStore } from './cells.ts'
import { type MibTable, type Row, readAs, type Syntax, type Unreadable } from './table.ts'

interface Reading {
  readonly name: string
  readonly syntax: Syntax
  readonly cursor: CellCursor
  live: boolean
}

/**
 * Rows of a large table in index order. Iteration creates each row and does not keep it; access by index creates all
 * rows and keeps them.
 */
export class StreamedRows<T extends MibTable> implements ReadonlyMap<string, Row<T>> {
  readonly size: number
  private whole: Map<string, Row<T>> | null = null

  /** `unreadable` is called once for each cell that cannot be read in its column's syntax. */
  constructor(
    private readonly table: T,
    private readonly cells: ReadonlyMap<string, CellStore>,
    unreadable: Unreadable,
  ) {
    let size = 0
    for (const _ of this.merged(unreadable)) size++
    this.size = size
  }

  private *merged(unreadable: Unreadable = () => undefined): Generator<[string, Row<T>], undefined> {
    const readings: Reading[] = []
    for (const [name, store] of this.cells) {
      const column = this.table.columns[name]
      if (column === undefined) continue
      const cursor = new CellCursor(store)
      readings.push({ name, syntax: column.syntax, cursor, live: cursor.next() })
    }
    for (;;) {
      let least: Reading | null = null
      for (const reading of readings) {
        if (reading.live && (least === null || reading.cursor.compare(least.cursor) < 0)) least = reading
      }
      if (least === null) return
      const index = least.cursor.index()
      const row: Record<string, unknown> = {}
      let filled = false
      const take = (reading: Reading): void => {
        const sent = reading.cursor.value()
        const value = readAs(sent, reading.syntax)
        reading.live = reading.cursor.next()
        if (value === undefined) unreadable(reading.name, index, sent)
        else {
          row[reading.name] = value
          filled = true
        }
      }
      for (const reading of readings) {
        if (reading !== least && reading.live && reading.cursor.compare(least.cursor) === 0) take(reading)
      }
      take(least)
      // the cast is safe: each value was read in the syntax of its column
      if (filled) yield [index, row as Row<T>]
    }
  }

  private get all(): Map<string, Row<T>> {
    this.whole ??= new Map(this.merged())
    return this.whole
  }

  get(index: string): Row<T> | undefined {
    return this.all.get(index)
  }

  has(index: string): boolean {
    return this.all.has(index)
  }

  entries(): MapIterator<[string, Row<T>]> {
    return this.whole === null ? this.merged() : this.whole.entries()
  }

  keys(): MapIterator<string> {
    return this.entries().map(([index]) => index)
  }

  values(): MapIterator<Row<T>> {
    return this.entries().map(([, row]) => row)
  }

  [Symbol.iterator](): MapIterator<[string, Row<T>]> {
    return this.entries()
  }

  forEach(visit: (row: Row<T>, index: string, rows: ReadonlyMap<string, Row<T>>) => void): void {
    for (const [index, row] of this) visit(row, index, this)
  }
}
