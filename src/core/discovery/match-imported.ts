import type { Values } from './columns.ts'
import { statement, type Tx } from './write-rows.ts'

/**
 * By table: sets of columns by which an imported row and a discovered one are the same object although their types or
 * indexes differ. The first set that matches counts.
 */
const ALIKE: Readonly<Record<string, readonly (readonly string[])[]>> = {
  sensors: [
    ['sensor_class', 'sensor_oid'],
    ['sensor_class', 'entPhysicalIndex', 'sensor_descr'],
    ['sensor_class', 'sensor_descr'],
  ],
  wireless_sensors: [
    ['sensor_class', 'sensor_oids'],
    ['sensor_class', 'sensor_descr'],
  ],
  processors: [['processor_oid'], ['processor_descr']],
  mempools: [['mempool_descr']],
  storage: [['storage_descr']],
  printer_supplies: [['supply_oid'], ['supply_type', 'supply_descr']],
}

/** By table: columns by which any stored row is what was found, whichever definition named it before. */
const SAME_OBJECT: Readonly<Record<string, readonly string[]>> = {
  sensors: ['sensor_class', 'sensor_oid'],
  processors: ['processor_oid'],
}

/**
 * Stored rows of a device that discovery finds under another key, by the found row's position: imported ones, and those
 * that read the same object but were named by another definition. Only matches that are unique on both sides count, so
 * that no object is mistaken for another.
 */
export async function adoptable(
  tx: Tx,
  table: string,
  id: string,
  stored: readonly Values[],
  found: readonly Values[],
): Promise<ReadonlyMap<number, Values>> {
  const adopted = new Map<number, Values>()
  const sets = ALIKE[table] ?? []
  if (sets.length === 0 || stored.length === 0 || found.length === 0) return adopted
  const imported = await statement<{ id: number }[]>(
    tx,
    `select target_id as id from import_ids where table_name = $1 and target_id = any($2::text::bigint[])`,
    [table, `{${stored.map((row) => Number(row[id])).join()}}`],
  )
  const ids = new Set(imported.map((row) => Number(row.id)))
  const isImported = (row: Values): boolean => ids.has(Number(row[id]))
  const same = SAME_OBJECT[table]
  const passes: { columns: readonly string[]; of(row: Values): boolean }[] =
    same === undefined ? [] : [{ columns: same, of: () => true }]
  for (const columns of sets) passes.push({ columns, of: isImported })
  let left = stored
  for (const { columns, of } of passes) {
    const taken = new Set<Values>()
    const here = Map.groupBy(left.filter(of), (row) => textOf(row, columns))
    const there = Map.groupBy(
      found.map((row, at) => ({ row, at })).filter(({ at }) => !adopted.has(at)),
      ({ row }) => textOf(row, columns),
    )
    for (const [text, [first, second]] of here) {
      const [match, other] = there.get(text) ?? []
      if (text === null || first === undefined || second !== undefined || match === undefined || other !== undefined)
        continue
      adopted.set(match.at, first)
      taken.add(first)
    }
    left = left.filter((row) => !taken.has(row))
  }
  return adopted
}

/** null: one of the columns is empty. */
function textOf(row: Values, columns: readonly string[]): string | null {
  const texts = columns.map((name) => String(row[name] ?? '').replace(/^\./, ''))
  return texts.includes('') ? null : texts.join('\n')
}
