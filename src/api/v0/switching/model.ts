import { FDB } from '../../../core/records/tables.ts'
import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { Text, Whole } from '../../nullable.ts'
import { documented, Ok } from '../envelope.ts'
import { Port } from '../ports/model.ts'
import { listModel } from '../records/model.ts'

const PortStack = t.Object(
  {
    id: whole(),
    device_id: whole(),
    port_id_high: whole({ description: 'Same as high_ifIndex' }),
    port_id_low: whole({ description: 'Same as low_ifIndex' }),
    high_ifIndex: whole(),
    high_port_id: Whole,
    low_ifIndex: whole(),
    low_port_id: Whole,
    ifStackStatus: t.String(),
  },
  { title: 'PortStack' },
)

const vlan = {
  vlan_vlan: t.Union([whole({ description: 'VLAN number' }), t.Null()]),
  vlan_domain: Whole,
  vlan_name: Text,
  vlan_type: Text,
  vlan_state: whole({ description: '1: operational' }),
}

const Fdb = listModel(FDB, 'FdbEntry')

const Sight = t.Object(
  {
    hostname: t.String(),
    sysName: t.String(),
    ifName: t.String(),
    ifAlias: t.String(),
    ifDescr: t.String(),
    updated_at: t.String({ description: 'Y-m-d H:i:s, server time' }),
    last_seen: t.String({ description: 'Such as 2 hours ago' }),
  },
  { title: 'FdbSight' },
)

const PortOfMac = t.Intersect([Port, t.Object({ fdb_entries_count: whole() })], { title: 'PortOfMac' })

export const SwitchingModel = {
  hostname: documented(t.Object({ hostname: t.String() })),
  portid: documented(t.Object({ portid: t.String({ description: 'Numeric port id' }) })),
  mac: documented(t.Object({ mac: t.String({ description: 'MAC address in any common notation' }) })),
  search: documented(t.Object({ search: t.String({ description: 'MAC address in any common notation' }) })),
  stackQuery: documented(
    t.Object({
      valid_mappings: t.Optional(
        t.String({ description: 'Alone or with any value except 0: leave out rows where one side is 0' }),
      ),
    }),
  ),
  vlansQuery: documented(t.Object({ hostname: t.Optional(t.String({ description: 'VLANs of this device only' })) })),
  macQuery: documented(t.Object({ filter: t.Optional(t.String({ description: 'first: only the first port' })) })),
  stack: documented(t.Object({ status: Ok, message: t.Literal(''), mappings: t.Array(PortStack), count: whole() })),
  deviceVlans: documented(t.Object({ status: Ok, vlans: t.Array(t.Object(vlan)), count: whole() })),
  vlans: documented(
    t.Object({
      status: Ok,
      vlans: t.Array(t.Object({ vlan_id: whole(), device_id: whole(), ...vlan })),
      count: whole(),
    }),
  ),
  fdb: documented(t.Object({ status: Ok, ports_fdb: t.Array(Fdb), count: whole() })),
  portFdb: documented(t.Object({ status: Ok, macs: t.Array(Fdb), count: whole() })),
  details: documented(
    t.Object({
      status: Ok,
      mac: t.String({ description: 'Lower case, with colons' }),
      mac_oui: t.String({ description: 'Manufacturer; empty if unknown' }),
      ports_fdb: t.Array(Sight),
      count: whole(),
    }),
  ),
  ports: documented(
    t.Object({
      status: Ok,
      message: t.Literal(''),
      port: t.Optional(t.Array(PortOfMac, { description: 'Absent in dialect librenms' })),
      ports: t.Union([t.Array(PortOfMac), PortOfMac], { description: 'Same as port; with filter=first, one object' }),
    }),
  ),
}
