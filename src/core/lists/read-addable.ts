import { isIP } from 'node:net'
import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'

/** What is known of an address in an ARP table. */
export interface AddableAddress {
  readonly address: string
  /** The candidate that answers there and waits for a decision; null: none. */
  readonly candidateId: number | null
}

/**
 * Of these addresses, those at which no monitored device answers: they can be added. A candidate counts for whoever
 * sees a device that reports it.
 */
export async function addableAddresses(
  { sql }: Store,
  scope: Scope,
  addresses: readonly string[],
): Promise<AddableAddress[]> {
  const asked = [...new Set(addresses)].filter((address) => isIP(address) !== 0)
  return await sql<AddableAddress[]>`
      select x.address, (select c.id from candidates c join candidate_addresses a on a.candidate_id = c.id
          where a.address = x.address::inet and c.state = 'new'
            and (${scope.kind === 'all'} or exists (select from candidate_sources s join devices d on d.device_id = s.device_id
              where s.candidate_id = c.id and ${deviceInScope(sql, scope)}))
          order by c.id limit 1) as "candidateId"
      from unnest(${asked}::text[]) as x(address)
      where not exists (select from ipv4_addresses i where i.ipv4_address = x.address)
        and not exists (select from devices d where d.ip = x.address::inet or d.hostname = x.address or d.overwrite_ip = x.address)`
}
