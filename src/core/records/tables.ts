import * as schema from '../../../db/schema/index.ts'
import { tableFields } from './table-fields.ts'

export const SENSOR = tableFields(schema.sensors, { limits_guessed: null })
export const WIRELESS_SENSOR = tableFields(schema.wirelessSensors, {
  sensor_aggregator: { about: 'sum, avg or count' },
  sensor_oids: { about: 'JSON list of OIDs' },
})
export const PROCESSOR = tableFields(schema.processors, { processor_usage: { about: 'Percent' } })
export const MEMPOOL = tableFields(schema.mempools, { mempool_used: { about: 'Bytes' } })
export const STORAGE = tableFields(schema.storage, { storage_size: { about: 'Bytes' } })

export const SERVICE = tableFields(schema.services, {
  service_ip: { ifNull: '' },
  service_desc: { ifNull: '' },
  service_param: { ifNull: '' },
  service_ignore: { about: '0 or 1' },
  service_status: { about: '0 ok, 1 warning, 2 critical, 3 unknown or not yet checked' },
  service_changed: { about: 'Epoch seconds' },
  service_message: { ifNull: '' },
  service_disabled: { about: '0 or 1' },
  service_ds: { ifNull: '', about: 'JSON: unit of each data set' },
  service_name: { ifNull: '' },
})

export const LOCATION = tableFields(schema.locations, {
  lat: { form: 'degrees', about: 'Degrees, eight decimals' },
  lng: { form: 'degrees', about: 'Degrees, eight decimals' },
  timestamp: { about: 'Y-m-d H:i:s, server time: the last change' },
  fixed_coordinates: { form: 'bit' },
})

export const ENTITY = tableFields(schema.entPhysical)
export const ARP_ENTRY = tableFields(schema.ipv4Mac, { mac_address: { about: '12 hex digits' } })

export const FDB = tableFields(schema.portsFdb, {
  port_id: { ifNull: 0, about: '0: unknown port' },
  mac_address: { about: '12 hex digits' },
  vlan_id: { ifNull: 0, about: 'Id of the VLAN, not its number; 0: unknown VLAN' },
  created_at: { form: 'iso time' },
  updated_at: { form: 'iso time', about: 'ISO 8601, UTC; when it was last seen' },
})

export const NAC = tableFields(schema.portsNac, {
  mac_address: { about: '12 hex digits' },
  timeout: { about: 'Seconds, as are time_left and time_elapsed' },
  created_at: { form: 'iso time' },
  updated_at: { form: 'iso time' },
  historical: { form: 'bit' },
})

/** Over `l` and, as `r`, its remote device if that is monitored and in scope. */
export const LINK = tableFields(schema.links, {
  remote_addresses: null,
  remote_mac: null,
  remote_port_id: { column: 'case when r.device_id is not null then l.remote_port_id end' },
  active: { form: 'bit' },
  remote_device_id: { column: 'coalesce(r.device_id, 0)', about: '0: the neighbour is not monitored' },
})

export const IPV4_ADDRESS = tableFields(schema.ipv4Addresses)
export const IPV6_ADDRESS = tableFields(schema.ipv6Addresses, {
  ipv6_address: { about: 'Eight groups of four digits' },
})
export const IPV4_NETWORK = tableFields(schema.ipv4Networks, { ipv4_network: { about: 'CIDR' } })
export const IPV6_NETWORK = tableFields(schema.ipv6Networks, { ipv6_network: { about: 'CIDR' } })

/** The name of the remote AS if the session has none of its own. */
const AS_NAME = `coalesce(nullif(t.astext, ''), (select n.name from as_names n where n.asn = t."bgpPeerRemoteAs"), '')`
export const BGP_PEER = tableFields(schema.bgpPeers, { astext: { column: AS_NAME }, descr_set: null })
export const BGP_COUNTER = tableFields(schema.bgpCounters, { cbgp_id: null })
export const OSPF_NEIGHBOUR = tableFields(schema.ospfNeighbours)
export const OSPF_PORT = tableFields(schema.ospfPorts)
export const OSPFV3_NEIGHBOUR = tableFields(schema.ospfv3Neighbours)
export const OSPFV3_PORT = tableFields(schema.ospfv3Ports)
export const VRF = tableFields(schema.vrfs)

/** The device's name, over `d`. */
const hostname = { form: 'text', column: 'd.hostname' } as const
export const MPLS_SERVICE = { ...tableFields(schema.mplsServices), hostname } as const
export const MPLS_SAP = { ...tableFields(schema.mplsSaps), hostname } as const
export const IPSEC_TUNNEL = { hostname, ...tableFields(schema.ipsecTunnels) } as const
