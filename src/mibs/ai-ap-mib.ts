import { col, mibTable, scalar } from '@portlight/snmp/table.ts'

const AI = '1.3.6.1.4.1.14823.2.3.3.1'

/** AI-AP-MIB, aiInfoGroup: the virtual controller of a cluster of Aruba Instant access points. */
export const aiVirtualControllerKey = scalar('AI-AP-MIB::aiVirtualControllerKey', `${AI}.1.1.0`, 'DisplayString')
export const aiVirtualControllerName = scalar('AI-AP-MIB::aiVirtualControllerName', `${AI}.1.2.0`, 'DisplayString')
export const aiVirtualControllerVersion = scalar(
  'AI-AP-MIB::aiVirtualControllerVersion',
  `${AI}.1.4.0`,
  'DisplayString',
)
export const aiVirtualControllerIPAddress = scalar(
  'AI-AP-MIB::aiVirtualControllerIPAddress',
  `${AI}.1.5.0`,
  'IpAddress',
)
export const aiMasterIPAddress = scalar('AI-AP-MIB::aiMasterIPAddress', `${AI}.1.6.0`, 'IpAddress')

/** AI-AP-MIB::aiAccessPointTable, indexed by MAC address; empty if the virtual controller is not active. */
export const aiAccessPointTable = mibTable('AI-AP-MIB::aiAccessPointTable', `${AI}.2.1.1`, {
  aiAPName: col(2, 'DisplayString'),
  aiAPIPAddress: col(3, 'IpAddress'),
  aiAPSerialNum: col(4, 'DisplayString'),
  aiAPModelName: col(6, 'DisplayString'),
})
