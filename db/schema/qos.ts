import { doublePrecision, index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { big } from './columns.ts'
import { deviceId } from './devices.ts'
import { ports } from './ports.ts'

/** Classes of QoS policies on interfaces (CISCO-CLASS-BASED-QOS-MIB). Rates are those of the last poll; null: unknown. */
export const qosClasses = pgTable(
  'qos_classes',
  {
    qos_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    /** null: the policy is not on a port. */
    port_id: integer().references(() => ports.port_id, { onDelete: 'set null' }),
    /** 0: no interface. */
    ifIndex: integer().notNull(),
    /** `VLAN 20`, `control plane`, ...; '': the policy is attached to the interface itself. */
    circuit: text().notNull().default(''),
    /** `input`, `output`; '': not reported. */
    direction: text().notNull().default(''),
    policy: text().notNull(),
    /** In a nested policy with the outer classes: `shape-all / voice`. */
    class: text().notNull(),
    /** cbQosPolicyIndex and cbQosObjectsIndex. */
    qos_index: text().notNull(),
    config_index: big().notNull(),
    /** Before the policy, bit/s. */
    offered_rate: doublePrecision(),
    /** After the policy, bit/s. */
    sent_rate: doublePrecision(),
    /** bit/s. */
    dropped_rate: doublePrecision(),
    /** Before the policy, packets/s. */
    offered_packets_rate: doublePrecision(),
    /** packets/s. */
    dropped_packets_rate: doublePrecision(),
  },
  (t) => [
    unique('qos_classes_device_key').on(t.device_id, t.ifIndex, t.circuit, t.direction, t.policy, t.class),
    index('qos_classes_port').on(t.port_id),
  ],
)
