import { grantedDevices, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { usefulMac } from '../identity/evidence.ts'
import { manufacturerOf } from '../inventory/manufacturers.ts'

/**
 * Manufacturers of candidates, by their MAC addresses in the ARP tables of devices in scope. Absent: no ARP entry, or a
 * shared or locally administered address.
 */
export async function vendorsOf(
  { sql }: Store,
  scope: Scope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<{ id: number; mac: string }[]>`
      select distinct on (a.candidate_id) a.candidate_id as id, m.mac_address as mac
      from candidate_addresses a join ipv4_mac m on m.ipv4_address = host(a.address)
        join devices d on d.device_id = m.device_id and d.poller_group = a.poller_group
      where a.candidate_id = any(${[...ids]}::int[]) and m.mac_address <> ''
        and ${scope.kind === 'all' ? sql`true` : sql`m.device_id in (${grantedDevices(sql, scope)})`}
      order by a.candidate_id, a.last_seen desc, m.mac_address`
  const vendors = new Map<number, string>()
  for (const { id, mac: text } of rows) {
    const mac = usefulMac(text)
    const vendor = mac === null ? '' : await manufacturerOf(mac)
    if (vendor !== '') vendors.set(id, vendor)
  }
  return vendors
}
