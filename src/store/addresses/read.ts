import type { Store } from '../client.ts'

export interface Ipv4AddressRow {
  readonly ipv4_address_id: number
  readonly ipv4_address: string
  readonly ipv4_prefixlen: number
  readonly ipv4_network_id: number
  readonly port_id: number
  readonly context_name: string | null
}

export interface Ipv6AddressRow {
  readonly ipv6_address_id: number
  readonly ipv6_address: string
  readonly ipv6_compressed: string
  readonly ipv6_prefixlen: number
  readonly ipv6_origin: string
  readonly ipv6_network_id: number
  readonly port_id: number
  readonly context_name: string | null
}

export type AddressRow = Ipv4AddressRow | Ipv6AddressRow

/** Addresses of a port, or of all ports of a device that are not deleted: IPv4 by id, then IPv6 by id. */
export async function listAddresses(
  { sql }: Store,
  of: { readonly deviceId: number } | { readonly portId: number },
): Promise<AddressRow[]> {
  const ports =
    'portId' in of
      ? sql`select ${of.portId}::int`
      : sql`select port_id from ports where device_id = ${of.deviceId} and deleted = 0`
  const [v4, v6] = await Promise.all([
    sql<Ipv4AddressRow[]>`
      select ipv4_address_id, ipv4_address, ipv4_prefixlen, ipv4_network_id, port_id, context_name
      from ipv4_addresses where port_id in (${ports}) order by ipv4_address_id`,
    sql<Ipv6AddressRow[]>`
      select ipv6_address_id, ipv6_address, ipv6_compressed, ipv6_prefixlen, ipv6_origin, ipv6_network_id, port_id,
        context_name
      from ipv6_addresses where port_id in (${ports}) order by ipv6_address_id`,
  ])
  return [...v4, ...v6]
}
