import { portInScope, type Scope } from '../access/scope.ts'
import type { Store } from '../client.ts'
import { type ListChunks, listChunks } from '../list-chunks.ts'

export type AddressFamily = 'ipv4' | 'ipv6'

const ADDRESS = {
  ipv4: 'a.ipv4_address_id, a.ipv4_address, a.ipv4_prefixlen, a.ipv4_network_id, a.port_id, a.context_name',
  ipv6: `a.ipv6_address_id, a.ipv6_address, a.ipv6_compressed, a.ipv6_prefixlen, a.ipv6_origin, a.ipv6_network_id,
    a.port_id, a.context_name`,
} as const

/** Addresses of one family on ports in scope, by id; `networkId` limits them to one network. */
export function ipAddressChunks(
  store: Store,
  scope: Scope,
  family: AddressFamily,
  networkId: number | null,
): ListChunks {
  const { sql } = store
  const network = networkId === null ? sql`true` : sql`a.${sql(`${family}_network_id`)} = ${networkId}`
  return listChunks(store, {
    key: `a.${family}_address_id`,
    columns: ADDRESS[family],
    from: `${family}_addresses a join ports p on p.port_id = a.port_id`,
    where: sql`${network} and ${portInScope(sql, scope)}`,
  })
}

/** Networks of one family, by id. A granted scope sees those in which it sees an address. */
export function ipNetworkChunks(store: Store, scope: Scope, family: AddressFamily): ListChunks {
  const { sql } = store
  const id = `${family}_network_id`
  const seen =
    scope.kind === 'all'
      ? sql`true`
      : sql`n.${sql(id)} in (select a.${sql(id)} from ${sql(`${family}_addresses`)} a
          join ports p on p.port_id = a.port_id where ${portInScope(sql, scope)})`
  return listChunks(store, {
    key: `n.${id}`,
    columns: `n.${id}, n.${family}_network, n.context_name`,
    from: `${family}_networks n`,
    where: seen,
  })
}
