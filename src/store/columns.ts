import { getTableColumns, type Table } from 'drizzle-orm'

/** Names of a table's columns, in the order of the schema. */
export function columnNames<T extends Table>(table: T): readonly (keyof T['$inferSelect'] & string)[] {
  return Object.keys(getTableColumns(table))
}

/** The columns of the table as a select list. */
export function columnList(table: Table): string {
  return columnNames(table)
    .map((name) => `"${name}"`)
    .join(', ')
}
