import { col, mibTable } from '@portlight/snmp/table.ts'

/**
 * CISCO-CDP-MIB::cdpCacheTable, indexed by ifIndex and cdpCacheDeviceIndex. Agents of other vendors implement it too.
 */
export const cdpCacheTable = mibTable('CISCO-CDP-MIB::cdpCacheTable', '1.3.6.1.4.1.9.9.23.1.2.1.1', {
  cdpCacheDeviceId: col(6, 'OctetString'),
  /** 1: IPv4; the address is then four octets. */
  cdpCacheAddressType: col(3, 'Integer'),
  cdpCacheAddress: col(4, 'OctetString'),
  cdpCacheVersion: col(5, 'DisplayString'),
  cdpCacheDevicePort: col(7, 'DisplayString'),
  cdpCachePlatform: col(8, 'DisplayString'),
})
