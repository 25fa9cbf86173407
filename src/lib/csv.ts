import { CsvError, parse } from 'csv-parse/sync'

/** A row of a table, with the number of its first line, from 1. */
export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** Where comma-separated text cannot be read, and why. */
export interface CsvFault {
  /** Number of the first line of the row that cannot be read, from 1. */
  readonly line: number
  readonly fault: string
}

/** What people write that cannot be read, by the package's code. Its own texts may quote a community. */
const FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'an opening quote without a closing one',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'text between a closing quote and the next comma',
}

/**
 * Rows of comma-separated text (RFC 4180): quotes around cells, doubled quotes within. Spaces at the ends of cells do
 * not count, nor do empty rows.
 */
export function csvRows(text: string): readonly CsvRow[] | CsvFault {
  const rows: CsvRow[] = []
  let line = 1
  try {
    parse(text, {
      bom: true,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      relax_quotes: true,
      trim: true,
      on_record: (found: string[], { lines }) => {
        const cells = found.map((cell) => cell.trim())
        if (cells.some((cell) => cell !== '')) rows.push({ line, cells })
        line = lines + 1
        return null
      },
    })
    return rows
  } catch (error) {
    if (error instanceof CsvError) return { line, fault: FAULTS[error.code] ?? 'not comma-separated text' }
    throw error
  }
}

/** A cell in quotes, whatever it contains (RFC 4180). */
export function quotedCell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
