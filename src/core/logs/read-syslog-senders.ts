import { isIP, isIPv4 } from 'node:net'
import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'

/** The device that sent a message. */
export interface SyslogSender {
  readonly device_id: number
  readonly os: string | null
}

/**
 * Devices by name or address (lower case; IPv6 compressed as in RFC 5952), matched against hostname, sysName, the
 * device's address, then addresses of its ports, except loopback and link-local ones, which many have. With `shortNames`, a name without a domain also stands for the one
 * device whose hostname or sysName begins with it (RFC 3164 §4.1.2: HOSTNAME has no domain). Unknown ones are omitted. A
 * single statement.
 */
export async function syslogSenders(
  { sql }: Store,
  scope: Scope,
  hosts: readonly string[],
  shortNames = false,
): Promise<ReadonlyMap<string, SyslogSender>> {
  if (hosts.length === 0) return new Map()
  const addresses = hosts.filter((host) => isIP(host) > 0 && !host.includes('%'))
  const labels = shortNames ? hosts.filter((host) => /^[\w-]+$/.test(host)) : []
  const json = (list: readonly string[]) => sql`jsonb_array_elements_text(${JSON.stringify(list)}::text::jsonb)`
  const rows = await sql<(SyslogSender & { host: string })[]>`
      with asked as (select * from ${json(hosts)} as a(host)),
      addressed as (select * from ${json(addresses)} as a(host)),
      label as (select * from ${json(labels)} as a(host)),
      v4 as (select * from ${json(addresses.filter((host) => isIPv4(host)))} as a(host)),
      found as (
        select host, device_id, 1 as rank from asked join devices on lower(hostname) = host
        union all select host, device_id, 2 from asked join devices on lower("sysName") = host
        union all select host, device_id, 3 from addressed join devices on ip = host::inet
        union all select host, device_id, 4 from v4
          join ipv4_addresses on ipv4_address = host join ports using (port_id)
          where deleted = 0 and host !~ '^(0|127|169\\.254)\\.'
        union all select host, device_id, 5 from addressed
          join ipv6_addresses on ipv6_compressed = host join ports using (port_id)
          where deleted = 0 and host !~ '^(::1?$|fe[89ab])'
        union all select host, min(device_id), 6 from label
          join devices on split_part(lower(hostname), '.', 1) = host or split_part(lower("sysName"), '.', 1) = host
          group by host having count(*) = 1)
      select distinct on (found.host) found.host, d.device_id, d.os from found join devices d using (device_id)
      where ${deviceInScope(sql, scope)} order by found.host, found.rank, d.device_id`
  return new Map(rows.map(({ host, ...sender }) => [host, sender]))
}
