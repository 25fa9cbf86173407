import { col, mibTable } from '@portlight/snmp/table.ts'

/** TIMETRA-VRTR-MIB::vRtrIfTable: interfaces of SR OS's virtual routers, indexed by router and ifIndex. */
export const vRtrIfTable = mibTable('TIMETRA-VRTR-MIB::vRtrIfTable', '1.3.6.1.4.1.6527.3.1.2.3.4.1', {
  vRtrIfName: col(4, 'DisplayString'),
  vRtrIfType: col(3, 'Integer'),
  /** Octets; 0: not set. */
  vRtrIfMtu: col(25, 'Integer'),
  vRtrIfDescription: col(34, 'DisplayString'),
})

/** vRtrIfType, without types that are obsolete or used internally. */
export const VRTR_IF_TYPE = {
  1: 'network',
  3: 'serviceIes',
  5: 'serviceVprn',
  7: 'serviceIesGroup',
  9: 'serviceVprnGroup',
  10: 'serviceIesRedundant',
  11: 'serviceVprnRedundant',
  12: 'serviceVpls',
  15: 'serviceVprnIPsec',
  16: 'serviceVprnIPMirror',
  21: 'serviceIesTunnel',
  24: 'networkVprn',
  36: 'serviceIesIpTunnel',
  37: 'serviceVprnIpTunnel',
} as const
