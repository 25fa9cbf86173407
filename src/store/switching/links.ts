import { deviceInScope, deviceInScopeText, type Scope } from '../access/scope.ts'
import type { Store } from '../client.ts'
import { type ListChunks, listChunks } from '../list-chunks.ts'

export interface LinkRecord {
  readonly id: number
  readonly local_port_id: number | null
  readonly local_device_id: number
  readonly remote_port_id: number | null
  readonly active: number
  readonly protocol: string | null
  readonly remote_hostname: string
  /** 0: the neighbour is not monitored. */
  readonly remote_device_id: number
  readonly remote_port: string
  readonly remote_platform: string | null
  readonly remote_version: string
}

/**
 * A remote device that was deleted or is not in scope appears as not monitored. What it reported to its neighbour is
 * shown.
 */
const LINK_COLUMNS = `l.id, l.local_port_id, l.local_device_id,
  case when r.device_id is not null then l.remote_port_id end as remote_port_id, l.active, l.protocol, l.remote_hostname,
  coalesce(r.device_id, 0) as remote_device_id, l.remote_port, l.remote_platform, l.remote_version`
const linkTables = (scope: Scope) => `links l join devices d on d.device_id = l.local_device_id
  left join devices r on r.device_id = l.remote_device_id and ${deviceInScopeText(scope, 'r')}`

/** Links whose local device is in scope, by id; of one device or all. */
export function linkChunks(store: Store, scope: Scope, deviceId: number | null): ListChunks {
  const { sql } = store
  const where = sql`${deviceId === null ? sql`true` : sql`l.local_device_id = ${deviceId}`} and ${deviceInScope(sql, scope)}`
  return listChunks(store, { key: 'l.id', columns: LINK_COLUMNS, from: linkTables(scope), where })
}

/** A link whose local device is in scope; null: none. */
export async function findLink({ sql }: Store, scope: Scope, id: number): Promise<LinkRecord | null> {
  const [found] = await sql<LinkRecord[]>`
    select ${sql.unsafe(LINK_COLUMNS)} from ${sql.unsafe(linkTables(scope))} where l.id = ${id} and ${deviceInScope(sql, scope)}`
  return found ?? null
}
