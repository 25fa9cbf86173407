import { deviceInScope, deviceInScopeText, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { type ListChunks, listChunks } from '../database/list-chunks.ts'
import { LINK_RECORD, type LinkRecord } from '../records/lists.ts'

/** A remote device that was deleted or is not in scope appears as not monitored. */
const linkTables = (scope: Scope) => `links l join devices d on d.device_id = l.local_device_id
  left join devices r on r.device_id = l.remote_device_id and ${deviceInScopeText(scope, 'r')}`

/** Links whose local device is in scope, by id; of one device or all. */
export function linkChunks(store: Store, scope: Scope, deviceId: number | null): ListChunks {
  const { sql } = store
  const where = sql`${deviceId === null ? sql`true` : sql`l.local_device_id = ${deviceId}`} and ${deviceInScope(sql, scope)}`
  return listChunks(store, { key: 'l.id', columns: LINK_RECORD, from: linkTables(scope), where })
}

/** A link whose local device is in scope; null: none. */
export async function findLink({ sql }: Store, scope: Scope, id: number): Promise<LinkRecord | null> {
  const [found] = await sql<LinkRecord[]>`
    select ${sql.unsafe(LINK_RECORD)} from ${sql.unsafe(linkTables(scope))} where l.id = ${id} and ${deviceInScope(sql, scope)}`
  return found ?? null
}
