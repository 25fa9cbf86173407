import type { ports, portsVlans } from '../../../db/schema/index.ts'
import type { Fields, FieldsOver, Row } from './fields.ts'

/** null: before the second sample, or the agent has no such counter. */
const COUNT = { form: 'count', ifNull: null } as const

/** The part of a port's record that is stored, over `p`. Columns that are not listed here are our own. */
const STORED = {
  port_id: { form: 'whole' },
  device_id: { form: 'whole' },
  port_descr_type: { form: 'text', ifNull: null },
  port_descr_descr: { form: 'text', ifNull: null },
  port_descr_circuit: { form: 'text', ifNull: null },
  port_descr_speed: { form: 'text', ifNull: null },
  port_descr_notes: { form: 'text', ifNull: null },
  ifDescr: { form: 'text', ifNull: null },
  ifName: { form: 'text', ifNull: null },
  portName: { form: 'text', ifNull: null },
  ifIndex: { form: 'whole', ifNull: null },
  ifSpeed: COUNT,
  ifSpeed_prev: COUNT,
  ifConnectorPresent: { form: 'text', ifNull: null },
  ifOperStatus: { form: 'text', ifNull: null },
  ifOperStatus_prev: { form: 'text', ifNull: null },
  ifAdminStatus: { form: 'text', ifNull: null },
  ifAdminStatus_prev: { form: 'text', ifNull: null },
  ifDuplex: { form: 'text', ifNull: null },
  ifMtu: { form: 'whole', ifNull: null },
  ifType: { form: 'text', ifNull: null },
  ifAlias: { form: 'text', ifNull: null },
  ifPhysAddress: { form: 'text', ifNull: null, about: '12 hex digits' },
  ifLastChange: { form: 'whole' },
  ifVlan: { form: 'text', ifNull: null },
  ifTrunk: { form: 'text', ifNull: null },
  ifVrf: { form: 'whole' },
  ignore: { form: 'bit' },
  disabled: { form: 'bit' },
  deleted: { form: 'bit' },
  pagpOperationMode: { form: 'text', ifNull: null },
  pagpPortState: { form: 'text', ifNull: null },
  pagpPartnerDeviceId: { form: 'text', ifNull: null },
  pagpPartnerLearnMethod: { form: 'text', ifNull: null },
  pagpPartnerIfIndex: { form: 'whole', ifNull: null },
  pagpPartnerGroupIfIndex: { form: 'whole', ifNull: null },
  pagpPartnerDeviceName: { form: 'text', ifNull: null },
  pagpEthcOperationMode: { form: 'text', ifNull: null },
  pagpDeviceId: { form: 'text', ifNull: null },
  pagpGroupIfIndex: { form: 'whole', ifNull: null },
  ifPromiscuousMode: { form: 'text', ifNull: null },
  ifHighSpeed: { form: 'whole', ifNull: null },
  ifHardType: { form: 'text', ifNull: null },
  counter_in: COUNT,
  counter_out: COUNT,
  detailed: { form: 'bit' },
} as const satisfies FieldsOver<typeof ports.$inferSelect>

const VARIANTS = ['', '_prev', '_delta', '_rate'] as const

/** The members of counters: the last value, the one before, their difference, and the rate per second. */
const counters = <const N extends string>(...names: readonly N[]) =>
  Object.fromEntries(names.flatMap((name) => VARIANTS.map((variant) => [name + variant, COUNT]))) as Readonly<
    Record<`${N}${(typeof VARIANTS)[number]}`, typeof COUNT>
  >

/** The part that is derived from the last two samples. */
const LIVE = {
  ...counters('ifInUcastPkts', 'ifOutUcastPkts', 'ifInErrors', 'ifOutErrors', 'ifInOctets', 'ifOutOctets'),
  poll_time: { form: 'whole', ifNull: null, about: 'Epoch seconds' },
  poll_prev: { form: 'whole', ifNull: null, about: 'Epoch seconds' },
  poll_period: { form: 'number', ifNull: null, about: 'Seconds' },
} as const satisfies Fields

/** The record of a port. */
export const PORT = { ...STORED, ...LIVE } as const
export type PortRow = Row<typeof PORT>

/** Members of the record that are columns of `ports`. */
export const STORED_PORT_COLUMNS: readonly string[] = Object.keys(STORED)

/** Members of the record that are derived from the last two samples. */
export const LIVE_PORT_COLUMNS: readonly string[] = Object.keys(LIVE)

export const isPortColumn = (name: string): boolean => Object.hasOwn(PORT, name)
export const isStoredPortColumn = (name: string): boolean => Object.hasOwn(STORED, name)

/** A VLAN `v` of port `p`. The native VLAN counts as untagged, whatever is stored. */
export const PORT_VLAN = {
  port_vlan_id: { form: 'whole' },
  device_id: { form: 'whole' },
  port_id: { form: 'whole' },
  vlan: { form: 'whole' },
  baseport: { form: 'whole' },
  priority: { form: 'whole' },
  state: { form: 'text' },
  cost: { form: 'whole' },
  untagged: { form: 'bit', column: 'case when v.vlan::text = p."ifVlan" then 1 else v.untagged end' },
} as const satisfies FieldsOver<typeof portsVlans.$inferSelect>
export type PortVlanRow = Row<typeof PORT_VLAN>

/** Counters outside the port record (table `ports_statistics` in LibreNMS); null where the agent has none. */
export const PORT_STATISTICS = {
  port_id: { form: 'whole' },
  ...counters(
    ...['ifInNUcastPkts', 'ifOutNUcastPkts', 'ifInDiscards', 'ifOutDiscards', 'ifInUnknownProtos'],
    ...['ifInBroadcastPkts', 'ifOutBroadcastPkts', 'ifInMulticastPkts', 'ifOutMulticastPkts'],
  ),
} as const satisfies Fields
export type PortStatisticsRow = Row<typeof PORT_STATISTICS>
