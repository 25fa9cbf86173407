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

export type { Table }

/** A column of a table: its name, what its values are, and whether they can be null. */
export interface TableColumn {
  readonly name: string
  readonly holds: 'instant' | 'whole' | 'fraction' | 'text'
  readonly nullable: boolean
}

/** The columns of a table, in the order of the schema. */
export function columnsOf(table: Table): readonly TableColumn[] {
  return Object.entries(getTableColumns(table)).map(([name, column]) => ({
    name,
    holds: held(column),
    nullable: !column.notNull,
  }))
}

function held({
  dataType,
  columnType,
}: {
  readonly dataType: string
  readonly columnType: string
}): TableColumn['holds'] {
  if (dataType === 'date') return 'instant'
  if (dataType !== 'number') return 'text'
  return /Double|Real|Numeric/.test(columnType) ? 'fraction' : 'whole'
}
