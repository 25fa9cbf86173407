import type { Store } from '../../src/core/database/client.ts'
import { findDoubles } from '../../src/core/identity/find-doubles.ts'

type Ids = ReadonlyMap<string, number>

/**
 * Everything by which one device can refer to another: a neighbour, a parent, shared groups and rules, the next hop of a
 * default route, and hardware in common. Both devices were made by `fillDevice`.
 */
export async function relate(store: Store, here: Ids, there: Ids): Promise<void> {
  const { sql } = store
  const id = (ids: Ids, table: string) => ids.get(table) ?? 0
  await sql`update links set remote_device_id = ${id(there, 'devices')}, remote_port_id = ${id(there, 'ports')}
    where id = ${id(here, 'links')}`
  await sql`insert into device_relationships (parent_device_id, child_device_id)
    values (${id(there, 'devices')}, ${id(here, 'devices')})`
  await sql`insert into device_group_device (device_group_id, device_id)
    values (${id(here, 'device_groups')}, ${id(there, 'devices')})`
  await sql`insert into port_group_port (port_group_id, port_id)
    values (${id(here, 'port_groups')}, ${id(there, 'ports')})`
  await sql`insert into alert_device_map (rule_id, device_id)
    values (${id(here, 'alert_rules')}, ${id(there, 'devices')})`
  await sql`update ipv4_addresses set ipv4_address = '192.0.2.77' where port_id = ${id(there, 'ports')}`
  await sql`update default_routes set next_hop = '192.0.2.77' where device_id = ${id(here, 'devices')}`
  await sql`update devices set poller_group = 0, serial = 'SHARED0001'
    where device_id in (${id(here, 'devices')}, ${id(there, 'devices')})`
  await findDoubles(store, { namesRepeat: true, signal: new AbortController().signal })
}
