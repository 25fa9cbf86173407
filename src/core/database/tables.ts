import { getTableColumns, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import * as schema from '../../../db/schema/index.ts'

/** A table of the inventory, as declared in db/schema. */
export interface InventoryTable {
  readonly name: string
  /** Names of the columns of the primary key, in order. */
  readonly primaryKey: readonly string[]
  readonly columns: readonly {
    readonly name: string
    /** The SQL type. */
    readonly type: string
    readonly nullable: boolean
    /** `table.column` of a foreign key; null: none. */
    readonly references: string | null
  }[]
}

/** All tables of the inventory by name, for the reference documentation. */
export function inventoryTables(): readonly InventoryTable[] {
  return Object.values(schema)
    .filter((value) => is(value, PgTable))
    .map(describe)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function describe(table: PgTable): InventoryTable {
  const { name, primaryKeys, foreignKeys } = getTableConfig(table)
  const columns = Object.values(getTableColumns(table))
  const targets = new Map<string, string>()
  for (const key of foreignKeys) {
    const { columns: from, foreignColumns, foreignTable } = key.reference()
    for (const [i, column] of from.entries())
      targets.set(column.name, `${getTableConfig(foreignTable).name}.${foreignColumns[i]?.name}`)
  }
  return {
    name,
    primaryKey:
      primaryKeys[0]?.columns.map((column) => column.name) ??
      columns.filter((column) => column.primary).map((column) => column.name),
    columns: columns.map((column) => ({
      name: column.name,
      type: column.getSQLType(),
      nullable: !column.notNull,
      references: targets.get(column.name) ?? null,
    })),
  }
}
