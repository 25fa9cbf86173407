import { bigint, index, integer, pgTable, smallint, text, unique } from 'drizzle-orm/pg-core'
import { big, instant } from './columns.ts'
import { deviceId } from './devices.ts'
import { ports } from './ports.ts'

/** Stacking of interfaces (IF-MIB::ifStackTable, or members of aggregates). */
export const portsStack = pgTable(
  'ports_stack',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    high_ifIndex: big().notNull(),
    high_port_id: integer().references(() => ports.port_id, { onDelete: 'set null' }),
    low_ifIndex: big().notNull(),
    low_port_id: integer().references(() => ports.port_id, { onDelete: 'set null' }),
    ifStackStatus: text().notNull(),
  },
  (t) => [
    unique('ports_stack_device_high_low').on(t.device_id, t.high_ifIndex, t.low_ifIndex),
    index('ports_stack_high_port').on(t.high_port_id),
    index('ports_stack_low_port').on(t.low_port_id),
  ],
)

/** VLANs of devices. `vlan_vlan` is the VLAN's number, `vlan_id` the row's id. */
export const vlans = pgTable(
  'vlans',
  {
    vlan_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    vlan_vlan: integer(),
    vlan_domain: integer(),
    vlan_name: text(),
    vlan_type: text(),
    /** 1: operational. */
    vlan_state: smallint().notNull().default(1),
  },
  (t) => [
    unique('vlans_device_domain_vlan').on(t.device_id, t.vlan_domain, t.vlan_vlan).nullsNotDistinct(),
    index('vlans_device_vlan').on(t.device_id, t.vlan_vlan),
  ],
)

/**
 * Forwarding databases: the port where a MAC address was seen. `port_id` null: unknown port. `vlan_id` null: unknown
 * VLAN. `updated_at` is when a discovery last saw it.
 */
export const portsFdb = pgTable(
  'ports_fdb',
  {
    ports_fdb_id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    port_id: integer().references(() => ports.port_id, { onDelete: 'cascade' }),
    /** 12 lower-case hex digits. */
    mac_address: text().notNull(),
    vlan_id: integer().references(() => vlans.vlan_id, { onDelete: 'set null' }),
    device_id: deviceId(),
    created_at: instant().notNull().defaultNow(),
    updated_at: instant().notNull().defaultNow(),
  },
  (t) => [
    index('ports_fdb_device').on(t.device_id),
    index('ports_fdb_mac').on(t.mac_address),
    index('ports_fdb_port').on(t.port_id),
    index('ports_fdb_vlan').on(t.vlan_id),
  ],
)
