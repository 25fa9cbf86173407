import { formatIp } from '@portlight/addresses/ip.ts'
import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import {
  CAF_HOST_MODE,
  CAF_METHOD,
  CAF_METHOD_STATE,
  CAF_SESSION_DOMAIN,
  CAF_SESSION_STATUS,
  type cafSessionMethodsInfoTable,
  type cafSessionTable,
} from '../../mibs/cisco-auth-framework-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import type { NacRow } from './observation.ts'

/** Sessions of Cisco's authentication framework. */
export function ciscoSessions(
  sessions: Rows<typeof cafSessionTable>,
  methods: Rows<typeof cafSessionMethodsInfoTable>,
): readonly NacRow[] {
  const bySession = methodsBySession(methods)
  return [...sessions].flatMap(([index, row]): NacRow[] => {
    const key = sessionKey(index)
    const mac = row.cafSessionClientMacAddress
    if (key === null || mac?.length !== 12) return []
    const [ifIndex, session] = key
    const ran = bySession.get(`${ifIndex} ${session}`)
    return [
      {
        local: { by: 'ifIndex', value: String(ifIndex) },
        auth_id: session,
        domain: enumName(CAF_SESSION_DOMAIN, row.cafSessionDomain) ?? '',
        username: row.cafSessionAuthUserName ?? '',
        mac_address: mac,
        ip_address: formatIp(row.cafSessionClientAddress) ?? '',
        host_mode: enumName(CAF_HOST_MODE, row.cafSessionAuthHostMode) ?? '',
        authz_status: enumName(CAF_SESSION_STATUS, row.cafSessionStatus) ?? '',
        authz_by: row.cafSessionAuthorizedBy ?? '',
        authc_status: enumName(CAF_METHOD_STATE, ran?.state) ?? '',
        method: enumName(CAF_METHOD, ran?.method) ?? '',
        timeout: row.cafSessionTimeout ?? 0,
        time_left: row.cafSessionTimeLeft ?? null,
        vlan: row.cafSessionAuthVlan ?? null,
        time_elapsed: null,
      },
    ]
  })
}

/** cafSessionId is IMPLIED in this index, but some agents send its length anyway. */
function sessionKey(index: string): readonly [number, string] | null {
  return decodeIndex(index, ['integer', 'text']) ?? decodeIndex(index, ['integer', 'impliedText'])
}

interface Method {
  readonly method: number
  readonly state: number
}

/** Values of cafSessionMethodState, most significant first: succeeded, running, failed, failed over. */
const STATE_ORDER: readonly number[] = [4, 2, 5, 3, 1]

/** The method that decided each session, by `ifIndex session`. */
function methodsBySession(rows: Rows<typeof cafSessionMethodsInfoTable>): ReadonlyMap<string, Method> {
  const methods = new Map<string, Method>()
  for (const [index, { cafSessionMethodState: state }] of rows) {
    const key = decodeIndex(index, ['integer', 'text', 'integer'])
    if (key === null || state === undefined) continue
    const name = `${key[0]} ${key[1]}`
    const known = methods.get(name)
    if (known === undefined || STATE_ORDER.indexOf(state) < STATE_ORDER.indexOf(known.state))
      methods.set(name, { method: key[2], state })
  }
  return methods
}
