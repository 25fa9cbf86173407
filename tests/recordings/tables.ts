/** What is compared in each table: a line of text per row, without values that count or change with time. */
export const COMPARED: Readonly<Record<string, string>> = {
  devices: `select concat_ws(' | ', os, hardware, version, serial) from devices where device_id = $1`,
  ports: `select concat_ws(' | ', "ifIndex", "ifName", "ifType", "ifHighSpeed", "ifOperStatus", "ifAlias", "ifVlan", "ifTrunk")
    from ports where device_id = $1 and deleted = 0`,
  ports_stack: `select concat_ws(' | ', "high_ifIndex", "low_ifIndex") from ports_stack where device_id = $1`,
  ipv4_addresses: `select concat_ws(' | ', "ifIndex", ipv4_address, ipv4_prefixlen)
    from ipv4_addresses join ports using (port_id) where device_id = $1`,
  ipv6_addresses: `select concat_ws(' | ', "ifIndex", ipv6_address, ipv6_prefixlen)
    from ipv6_addresses join ports using (port_id) where device_id = $1`,
  ipv4_mac: `select concat_ws(' | ', "ifIndex", ipv4_address, mac_address)
    from ipv4_mac join ports using (port_id) where ports.device_id = $1`,
  ipv6_nd: `select concat_ws(' | ', "ifIndex", ipv6_address, mac_address)
    from ipv6_nd join ports using (port_id) where ports.device_id = $1`,
  links: `select concat_ws(' | ', protocol, "ifIndex", remote_hostname, remote_port)
    from links left join ports on port_id = local_port_id where local_device_id = $1`,
  entPhysical: `select concat_ws(' | ', "entPhysicalIndex", "entPhysicalClass", "entPhysicalName", "entPhysicalModelName", "entPhysicalContainedIn")
    from "entPhysical" where device_id = $1`,
  processors: `select concat_ws(' | ', processor_type, processor_index, processor_descr) from processors where device_id = $1`,
  mempools: `select concat_ws(' | ', mempool_type, mempool_index, mempool_descr, mempool_total) from mempools where device_id = $1`,
  storage: `select concat_ws(' | ', type, storage_index, storage_descr, storage_size) from storage where device_id = $1`,
  sensors: `select concat_ws(' | ', sensor_class, sensor_type, sensor_index, sensor_descr) from sensors where device_id = $1`,
  wireless_sensors: `select concat_ws(' | ', sensor_class, sensor_type, sensor_index, sensor_descr)
    from wireless_sensors where device_id = $1`,
  transceivers: `select concat_ws(' | ', index, "ifIndex", vendor, model) from transceivers left join ports using (port_id)
    where transceivers.device_id = $1`,
  vlans: `select concat_ws(' | ', vlan_domain, vlan_vlan, vlan_name, vlan_type, vlan_state) from vlans where device_id = $1`,
  ports_vlans: `select concat_ws(' | ', vlan, "ifIndex", ports_vlans.state, untagged)
    from ports_vlans join ports using (port_id) where ports_vlans.device_id = $1`,
  ports_fdb: `select concat_ws(' | ', vlan_vlan, mac_address, "ifIndex") from ports_fdb
    join ports using (port_id) left join vlans on vlans.vlan_id = ports_fdb.vlan_id where ports_fdb.device_id = $1`,
  ports_nac: `select concat_ws(' | ', "ifIndex", auth_id, username, mac_address, authz_status, method)
    from ports_nac join ports using (port_id) where ports_nac.device_id = $1`,
  port_security: `select concat_ws(' | ', "ifIndex", port_security_enable, port_security.status, last_mac_address)
    from port_security join ports using (port_id) where port_security.device_id = $1`,
  vrfs: `select concat_ws(' | ', vrf_name, "mplsVpnVrfRouteDistinguisher", "mplsVpnVrfDescription") from vrfs where device_id = $1`,
  bgpPeers: `select concat_ws(' | ', "bgpPeerIdentifier", "bgpPeerRemoteAs", "bgpPeerState", "bgpLocalAddr") from "bgpPeers" where device_id = $1`,
  bgpPeers_cbgp: `select concat_ws(' | ', "bgpPeerIdentifier", afi, safi, "AcceptedPrefixes") from "bgpPeers_cbgp" where device_id = $1`,
  stp: `select concat_ws(' | ', instance, protocol, priority, "rootPriority", "rootCost", "rootPort", is_root) from stp where device_id = $1`,
  ports_stp: `select concat_ws(' | ', instance, port_index, "ifIndex", state, role, "pathCost")
    from ports_stp left join ports using (port_id) where ports_stp.device_id = $1`,
  isis_adjacencies: `select concat_ws(' | ', "isisISAdjNeighSysID", "isisISAdjUsage", a."ifIndex", "isisISAdjState", "isisISAdjIPAddrAddress")
    from isis_adjacencies a where device_id = $1`,
  qos_classes: `select concat_ws(' | ', "ifIndex", circuit, direction, policy, class) from qos_classes where device_id = $1`,
  ospf_ports: `select concat_ws(' | ', ospf_port_id, "ospfIfAreaId", "ospfIfState") from ospf_ports where device_id = $1`,
  ospf_nbrs: `select concat_ws(' | ', ospf_nbr_id, "ospfNbrRtrId", "ospfNbrState") from ospf_nbrs where device_id = $1`,
  ospfv3_ports: `select concat_ws(' | ', "ospfv3IfIndex", "ospfv3IfState") from ospfv3_ports where device_id = $1`,
  ospfv3_nbrs: `select concat_ws(' | ', "ospfv3NbrIfIndex", router_id, "ospfv3NbrState", "ospfv3NbrAddress") from ospfv3_nbrs where device_id = $1`,
  mpls_services: `select concat_ws(' | ', svc_oid, "svcType", "svcDescription", "svcOperStatus") from mpls_services where device_id = $1`,
  mpls_saps: `select concat_ws(' | ', svc_oid, "ifName", "sapEncapValue", "sapOperStatus") from mpls_saps where device_id = $1`,
  component: `select concat_ws(' | ', type, label, status, error) from component where device_id = $1`,
  ipsec_tunnels: `select concat_ws(' | ', peer_addr, local_addr, tunnel_name, tunnel_status) from ipsec_tunnels where device_id = $1`,
}
