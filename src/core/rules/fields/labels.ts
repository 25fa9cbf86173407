/** Descriptions of the fields of one table. */
export interface TableWords {
  /** What a row is: `port`, `BGP session`. */
  readonly subject: string
  /** By column, with the unit after a comma. */
  readonly columns: Readonly<Record<string, string>>
}

export const wordsOf = (subject: string, columns: TableWords['columns']): TableWords => ({ subject, columns })

/** Columns that mean the same in every table. */
export const COMMON: Readonly<Record<string, string>> = {
  device_id: 'number of the device',
  port_id: 'number of the port',
  bill_id: 'number of the bill',
  vrf_id: 'number of the VRF',
  vlan_id: 'number of the VLAN entry',
  svc_id: 'number of the service entry',
  context_name: 'SNMP context',
  entPhysicalIndex: 'number of the part in the inventory',
  ipv4_network_id: 'number of the IPv4 network',
  ipv6_network_id: 'number of the IPv6 network',
  state_index_id: 'number of the state set',
  ospfv3_instance_id: 'number of the OSPFv3 process',
}
