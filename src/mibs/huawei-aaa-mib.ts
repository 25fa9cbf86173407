import { col, mibTable } from '@portlight/snmp/table.ts'

/** HUAWEI-AAA-MIB::hwAccessTable, indexed by the number of the user session. */
export const hwAccessTable = mibTable('HUAWEI-AAA-MIB::hwAccessTable', '1.3.6.1.4.1.2011.5.2.1.15.1', {
  hwAccessInterface: col(57, 'DisplayString'),
  hwAccessUserName: col(3, 'DisplayString'),
  hwAccessVLANID: col(11, 'Integer'),
  hwAccessAuthenMethod: col(13, 'Integer'),
  hwAccessIPAddress: col(15, 'IpAddress'),
  hwAccessMACAddress: col(17, 'PhysAddress'),
  hwAccessSessionTimeout: col(81, 'Integer'),
})

/** HUAWEI-AAA-MIB::hwAccessExtTable, indexed like hwAccessTable. */
export const hwAccessExtTable = mibTable('HUAWEI-AAA-MIB::hwAccessExtTable', '1.3.6.1.4.1.2011.5.2.1.16.1', {
  hwAccessAuthtype: col(16, 'Integer'),
  hwAccessType: col(17, 'Integer'),
  /** Seconds. */
  hwAccessOnlineTime: col(18, 'Integer'),
  hwAccessDomain: col(19, 'DisplayString'),
  hwAccessAuthorizetype: col(28, 'Integer'),
})

/** HUAWEI-AAA-MIB::hwAccessAuthenMethod. */
export const HW_AUTHEN_METHOD = {
  1: 'local',
  2: 'noauth',
  3: 'radius',
  4: 'localRadius',
  5: 'radiusLocal',
  6: 'radiusNoauth',
  7: 'tacacs',
  8: 'localTacacs',
  9: 'tacacsLocal',
  10: 'tacacsNone',
} as const

/** HUAWEI-AAA-MIB::hwAccessAuthtype. */
export const HW_AUTH_TYPE = {
  0: 'none',
  1: 'ppp',
  2: 'dot1x',
  3: 'web',
  4: 'bind',
  5: 'fast',
  6: 'wlan',
  7: 'admin',
  8: 'tunnel',
  9: 'mac',
} as const

/** HUAWEI-AAA-MIB::hwAccessType: the access types of switches; the others are for broadband gateways. */
export const HW_ACCESS_TYPE = {
  1: 'telnet',
  2: 'terminal',
  3: 'ssh',
  4: 'ftp',
  13: 'eap',
  14: 'pnp',
  15: 'ip',
  16: 'staticvlan',
  28: 'deviceuser',
  32: 'http',
  33: 'web',
  34: 'wlan',
  35: 'mac',
  36: 'vm',
} as const

/** HUAWEI-AAA-MIB::hwAccessAuthorizetype, spelled as in the MIB. */
export const HW_AUTHORIZE_TYPE = {
  0: 'running',
  1: 'preAuthen',
  2: 'clientNoResp',
  3: 'failAuthorized',
  4: 'webServerDown',
  5: 'aaaServerDown',
  6: 'sussess',
  7: 'open',
} as const
