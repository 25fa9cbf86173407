import type { TableSpec } from '../context.ts'
import { cellOf, intOf, textOf } from '../source.ts'

/** Tables that discovery would fill again, imported for their ids, which other programs may use. */
export const OBSERVED: readonly TableSpec[] = [
  { table: 'entPhysical', key: ['device_id', 'entPhysicalIndex'] },
  { table: 'ipv4_networks' },
  { table: 'ipv6_networks' },
  { table: 'ipv4_addresses' },
  { table: 'ipv6_addresses' },
  { table: 'ipv4_mac' },
  { table: 'ipv6_nd' },
  { table: 'vlans' },
  { table: 'ports_vlans' },
  { table: 'ports_fdb', zeroIsNull: ['port_id', 'vlan_id'] },
  {
    table: 'ports_stack',
    // Until July 2024 the columns named after port ids contained interface indexes.
    convert: (row, values) =>
      cellOf(row, 'high_ifIndex') === undefined
        ? { ...values, high_ifIndex: intOf(row, 'port_id_high'), low_ifIndex: intOf(row, 'port_id_low') }
        : values,
  },
  { table: 'links', zeroIsNull: ['remote_port_id', 'remote_device_id'] },
  { table: 'transceivers' },
  { table: 'ports_nac' },
  {
    table: 'port_security',
    convert: (row, values) => ({
      ...values,
      port_security_enable: switchOf(textOf(row, 'port_security_enable')),
      sticky_enable: switchOf(textOf(row, 'sticky_enable')),
    }),
  },
  { table: 'component' },
  { table: 'component_prefs' },
  { table: 'vrfs', key: ['device_id', 'vrf_oid'] },
  {
    table: 'bgpPeers',
    key: ['device_id', 'bgpPeerIdentifier', 'context_name'],
    // A description in the installation was entered by a user.
    convert: (row, values) => ({
      ...values,
      ...noContext(values),
      descr_set: textOf(row, 'bgpPeerDescr') === '' ? 0 : 1,
    }),
  },
  { table: 'bgpPeers_cbgp', convert: (_row, values) => ({ ...values, ...noContext(values) }) },
  { table: 'ospf_nbrs', zeroIsNull: ['port_id'], convert: (_row, values) => ({ ...values, ...noContext(values) }) },
  {
    table: 'ospf_ports',
    convert: (row, values, of) => ({
      ...values,
      ...noContext(values),
      port_id: of.idOf('ports', intOf(row, 'port_id')) ?? 0,
    }),
  },
  {
    table: 'ospfv3_instances',
    key: ['device_id', 'context_name'],
    convert: (_row, values) => ({ ...values, ...noContext(values) }),
  },
  {
    table: 'ospfv3_areas',
    key: ['device_id', 'ospfv3AreaId', 'context_name'],
    convert: (_row, values) => ({ ...values, ...noContext(values) }),
  },
  { table: 'ospfv3_nbrs', convert: (_row, values) => ({ ...values, ...noContext(values) }) },
  {
    table: 'ospfv3_ports',
    convert: (row, values, of) => ({
      ...values,
      ...noContext(values),
      ospfv3_area_id: of.idOf('ospfv3_areas', intOf(row, 'ospfv3_area_id')),
    }),
  },
  { table: 'mpls_services', key: ['device_id', 'svc_oid'] },
  { table: 'mpls_saps' },
  { table: 'ipsec_tunnels', key: ['device_id', 'peer_addr'] },
]

/** The default context is '' here, but null or '' in the installation. */
function noContext(values: Readonly<Record<string, unknown>>): { readonly context_name?: '' } {
  return values['context_name'] === null ? { context_name: '' } : {}
}

/** 1 or 0; installations stored words until May 2026. null: unknown. */
function switchOf(text: string): number | null {
  if (text === '') return null
  return text === '1' || text === 'true' ? 1 : 0
}
