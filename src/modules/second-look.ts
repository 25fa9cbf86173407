import type { Observation, SetObservation, SystemObservation } from './observation.ts'

type SetOf = Exclude<Observation, SystemObservation>
type Kind = SetOf['kind']
type RowOf<K extends Kind> = Extract<SetOf, SetObservation<K, unknown>>['rows'][number]

/**
 * What makes a row of a kind itself. Null: the rows have an ageing of their own, or come and go by nature, so that one
 * reading decides.
 */
const KEYS: { readonly [K in Kind]: readonly (keyof RowOf<K>)[] | null } = {
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
  'port-switching': null,
  fdb: null,
  arp: null,
  nd: null,
  links: null,
  nac: null,
}

type Seen = ReadonlyMap<string, unknown>

/** What the last reading of a device saw, by kind; made by `secondLook`. */
export type Memory = ReadonlyMap<string, Seen>

/**
 * A row has vanished when two readings in a row, complete ones, lack it. An octet that was garbled on the way can hide a
 * row, or a whole OS, from one reading; checksums catch most of it, agents that restart or run short of memory do the
 * same without any. So the rows that the last reading saw and this one lacks are told once more, and of a kind that was
 * not read before nothing is told to have vanished. `missing`: how many rows wait for a second look.
 */
export function secondLook(
  observations: readonly Observation[],
  last: Memory,
): { observations: Observation[]; memory: Memory; missing: number } {
  const seen = new Map<string, Map<string, unknown>>()
  for (const o of observations) {
    if (o.kind === 'system') continue
    const keys = KEYS[o.kind] as readonly string[] | null
    if (keys === null) continue
    const rows = seen.get(o.kind) ?? new Map<string, unknown>()
    for (const row of o.rows) rows.set(keyOf(row, keys), row)
    seen.set(o.kind, rows)
  }
  const carried = new Map<string, unknown[]>()
  let missing = 0
  for (const [kind, rows] of seen) {
    const gone = [...(last.get(kind) ?? [])].filter(([key]) => !rows.has(key)).map(([, row]) => row)
    carried.set(kind, gone)
    missing += gone.length
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

/** The key's members, as text. KEYS guarantees that they are members of the row. */
function keyOf(row: object, keys: readonly string[]): string {
  const members = row as Readonly<Record<string, unknown>>
  return keys.map((key) => String(members[key] ?? '')).join('\u0000')
}
