import { counterKey } from '../../modules/qos/observation.ts'
import { bitsPerSecond, type Column, perSecond, type SampleKind, type StoredRow } from '../kind.ts'

const counter = (name: string, unit: string): Column => ({ name, type: 'bigint', role: 'counter', unit })

/** `Gi0/1 output WAN: voice`. The inner names keep `port_id` free for the row's own. */
const NAME = `concat_ws(' ', (select pn.n from (select p.port_id as id, coalesce(nullif(p."ifName", ''), p."ifDescr") as n
    from public.ports p) pn where pn.id = port_id), nullif(circuit, ''), nullif(direction, ''), policy || ': ' || class)`

/** A class of a QoS policy on an interface (CISCO-CLASS-BASED-QOS-MIB::cbQosCMStatsTable). */
export const qos_class: SampleKind = {
  name: 'qos_class',
  about: 'traffic of a class of a QoS policy: offered, sent and dropped',
  key: 'qos_id',
  chunk: '7 days',
  retention: 'traffic',
  columns: [
    counter('offered_octets', 'octets'),
    counter('sent_octets', 'octets'),
    counter('dropped_octets', 'octets'),
    counter('offered_packets', 'packets'),
    counter('dropped_packets', 'packets'),
  ],
  subject: {
    table: 'qos_classes',
    id: 'qos_id',
    name: NAME,
  },
  view: { name: 'qos_class_values', with: ['port_id', 'circuit', 'direction', 'policy', 'class'] },
  lines: [
    bitsPerSecond('offered_octets', 1, 'offered'),
    bitsPerSecond('sent_octets', 2, 'sent'),
    bitsPerSecond('dropped_octets', 3, 'dropped'),
    perSecond('offered_packets', 4, 'packets offered', 'packets/s'),
    perSecond('dropped_packets', 5, 'packets dropped', 'packets/s'),
  ],
  graphs: [
    { name: 'qos_sent', label: 'QoS Traffic Sent', unit: 'bit/s', axis: 'zero', lines: ['sent'] },
    { name: 'qos_dropped', label: 'QoS Traffic Dropped', unit: 'bit/s', axis: 'zero', lines: ['dropped'] },
  ],
  current: {
    set: [
      ['offered_rate', 'offered_octets', 'bit/s'],
      ['sent_rate', 'sent_octets', 'bit/s'],
      ['dropped_rate', 'dropped_octets', 'bit/s'],
      ['offered_packets_rate', 'offered_packets', '/s'],
      ['dropped_packets_rate', 'dropped_packets', '/s'],
    ],
  },
  poll: null,
  observed: {
    bits: 64,
    gaps: true,
    needs: [
      ['qos_index', 'as it is'],
      ['config_index', 'as it is'],
      ['"ifIndex"', 'as it is'],
      ['direction', 'as it is'],
    ],
    keyOf: ({ qos_index, config_index, ifIndex, direction }: StoredRow) =>
      counterKey({ qos_index, config_index, ifIndex, direction }),
    read: (observations) =>
      new Map(
        observations.flatMap((observation) =>
          observation.kind === 'qos_counters'
            ? observation.rows.map(({ key, counters }) => [key, counters] as const)
            : [],
        ),
      ),
  },
}
