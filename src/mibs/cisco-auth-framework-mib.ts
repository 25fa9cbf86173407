import { col, mibTable } from '@portlight/snmp/table.ts'

/** CISCO-AUTH-FRAMEWORK-MIB::cafSessionTable, indexed by ifIndex and IMPLIED cafSessionId (text). */
export const cafSessionTable = mibTable('CISCO-AUTH-FRAMEWORK-MIB::cafSessionTable', '1.3.6.1.4.1.9.9.656.1.4.1.1', {
  cafSessionClientMacAddress: col(2, 'PhysAddress'),
  cafSessionClientAddrType: col(3, 'Integer'),
  cafSessionClientAddress: col(4, 'OctetString'),
  cafSessionStatus: col(5, 'Integer'),
  cafSessionDomain: col(6, 'Integer'),
  cafSessionAuthHostMode: col(7, 'Integer'),
  cafSessionAuthUserName: col(10, 'DisplayString'),
  cafSessionAuthorizedBy: col(12, 'DisplayString'),
  cafSessionAuthVlan: col(14, 'Integer'),
  cafSessionTimeout: col(15, 'Integer'),
  cafSessionTimeLeft: col(16, 'Integer'),
})

/**
 * CISCO-AUTH-FRAMEWORK-MIB::cafSessionMethodsInfoTable, indexed by ifIndex, cafSessionId (text) and CiscoAuthMethod.
 */
export const cafSessionMethodsInfoTable = mibTable(
  'CISCO-AUTH-FRAMEWORK-MIB::cafSessionMethodsInfoTable',
  '1.3.6.1.4.1.9.9.656.1.4.2.1',
  { cafSessionMethodState: col(2, 'Integer') },
)

/** CISCO-AUTH-FRAMEWORK-MIB::cafSessionStatus. */
export const CAF_SESSION_STATUS = {
  1: 'idle',
  2: 'running',
  3: 'noMethod',
  4: 'authenticationSuccess',
  5: 'authenticationFailed',
  6: 'authorizationSuccess',
  7: 'authorizationFailed',
} as const

/** CISCO-AUTH-FRAMEWORK-MIB::cafSessionDomain. */
export const CAF_SESSION_DOMAIN = { 1: 'other', 2: 'data', 3: 'voice' } as const

/** CISCO-AUTH-FRAMEWORK-MIB::CiscoAuthHostMode. */
export const CAF_HOST_MODE = { 1: 'singleHost', 2: 'multiHost', 3: 'multiAuth', 4: 'multiDomain' } as const

/** CISCO-AUTH-FRAMEWORK-MIB::CiscoAuthMethod. */
export const CAF_METHOD = { 1: 'other', 2: 'dot1x', 3: 'macAuthBypass', 4: 'webAuth' } as const

/** CISCO-AUTH-FRAMEWORK-MIB::cafSessionMethodState. */
export const CAF_METHOD_STATE = {
  1: 'notRun',
  2: 'running',
  3: 'failedOver',
  4: 'authcSuccess',
  5: 'authcFailed',
} as const
