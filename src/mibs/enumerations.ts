import { BGP_ADMIN_STATUS, BGP_PEER_STATE } from './bgp4-mib.ts'
import { DOT1D_STP_PORT_STATE } from './bridge-mib.ts'
import { TUNNEL_STATUS } from './cisco-ipsec-flow-monitor-mib.ts'
import { CPS_STATUS, CPS_VIOLATION_ACTION } from './cisco-port-security-mib.ts'
import { TRUNK_ENCAPSULATION, VTP_VLAN_TYPE } from './cisco-vtp-mib.ts'
import { PHYSICAL_CLASS } from './entity-mib.ts'
import { SENSOR_DATA_TYPE, SENSOR_STATUS } from './entity-sensor-mib.ts'
import { DOT3_DUPLEX_STATUS } from './etherlike-mib.ts'
import { ifTypeName } from './iana-if-type.ts'
import { IF_STATUS } from './if-mib.ts'
import { IP_ADDRESS_ORIGIN, IP_ADDRESS_TYPE } from './ip-mib.ts'
import { LLDP_CHASSIS_ID, LLDP_PORT_ID } from './lldp-mib.ts'
import {
  OSPF_AUTH_TYPE,
  OSPF_IF_STATE,
  OSPF_IF_TYPE,
  OSPF_MULTICAST,
  OSPF_NBR_STATE,
  OSPF_PERMANENCE,
  OSPF_STATUS,
} from './ospf-mib.ts'
import { SUPPLY_TYPE } from './printer-mib.ts'
import { ROW_STATUS, TRUTH_VALUE } from './snmpv2-tc.ts'

type Labels = Readonly<Record<number, string>>

/** Enumerations by object name, for showing reported values in readable form. */
const ENUMERATIONS: Readonly<Record<string, Labels>> = {
  bgpPeerAdminStatus: BGP_ADMIN_STATUS,
  bgpPeerState: BGP_PEER_STATE,
  cikeTunStatus: TUNNEL_STATUS,
  cpsIfPortSecurityStatus: CPS_STATUS,
  cpsIfViolationAction: CPS_VIOLATION_ACTION,
  dot1dStpPortState: DOT1D_STP_PORT_STATE,
  dot3StatsDuplexStatus: DOT3_DUPLEX_STATUS,
  entPhySensorOperStatus: SENSOR_STATUS,
  entPhySensorType: SENSOR_DATA_TYPE,
  entPhysicalClass: PHYSICAL_CLASS,
  entPhysicalIsFRU: TRUTH_VALUE,
  ifAdminStatus: IF_STATUS,
  ifConnectorPresent: TRUTH_VALUE,
  ifOperStatus: IF_STATUS,
  ifPromiscuousMode: TRUTH_VALUE,
  ifStackStatus: ROW_STATUS,
  ipAddressOrigin: IP_ADDRESS_ORIGIN,
  ipAddressType: IP_ADDRESS_TYPE,
  lldpLocPortIdSubtype: LLDP_PORT_ID,
  lldpRemChassisIdSubtype: LLDP_CHASSIS_ID,
  lldpRemPortIdSubtype: LLDP_PORT_ID,
  ospfIfAdminStat: OSPF_STATUS,
  ospfIfAuthType: OSPF_AUTH_TYPE,
  ospfIfMulticastForwarding: OSPF_MULTICAST,
  ospfIfState: OSPF_IF_STATE,
  ospfIfStatus: ROW_STATUS,
  ospfIfType: OSPF_IF_TYPE,
  ospfNbmaNbrPermanence: OSPF_PERMANENCE,
  ospfNbmaNbrStatus: ROW_STATUS,
  ospfNbrState: OSPF_NBR_STATE,
  prtMarkerSuppliesType: SUPPLY_TYPE,
  vlanTrunkPortEncapsulationOperType: TRUNK_ENCAPSULATION,
  vtpVlanType: VTP_VLAN_TYPE,
}

/**
 * The name of an object's value, for example `up` for ifOperStatus 1; null if it is not an enumeration or the value is
 * unknown.
 */
export function enumerationLabel(object: string, value: number): string | null {
  if (object === 'ifType') {
    const name = ifTypeName(value)
    return name === String(value) ? null : name
  }
  return ENUMERATIONS[object]?.[value] ?? null
}
