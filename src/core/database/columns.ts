import { getTableColumns, type Table } from 'drizzle-orm'

/** Names of a table's columns, in the order of the schema. */
export function columnNames<T extends Table>(table: T): readonly (keyof T['$inferSelect'] & string)[] {
  return Object.keys(getTableColumns(table))
}

/**
 * The columns of the table over an alias as a select list. `instead` replaces the expressions of some of them; null
 * omits a column.
 */
export function selectList<T extends Table>(
  table: T,
  alias: string,
  instead?: Readonly<Partial<Record<keyof T['$inferSelect'] & string, string | null>>>,
): string {
  return columnNames(table)
    .flatMap((name) => {
      const expression = instead?.[name]
      if (expression === null) return []
      return [expression === undefined ? `${alias}."${name}"` : `${expression} as "${name}"`]
    })
    .join(', ')
}
