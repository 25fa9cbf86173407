import { PORT, PORT_STATISTICS, PORT_VLAN } from '../../../core/records/port.ts'
import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { Device } from '../devices/model.ts'
import { documented, Ok } from '../envelope.ts'
import { listModel, properties } from '../records/model.ts'

/** VLAN of a port. */
export const PortVlan = listModel(PORT_VLAN, 'PortVlan')

const Statistics = listModel(PORT_STATISTICS, 'PortStatistics')

/** The complete record. */
export const Port = listModel(PORT, 'Port')

/** The requested columns. */
const PortPartial = t.Partial(t.Object({ ...properties(PORT, 'list'), vlans: t.Array(PortVlan) }), {
  title: 'PortColumns',
})

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
          ...properties(PORT, 'list'),
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
