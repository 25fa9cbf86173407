import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { Text, Whole } from '../../nullable.ts'
import { Device } from '../devices/model.ts'
import { documented, Ok } from '../envelope.ts'

/**
 * A 64-bit count: a number up to 2^53-1, text beyond. Null before the second sample or if the agent has no such
 * counter.
 */
const Count = t.Union([whole(), t.String(), t.Null()])
const Bit = t.Union([t.Literal(0), t.Literal(1)])

const counter = <const N extends string>(name: N) =>
  ({ [name]: Count, [`${name}_prev`]: Count, [`${name}_delta`]: Count, [`${name}_rate`]: Count }) as Record<
    `${N}${'' | '_prev' | '_delta' | '_rate'}`,
    typeof Count
  >

const stored = {
  port_id: whole(),
  device_id: whole(),
  port_descr_type: Text,
  port_descr_descr: Text,
  port_descr_circuit: Text,
  port_descr_speed: Text,
  port_descr_notes: Text,
  ifDescr: Text,
  ifName: Text,
  portName: Text,
  ifIndex: Whole,
  ifSpeed: Count,
  ifSpeed_prev: Count,
  ifConnectorPresent: Text,
  ifOperStatus: Text,
  ifOperStatus_prev: Text,
  ifAdminStatus: Text,
  ifAdminStatus_prev: Text,
  ifDuplex: Text,
  ifMtu: Whole,
  ifType: Text,
  ifAlias: Text,
  ifPhysAddress: t.Union([t.String({ description: '12 hex digits' }), t.Null()]),
  ifLastChange: whole(),
  ifVlan: Text,
  ifTrunk: Text,
  ifVrf: whole(),
  ignore: Bit,
  disabled: Bit,
  deleted: Bit,
  pagpOperationMode: Text,
  pagpPortState: Text,
  pagpPartnerDeviceId: Text,
  pagpPartnerLearnMethod: Text,
  pagpPartnerIfIndex: Whole,
  pagpPartnerGroupIfIndex: Whole,
  pagpPartnerDeviceName: Text,
  pagpEthcOperationMode: Text,
  pagpDeviceId: Text,
  pagpGroupIfIndex: Whole,
  ifPromiscuousMode: Text,
  ifHighSpeed: Whole,
  ifHardType: Text,
  counter_in: Count,
  counter_out: Count,
  detailed: Bit,
}

const live = {
  ...counter('ifInUcastPkts'),
  ...counter('ifOutUcastPkts'),
  ...counter('ifInErrors'),
  ...counter('ifOutErrors'),
  ...counter('ifInOctets'),
  ...counter('ifOutOctets'),
  poll_time: t.Union([whole({ description: 'Epoch seconds' }), t.Null()]),
  poll_prev: t.Union([whole({ description: 'Epoch seconds' }), t.Null()]),
  poll_period: t.Union([t.Number({ description: 'Seconds' }), t.Null()]),
}

/** VLAN of a port. */
export const PortVlan = t.Object(
  {
    port_vlan_id: whole(),
    device_id: whole(),
    port_id: whole(),
    vlan: whole(),
    baseport: whole(),
    priority: whole(),
    state: t.String(),
    cost: whole(),
    untagged: Bit,
  },
  { title: 'PortVlan' },
)

const Statistics = t.Object(
  {
    port_id: whole(),
    ...counter('ifInNUcastPkts'),
    ...counter('ifOutNUcastPkts'),
    ...counter('ifInDiscards'),
    ...counter('ifOutDiscards'),
    ...counter('ifInUnknownProtos'),
    ...counter('ifInBroadcastPkts'),
    ...counter('ifOutBroadcastPkts'),
    ...counter('ifInMulticastPkts'),
    ...counter('ifOutMulticastPkts'),
  },
  { title: 'PortStatistics' },
)

/** The complete record. */
export const Port = t.Object({ ...stored, ...live }, { title: 'Port' })
export type Port = typeof Port.static

/** The requested columns. */
const PortPartial = t.Partial(t.Object({ ...stored, ...live, vlans: t.Array(PortVlan) }), { title: 'PortColumns' })

const columns = t.Optional(t.String({ description: 'Port columns, separated by commas' }))
const Port_id = t.Object({ portid: t.String({ description: 'Numeric port id' }) })

export const PortModel = {
  listQuery: documented(t.Object({ columns })),
  deviceListQuery: documented(
    t.Object({ columns, with: t.Optional(t.String({ description: 'vlans: adds the VLANs of each port' })) }),
  ),
  infoQuery: documented(t.Object({ with: t.Optional(t.String({ description: 'vlans, device or statistics' })) })),
  hostname: documented(t.Object({ hostname: t.String() })),
  portid: documented(Port_id),
  byName: documented(t.Object({ hostname: t.String(), ifname: t.String({ description: 'ifName, URL-encoded' }) })),
  search: documented(t.Object({ field: t.String({ description: 'The text' }) })),
  list: documented(t.Object({ status: Ok, message: t.Literal(''), ports: t.Array(PortPartial), count: whole() })),
  info: documented(
    t.Object({
      status: Ok,
      message: t.Literal(''),
      port: t.Array(
        t.Intersect([
          Port,
          t.Object({
            vlans: t.Optional(t.Array(PortVlan)),
            device: t.Optional(Device),
            statistics: t.Optional(t.Union([Statistics, t.Null()])),
          }),
        ]),
      ),
    }),
  ),
  stats: documented(
    t.Object({
      status: Ok,
      port: t.Partial(
        t.Object({
          ...stored,
          ...live,
          in_rate: t.String(),
          out_rate: t.String(),
          in_perc: t.Number(),
          out_perc: t.Number(),
          in_pps: t.String(),
          out_pps: t.String(),
        }),
      ),
      count: whole(),
    }),
  ),
  description: documented(t.Object({ status: Ok, port_description: t.String() })),
  describe: documented(
    t.Object({ description: t.String({ description: 'Empty: go back to the description that the device reports' }) }),
  ),
  described: documented(t.Object({ status: Ok, message: t.String() })),
}
