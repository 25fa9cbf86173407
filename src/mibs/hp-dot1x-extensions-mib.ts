import { col, mibTable } from '@portlight/snmp/table.ts'

/** HP-DOT1X-EXTENSIONS-MIB::hpicfDot1xAuthSessionStatsTable, indexed by ifIndex and MacAddress. */
export const hpicfDot1xAuthSessionStatsTable = mibTable(
  'HP-DOT1X-EXTENSIONS-MIB::hpicfDot1xAuthSessionStatsTable',
  '1.3.6.1.4.1.11.2.14.11.5.1.25.1.2.5.1',
  {
    hpicfDot1xAuthSessionAuthenticMethod: col(7, 'Integer'),
    /** TimeTicks. */
    hpicfDot1xAuthSessionTime: col(8, 'Integer'),
    hpicfDot1xAuthSessionUserName: col(13, 'DisplayString'),
    hpicfDot1xAuthSessionVid: col(15, 'Integer'),
  },
)

/** HP-DOT1X-EXTENSIONS-MIB::hpicfDot1xSMAuthConfigTable, indexed by ifIndex and MacAddress. */
export const hpicfDot1xSMAuthConfigTable = mibTable(
  'HP-DOT1X-EXTENSIONS-MIB::hpicfDot1xSMAuthConfigTable',
  '1.3.6.1.4.1.11.2.14.11.5.1.25.1.2.2.1',
  {
    hpicfDot1xSMAuthPaeState: col(5, 'Integer'),
    hpicfDot1xSMAuthSessionTimeout: col(9, 'Integer'),
  },
)

/** HP-DOT1X-EXTENSIONS-MIB::hpicfDot1xAuthSessionAuthenticMethod. */
export const HP_AUTHENTIC_METHOD = {
  1: 'remoteAuthServer',
  2: 'localAuthServer',
  3: 'localandremoteAuthServer',
} as const

/** HP-DOT1X-EXTENSIONS-MIB::hpicfDot1xSMAuthPaeState. */
export const HP_PAE_STATE = {
  1: 'initialize',
  2: 'disconnected',
  3: 'connecting',
  4: 'authenticating',
  5: 'authenticated',
  6: 'aborting',
  7: 'held',
  8: 'forceAuth',
  9: 'forceUnauth',
  10: 'restart',
  11: 'heldNoVlan',
  12: 'heldUnauthVlan',
  14: 'initialRole',
  15: 'heldInitialRoleFailed',
  16: 'criticalAuth',
  17: 'openAuth',
} as const
