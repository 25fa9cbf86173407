import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import {
  HP_AUTHENTIC_METHOD,
  HP_PAE_STATE,
  type hpicfDot1xAuthSessionStatsTable,
  type hpicfDot1xSMAuthConfigTable,
} from '../../mibs/hp-dot1x-extensions-mib.ts'
import {
  HW_ACCESS_TYPE,
  HW_AUTH_TYPE,
  HW_AUTHEN_METHOD,
  HW_AUTHORIZE_TYPE,
  type hwAccessExtTable,
  type hwAccessTable,
} from '../../mibs/huawei-aaa-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import type { NacRow } from './observation.ts'

/** Supplicants on ports of HP switches. A session is identified by its port and MAC address. */
export function hpSessions(
  sessions: Rows<typeof hpicfDot1xAuthSessionStatsTable>,
  states: Rows<typeof hpicfDot1xSMAuthConfigTable>,
): readonly NacRow[] {
  return [...sessions].flatMap(([index, row]): NacRow[] => {
    const key = decodeIndex(index, ['integer', 'mac'])
    if (key === null) return []
    const [ifIndex, mac] = key
    const state = states.get(index)
    const pae = enumName(HP_PAE_STATE, state?.hpicfDot1xSMAuthPaeState)
    const ticks = row.hpicfDot1xAuthSessionTime
    return [
      {
        local: { by: 'ifIndex', value: String(ifIndex) },
        auth_id: String(ifIndex),
        domain: '',
        username: row.hpicfDot1xAuthSessionUserName ?? '',
        mac_address: mac,
        ip_address: '',
        host_mode: '',
        // One state machine covers authentication and authorization; the words are those of other vendors' sessions.
        authz_status: pae === 'authenticated' ? 'authorizationSuccess' : (pae ?? ''),
        authz_by: enumName(HP_AUTHENTIC_METHOD, row.hpicfDot1xAuthSessionAuthenticMethod) ?? '',
        authc_status: pae === 'authenticated' ? 'authcSuccess' : (pae ?? ''),
        method: 'dot1x',
        timeout: state?.hpicfDot1xSMAuthSessionTimeout ?? 0,
        time_left: null,
        vlan: row.hpicfDot1xAuthSessionVid ?? null,
        time_elapsed: ticks === undefined ? null : Math.floor(ticks / 100),
      },
    ]
  })
}

/**
 * Users on interfaces of Huawei devices. Users logged in to the device itself have neither interface nor MAC address,
 * and are left out.
 */
export function huaweiSessions(
  sessions: Rows<typeof hwAccessTable>,
  more: Rows<typeof hwAccessExtTable>,
): readonly NacRow[] {
  return [...sessions].flatMap(([index, row]): NacRow[] => {
    const name = row.hwAccessInterface ?? ''
    const mac = row.hwAccessMACAddress ?? ''
    if (name === '' || mac.length !== 12 || mac === '000000000000') return []
    const ext = more.get(index)
    return [
      {
        local: { by: 'name', value: name },
        auth_id: index,
        domain: ext?.hwAccessDomain ?? '',
        username: row.hwAccessUserName ?? '',
        mac_address: mac,
        ip_address: row.hwAccessIPAddress ?? '',
        host_mode: '',
        authz_status: enumName(HW_AUTHORIZE_TYPE, ext?.hwAccessAuthorizetype) ?? '',
        authz_by: enumName(HW_ACCESS_TYPE, ext?.hwAccessType) ?? '',
        authc_status: enumName(HW_AUTHEN_METHOD, row.hwAccessAuthenMethod) ?? '',
        method: enumName(HW_AUTH_TYPE, ext?.hwAccessAuthtype) ?? '',
        timeout: row.hwAccessSessionTimeout ?? 0,
        time_left: null,
        vlan: row.hwAccessVLANID ?? null,
        time_elapsed: ext?.hwAccessOnlineTime ?? null,
      },
    ]
  })
}
