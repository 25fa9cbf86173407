/** A cell as delivered by the source; numbers and times are text. */
export type Cell = string | Uint8Array | null

/** A row: cells by column name. */
export type Row = Readonly<Record<string, Cell>>

/** The database of an installation, on a server or in a dump. */
export interface Source {
  /** Identifies the installation in the journal; contains neither user nor password. */
  readonly name: string
  /** Columns of each table. Names are those of the source; `findTable` and `cellOf` ignore case. */
  readonly tables: ReadonlyMap<string, readonly string[]>
  /** IANA name of the server's time zone; null: the server does not report it and the caller has to supply it. */
  readonly zone: string | null
  /**
   * All rows of a table in batches, ordered by the column `orderBy` if given. `after`: only rows in which that column
   * is greater. `columns` absent: all.
   */
  rows(table: string, options?: RowOptions): AsyncIterable<readonly Row[]>
  /**
   * Reads tables completely without keeping anything, so that damage is found before anything is written. Throws
   * SourceError.
   */
  verify?(tables: readonly string[]): Promise<void>
  close(): Promise<void>
}

export interface RowOptions {
  readonly columns?: readonly string[]
  readonly orderBy?: string
  readonly after?: number
}

/** The source cannot be read or is unusable; the message is for users and contains no secret. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}

/** The table's name in the source, regardless of case; null: it has no such table. */
export function findTable(source: Source, name: string): string | null {
  if (source.tables.has(name)) return name
  const lower = name.toLowerCase()
  for (const table of source.tables.keys()) if (table.toLowerCase() === lower) return table
  return null
}

/** A row's cell in the column of this name, regardless of case; undefined: the source has no such column. */
export function cellOf(row: Row, name: string): Cell | undefined {
  const cell = row[name]
  if (cell !== undefined) return cell
  const lower = name.toLowerCase()
  for (const key of Object.keys(row)) if (key.toLowerCase() === lower) return row[key]
  return undefined
}

/** The text of a cell; binary is read as UTF-8. '' for null and missing cells. */
export function textOf(row: Row, name: string): string {
  const cell = cellOf(row, name)
  if (cell === null || cell === undefined) return ''
  return cellText(cell)
}

/** A cell that is not null as text; octets are read as UTF-8, and what is not well-formed is replaced. */
export const cellText = (cell: string | Uint8Array): string => (typeof cell === 'string' ? cell : UTF8.decode(cell))

const UTF8 = new TextDecoder()

/** The whole number in a cell; null: none, or not a safe integer. */
export function intOf(row: Row, name: string): number | null {
  const text = textOf(row, name)
  if (!/^-?\d+$/.test(text)) return null
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : null
}
