import { float8, int4, int8, text } from './columns.ts'
import { withPorts } from './layer2.ts'
import type { DiscoveredTable } from './table.ts'

/** Classes of QoS policies. */
export const qos = {
  table: 'qos_classes',
  id: 'qos_id',
  key: ['ifIndex', 'circuit', 'direction', 'policy', 'class'],
  columns: {
    port_id: int4,
    ifIndex: int4,
    circuit: text(64),
    direction: text(8),
    policy: text(255),
    class: text(255),
    qos_index: text(32),
    config_index: int8,
  },
  first: {
    offered_rate: float8,
    sent_rate: float8,
    dropped_rate: float8,
    offered_packets_rate: float8,
    dropped_packets_rate: float8,
  },
  defaults: { ifIndex: 0, circuit: '', direction: '' },
  flag: null,
  event: 'qos',
  label: (row) => `QoS class ${row['class']} of policy ${row['policy']}`,
  resolve: withPorts,
} as const satisfies DiscoveredTable
