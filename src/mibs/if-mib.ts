import { col, mibTable } from '@portlight/snmp/table.ts'

/** IF-MIB::ifTable (RFC 2863), indexed by ifIndex. */
export const ifTable = mibTable('IF-MIB::ifTable', '1.3.6.1.2.1.2.2.1', {
  ifDescr: col(2, 'DisplayString'),
  ifType: col(3, 'Integer'),
  ifMtu: col(4, 'Integer'),
  ifSpeed: col(5, 'Integer'),
  ifPhysAddress: col(6, 'PhysAddress'),
  ifAdminStatus: col(7, 'Integer'),
  ifOperStatus: col(8, 'Integer'),
  ifLastChange: col(9, 'Integer'),
  ifInOctets: col(10, 'Integer'),
  ifInUcastPkts: col(11, 'Integer'),
  ifInDiscards: col(13, 'Integer'),
  ifInErrors: col(14, 'Integer'),
  ifOutOctets: col(16, 'Integer'),
  ifOutUcastPkts: col(17, 'Integer'),
  ifOutDiscards: col(19, 'Integer'),
  ifOutErrors: col(20, 'Integer'),
})

/** IF-MIB::ifXTable (RFC 2863), indexed by ifIndex. */
export const ifXTable = mibTable('IF-MIB::ifXTable', '1.3.6.1.2.1.31.1.1.1', {
  ifName: col(1, 'DisplayString'),
  ifInMulticastPkts: col(2, 'Integer'),
  ifInBroadcastPkts: col(3, 'Integer'),
  ifOutMulticastPkts: col(4, 'Integer'),
  ifOutBroadcastPkts: col(5, 'Integer'),
  ifHCInOctets: col(6, 'Counter64'),
  ifHCInUcastPkts: col(7, 'Counter64'),
  ifHCInMulticastPkts: col(8, 'Counter64'),
  ifHCInBroadcastPkts: col(9, 'Counter64'),
  ifHCOutOctets: col(10, 'Counter64'),
  ifHCOutUcastPkts: col(11, 'Counter64'),
  ifHCOutMulticastPkts: col(12, 'Counter64'),
  ifHCOutBroadcastPkts: col(13, 'Counter64'),
  ifHighSpeed: col(15, 'Integer'),
  ifPromiscuousMode: col(16, 'Integer'),
  ifConnectorPresent: col(17, 'Integer'),
  ifAlias: col(18, 'DisplayString'),
})

/** IF-MIB::ifStackTable (RFC 2863), indexed by the ifIndex of the higher and of the lower layer; 0: none. */
export const ifStackTable = mibTable('IF-MIB::ifStackTable', '1.3.6.1.2.1.31.1.2.1', {
  ifStackStatus: col(3, 'Integer'),
})

/** IF-MIB::ifOperStatus; ifAdminStatus has only the first three. */
export const IF_STATUS = {
  1: 'up',
  2: 'down',
  3: 'testing',
  4: 'unknown',
  5: 'dormant',
  6: 'notPresent',
  7: 'lowerLayerDown',
} as const
