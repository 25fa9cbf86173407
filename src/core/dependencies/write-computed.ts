import { slices } from '../../lib/slices.ts'
import type { Store, Tx } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import type { Rest } from './reach.ts'
import { PARENTS_LOCK, writeDepths } from './write-depths.ts'

export interface ComputedRow {
  readonly child: number
  readonly parent: number
  readonly further: boolean
  readonly via: string
}

/** Rows sent at a time. */
const CHUNK = 2000

/** Parents by hand beat computed ones, and so does the statement that there are none. */
const IS_COMPUTED = `d.no_parents = 0
  and not exists (select from device_relationships h where h.child_device_id = d.device_id and h.computed = 0)`

/**
 * Replaces all computed parents, and puts those in force for whose child none are set by hand. Only differences are
 * written. Returns the number of computed parents that are new, gone or have another reason. Throws StoreError.
 */
export async function storeComputed(
  { sql }: Store,
  rows: readonly ComputedRow[],
  rest: Rest = () => null,
): Promise<number> {
  return await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${PARENTS_LOCK})`
    await tx`create temporary table given (child int4, parent int4, further int2, via text) on commit drop`
    for (const some of slices(rows, CHUNK)) {
      await giveRows(tx, some)
      await rest()
    }
    await tx`analyze given`
    const gone = await tx`
      delete from computed_parents o where not exists (
        select from given g where g.child = o.child_device_id and g.parent = o.parent_device_id)`
    const written = await tx`
      insert into computed_parents as o (child_device_id, parent_device_id, further, via)
      select child, parent, further, via from given order by child, parent
      on conflict (child_device_id, parent_device_id) do update set further = excluded.further, via = excluded.via
      where (o.further, o.via) is distinct from (excluded.further, excluded.via)`
    await putInForce(tx, null)
    if (gone.count + written.count > 0) await writeDepths(tx)
    return gone.count + written.count
  })
}

async function giveRows(tx: Tx, rows: readonly ComputedRow[]): Promise<void> {
  const numbers = (of: (row: ComputedRow) => number) => integers(rows.map(of))
  await tx`
    insert into given
    select c, p, f, v from unnest(${numbers((r) => r.child)}::text::int4[], ${numbers((r) => r.parent)}::text::int4[],
      ${numbers((r) => (r.further ? 1 : 0))}::text::int2[],
      array(select jsonb_array_elements_text(${JSON.stringify(rows.map((r) => r.via.replaceAll('\0', '')))}::text::jsonb))) as x(c, p, f, v)
    where exists (select from devices where device_id = c) and exists (select from devices where device_id = p)`
}

/** Makes the parents in force of a device, or of all (null), those that apply now. */
export async function putInForce(tx: Tx, deviceId: number | null): Promise<void> {
  const one = (column: string) => (deviceId === null ? tx`true` : tx`${tx.unsafe(column)} = ${deviceId}`)
  await tx`
    delete from device_relationships r where r.computed = 1 and ${one('r.child_device_id')} and not exists (
      select from computed_parents c join devices d on d.device_id = c.child_device_id
      where c.child_device_id = r.child_device_id and c.parent_device_id = r.parent_device_id and ${tx.unsafe(IS_COMPUTED)})`
  await tx`
    insert into device_relationships as o (child_device_id, parent_device_id, computed, further, via)
    select c.child_device_id, c.parent_device_id, 1, c.further, c.via
    from computed_parents c join devices d on d.device_id = c.child_device_id
    where ${one('c.child_device_id')} and ${tx.unsafe(IS_COMPUTED)} order by 1, 2
    on conflict (child_device_id, parent_device_id) do update set further = excluded.further, via = excluded.via
    where o.computed = 1 and (o.further, o.via) is distinct from (excluded.further, excluded.via)`
}
