import { invalid } from '../../core/base/errors.ts'
import { isPortColumn } from '../../core/ports/service.ts'

/** The requested columns of the port record, `fallback` by default. Throws 400 naming the unknown ones. */
export function portColumns(columns: string | undefined, fallback: readonly string[]): readonly string[] {
  if (columns === undefined) return fallback
  const names = [...new Set(columns.split(',').map((name) => name.trim()))].filter((name) => name !== '')
  const unknown = names.filter((name) => !isPortColumn(name))
  if (unknown.length > 0) throw invalid(`Invalid columns: ${unknown.join(',')}`)
  return names.length === 0 ? fallback : names
}
