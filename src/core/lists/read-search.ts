import { addressPart, macPart } from '../base/address-text.ts'
import { NOT_ASKED } from '../base/not-asked.ts'
import { deviceInScope, portInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { containing, escaped } from '../database/patterns.ts'
import { UNREPORTED } from './read-old-values.ts'
import { searchAddresses, searchMacs } from './read-search-stations.ts'
import type { Hit } from './search-hit.ts'

/**
 * Objects in scope that contain the text, at most `limit` of each kind: devices by name, address, serial, hardware;
 * ports by name, alias and MAC, also with the name of the device before or after that of the port; addresses by ARP and forwarding tables and by the ports' own; VLANs by number and name;
 * autonomous systems of BGP sessions; locations.
 */
export async function search(store: Store, scope: Scope, text: string, limit: number): Promise<Hit[]> {
  const part = containing(text)
  const begin = `${escaped(text)}%`
  const { sql } = store
  const mac = macPart(text)
  const addresses = addressPart(text)
  const network = addresses !== null && 'network' in addresses ? addresses.text : null
  const number = /^(?:as|vlan)?\s*(\d{1,10})$/i.exec(text)?.[1] ?? null
  const inScope = deviceInScope(sql, scope)
  const portScope = portInScope(sql, scope)
  const name = sql`coalesce(nullif(d.display, ''), d.hostname)`
  const state = sql`case when d.disabled = 1 then 'disabled' when d.status = 1 then 'up' when ${sql.unsafe(NOT_ASKED)} then 'unknown' else 'down' end`
  const portState = sql`case when p."ifAdminStatus" = 'down' then 'disabled' when ${sql.unsafe(UNREPORTED)} then 'unknown'
    when p."ifOperStatus" = 'up' then 'up' else 'down' end`
  const found = await Promise.all([
    sql<Hit[]>`
        select 'device' as kind, d.device_id, null::int as port_id, ${name} as title,
          concat_ws(' · ', nullif(d.hardware, ''), host(d.ip)) as detail, ${state} as state,
          case when d.hostname ilike ${part} or d.display ilike ${part} then 'name' when d."sysName" ilike ${part} then 'sysName'
            when host(d.ip) like ${part} or d.ip <<= ${network}::text::inet then 'address' when d.serial ilike ${part} then 'serial' else 'hardware' end as field
        from devices d where ${inScope} and (d.hostname ilike ${part} or d.display ilike ${part} or d."sysName" ilike ${part}
          or host(d.ip) like ${part} or d.ip <<= ${network}::text::inet or d.serial ilike ${part} or d.hardware ilike ${part})
        order by (lower(d.hostname) = lower(${text})) desc, (d.hostname ilike ${begin}) desc, lower(d.hostname) limit ${limit}`,
    sql<Hit[]>`
        select 'port' as kind, d.device_id, p.port_id, concat(${name}, ' ', p."ifName") as title, coalesce(p."ifAlias", '') as detail,
          ${portState} as state, case when p."ifAlias" ilike ${part} then 'alias' else 'interface' end as field
        from ports p join devices d on d.device_id = p.device_id
        where p.deleted = 0 and ${matches(sql, text, part)} and ${portScope}
        order by (lower(p."ifName") = lower(${text})) desc, (lower(p."ifName") = any(${words(text)}::text[])) desc,
          lower(d.hostname), p."ifIndex", p.port_id limit ${limit}`,
    mac === null ? [] : searchMacs(store, scope, mac, limit),
    addresses === null ? [] : searchAddresses(store, scope, addresses, limit),
    sql<Hit[]>`
        select 'vlan' as kind, v.device_id, null::int as port_id, concat('VLAN ', v.vlan_vlan, ' ', v.vlan_name) as title,
          ${name} as detail, '' as state, 'VLAN' as field
        from vlans v join devices d on d.device_id = v.device_id
        where ${inScope} and (v.vlan_name ilike ${part} or v.vlan_vlan::text = ${number})
        order by v.vlan_vlan, lower(d.hostname) limit ${limit}`,
    sql<Hit[]>`
        select 'as' as kind, b.device_id, null::int as port_id, concat('AS', b."bgpPeerRemoteAs", ' ', b.astext) as title,
          concat(b."bgpPeerIdentifier", ' of ', ${name}) as detail, '' as state, 'AS' as field
        from public."bgpPeers" b join devices d on d.device_id = b.device_id
        where ${inScope} and (b."bgpPeerRemoteAs"::text = ${number} or b.astext ilike ${part} or b."bgpPeerIdentifier" = ${text})
        limit ${limit}`,
    sql<Hit[]>`
        select 'location' as kind, null::int as device_id, null::int as port_id, l.location as title,
          concat(count(*), case when count(*) = 1 then ' device' else ' devices' end) as detail, '' as state, 'location' as field
        from locations l join devices d on d.location_id = l.id where ${inScope} and l.location ilike ${part}
        group by l.id order by lower(l.location) limit ${limit}`,
  ])
  return found.flat()
}

/** More words are not taken for the names of a device and a port. */
const MAX_WORDS = 5

const splitWords = (text: string) => text.trim().toLowerCase().split(/\s+/)

/** Every ending of the text that begins with a word, and every beginning that ends with one, as names of ports. */
function words(text: string): string {
  const all = splitWords(text).slice(0, MAX_WORDS)
  const parts = all.flatMap((_, i) => [all.slice(i).join(' '), all.slice(0, i + 1).join(' ')])
  return `{${parts.map((part) => `"${part.replaceAll(/["\\]/g, '\\$&')}"`).join()}}`
}

/**
 * Condition on `p` for its own names, or for a text of two: `sw1 Gi1/0/17`, or the port first. Those of two names are found
 * by themselves, because a condition on either table or both would be tested on every port.
 */
function matches(sql: Store['sql'], text: string, part: string) {
  const own = sql`p.search_text like lower(${part})`
  const all = splitWords(text)
  if (all.length < 2 || all.length > MAX_WORDS) return own
  const pairs = all.slice(1).flatMap((_, i) => {
    const [first, second] = [all.slice(0, i + 1).join(' '), all.slice(i + 1).join(' ')]
    return [
      { device: first, port: second },
      { device: second, port: first },
    ]
  })
  const onDevices = pairs.map(({ device, port }) => {
    const like = containing(device)
    return sql`
      union all select o.port_id from devices n join ports o on o.device_id = n.device_id
      where o.search_text like ${containing(port)} and (n.hostname ilike ${like} or n.display ilike ${like} or n."sysName" ilike ${like})`
  })
  return sql`p.port_id in (select p.port_id from ports p where ${own} ${onDevices})`
}
