import { notFound } from '../../../domain/errors.ts'
import type { ArpRecord, LinkRecord, NacRecord, PortSecurityRecord } from '../../../domain/neighbours/service.ts'
import type { NeighbourModel } from './model.ts'

/** An empty list of ARP entries is a list. */
export function arpAnswer(arp: readonly ArpRecord[]) {
  return { status: 'ok' as const, message: '' as const, arp: [...arp], count: arp.length }
}

type Links = typeof NeighbourModel.links.static

/** Throws 404 when there are none. */
export function linkList(links: readonly LinkRecord[]): Links {
  if (links.length === 0) throw notFound('Links do not exist')
  // Flags are 0 or 1 by the schema.
  return { status: 'ok', links: [...links] as Links['links'], count: links.length }
}

type Sessions = typeof NeighbourModel.nac.static

/** Throws 404 when there are none; the message begins with a space, as clients know it. */
export function nacList(sessions: readonly NacRecord[]): Sessions {
  if (sessions.length === 0) throw notFound(' Nac entry does not exist')
  return deviceNac(sessions)
}

/** An empty list of a device's sessions is a list. */
export function deviceNac(sessions: readonly NacRecord[]): Sessions {
  // Flags are 0 or 1 by the schema.
  return { status: 'ok', ports_nac: [...sessions] as Sessions['ports_nac'], count: sessions.length }
}

type PortSecurity = typeof NeighbourModel.portSecurity.static

/** Rows with both spellings of their columns, under both names of the member. */
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
