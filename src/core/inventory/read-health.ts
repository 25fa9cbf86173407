import { mempools, processors, storage } from '../../../db/schema/index.ts'
import type { Store } from '../database/client.ts'
import { selectList } from '../database/columns.ts'
import type { GraphItem } from './read-sensors.ts'

/** Health data that is not in sensors, and the rows of its tables. */
export interface HealthTables {
  readonly processor: Readonly<typeof processors.$inferSelect>
  readonly mempool: Readonly<typeof mempools.$inferSelect>
  readonly storage: Readonly<typeof storage.$inferSelect>
}
export type HealthTable = keyof HealthTables

const TABLES = {
  processor: { table: 'processors', columns: selectList(processors, 't'), current: 'true' },
  mempool: { table: 'mempools', columns: selectList(mempools, 't'), current: 'mempool_deleted = 0' },
  storage: { table: 'storage', columns: selectList(storage, 't'), current: 'true' },
} as const

/** Objects of a kind on a device, by id, without deleted ones. */
export async function listHealthItems({ sql }: Store, deviceId: number, kind: HealthTable): Promise<GraphItem[]> {
  const { table, current } = TABLES[kind]
  return await sql<GraphItem[]>`
      select ${sql(`${kind}_id`)} as id, ${sql(`${kind}_descr`)} as descr from ${sql(table)}
      where ${sql.unsafe(current)} and device_id = ${deviceId} order by 1`
}

/** One object by id, deleted or not; null: not on this device. */
export async function findHealthItem<K extends HealthTable>(
  { sql }: Store,
  deviceId: number,
  kind: K,
  id: number,
): Promise<HealthTables[K] | null> {
  const { table, columns } = TABLES[kind]
  const [found] = await sql<HealthTables[K][]>`
      select ${sql.unsafe(columns)} from ${sql(table)} t where device_id = ${deviceId} and ${sql(`${kind}_id`)} = ${id}`
  return found ?? null
}
