import type { TableSpec } from '../context.ts'

/** What discovery finds again, with the ids that other programs may know. */
export const OBSERVED: readonly TableSpec[] = [
  { table: 'entPhysical', key: ['device_id', 'entPhysicalIndex'] },
  { table: 'ipv4_networks' },
  { table: 'ipv6_networks' },
  { table: 'ipv4_addresses' },
  { table: 'ipv6_addresses' },
  { table: 'ipv4_mac' },
  { table: 'vlans' },
  { table: 'ports_vlans' },
  { table: 'ports_fdb', zeroIsNull: ['port_id', 'vlan_id'] },
  { table: 'links', zeroIsNull: ['remote_port_id', 'remote_device_id'] },
  { table: 'transceivers' },
  { table: 'ports_nac' },
  { table: 'component' },
  { table: 'component_prefs' },
  { table: 'vrfs' },
  { table: 'bgpPeers' },
]
