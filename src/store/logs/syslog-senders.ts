import { isIP, isIPv4 } from 'node:net'
import { deviceInScope, type Scope } from '../access/scope.ts'
import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'

/** The device that sent a message. */
export interface SyslogSender {
  readonly device_id: number
  readonly os: string | null
}

/**
 * Devices by name or address (lower case), matched against hostname, sysName, the device's address, then IPv4 addresses
 * of its ports. Unknown ones are omitted. A single statement.
 */
export async function syslogSenders(
  { sql }: Store,
  scope: Scope,
  hosts: readonly string[],
): Promise<ReadonlyMap<string, SyslogSender>> {
  if (hosts.length === 0) return new Map()
  const addresses = hosts.filter((host) => isIP(host) > 0 && !host.includes('%'))
  const json = (list: readonly string[]) => sql`jsonb_array_elements_text(${JSON.stringify(list)}::text::jsonb)`
  const rows = await guarded(
    () => sql<(SyslogSender & { host: string })[]>`
      with asked as (select * from ${json(hosts)} as a(host)),
      addressed as (select * from ${json(addresses)} as a(host)),
      v4 as (select * from ${json(addresses.filter((host) => isIPv4(host)))} as a(host)),
      found as (
        select host, device_id, 1 as rank from asked join devices on lower(hostname) = host
        union all select host, device_id, 2 from asked join devices on lower("sysName") = host
        union all select host, device_id, 3 from addressed join devices on ip = host::inet
        union all select host, device_id, 4 from v4
          join ipv4_addresses on ipv4_address = host join ports using (port_id) where deleted = 0)
      select distinct on (found.host) found.host, d.device_id, d.os from found join devices d using (device_id)
      where ${deviceInScope(sql, scope)} order by found.host, found.rank, d.device_id`,
  )
  return new Map(rows.map(({ host, ...sender }) => [host, sender]))
}
