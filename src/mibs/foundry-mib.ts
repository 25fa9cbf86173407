import { col, mibTable } from '@portlight/snmp/table.ts'

/** FOUNDRY-SN-SWITCH-GROUP-MIB::snFdpCacheTable (Brocade, Ruckus ICX), indexed by ifIndex and snFdpCacheDeviceIndex. */
export const snFdpCacheTable = mibTable(
  'FOUNDRY-SN-SWITCH-GROUP-MIB::snFdpCacheTable',
  '1.3.6.1.4.1.1991.1.1.3.20.1.2.1.1',
  {
    snFdpCacheDeviceId: col(3, 'OctetString'),
    snFdpCacheVersion: col(6, 'DisplayString'),
    snFdpCacheDevicePort: col(7, 'DisplayString'),
    snFdpCachePlatform: col(8, 'DisplayString'),
    /** The protocol by which it was learned. */
    snFdpCacheVendorId: col(10, 'Integer'),
  },
)

/** FOUNDRY-SN-SWITCH-GROUP-MIB::snFdpCacheVendorId. */
export const FDP_VENDOR = { 1: 'fdp', 2: 'cdp' } as const
