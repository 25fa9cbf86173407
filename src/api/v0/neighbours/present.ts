import type { LinkRecord, PortSecurityRecord } from '../../../domain/neighbours/service.ts'
import { type ListOptions, listOrMissing } from '../list-answer.ts'
import type { NeighbourModel } from './model.ts'

type Link = typeof NeighbourModel.link.static

/** A link under both member names. */
export function linkAnswer(link: LinkRecord): Link {
  const links = [link] as Link['links'] // flags are 0 or 1 by the schema
  return { status: 'ok', links, link: links, count: 1 }
}

/** ARP entries; the list may be empty. */
export const arpList: ListOptions = { name: 'arp', message: true }

export const linkList = listOrMissing('links', 'Links do not exist')

/** Sessions of a device; the list may be empty. */
export const deviceNacList: ListOptions = { name: 'ports_nac' }

/** The leading space in the message is what clients expect. */
export const nacList = listOrMissing('ports_nac', ' Nac entry does not exist')

type PortSecurity = typeof NeighbourModel.portSecurity.static

/** Rows with both spellings of their columns, under both member names. */
export function portSecurityAnswer(rows: readonly PortSecurityRecord[]): PortSecurity {
  const ports = rows.map(bothSpellings)
  return { status: 'ok', message: '', ports, port: ports, count: ports.length }
}

function bothSpellings(row: PortSecurityRecord): PortSecurity['ports'][number] {
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
