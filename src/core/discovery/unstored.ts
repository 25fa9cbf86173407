import { toStoreError } from '../database/errors.ts'
import type { Event } from './events.ts'
import type { SetKind } from './merge-observations.ts'
import type { Tx } from './write-rows.ts'

/** What is stored at a time: a kind of rows, the device itself, the meaning of its state sensors, or sightings. */
export type Subject = SetKind | 'system' | 'states' | 'sightings'

/** The whole discovery, in `discovery_failures`. */
export const EVERYTHING = 'everything'

/** A part of a discovery that could not be stored. */
export interface Unstored {
  readonly subject: Subject | typeof EVERYTHING
  /** The row that was rejected; null: the database does not say which. */
  readonly row: string | null
  /** The other rows were stored. */
  readonly kept: boolean
  readonly reason: string
}

/** What people call the rows of each kind. */
const WORDS: Readonly<Record<Subject | typeof EVERYTHING, string>> = {
  everything: 'the discovery',
  system: 'the identity of the device',
  states: 'meanings of state sensors',
  sightings: 'sightings of MAC addresses',
  ports: 'ports',
  ipv4: 'IPv4 addresses',
  ipv6: 'IPv6 addresses',
  inventory: 'inventory',
  processors: 'processors',
  mempools: 'memory pools',
  storage: 'storage',
  sensors: 'sensors',
  wireless: 'wireless sensors',
  transceivers: 'transceivers',
  'port-stack': 'stacked interfaces',
  vlans: 'VLANs',
  'port-vlans': 'VLANs of ports',
  'port-switching': 'native VLANs of ports',
  etherlike: 'Ethernet counters of ports',
  'port-security': 'port security',
  fdb: 'forwarding table',
  arp: 'ARP table',
  nd: 'IPv6 neighbour table',
  links: 'links to neighbours',
  nac: 'sessions of network access control',
  vrfs: 'VRFs',
  bgp: 'BGP peers',
  bgp_counters: 'prefix counters of BGP peers',
  ospf_ports: 'OSPF interfaces',
  ospf_neighbours: 'OSPF neighbours',
  ospfv3_instances: 'OSPFv3 instances',
  ospfv3_areas: 'OSPFv3 areas',
  ospfv3_ports: 'OSPFv3 interfaces',
  ospfv3_neighbours: 'OSPFv3 neighbours',
  isis: 'IS-IS adjacencies',
  'default-routes': 'default routes',
  stp: 'spanning trees',
  stp_ports: 'ports of spanning trees',
  qos: 'classes of QoS policies',
  mpls_services: 'MPLS services',
  mpls_saps: 'MPLS access points',
  ipsec: 'IPsec tunnels',
  components: 'components',
  device_graphs: 'statistics of the device',
  printer_supplies: 'printer supplies',
}

/** By SQLSTATE, longest prefix first: what the database has against a value. */
const REASONS: readonly (readonly [prefix: string, reason: string])[] = [
  ['21000', 'it was found twice'],
  ['23505', 'there is another one like it'],
  ['23503', 'it refers to something that does not exist'],
  ['23502', 'a value that it needs is missing'],
  ['22003', 'a number is too large'],
  ['22021', 'a text is not valid UTF-8'],
  ['22P05', 'a text is not valid UTF-8'],
  ['22001', 'a text is too long'],
  ['23', 'a value is not allowed'],
  ['22', 'a value has the wrong form'],
  ['54', 'a value is too large'],
]

/** Why the database rejects something, in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = toStoreError(error)
  const found = REASONS.find(([prefix]) => code?.startsWith(prefix))
  return found?.[1] ?? `the database refuses it (${message.slice(0, 200)})`
}

/** Text for the event log and `device explain`. */
export function unstoredText({ subject, row, kept, reason }: Unstored): string {
  const what = WORDS[subject]
  if (row === null) return `${what}: ${reason}; what was stored before stays`
  return `${what}: ${row}: ${reason}${kept ? '; the others are stored' : ''}`
}

/**
 * Records what could not be stored, and forgets what now could. Returns the events for what is new. `seen`: the subjects
 * of this run.
 */
export async function recordUnstored(
  tx: Tx,
  deviceId: number,
  seen: readonly string[],
  unstored: readonly Unstored[],
): Promise<readonly Event[]> {
  const failing = Map.groupBy(unstored, ({ subject }) => subject as string)
  const over = seen.filter((subject) => !failing.has(subject))
  const known = await tx<{ subject: string; reason: string }[]>`
    with gone as (delete from discovery_failures where device_id = ${deviceId} and subject = any(${over}))
    select subject, reason from discovery_failures where device_id = ${deviceId}`
  const before = new Map(known.map(({ subject, reason }) => [subject, reason]))
  const events: Event[] = []
  for (const [subject, parts] of failing) {
    const reason = parts.map(unstoredText).join('; ')
    await tx`
      insert into discovery_failures (device_id, subject, reason) values (${deviceId}, ${subject}, ${reason})
      on conflict (device_id, subject) do update
      set reason = excluded.reason, tried_at = now(), tries = discovery_failures.tries + 1`
    if (before.get(subject) === reason) continue
    const message = `Not everything that was found could be stored: ${reason}`
    events.push({ deviceId, message, type: 'discovery', reference: deviceId, severity: 4 })
  }
  return events
}
