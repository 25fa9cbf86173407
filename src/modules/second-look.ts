import type { Observation, SetObservation, SystemObservation } from './observation.ts'

type SetOf = Exclude<Observation, SystemObservation>
type Kind = SetOf['kind']
type RowOf<K extends Kind> = Extract<SetOf, SetObservation<K, unknown>>['rows'][number]

/**
 * What makes a row of a kind itself. Null: the rows have an ageing of their own, or come and go by nature, so that one
 * reading decides.
 */
const KEYS: { readonly [K in Kind]: readonly (keyof RowOf<K>)[] | ((row: RowOf<K>) => readonly unknown[]) | null } = {
  ports: ['ifIndex'],
  ipv4: ['ifIndex', 'address', 'prefixLen', 'context'],
  ipv6: ['ifIndex', 'address', 'prefixLen', 'context'],
  inventory: ['entPhysicalIndex'],
  processors: ['processor_type', 'processor_index'],
  mempools: ['mempool_type', 'mempool_index'],
  storage: ['type', 'storage_index'],
  sensors: ['sensor_class', 'sensor_type', 'sensor_index'],
  wireless: ['sensor_class', 'sensor_type', 'sensor_index'],
  transceivers: ['index', 'ifIndex'],
  'port-stack': ['high_ifIndex', 'low_ifIndex'],
  vlans: ['vlan_domain', 'vlan_vlan'],
  'port-vlans': ['ifIndex', 'vlan'],
  port_security: ['ifIndex'],
  vrfs: ['vrf_oid'],
  bgp: ['bgpPeerIdentifier', 'context_name'],
  bgp_counters: ['bgpPeerIdentifier', 'context_name', 'afi', 'safi'],
  ospf_ports: ['ospf_port_id', 'context_name'],
  ospf_neighbours: ['ospf_nbr_id', 'context_name'],
  ospfv3_instances: ['context_name'],
  ospfv3_areas: ['ospfv3AreaId', 'context_name'],
  ospfv3_ports: ['ospfv3IfIndex', 'ospfv3IfInstId', 'context_name'],
  ospfv3_neighbours: ['ospfv3NbrIfIndex', 'ospfv3NbrIfInstId', 'ospfv3NbrRtrId', 'context_name'],
  mpls_services: ['svc_oid'],
  mpls_saps: ['svc_oid', 'sapPortId', 'sapEncapValue'],
  ipsec: ['peer_addr', 'tunnel_name'],
  components: ['type', 'uid'],
  device_graphs: ['graph'],
  printer_supplies: ['supply_type', 'supply_index'],
  // the surest names of the local port change with its description; the last is the number that the table has
  links: (row) => [row.protocol, row.remote_hostname, row.remote_port, row.local.at(-1)?.value],
  'port-switching': null,
  fdb: null,
  arp: null,
  nd: null,
  nac: null,
}

/** Complete readings in a row that must lack a row before it has vanished. */
const LOOKS = 3

interface Remembered {
  readonly row: unknown
  /** Complete readings in a row that lacked it. */
  readonly misses: number
}
type Seen = ReadonlyMap<string, Remembered>

/** What the last readings of a device saw, by kind; made by `secondLook`. */
export type Memory = ReadonlyMap<string, Seen>

/**
 * A row has vanished when three readings in a row, complete ones, lack it. An octet that was garbled on the way can hide a
 * row, or a whole OS, from one reading; checksums catch most of it, agents that restart or run short of memory do the
 * same without any. Where one answer in fifty is garbled, a row of a short table is hidden from about one reading in a
 * hundred: by chance alone a thousand such rows would lose one in ten readings if two decided, one in a thousand readings
 * if three do. So the rows that were seen and are lacking now are told once more, twice; readings that were cut short
 * count neither way; and of a kind that was not read before nothing is told to have vanished. `missing`: how many rows
 * wait for another look.
 */
export function secondLook(
  observations: readonly Observation[],
  last: Memory,
): { observations: Observation[]; memory: Memory; missing: number } {
  const seen = new Map<Kind, Map<string, Remembered>>()
  const cut = new Set<Kind>()
  for (const o of observations) {
    if (o.kind === 'system' || KEYS[o.kind] === null) continue
    const rows = seen.get(o.kind) ?? new Map<string, Remembered>()
    for (const row of o.rows) rows.set(keyOf(o.kind, row), { row, misses: 0 })
    seen.set(o.kind, rows)
    if (!o.complete) cut.add(o.kind)
  }
  const carried = new Map<Kind, unknown[]>()
  let missing = 0
  for (const [kind, rows] of seen) {
    const again: unknown[] = []
    for (const [key, { row, misses }] of last.get(kind) ?? []) {
      if (rows.has(key)) continue
      const now = cut.has(kind) ? misses : misses + 1
      if (now >= LOOKS) continue
      rows.set(key, { row, misses: now })
      again.push(row)
    }
    carried.set(kind, again)
    missing += again.length
  }
  const told = observations.map((o): Observation => {
    if (o.kind === 'system' || KEYS[o.kind] === null) return o
    const again = carried.get(o.kind) ?? []
    carried.delete(o.kind)
    const complete = o.complete && last.has(o.kind)
    // rows of a kind only ever come from observations of that kind
    return { ...o, complete, rows: again.length === 0 ? o.rows : [...o.rows, ...again] } as Observation
  })
  return { observations: told, memory: new Map([...last, ...seen]), missing }
}

/** The key's members, as text. KEYS guarantees that they are members of rows of the kind. */
function keyOf(kind: Kind, row: object): string {
  const keys = KEYS[kind] as readonly string[] | ((row: object) => readonly unknown[])
  const members = row as Readonly<Record<string, unknown>>
  const parts = typeof keys === 'function' ? keys(row) : keys.map((key) => members[key])
  return parts.map((part) => String(part ?? '')).join('\u0000')
}
