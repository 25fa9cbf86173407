import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { big, byteOrderedText, flag, instant } from './columns.ts'
import { deviceId } from './devices.ts'

/**
 * Interfaces. Counters of the API's port record (ifInOctets, ifInOctets_prev, _delta, _rate, poll_time, ...) are not
 * columns but the port's last two samples, see `ts.port_live`. Statuses are IF-MIB names.
 */
export const ports = pgTable(
  'ports',
  {
    port_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    port_descr_type: text(),
    port_descr_descr: text(),
    port_descr_circuit: text(),
    port_descr_speed: text(),
    port_descr_notes: text(),
    ifDescr: text(),
    ifName: text(),
    portName: text(),
    ifIndex: big().default(0),
    /** bit/s. */
    ifSpeed: big(),
    ifSpeed_prev: big(),
    ifConnectorPresent: text(),
    ifOperStatus: text(),
    ifOperStatus_prev: text(),
    /** Kept by a trigger: when the change of ifOperStatus was seen, null: none was. Not part of the API record. */
    ifOperStatus_since: instant(),
    /** Kept by a trigger: seconds for which it had the previous status, null: unknown. Not part of the API record. */
    ifOperStatus_lasted: big(),
    ifAdminStatus: text(),
    ifAdminStatus_prev: text(),
    ifDuplex: text(),
    ifMtu: integer(),
    ifType: text(),
    ifAlias: text(),
    /** 12 lower-case hex digits. */
    ifPhysAddress: text(),
    /** TimeTicks. */
    ifLastChange: big().notNull().default(0),
    ifVlan: text(),
    ifTrunk: text(),
    ifVrf: integer().notNull().default(0),
    ignore: flag(),
    disabled: flag(),
    deleted: flag(),
    pagpOperationMode: text(),
    pagpPortState: text(),
    pagpPartnerDeviceId: text(),
    pagpPartnerLearnMethod: text(),
    pagpPartnerIfIndex: integer(),
    pagpPartnerGroupIfIndex: integer(),
    pagpPartnerDeviceName: text(),
    pagpEthcOperationMode: text(),
    pagpDeviceId: text(),
    pagpGroupIfIndex: integer(),
    /** `true`, `false` or null, as text. */
    ifPromiscuousMode: text(),
    /** Mbit/s. */
    ifHighSpeed: integer(),
    ifHardType: text(),
    counter_in: big(),
    counter_out: big(),
    detailed: flag(),
    /** Bit c set: the agent has the 64-bit object of counter c of PORT_COUNTERS. Not part of the API record. */
    hc_mask: integer().notNull().default(0),
    /** Bit c set: the agent has the 32-bit object of counter c of PORT_COUNTERS. Not part of the API record. */
    lc_mask: integer().notNull().default(0),
    /** 1: the agent has Ethernet counters of the interface (EtherLike-MIB). Not part of the API record. */
    etherlike: flag(),
    /** Name, alias and description in lower case, for searches. Not part of the API record. */
    search_text: byteOrderedText().generatedAlwaysAs(
      sql`lower(coalesce("ifName", '') || ' ' || coalesce("ifAlias", '') || ' ' || coalesce("ifDescr", ''))`,
    ),
  },
  (t) => [
    // Not unique: two interfaces may briefly share an ifIndex while an agent renumbers them.
    index('ports_device_ifindex').on(t.device_id, t.ifIndex),
    index('ports_ifname').on(sql`lower(${t.ifName})`),
    index('ports_ifalias').on(sql`lower(${t.ifAlias})`),
    index('ports_ifdescr').on(sql`lower(${t.ifDescr})`),
    index('ports_mac').on(t.ifPhysAddress),
    index('ports_gone').on(t.port_id).where(sql`deleted <> 0`),
    index('ports_up').on(t.device_id).where(sql`deleted = 0 and "ifOperStatus" = 'up'`),
  ],
)

/** The port of a row, which is deleted with it. */
export const portId = () =>
  integer()
    .notNull()
    .references(() => ports.port_id, { onDelete: 'cascade' })

/** VLANs on ports. */
export const portsVlans = pgTable(
  'ports_vlans',
  {
    port_vlan_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    port_id: portId(),
    vlan: integer().notNull().default(0),
    baseport: integer().notNull().default(0),
    priority: big().notNull().default(0),
    state: text().notNull().default('unknown'),
    cost: integer().notNull().default(0),
    untagged: flag(),
  },
  (t) => [
    unique('ports_vlans_device_port_vlan').on(t.device_id, t.port_id, t.vlan),
    index('ports_vlans_port').on(t.port_id),
  ],
)
