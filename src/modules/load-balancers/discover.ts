import { formatIpv6 } from '@portlight/addresses/ip.ts'
import {
  ltmBwcPolicyStatTable,
  ltmPoolMbrStatusTable,
  ltmPoolMemberTable,
  ltmPoolTable,
  ltmVirtualServTable,
  ltmVsStatusTable,
} from '../../mibs/f5-bigip-local-mib.ts'
import { need, phase } from '../module.ts'
import { isFrom } from '../vendor.ts'
import type { ComponentRow } from './observation.ts'

/**
 * Pools, pool members, virtual servers and bandwidth policies of F5 BIG-IP, as components. A pool with fewer active members than it
 * requires is critical. Members and virtual servers are rated by availability: green is ok, red (3) critical, "not
 * checked" (0, 4) ok, anything else a warning. Policies have no state and are ok.
 */
export const discoverLoadBalancers = phase({
  follow: ({ device }) =>
    isFrom(device, 'f5')
      ? [
          {
            key: 'ltm',
            tables: {
              pools: need(ltmPoolTable),
              members: need(ltmPoolMemberTable),
              memberStatus: need(ltmPoolMbrStatusTable),
              servers: need(ltmVirtualServTable),
              serverStatus: need(ltmVsStatusTable),
              policies: need(ltmBwcPolicyStatTable),
            },
          },
        ]
      : [],
  run({ followed }) {
    const tables = followed.get('ltm')?.tables
    if (tables === undefined) return []
    const { pools, members, memberStatus, servers, serverStatus, policies } = tables
    const rows: ComponentRow[] = []
    for (const [uid, row] of pools.rows) {
      if (!row.ltmPoolName) continue
      const few =
        row.ltmPoolMinUpMembersEnable === 1 && (row.ltmPoolActiveMemberCnt ?? 0) < (row.ltmPoolMinUpMembers ?? 0)
      rows.push({
        type: 'f5-ltm-pool',
        uid,
        label: row.ltmPoolName,
        status: few ? 2 : 0,
        error: few ? 'Minimum Pool Members not met' : '',
        attributes: texts({
          mode: row.ltmPoolLbMode,
          minup: row.ltmPoolMinUpMembers,
          minupstatus: row.ltmPoolMinUpMembersEnable,
          currentup: row.ltmPoolActiveMemberCnt,
          minupaction: row.ltmPoolMinUpMembersAction,
          monitor: row.ltmPoolMonitorRule,
        }),
      })
    }
    for (const [uid, row] of members.rows) {
      if (!row.ltmPoolMemberPoolName) continue
      const state = memberStatus.rows.get(uid)
      rows.push({
        type: 'f5-ltm-poolmember',
        uid,
        label: row.ltmPoolMemberPoolName,
        ...health(state?.ltmPoolMbrStatusAvailState, state?.ltmPoolMbrStatusDetailReason),
        attributes: texts({
          IP: address(row.ltmPoolMemberAddr),
          port: row.ltmPoolMemberPort,
          ratio: row.ltmPoolMemberRatio,
          weight: row.ltmPoolMemberWeight,
          priority: row.ltmPoolMemberPriority,
          state: state?.ltmPoolMbrStatusEnabledState,
          available: state?.ltmPoolMbrStatusAvailState,
          nodename: row.ltmPoolMemberNodeName,
        }),
      })
    }
    for (const [uid, row] of servers.rows) {
      if (!row.ltmVirtualServName) continue
      const state = serverStatus.rows.get(uid)
      rows.push({
        type: 'f5-ltm-vs',
        uid,
        label: row.ltmVirtualServName,
        ...health(state?.ltmVsStatusAvailState, state?.ltmVsStatusDetailReason),
        attributes: texts({
          IP: address(row.ltmVirtualServAddr),
          port: row.ltmVirtualServPort,
          pool: row.ltmVirtualServDefaultPool,
          state: state?.ltmVsStatusAvailState,
        }),
      })
    }
    for (const [uid, { ltmBwcPolicyStatName: label }] of policies.rows) {
      if (label) rows.push({ type: 'f5-ltm-bwc', uid, label, status: 0, error: '', attributes: {} })
    }
    const complete = Object.values(tables).every((table) => table.complete)
    return [{ kind: 'components', complete, rows }]
  },
})

/** AvailState: 0 none, 1 green, 2 yellow, 3 red, 4 blue (not checked), 5 gray. */
function health(state: number | undefined, reason: string | undefined): Pick<ComponentRow, 'status' | 'error'> {
  if (state === undefined || state === 0 || state === 1 || state === 4) return { status: 0, error: '' }
  return { status: state === 3 ? 2 : 1, error: reason ?? '' }
}

/** InetAddress: 4 or 16 octets, with a zone (route domain) of 4 more. */
function address(octets: Uint8Array | undefined): string | undefined {
  if (octets?.length === 4 || octets?.length === 8) return octets.subarray(0, 4).join('.')
  return octets?.length === 16 || octets?.length === 20 ? formatIpv6(octets.subarray(0, 16)) : undefined
}

function texts(members: Readonly<Record<string, string | number | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}
