import { col, mibTable } from '@portlight/snmp/table.ts'

/**
 * DNOS-AUTHENTICATION-MANAGER-MIB::agentAuthMgrClientStatusTable (Dell OS6), indexed by MacAddress. Times are seconds.
 */
export const agentAuthMgrClientStatusTable = mibTable(
  'DNOS-AUTHENTICATION-MANAGER-MIB::agentAuthMgrClientStatusTable',
  '1.3.6.1.4.1.674.10895.5000.2.6132.1.1.61.4.1.1',
  {
    /** ifIndex. */
    agentAuthMgrInterface: col(3, 'Integer'),
    agentAuthMgrClientAuthstatus: col(4, 'Integer'),
    agentAuthMgrClientAuthMethod: col(5, 'Integer'),
    agentAuthMgrClientAuthState: col(6, 'Integer'),
    agentAuthMgrClientUserName: col(7, 'DisplayString'),
    agentAuthMgrClientVlanAssigned: col(8, 'Integer'),
    agentAuthMgrClientAuthVlanAssignedReason: col(9, 'Integer'),
    agentAuthMgrClientSessionTime: col(10, 'Integer'),
    agentAuthMgrClientSessionTimeout: col(13, 'Integer'),
    agentAuthMgrClientSessionTimeLeft: col(19, 'Integer'),
  },
)

/** agentAuthMgrClientAuthstatus and agentAuthMgrClientAuthState, with the names of CISCO-AUTH-FRAMEWORK-MIB. */
export const DELL_AUTHORIZED = { 1: 'authorizationSuccess', 2: 'authorizationFailed' } as const
export const DELL_AUTHENTICATION = { 1: 'authcSuccess', 2: 'authcFailed', 3: 'running' } as const

/** agentAuthMgrClientAuthMethod. */
export const DELL_AUTH_METHOD = { 1: 'dot1x', 2: 'mab', 3: 'captivePortal' } as const

/** agentAuthMgrClientAuthVlanAssignedReason. */
export const DELL_VLAN_REASON = {
  1: 'radius',
  2: 'authFailVlan',
  3: 'noResponseVlan',
  4: 'voiceVlan',
  5: 'monitorVlan',
  6: 'criticalVlan',
} as const
