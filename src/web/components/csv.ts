import { quotedCell } from '../../lib/csv.ts'

export type CsvValue = string | number | null

/** A value of a CSV file. Text that a spreadsheet would take for a formula is prefixed with an apostrophe. */
function field(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return quotedCell(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value)
}

/** Rows as a CSV file to download (RFC 4180). */
export function csvAnswer(head: readonly string[], rows: readonly (readonly CsvValue[])[], name: string): Response {
  const lines = [head, ...rows].map((row) => row.map(field).join())
  return new Response(`${lines.join('\r\n')}\r\n`, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
      'Cache-Control': 'private, no-store',
    },
  })
}
