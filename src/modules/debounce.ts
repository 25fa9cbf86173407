import type { Observation, SetObservation } from './observation.ts'
import type { PortRow } from './ports/observation.ts'
import type { SystemObservation } from './system/observation.ts'

/** The text that identifies a device's ports when ifIndexes change. */
export type PortName = 'ifName' | 'ifDescr' | 'ifAlias'

type SetOf = Exclude<Observation, SystemObservation>
type ObservationKind = SetOf['kind']
type RowOf<K extends ObservationKind> = Extract<SetOf, SetObservation<K, unknown>>['rows'][number]

/**
 * The key of each kind's rows. Null: the rows age by themselves, or come and go by nature, so one reading is enough to
 * remove them.
 */
const KEYS: {
  readonly [K in ObservationKind]: readonly (keyof RowOf<K>)[] | ((row: RowOf<K>) => readonly unknown[]) | null
} = {
  ports: ['ifIndex'],
  etherlike: ['ifIndex'],
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
  'port-security': ['ifIndex'],
  vrfs: ['vrf_oid'],
  bgp: ['bgpPeerIdentifier', 'context_name'],
  bgp_counters: ['bgpPeerIdentifier', 'context_name', 'afi', 'safi'],
  ospf_ports: ['ospf_port_id', 'context_name'],
  ospf_neighbours: ['ospf_nbr_id', 'context_name'],
  ospfv3_instances: ['context_name'],
  ospfv3_areas: ['ospfv3AreaId', 'context_name'],
  ospfv3_ports: ['ospfv3IfIndex', 'ospfv3IfInstId', 'context_name'],
  ospfv3_neighbours: ['ospfv3NbrIfIndex', 'ospfv3NbrIfInstId', 'ospfv3NbrRtrId', 'context_name'],
  stp: ['instance'],
  stp_ports: ['instance', 'port_index'],
  qos: ['ifIndex', 'circuit', 'direction', 'policy', 'class'],
  mpls_services: ['svc_oid'],
  mpls_saps: ['svc_oid', 'sapPortId', 'sapEncapValue'],
  ipsec: ['peer_addr', 'tunnel_name'],
  components: ['type', 'uid'],
  device_graphs: ['graph'],
  printer_supplies: ['supply_type', 'supply_index'],
  // the preferred names of the local port change with its description; the last one is the number from the table
  links: (row) => [row.protocol, row.remote_hostname, row.remote_port, row.local.at(-1)?.value],
  // a lost adjacency is kept as down
  isis: null,
  'default-routes': ['next_hop'],
  'port-switching': null,
  etherlike_counters: null,
  qos_counters: null,
  fdb: null,
  arp: null,
  nd: null,
  nac: null,
}

/** Consecutive complete readings that must lack a row before it is removed. */
const MIN_MISSES = 3
/**
 * Truncated readings with more rows are not remembered: they usually hit a limit every time, so nothing is removed
 * anyway.
 */
const MAX_TRUNCATED_ROWS = 10_000

interface Remembered {
  readonly row: unknown
  /** Consecutive complete readings without this row. */
  readonly misses: number
}
type Seen = ReadonlyMap<string, Remembered>

/** The rows of a device's last readings, by kind; returned by `debounceRemovals`. */
export type Memory = ReadonlyMap<string, Seen>

/**
 * A row has vanished if three consecutive complete readings lack it. A garbled octet can hide a row, or a whole OS,
 * from one reading; checksums catch most of these, but agents that restart or run short of memory have the same effect.
 * If one response in fifty is garbled, about one reading in a hundred misses a given row of a short table. Among a
 * thousand such rows, one reading in ten would remove a row if two misses were enough, but only one in a thousand with
 * three. A row that has been seen and is now missing is therefore reported again for two readings. Truncated readings
 * do not count, and a kind that was not read before removes nothing. `missing`: the number of rows held back.
 *
 * A port that `portName` identifies is not reported again if an interface with its name has appeared elsewhere.
 */
export function debounceRemovals(
  observations: readonly Observation[],
  last: Memory,
  portName: PortName | null = null,
): { observations: Observation[]; memory: Memory; missing: number } {
  const seen = new Map<ObservationKind, Map<string, Remembered>>()
  const truncated = new Set<ObservationKind>()
  for (const o of observations) {
    if (o.kind === 'system' || KEYS[o.kind] === null) continue
    const rows = seen.get(o.kind) ?? new Map<string, Remembered>()
    for (const row of o.rows) rows.set(keyOf(o.kind, row), { row, misses: 0 })
    seen.set(o.kind, rows)
    if (!o.complete) truncated.add(o.kind)
  }
  const carried = new Map<ObservationKind, unknown[]>()
  let missing = 0
  for (const [kind, rows] of seen) {
    const held: unknown[] = []
    const moved = kind === 'ports' && portName !== null ? newNames(rows, last.get(kind), portName) : null
    for (const [key, { row, misses }] of last.get(kind) ?? []) {
      if (rows.has(key) || (portName !== null && moved?.has((row as PortRow)[portName] ?? '') === true)) continue
      const now = truncated.has(kind) ? misses : misses + 1
      if (now >= MIN_MISSES) continue
      rows.set(key, { row, misses: now })
      held.push(row)
    }
    carried.set(kind, held)
    missing += held.length
  }
  const debounced = observations.map((o): Observation => {
    if (o.kind === 'system' || KEYS[o.kind] === null) return o
    const held = carried.get(o.kind) ?? []
    carried.delete(o.kind)
    const complete = o.complete && last.has(o.kind)
    // rows of a kind come only from observations of that kind
    return { ...o, complete, rows: held.length === 0 ? o.rows : [...o.rows, ...held] } as Observation
  })
  const memory = new Map<ObservationKind, Seen>([...last, ...seen] as [ObservationKind, Seen][])
  for (const kind of truncated) if ((memory.get(kind)?.size ?? 0) > MAX_TRUNCATED_ROWS) memory.delete(kind)
  return { observations: debounced, memory, missing }
}

/** The names of interfaces with an ifIndex that they did not have at the last reading. */
function newNames(rows: Seen, last: Seen | undefined, name: PortName): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [key, { row }] of rows) {
    const now = (row as PortRow)[name]
    const before = last?.get(key)?.row as PortRow | undefined
    if (now && now !== before?.[name]) names.add(now)
  }
  return names
}

/** The key's members, as text. KEYS guarantees that the kind's rows have them. */
function keyOf(kind: ObservationKind, row: object): string {
  const keys = KEYS[kind] as readonly string[] | ((row: object) => readonly unknown[])
  const members = row as Readonly<Record<string, unknown>>
  const parts = typeof keys === 'function' ? keys(row) : keys.map((key) => members[key])
  return parts.map((part) => String(part ?? '')).join('\u0000')
}
