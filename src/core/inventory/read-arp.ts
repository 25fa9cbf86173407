import { ipv4Mac } from '../../../db/schema/index.ts'
import { portInScope, type Scope } from '../base/scope.ts'
import type { Sql, Store } from '../database/client.ts'
import { selectList } from '../database/columns.ts'
import { type ListChunks, listChunks } from '../database/list-chunks.ts'

/** Filter of ARP entries. `network`: CIDR text. */
export type ArpFilter =
  | { readonly by: 'all' }
  | { readonly by: 'device'; readonly deviceId: number }
  | { readonly by: 'mac' | 'address' | 'network'; readonly value: string }

/** ARP entries of ports in scope, by id; MAC addresses are 12 lower-case hex digits. */
export function arpChunks(store: Store, scope: Scope, filter: ArpFilter): ListChunks {
  const { sql } = store
  return listChunks(store, {
    key: 'm.id',
    columns: selectList(ipv4Mac, 'm'),
    from: 'ipv4_mac m join ports p on p.port_id = m.port_id',
    where: sql`${arpCondition(sql, filter)} and ${portInScope(sql, scope)}`,
  })
}

function arpCondition(sql: Sql, filter: ArpFilter) {
  switch (filter.by) {
    case 'all':
      return sql`true`
    case 'device':
      return sql`m.device_id = ${filter.deviceId}`
    case 'mac':
      return sql`m.mac_address = ${filter.value}`
    case 'address':
      return sql`m.ipv4_address = ${filter.value}`
    case 'network':
      return sql`m.ipv4_address::inet <<= ${filter.value}::text::inet`
  }
}
