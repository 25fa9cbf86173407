import { type AdjustedValues, type Columns, clean, type Values } from './columns.ts'
import { same, statement, type Tx } from './write-rows.ts'

/** A table with rows of a device that are identified by a natural key. */
export interface KeyedTable {
  readonly table: string
  readonly id: string
  /** Column of the device. */
  readonly owner: string
  readonly key: readonly string[]
  readonly columns: Columns
}

/** Difference between the stored rows of a device and the discovered ones. */
export interface Difference {
  readonly added: readonly Values[]
  /** Rows that are both stored and found. */
  readonly kept: readonly { readonly id: number; readonly before: Values }[]
  readonly changed: readonly { readonly id: number; readonly before: Values; readonly values: Values }[]
  /** Stored rows that were not found. Only after a complete walk does that mean they are gone. */
  readonly missing: readonly { readonly id: number; readonly before: Values }[]
}

/** Compares discovered rows with the stored ones. If discovered rows have equal keys, the first counts. */
export async function difference(
  tx: Tx,
  table: KeyedTable,
  deviceId: number,
  found: readonly Readonly<Record<string, unknown>>[],
  adjusted: AdjustedValues,
): Promise<Difference> {
  const names = Object.keys(table.columns)
  const stored = await statement<Values[]>(
    tx,
    `select ${[table.id, ...names].map((name) => `"${name}"`).join(', ')} from ${table.table} where ${table.owner} = $1
     order by 1`,
    [deviceId],
  )
  const keyOf = (row: Values) => table.key.map((name) => row[name] ?? '').join('\n')
  const left = new Map(stored.map((row) => [keyOf(row), row]))
  const rows = new Map<string, Values>()
  for (const sent of found) {
    const row = Object.fromEntries(
      Object.entries(table.columns).map(([n, type]) => [n, clean(type, sent[n], adjusted)]),
    )
    const key = keyOf(row)
    if (!rows.has(key)) rows.set(key, row)
  }
  const added: Values[] = []
  const kept: { id: number; before: Values }[] = []
  const changed: { id: number; before: Values; values: Values }[] = []
  for (const [key, values] of rows) {
    const before = left.get(key)
    left.delete(key)
    if (before === undefined) added.push(values)
    else {
      const id = Number(before[table.id])
      if (names.every((name) => same(values[name], before[name]))) kept.push({ id, before })
      else changed.push({ id, before, values })
    }
  }
  const missing = [...left.values()].map((before) => ({ id: Number(before[table.id]), before }))
  return { added, kept, changed, missing }
}
