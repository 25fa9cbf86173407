import type { PortSecurityRow } from '../../../core/inventory/switching.ts'

/** A row under both spellings of its columns. */
export function presentPortSecurity(row: PortSecurityRow) {
  return {
    id: row.id,
    port_id: row.port_id,
    device_id: row.device_id,
    cpsIfPortSecurityEnable: truth(row.port_security_enable),
    cpsIfPortSecurityStatus: row.status,
    cpsIfMaxSecureMacAddr: row.max_addresses,
    cpsIfCurrentSecureMacAddrCount: row.address_count,
    cpsIfViolationAction: row.violation_action,
    cpsIfViolationCount: row.violation_count,
    cpsIfSecureLastMacAddress: row.last_mac_address,
    cpsIfStickyEnable: truth(row.sticky_enable),
    port_security_enable: flag(row.port_security_enable),
    status: row.status,
    max_addresses: row.max_addresses,
    address_count: row.address_count,
    violation_action: row.violation_action,
    violation_count: row.violation_count,
    last_mac_address: row.last_mac_address,
    sticky_enable: flag(row.sticky_enable),
  }
}

/** TruthValue as text. */
function truth(value: number | null): 'true' | 'false' | null {
  return value === null ? null : value === 0 ? 'false' : 'true'
}

function flag(value: number | null): boolean | null {
  return value === null ? null : value !== 0
}
