import { col, mibTable } from '@portlight/snmp/table.ts'

const ROOT = '1.3.6.1.4.1.9.9.166.1'

/** Policies attached to interfaces, indexed by cbQosPolicyIndex. */
export const cbQosServicePolicyTable = mibTable('CISCO-CLASS-BASED-QOS-MIB::cbQosServicePolicyTable', `${ROOT}.1.1.1`, {
  cbQosPolicyDirection: col(3, 'Integer'),
  cbQosIfType: col(2, 'Integer'),
  cbQosIfIndex: col(4, 'Integer'),
  cbQosFrDLCI: col(5, 'Integer'),
  cbQosAtmVPI: col(6, 'Integer'),
  cbQosAtmVCI: col(7, 'Integer'),
  cbQosEntityIndex: col(8, 'Integer'),
  cbQosVlanIndex: col(9, 'Integer'),
  cbQosEVC: col(10, 'Integer'),
  cbQosTunDstAddr: col(14, 'OctetString'),
})

/** Policy maps, class maps and what they consist of, indexed by cbQosPolicyIndex and cbQosObjectsIndex. */
export const cbQosObjectsTable = mibTable('CISCO-CLASS-BASED-QOS-MIB::cbQosObjectsTable', `${ROOT}.5.1.1`, {
  cbQosConfigIndex: col(2, 'Integer'),
  cbQosObjectsType: col(3, 'Integer'),
  /** 0: the policy map attached to the interface. */
  cbQosParentObjectsIndex: col(4, 'Integer'),
})

/** Indexed by cbQosConfigIndex. */
export const cbQosPolicyMapCfgTable = mibTable('CISCO-CLASS-BASED-QOS-MIB::cbQosPolicyMapCfgTable', `${ROOT}.6.1.1`, {
  cbQosPolicyMapName: col(1, 'DisplayString'),
})

/** Indexed by cbQosConfigIndex. */
export const cbQosCMCfgTable = mibTable('CISCO-CLASS-BASED-QOS-MIB::cbQosCMCfgTable', `${ROOT}.7.1.1`, {
  cbQosCMName: col(1, 'DisplayString'),
})

/** Counters of classes, indexed as cbQosObjectsTable. */
export const cbQosCMStatsTable = mibTable('CISCO-CLASS-BASED-QOS-MIB::cbQosCMStatsTable', `${ROOT}.15.1.1`, {
  cbQosCMPrePolicyByte64: col(6, 'Integer'),
  cbQosCMPostPolicyByte64: col(10, 'Integer'),
  cbQosCMDropByte64: col(17, 'Integer'),
  cbQosCMPrePolicyPkt64: col(3, 'Integer'),
  cbQosCMDropPkt64: col(14, 'Integer'),
})

/** TrafficDirection. */
export const CB_QOS_DIRECTION = { 1: 'input', 2: 'output' } as const

/** InterfaceType. */
export const CB_QOS_IF_TYPE = {
  1: 'mainInterface',
  2: 'subInterface',
  3: 'frDLCI',
  4: 'atmPVC',
  5: 'controlPlane',
  6: 'vlanPort',
  7: 'evc',
  8: 'tunnel',
  9: 'wirelessIntf',
} as const

/** QosObjectType; the others are no policies or classes. */
export const CB_QOS_OBJECT_TYPE = { 1: 'policymap', 2: 'classmap' } as const
