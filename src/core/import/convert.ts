import { Clock } from './clock.ts'
import type { Converted, Installation, TableSpec } from './context.ts'
import { cellOf, type Row } from './source.ts'
import { type AdjustedValues, storedValue } from './values.ts'
import type { JsonRow, JsonValue, TargetTable } from './write-tables.ts'

const UTC = new Clock('UTC')

/** What rows refer to, and how many values had to be changed. */
export interface References {
  /** For each table, ids here by ids in the installation. */
  readonly ids: ReadonlyMap<string, ReadonlyMap<number, number>>
  readonly adjusted: AdjustedValues
}

/** The values of a row for its columns here, without its own id. null: it belongs to a row that does not exist. */
export function convertRow(
  row: Row,
  spec: TableSpec,
  target: TargetTable,
  of: Installation,
  references: References,
): Converted {
  const values = ownValues(row, spec, target, of, references)
  return values === null || spec.convert === undefined ? values : spec.convert(row, values, of)
}

function ownValues(
  row: Row,
  spec: TableSpec,
  target: TargetTable,
  of: Installation,
  { ids, adjusted }: References,
): JsonRow | null {
  const values: Record<string, JsonValue> = {}
  for (const column of target.columns) {
    if (column.name === target.id || spec.skip?.includes(column.name) === true) continue
    const cell = cellOf(row, column.name)
    if (cell === undefined) continue
    const local = spec.local?.includes(column.name) === true
    const value = storedValue(cell, column, local ? of.clock : UTC, adjusted)
    if (column.refers === null) {
      const nothing = spec.zeroIsNull?.includes(column.name) === true && (value === 0 || value === '')
      values[column.name] = nothing ? null : value
      continue
    }
    const to = typeof value === 'number' ? (ids.get(column.refers)?.get(value) ?? null) : null
    if (to === null && !column.nullable) return null
    values[column.name] = to
  }
  return values
}
