import { decodeIndex } from '../../lib/index-decode.ts'
import { CPS_STATUS, CPS_VIOLATION_ACTION, cpsIfConfigTable } from '../../mibs/cisco-port-security-mib.ts'
import { enumName, TRUTH_VALUE } from '../../mibs/snmpv2-tc.ts'
import { need, phase } from '../module.ts'
import { isFrom, when } from '../vendor.ts'
import type { PortSecurityRow } from './observation.ts'

/** Port security of Cisco switches; other devices are not asked. */
export const readPortSecurity = phase({
  follow: ({ device }) => [{ key: 'ports', tables: { ports: when(isFrom(device, 'cisco'), need(cpsIfConfigTable)) } }],
  run({ followed }) {
    const ports = followed.get('ports')?.tables.ports
    if (ports === undefined) return []
    const rows = [...ports.rows].flatMap(([index, row]): PortSecurityRow[] => {
      const ifIndex = decodeIndex(index, ['integer'])?.[0]
      if (ifIndex === undefined) return []
      return [
        {
          ifIndex,
          port_security_enable: flag(row.cpsIfPortSecurityEnable),
          status: enumName(CPS_STATUS, row.cpsIfPortSecurityStatus) ?? null,
          max_addresses: row.cpsIfMaxSecureMacAddr ?? null,
          address_count: row.cpsIfCurrentSecureMacAddrCount ?? null,
          violation_action: enumName(CPS_VIOLATION_ACTION, row.cpsIfViolationAction) ?? null,
          violation_count: row.cpsIfViolationCount ?? null,
          last_mac_address: row.cpsIfSecureLastMacAddress || null,
          sticky_enable: flag(row.cpsIfStickyEnable),
        },
      ]
    })
    return [{ kind: 'port-security', complete: ports.complete, rows }]
  },
})

function flag(value: number | undefined): 0 | 1 | null {
  const name = enumName(TRUTH_VALUE, value)
  return name === undefined ? null : name === 'true' ? 1 : 0
}
