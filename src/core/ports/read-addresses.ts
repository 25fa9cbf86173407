import { asc, inArray, sql as text } from 'drizzle-orm'
import { ipv4Addresses, ipv4Networks, ipv6Addresses, ipv6Networks } from '../../../db/schema/index.ts'
import { portInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { selectList } from '../database/columns.ts'
import { type ListChunks, listChunks } from '../database/list-chunks.ts'

export type AddressFamily = 'ipv4' | 'ipv6'
export type AddressRow = Readonly<typeof ipv4Addresses.$inferSelect> | Readonly<typeof ipv6Addresses.$inferSelect>

const ADDRESSES = { ipv4: selectList(ipv4Addresses, 'a'), ipv6: selectList(ipv6Addresses, 'a') }
const NETWORKS = { ipv4: selectList(ipv4Networks, 'n'), ipv6: selectList(ipv6Networks, 'n') }

/** Addresses of a port, or of all ports of a device that are not deleted: IPv4 by id, then IPv6 by id. */
export async function listAddresses(
  { db }: Store,
  of: { readonly deviceId: number } | { readonly portId: number },
): Promise<AddressRow[]> {
  const ports =
    'portId' in of
      ? text`(${of.portId}::int)`
      : text`(select port_id from ports where device_id = ${of.deviceId} and deleted = 0)`
  const [v4, v6] = await Promise.all([
    db
      .select()
      .from(ipv4Addresses)
      .where(inArray(ipv4Addresses.port_id, ports))
      .orderBy(asc(ipv4Addresses.ipv4_address_id)),
    db
      .select()
      .from(ipv6Addresses)
      .where(inArray(ipv6Addresses.port_id, ports))
      .orderBy(asc(ipv6Addresses.ipv6_address_id)),
  ])
  return [...v4, ...v6]
}

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
    columns: ADDRESSES[family],
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
    columns: NETWORKS[family],
    from: `${family}_networks n`,
    where: seen,
  })
}
