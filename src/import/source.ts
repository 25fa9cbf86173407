/** A cell as the source has it: numbers and times are text. */
export type Cell = string | Uint8Array | null

/** A row by the names of its columns. */
export type Row = Readonly<Record<string, Cell>>

/** The database of an installation: a server, or a dump. */
export interface Source {
  /** Names the installation in the journal: without user and password. */
  readonly name: string
  /** Columns of each table. Names are as in the source; `findTable` and `findColumn` look regardless of case. */
  readonly tables: ReadonlyMap<string, readonly string[]>
  /** IANA name of the server's zone where it says so; null: the caller has to know. */
  readonly zone: string | null
  /**
   * All rows of a table, some at a time, ordered by the column where there is one. `after`: only rows in which it is
   * greater. `columns` absent: all.
   */
  rows(table: string, options?: RowOptions): AsyncIterable<readonly Row[]>
  /** Reads tables through without keeping anything, so that damage shows before anything is written. Throws SourceError. */
  verify?(tables: readonly string[]): Promise<void>
  close(): Promise<void>
}

export interface RowOptions {
  readonly columns?: readonly string[]
  readonly orderBy?: string
  readonly after?: number
}

/** The source cannot be read, or is not what it should be; the message is for people and has no secret. */
export class SourceError extends Error {}

/** The table's name in the source; null: it has none. */
export function findTable(source: Source, name: string): string | null {
  if (source.tables.has(name)) return name
  const lower = name.toLowerCase()
  for (const table of source.tables.keys()) if (table.toLowerCase() === lower) return table
  return null
}

/** The first cell of a row with one of these names; undefined: the source has no such column. */
export function cellOf(row: Row, name: string): Cell | undefined {
  const cell = row[name]
  if (cell !== undefined) return cell
  const lower = name.toLowerCase()
  for (const key of Object.keys(row)) if (key.toLowerCase() === lower) return row[key]
  return undefined
}

/** Text of a cell; binary is read as UTF-8. '' for null and absent ones. */
export function textOf(row: Row, name: string): string {
  const cell = cellOf(row, name)
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'string' ? cell : new TextDecoder().decode(cell)
}

/** Whole number of a cell; null: none, or not a safe integer. */
export function intOf(row: Row, name: string): number | null {
  const text = textOf(row, name)
  if (!/^-?\d+$/.test(text)) return null
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : null
}
