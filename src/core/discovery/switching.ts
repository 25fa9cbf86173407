import type { ArpRow } from '../../modules/arp/observation.ts'
import type { EtherlikeRow } from '../../modules/etherlike/observation.ts'
import type { FdbRow } from '../../modules/fdb/observation.ts'
import type { LinkRow } from '../../modules/links/observation.ts'
import type { NacRow } from '../../modules/nac/observation.ts'
import type { PortSecurityRow } from '../../modules/port-security/observation.ts'
import type { PortStackRow } from '../../modules/port-stack/observation.ts'
import type { PortSwitchingRow, PortVlanRow, VlanRow } from '../../modules/vlans/observation.ts'
import { ARP, ND, syncArp } from './arp.ts'
import { type AdjustedValues, clean, int2, int4, int8, text, type Values } from './columns.ts'
import { syncEtherlike } from './etherlike.ts'
import type { Event } from './events.ts'
import type { Parts } from './isolate-row.ts'
import { syncLinks } from './links.ts'
import { counting, type SetOutcome } from './outcome.ts'
import { syncNac, syncPortSecurity } from './port-access.ts'
import { portChange, readPorts, updatePorts } from './ports.ts'
import type { DiscoveredTable, Found, PortIds } from './table.ts'
import { syncDiscovered } from './tables.ts'
import { deleteRows, insertRows, same, statement, type Tx, updateRows } from './write-rows.ts'

/** A table of relations: rows have a natural key and no references to them, and changes are too many to log. */
const STACK = {
  table: 'ports_stack',
  id: 'id',
  key: ['high_ifIndex', 'low_ifIndex'],
  columns: { high_ifIndex: int8, high_port_id: int4, low_ifIndex: int8, low_port_id: int4, ifStackStatus: text(32) },
  defaults: {},
} as const

const PORT_VLANS = {
  table: 'ports_vlans',
  id: 'port_vlan_id',
  key: ['port_id', 'vlan'],
  columns: {
    port_id: int4,
    vlan: int4,
    baseport: int4,
    priority: int8,
    state: text(16),
    cost: int4,
    untagged: int4,
  },
  // a number that no spanning tree has is unknown, which these columns show as 0
  defaults: { vlan: 0, baseport: 0, priority: 0, state: 'unknown', cost: 0, untagged: 0 },
} as const

const VLANS: DiscoveredTable = {
  table: 'vlans',
  id: 'vlan_id',
  key: ['vlan_domain', 'vlan_vlan'],
  columns: { vlan_vlan: int4, vlan_domain: int4, vlan_name: text(64), vlan_type: text(16), vlan_state: int2 },
  first: {},
  defaults: { vlan_state: 1 },
  flag: null,
  event: 'vlan',
  label: (row) => `VLAN ${row['vlan_vlan']} ${row['vlan_name'] ?? ''}`.trimEnd(),
}

/** The kinds of observations that are stored here. */
export interface SwitchingSets {
  readonly 'port-stack'?: Found<PortStackRow> | undefined
  readonly vlans?: Found<VlanRow> | undefined
  readonly 'port-vlans'?: Found<PortVlanRow> | undefined
  readonly 'port-switching'?: Found<PortSwitchingRow> | undefined
  readonly etherlike?: Found<EtherlikeRow> | undefined
  readonly fdb?: Found<FdbRow> | undefined
  readonly arp?: Found<ArpRow> | undefined
  readonly nd?: Found<ArpRow> | undefined
  readonly links?: Found<LinkRow> | undefined
  readonly nac?: Found<NacRow> | undefined
  readonly 'port-security'?: Found<PortSecurityRow> | undefined
}

/** Stores the tables of ports and their neighbours, VLANs before rows that refer to them. */
export async function syncSwitching(
  parts: Parts,
  deviceId: number,
  ports: PortIds,
  sets: SwitchingSets,
  adjusted: AdjustedValues,
  record: (kind: keyof SwitchingSets, outcome: SetOutcome | null) => void,
): Promise<void> {
  const { 'port-stack': stack, vlans, 'port-vlans': members, 'port-switching': switching, etherlike, fdb } = sets
  const { arp, nd, links, nac, 'port-security': security } = sets
  async function sync<R>(
    kind: keyof SwitchingSets,
    found: Found<R> | undefined,
    work: (tx: Tx, found: Found<R>) => Promise<SetOutcome>,
  ): Promise<void> {
    if (found !== undefined) record(kind, await parts.set(kind, found, work))
  }
  await sync('port-stack', stack, (tx, found) => syncPortStack(tx, deviceId, ports, found, adjusted))
  await sync('vlans', vlans, (tx, part) => syncDiscovered(tx, VLANS, deviceId, part, adjusted))
  await sync('port-vlans', members, (tx, found) => syncPortVlans(tx, deviceId, ports, found, adjusted))
  await sync('port-switching', switching, (tx, found) => syncPortSwitching(tx, deviceId, found, adjusted))
  await sync('etherlike', etherlike, (tx, found) => syncEtherlike(tx, deviceId, ports, found))
  await sync('fdb', fdb, (tx, found) => syncFdb(tx, deviceId, ports, found))
  await sync('arp', arp, (tx, found) => syncArp(tx, ARP, deviceId, ports, found, adjusted))
  await sync('nd', nd, (tx, found) => syncArp(tx, ND, deviceId, ports, found, adjusted))
  await sync('links', links, (tx, { rows, complete }) => syncLinks(tx, deviceId, rows, complete, adjusted))
  await sync('nac', nac, (tx, found) => syncNac(tx, deviceId, found, adjusted))
  await sync('port-security', security, (tx, found) => syncPortSecurity(tx, deviceId, ports, found, adjusted))
}

/** ifStackTable of the device's ports, without interfaces that have no port; 0 stands for none and has no port id. */
function syncPortStack(tx: Tx, deviceId: number, ports: PortIds, found: Found<PortStackRow>, adjusted: AdjustedValues) {
  const rows = found.rows.flatMap((row) => {
    const high_port_id = row.high_ifIndex === 0 ? null : ports.get(row.high_ifIndex)
    const low_port_id = row.low_ifIndex === 0 ? null : ports.get(row.low_ifIndex)
    return high_port_id === undefined || low_port_id === undefined ? [] : [{ ...row, high_port_id, low_port_id }]
  })
  return syncRelations(tx, STACK, deviceId, rows, found.complete, adjusted)
}

/** VLANs on the device's ports, without interfaces that have no port. */
function syncPortVlans(tx: Tx, deviceId: number, ports: PortIds, found: Found<PortVlanRow>, adjusted: AdjustedValues) {
  const rows = found.rows.flatMap(({ ifIndex, ...row }) => {
    const port_id = ports.get(ifIndex)
    return port_id === undefined ? [] : [{ ...row, port_id }]
  })
  return syncRelations(tx, PORT_VLANS, deviceId, rows, found.complete, adjusted)
}

async function syncRelations(
  tx: Tx,
  table: typeof STACK | typeof PORT_VLANS,
  deviceId: number,
  found: readonly object[],
  complete: boolean,
  adjusted: AdjustedValues,
): Promise<SetOutcome> {
  const names = Object.keys(table.columns)
  const defaults: Values = table.defaults
  const stored = await statement<Values[]>(
    tx,
    `select ${[table.id, ...names].map((name) => `"${name}"`).join(', ')} from ${table.table} where device_id = $1`,
    [deviceId],
  )
  const keyOf = (row: Values) => table.key.map((name) => row[name]).join(' ')
  const byKey = new Map(stored.map((row) => [keyOf(row), row]))
  const rows = new Map<string, Values>()
  for (const given of found) {
    const sent = given as Readonly<Record<string, unknown>>
    const row = Object.fromEntries(
      Object.entries(table.columns).map(([n, type]) => [n, clean(type, sent[n], adjusted) ?? defaults[n] ?? null]),
    )
    if (!rows.has(keyOf(row))) rows.set(keyOf(row), row)
  }
  const added: Values[] = []
  const updates: { id: number; values: Values }[] = []
  for (const [key, values] of rows) {
    const before = byKey.get(key)
    if (before === undefined) added.push(values)
    else if (!names.every((name) => same(values[name], before[name])))
      updates.push({ id: Number(before[table.id]), values })
  }
  const gone = complete ? stored.filter((row) => !rows.has(keyOf(row))) : []
  await deleteRows(
    tx,
    table,
    gone.map((row) => Number(row[table.id])),
  )
  await updateRows(tx, table, updates)
  await insertRows(tx, table, deviceId, added)
  return { counts: { added: added.length, changed: updates.length, removed: gone.length }, events: [] }
}

/** Native VLAN and trunk encapsulation of each port. After a complete walk a port that was not reported has neither. */
async function syncPortSwitching(
  tx: Tx,
  deviceId: number,
  found: Found<PortSwitchingRow>,
  adjusted: AdjustedValues,
): Promise<SetOutcome> {
  const seen = new Map(found.rows.map((row) => [row.ifIndex, row]))
  const updates: { id: number; values: Values }[] = []
  const events: Event[] = []
  for (const port of await readPorts(tx, deviceId)) {
    if (port.deleted !== 0 || port.ifIndex === null) continue
    const row = seen.get(port.ifIndex) ?? (found.complete ? { ifVlan: null, ifTrunk: null } : undefined)
    if (row === undefined) continue
    const change = portChange(port, { ifVlan: row.ifVlan, ifTrunk: row.ifTrunk }, new Set(), adjusted)
    if (change === null) continue
    updates.push({ id: port.port_id, values: change.values })
    events.push(...change.events)
  }
  await updatePorts(tx, updates)
  return { counts: { ...counting(), changed: updates.length }, events }
}

/** Days that an address is kept after it was last seen: switches forget within minutes what people look for later. */
const FDB_DAYS = 10

/**
 * Forwarding database. An address that is seen again anywhere in its VLAN keeps its row with a new `updated_at`. If the
 * VLAN is unknown, each port that reports the address has its own row. Addresses not seen for some days are deleted
 * after a complete walk. Written in bulk, because a core switch has 100,000 entries.
 */
async function syncFdb(tx: Tx, deviceId: number, ports: PortIds, found: Found<FdbRow>): Promise<SetOutcome> {
  const rows = found.rows.map((row) => [row.mac_address, ports.get(row.ifIndex) ?? null, row.vlan])
  const [counts] = await statement<{ added: number; changed: number }[]>(
    tx,
    `with seen as (
       select distinct on (m.mac, v.vlan_id, unknown_in) m.mac, (x->>1)::int as port_id, v.vlan_id,
         case when v.vlan_id is null then x->>1 end as unknown_in
       from jsonb_array_elements($2::text::jsonb) x
       left join lateral (select vlan_id from vlans where device_id = $1 and vlan_vlan = (x->>2)::int
         order by vlan_id limit 1) v on true
       cross join lateral (select x->>0 as mac) m
       order by m.mac, v.vlan_id, unknown_in, port_id
     ), stored as (
       select f.ports_fdb_id, s.port_id from seen s join ports_fdb f
       on f.device_id = $1 and f.mac_address = s.mac
         and (f.vlan_id = s.vlan_id or f.vlan_id is null and s.vlan_id is null and f.port_id is not distinct from s.port_id)
     ), again as (
       update ports_fdb f set updated_at = now(), port_id = s.port_id from stored s
       where f.ports_fdb_id = s.ports_fdb_id returning f.ports_fdb_id
     ), fresh as (
       insert into ports_fdb (device_id, mac_address, port_id, vlan_id)
       select $1, s.mac, s.port_id, s.vlan_id from seen s
       where not exists (select from ports_fdb f where f.device_id = $1 and f.mac_address = s.mac
         and (f.vlan_id = s.vlan_id or f.vlan_id is null and s.vlan_id is null and f.port_id is not distinct from s.port_id))
       returning ports_fdb_id
     )
     select (select count(*)::int from fresh) as added, (select count(*)::int from again) as changed`,
    [deviceId, JSON.stringify(rows)],
  )
  if (!found.complete) return { counts: { ...counting(), added: counts?.added ?? 0 }, events: [] }
  const gone = await tx`
    delete from ports_fdb where device_id = ${deviceId} and updated_at < now() - make_interval(days => ${FDB_DAYS})`
  return { counts: { added: counts?.added ?? 0, changed: 0, removed: gone.count }, events: [] }
}
