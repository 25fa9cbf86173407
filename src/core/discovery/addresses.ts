import { ipv4Network, ipv6Network, isIpv6LinkLocal, parseIpv4, parseIpv6 } from '@portlight/addresses/ip.ts'
import type { Ipv4Row, Ipv6Row } from '../../modules/observation.ts'
import type { Event } from './events.ts'
import type { Parts } from './isolate-row.ts'
import { counting, type SetOutcome } from './outcome.ts'
import type { Found, PortIds } from './table.ts'
import { deleteRows, same, statement, type Tx } from './write-rows.ts'

/** An address of a port, with the members that both families share. */
interface Address {
  readonly port_id: number
  readonly address: string
  readonly prefixLen: number
  readonly context: string
  /** CIDR text; null: the address has no network of its own (host route, link-local, unknown prefix). */
  readonly network: string | null
  /** IPv6 only. */
  readonly compressed: string
  readonly origin: string
}

interface StoredAddress {
  readonly id: number
  readonly port_id: number
  readonly address: string
  readonly prefixlen: number
  readonly network_id: number
  readonly context: string
  readonly origin: string
}

/** Names of one family's tables and columns. */
const FAMILIES = {
  ipv4: { table: 'ipv4_addresses', networks: 'ipv4_networks', prefix: 'ipv4', own: [] },
  ipv6: { table: 'ipv6_addresses', networks: 'ipv6_networks', prefix: 'ipv6', own: ['ipv6_compressed', 'ipv6_origin'] },
} as const
type Family = (typeof FAMILIES)[keyof typeof FAMILIES]

/** Stores the addresses of a device's ports. */
export async function syncAddresses(
  parts: Parts,
  deviceId: number,
  ports: PortIds,
  { ipv4, ipv6 }: { readonly ipv4: Found<Ipv4Row> | undefined; readonly ipv6: Found<Ipv6Row> | undefined },
  record: (kind: 'ipv4' | 'ipv6', outcome: SetOutcome | null) => void,
): Promise<void> {
  if (ipv4 !== undefined)
    record(
      'ipv4',
      await parts.set('ipv4', ipv4, (tx, { rows, complete }) => syncIpv4(tx, deviceId, ports, rows, complete)),
    )
  if (ipv6 !== undefined)
    record(
      'ipv6',
      await parts.set('ipv6', ipv6, (tx, { rows, complete }) => syncIpv6(tx, deviceId, ports, rows, complete)),
    )
}

/** IPv4 addresses of the device's ports; addresses on interfaces without a port are not stored. */
function syncIpv4(tx: Tx, deviceId: number, ports: PortIds, rows: readonly Ipv4Row[], complete: boolean) {
  const addresses = rows.flatMap((row): Address[] => {
    const port_id = ports.get(row.ifIndex)
    const number = parseIpv4(row.address)
    if (port_id === undefined || number === null || row.prefixLen < 0 || row.prefixLen > 32) return []
    const network = row.prefixLen === 32 || row.prefixLen === 0 ? null : ipv4Network(number, row.prefixLen)
    return [
      {
        port_id,
        address: row.address,
        prefixLen: row.prefixLen,
        context: row.context ?? '',
        network,
        compressed: '',
        origin: '',
      },
    ]
  })
  return sync(tx, FAMILIES.ipv4, deviceId, addresses, complete)
}

/** IPv6 addresses of the device's ports. */
function syncIpv6(tx: Tx, deviceId: number, ports: PortIds, rows: readonly Ipv6Row[], complete: boolean) {
  const addresses = rows.flatMap((row): Address[] => {
    const port_id = ports.get(row.ifIndex)
    const octets = parseIpv6(row.address)
    if (port_id === undefined || octets === null || row.prefixLen < 0 || row.prefixLen > 128) return []
    const alone = row.prefixLen === 128 || row.prefixLen === 0 || isIpv6LinkLocal(octets)
    const { address, compressed, prefixLen, origin } = row
    return [
      {
        port_id,
        address,
        prefixLen,
        context: row.context ?? '',
        network: alone ? null : ipv6Network(octets, prefixLen),
        compressed,
        origin,
      },
    ]
  })
  return sync(tx, FAMILIES.ipv6, deviceId, addresses, complete)
}

async function sync(
  tx: Tx,
  family: Family,
  deviceId: number,
  found: readonly Address[],
  complete: boolean,
): Promise<SetOutcome> {
  const [stored, networks] = await Promise.all([readStored(tx, family, deviceId), findNetworks(tx, family, found)])
  const matches = matchAddresses(stored, found)
  const counts = counting()
  const events: Event[] = []
  const event = (message: string, port: number): Event => ({
    deviceId,
    message,
    type: family.prefix,
    reference: port,
    severity: 3,
  })
  const writes: (Address & { readonly id: number | null; readonly network_id: number })[] = []
  const kept = new Set<number>()
  for (const [address, before] of matches) {
    const network_id = networks.get(`${address.network} ${address.context}`) ?? 0
    if (before !== null) kept.add(before.id)
    if (before !== null && unchanged(before, address, network_id)) continue
    writes.push({ ...address, id: before?.id ?? null, network_id })
    counts[before === null ? 'added' : 'changed']++
    const text = `${address.compressed || address.address}/${address.prefixLen}`
    if (before === null) events.push(event(`Address ${text} added`, address.port_id))
    else if (before.prefixlen !== address.prefixLen || before.port_id !== address.port_id) {
      events.push(event(`Address ${before.address}/${before.prefixlen} changed to ${text}`, address.port_id))
    }
  }
  const gone = complete ? stored.filter((row) => !kept.has(row.id)) : []
  for (const row of gone) events.push(event(`Address ${row.address}/${row.prefixlen} removed`, row.port_id))
  counts.removed = gone.length
  await deleteRows(
    tx,
    { table: family.table, id: `${family.prefix}_address_id` },
    gone.map((row) => row.id),
  )
  await write(tx, family, writes)
  return { counts, events }
}

function unchanged(before: StoredAddress, now: Address, networkId: number): boolean {
  return (
    before.port_id === now.port_id &&
    before.prefixlen === now.prefixLen &&
    before.network_id === networkId &&
    same(before.origin, now.origin)
  )
}

/**
 * Matches discovered addresses with stored ones: on the same port first, then on any other port that it moved from.
 * Each is used once.
 */
function matchAddresses(
  stored: readonly StoredAddress[],
  found: readonly Address[],
): Map<Address, StoredAddress | null> {
  const unique = new Map(found.map((address) => [`${address.port_id} ${address.address} ${address.context}`, address]))
  const matches = new Map<Address, StoredAddress | null>()
  const left = new Map(stored.map((row) => [`${row.port_id} ${row.address} ${row.context}`, row]))
  for (const [key, address] of unique) {
    matches.set(address, left.get(key) ?? null)
    left.delete(key)
  }
  const moved = new Map([...left.values()].map((row) => [`${row.address} ${row.context}`, row]))
  for (const [address, match] of matches) {
    if (match !== null) continue
    const key = `${address.address} ${address.context}`
    matches.set(address, moved.get(key) ?? null)
    moved.delete(key)
  }
  return matches
}

function readStored(tx: Tx, family: Family, deviceId: number): Promise<StoredAddress[]> {
  const p = family.prefix
  return statement<StoredAddress[]>(
    tx,
    `select a.${p}_address_id as id, a.port_id, a.${p}_address as address, a.${p}_prefixlen as prefixlen,
       a.${p}_network_id as network_id, coalesce(a.context_name, '') as context,
       ${p === 'ipv6' ? 'a.ipv6_origin' : "''"} as origin
     from ${family.table} a join ports using (port_id) where ports.device_id = $1`,
    [deviceId],
  )
}

/** Ids of the addresses' networks by `network context`; missing networks are created, and none is removed meanwhile. */
async function findNetworks(
  tx: Tx,
  family: Family,
  addresses: readonly Address[],
): Promise<ReadonlyMap<string, number>> {
  const wanted = new Map(
    addresses.flatMap((a) => (a.network === null ? [] : [[`${a.network} ${a.context}`, a] as const])),
  )
  if (wanted.size === 0) return new Map()
  const p = family.prefix
  // Sorted, so that two devices in one network do not deadlock.
  const rows = [...wanted.values()]
    .map(({ network, context }) => ({ network, context }))
    .sort((a, b) => (`${a.network} ${a.context}` < `${b.network} ${b.context}` ? -1 : 1))
  const list = JSON.stringify(rows)
  const shape = 'jsonb_to_recordset($1::text::jsonb) as x(network text, context text)'
  await statement(
    tx,
    `insert into ${family.networks} (${p}_network, context_name)
     select x.network, x.context from ${shape}
     where not exists (select from ${family.networks} n where n.${p}_network = x.network and n.context_name = x.context)
     on conflict do nothing`,
    [list],
  )
  const found = await statement<{ id: number; network: string; context: string }[]>(
    tx,
    `select n.${p}_network_id as id, x.network, x.context from ${shape}
     join ${family.networks} n on n.${p}_network = x.network and n.context_name = x.context for key share of n`,
    [list],
  )
  return new Map(found.map((row) => [`${row.network} ${row.context}`, row.id]))
}

async function write(
  tx: Tx,
  family: Family,
  rows: readonly (Address & { readonly id: number | null; readonly network_id: number })[],
): Promise<void> {
  const p = family.prefix
  const names = ['port_id', `${p}_address`, `${p}_prefixlen`, `${p}_network_id`, 'context_name', ...family.own]
  const shape = `jsonb_to_recordset($1::text::jsonb) as x(row_id int8, port_id int4, ${p}_address text, ${p}_prefixlen int4,
    ${p}_network_id int4, context_name text, ipv6_compressed text, ipv6_origin text)`
  const json = (list: typeof rows) =>
    JSON.stringify(
      list.map((row) => ({
        row_id: row.id,
        port_id: row.port_id,
        [`${p}_address`]: row.address,
        [`${p}_prefixlen`]: row.prefixLen,
        [`${p}_network_id`]: row.network_id,
        context_name: row.context,
        ipv6_compressed: row.compressed,
        ipv6_origin: row.origin,
      })),
    )
  const [old, fresh] = [rows.filter((row) => row.id !== null), rows.filter((row) => row.id === null)]
  if (old.length > 0) {
    const sets = names.map((name) => `${name} = x.${name}`).join(', ')
    await statement(tx, `update ${family.table} a set ${sets} from ${shape} where a.${p}_address_id = x.row_id`, [
      json(old),
    ])
  }
  if (fresh.length > 0) {
    await statement(
      tx,
      `insert into ${family.table} (${names.join(', ')}) select ${names.join(', ')} from ${shape} on conflict do nothing`,
      [json(fresh)],
    )
  }
}
