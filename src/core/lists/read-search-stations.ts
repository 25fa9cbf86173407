import type { AddressPart } from '../base/address-text.ts'
import { portInScope, type Scope } from '../base/scope.ts'
import type { Sql, Store } from '../database/client.ts'
import { escaped } from '../database/patterns.ts'
import type { Hit } from './search-hit.ts'

/** Rows of a table that are looked at, before the best are chosen. */
const CANDIDATES = 1000

/** Condition on a column of addresses as text. The comparison as text comes first, because it can use the index. */
function isIn(sql: Sql, column: string, part: AddressPart, version: 4 | 6) {
  const name = sql.unsafe(column)
  if ('begin' in part) return version === 4 ? sql`${name} like ${`${escaped(part.begin)}%`}` : sql`false`
  const { octets, bits } = part.network
  if ((octets.length === 4) !== (version === 4)) return sql`false`
  const known = version === 4 ? `${[...octets].slice(0, Math.floor(bits / 8)).join('.')}` : ''
  const begin = known === '' ? '%' : bits === 32 ? known : `${known}.%`
  return sql`${name} like ${begin} and case when ${name} ~ ${version === 4 ? '^[0-9]{1,3}(\\.[0-9]{1,3}){3}$' : '^[0-9a-f:]{2,39}$'}
    then ${name}::inet <<= ${part.text}::text::inet end`
}

const DEVICE = `coalesce(nullif(d.display, ''), d.hostname)`
const PORT = `coalesce(nullif(p."ifName", ''), p."ifDescr", 'port ' || p.port_id)`
const COLONS = (mac: string) => `regexp_replace(${mac}, '(..)(?=.)', '\\1:', 'g')`

/**
 * SQL for where stations are seen, from `s` (mac): the port, whether it leads to another device, and how many stations
 * are behind it. The port with the fewest that is no uplink is the edge.
 */
const behind = (sql: Sql, scope: Scope) => sql`
  select s.*, p.port_id, d.device_id, ${sql.unsafe(`${DEVICE} || ' ' || ${PORT}`)} as place, v.vlan_vlan as vlan,
    exists (select from links n where n.local_port_id = p.port_id and n.active = 1) as uplink,
    (select count(*) from ports_fdb o where o.port_id = p.port_id) as stations
  from s join ports_fdb f on f.mac_address = s.mac join ports p on p.port_id = f.port_id and p.deleted = 0
    join devices d on d.device_id = p.device_id left join vlans v on v.vlan_id = f.vlan_id
  where ${portInScope(sql, scope)}`

const PLACE = `case when uplink then 'through uplink ' else 'behind ' end || place || coalesce(' · VLAN ' || vlan, '')`

/** Addresses in scope: those of ports, then stations with MAC and edge port, then ARP tables, then uplinks. */
export async function searchAddresses({ sql }: Store, scope: Scope, part: AddressPart, limit: number): Promise<Hit[]> {
  const inScope = portInScope(sql, scope)
  return await sql<Hit[]>`
      with own as (
          select ipv4_address as ip, ipv4_prefixlen as bits, port_id from ipv4_addresses where ${isIn(sql, 'ipv4_address', part, 4)}
          union select ipv6_address, ipv6_prefixlen, port_id from ipv6_addresses where ${isIn(sql, 'ipv6_address', part, 6)}),
        arp as (
          (select ipv4_address as ip, mac_address as mac, port_id from ipv4_mac where ${isIn(sql, 'ipv4_address', part, 4)} limit ${CANDIDATES})
          union (select ipv6_address, mac_address, port_id from ipv6_nd where ${isIn(sql, 'ipv6_address', part, 6)} limit ${CANDIDATES})),
        heard as (
          select a.*, d.device_id, ${sql.unsafe(`${DEVICE} || ' ' || ${PORT}`)} as place
          from arp a join ports p on p.port_id = a.port_id and p.deleted = 0 join devices d on d.device_id = p.device_id
          where ${inScope}),
        s as (select distinct ip, mac from heard),
        seen as (${behind(sql, scope)}),
        found as (
          select 0 as rank, 0::bigint as stations, o.ip, d.device_id, p.port_id, '/' || o.bits as more,
            ${sql.unsafe(`'of ' || ${DEVICE} || ' ' || ${PORT}`)} as detail
          from own o join ports p on p.port_id = o.port_id and p.deleted = 0 join devices d on d.device_id = p.device_id
          where ${inScope}
          union all select case when uplink then 3 else 1 end, stations, ip, device_id, port_id, '',
            ${sql.unsafe(`${COLONS('mac')} || ' ' || ${PLACE}`)} from seen
          union all select 2, 0, ip, device_id, port_id, '', ${sql.unsafe(`${COLONS('mac')} || ' · ARP of ' || place`)} from heard)
      select 'address' as kind, device_id, port_id, host(ip::inet) || more as title, detail, '' as state, 'address' as field
      from found where ip ~ '^[0-9a-f.:]{2,39}$' order by rank, ip::inet, stations, detail limit ${limit}`
}

/** MAC addresses in scope that begin with the digits, or else have them at an octet: edge ports first, uplinks last. */
export async function searchMacs({ sql }: Store, scope: Scope, digits: string, limit: number): Promise<Hit[]> {
  const inScope = portInScope(sql, scope)
  const find = async (like: string, aligned: boolean) => {
    const matches = (column: string) =>
      sql`${sql.unsafe(column)} like ${like} ${aligned ? sql`and position(${digits} in ${sql.unsafe(column)}) % 2 = 1` : sql``}`
    return await sql<Hit[]>`
        with s as (select distinct mac_address as mac from ports_fdb where ${matches('mac_address')} limit ${CANDIDATES}),
          seen as (${behind(sql, scope)}),
          others as (
            (select mac_address as mac, port_id, 'ARP of ' as what, ipv4_address as ip from ipv4_mac where ${matches('mac_address')} limit ${CANDIDATES})
            union (select "ifPhysAddress", port_id, 'of ', null from ports where ${matches('"ifPhysAddress"')} limit ${CANDIDATES})),
          found as (
            select case when uplink then 3 else 0 end as rank, stations, mac, device_id, port_id, ${sql.unsafe(PLACE)} as detail from seen
            union all
            select case when o.ip is null then 1 else 2 end, 0, o.mac, d.device_id, p.port_id,
              ${sql.unsafe(`coalesce(o.ip || ' · ', '') || o.what || ${DEVICE} || ' ' || ${PORT}`)}
            from others o join ports p on p.port_id = o.port_id and p.deleted = 0 join devices d on d.device_id = p.device_id
            where ${inScope})
        select 'address' as kind, device_id, port_id, mac as title, detail, '' as state, 'MAC' as field
        from found order by rank, mac, stations, detail limit ${limit}`
  }
  const begins = await find(`${digits}%`, false)
  // without an index, so only if the first digits are not those of any
  return begins.length > 0 || digits.length < 4 || digits.length % 2 === 1
    ? [...begins]
    : [...(await find(`%${digits}%`, true))]
}
