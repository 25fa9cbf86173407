import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import type { arubaWiredPortAccessClientTable } from '../../mibs/arubawired-port-access-mib.ts'
import {
  type agentAuthMgrClientStatusTable,
  DELL_AUTH_METHOD,
  DELL_AUTHENTICATION,
  DELL_AUTHORIZED,
  DELL_VLAN_REASON,
} from '../../mibs/dell-auth-manager-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import type { NacRow } from './observation.ts'

/** Columns that these tables do not have. */
const NOT_REPORTED = { domain: '', ip_address: '', host_mode: '', authz_by: '', timeout: 0, time_left: null } as const

/** Clients of Dell OS6. A session is identified by its MAC address. */
export function dellSessions(clients: Rows<typeof agentAuthMgrClientStatusTable>): readonly NacRow[] {
  return [...clients].flatMap(([index, row]): NacRow[] => {
    const mac = decodeIndex(index, ['mac'])?.[0]
    const ifIndex = row.agentAuthMgrInterface
    if (mac === undefined || ifIndex === undefined || ifIndex <= 0) return []
    return [
      {
        ...NOT_REPORTED,
        local: { by: 'ifIndex', value: String(ifIndex) },
        auth_id: mac,
        username: row.agentAuthMgrClientUserName ?? '',
        mac_address: mac,
        authz_status: enumName(DELL_AUTHORIZED, row.agentAuthMgrClientAuthstatus) ?? '',
        authz_by: enumName(DELL_VLAN_REASON, row.agentAuthMgrClientAuthVlanAssignedReason) ?? '',
        authc_status: enumName(DELL_AUTHENTICATION, row.agentAuthMgrClientAuthState) ?? '',
        method: enumName(DELL_AUTH_METHOD, row.agentAuthMgrClientAuthMethod) ?? '',
        timeout: row.agentAuthMgrClientSessionTimeout ?? 0,
        time_left: row.agentAuthMgrClientSessionTimeLeft ?? null,
        vlan: row.agentAuthMgrClientVlanAssigned || null,
        time_elapsed: row.agentAuthMgrClientSessionTime ?? null,
      },
    ]
  })
}

/**
 * Clients of AOS-CX. The port is given by name, or by ifIndex in decimal digits. There is no number of the session; it
 * goes by its port, as in LibreNMS, so that imported sessions continue.
 */
export function arubaSessions(clients: Rows<typeof arubaWiredPortAccessClientTable>): readonly NacRow[] {
  return [...clients].flatMap(([index, row]): NacRow[] => {
    const [port, mac] = decodeIndex(index, ['text', 'mac']) ?? []
    if (port === undefined || mac === undefined) return []
    const state = row.arubaWiredPacAuthState ?? ''
    const authenticated = /^(?:authenticated|success)/i.test(state)
    return [
      {
        ...NOT_REPORTED,
        local: { by: /^\d+$/.test(port) ? 'ifIndex' : 'name', value: port },
        auth_id: port,
        username: row.arubaWiredPacUserName ?? '',
        mac_address: mac,
        authz_status: authenticated ? 'authorizationSuccess' : state,
        authz_by: row.arubaWiredPacAppliedRole ?? '',
        authc_status: authenticated ? 'authcSuccess' : state,
        method: row.arubaWiredPacOnboardedMethods ?? '',
        vlan: row.arubaWiredPacVlanId || null,
        time_elapsed: null,
      },
    ]
  })
}
