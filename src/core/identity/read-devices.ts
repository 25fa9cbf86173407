import { addressOctets } from '@portlight/addresses/networks.ts'
import type { TransactionSql } from 'postgres'
import type { Sql } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { EVIDENCE_LIMITS, type Evidence, evidenceOf, universalMacs } from './evidence.ts'
import type { Known } from './identity.ts'

/** A client or a transaction. */
export type Asked = Sql | TransactionSql<{ bigint: number | string }>

/** A monitored device that shares something with a host. */
export interface KnownDevice extends Known<number> {
  readonly name: string
  /** The address by which it is polled; null: unknown. */
  readonly address: string | null
  readonly pollerGroup: number
  /** Whether it answers at that address. */
  readonly isUp: boolean
}

/** Most devices with which a host is compared: those that share most kinds of evidence. */
const MAX_LIKELY = 32

interface DeviceRow {
  readonly device_id: number
  readonly name: string
  readonly address: string | null
  readonly poller_group: number
  readonly up: boolean
  readonly engine: string | null
  readonly sys_name: string | null
  readonly serials: string[]
  readonly macs: string[]
  readonly addresses: string[]
  readonly found_serials: string[]
  readonly found_macs: string[]
}

/** What was read of a device when it was found; used until discovery has read it. */
const FOUND = (
  column: 'serials' | 'macs',
  most: number,
) => `array(select distinct x from candidate_evidence e join candidates c on c.id = e.candidate_id,
    unnest(e.${column}) x where c.device_id = d.device_id and c.state = 'added' limit ${most})`

/** What is read of devices `d`. */
const READ = `
    select d.device_id, d.hostname as name, coalesce(host(d.ip), nullif(d.overwrite_ip, '')) as address, d.poller_group,
      d.status = 1 as up, d."snmpEngineID" as engine, d."sysName" as sys_name,
      array(select coalesce(d.serial, '') union select e."entPhysicalSerialNum" from "entPhysical" e where e.device_id = d.device_id
        and e."entPhysicalClass" in ('chassis', 'stack') and e."entPhysicalSerialNum" <> '' limit ${EVIDENCE_LIMITS.serials}) as serials,
      array(select distinct p."ifPhysAddress" from ports p where p.device_id = d.device_id and p.deleted = 0
        and p."ifPhysAddress" <> '' limit ${EVIDENCE_LIMITS.macs}) as macs,
      array(select a.ipv4_address from ipv4_addresses a join ports p using (port_id) where p.device_id = d.device_id and p.deleted = 0
        union select a.ipv6_compressed from ipv6_addresses a join ports p using (port_id) where p.device_id = d.device_id
          and p.deleted = 0
        union select host(o.address) from device_other_addresses o where o.device_id = d.device_id
        limit ${EVIDENCE_LIMITS.addresses}) as addresses,
      ${FOUND('serials', EVIDENCE_LIMITS.serials)} as found_serials,
      ${FOUND('macs', EVIDENCE_LIMITS.macs)} as found_macs`

/** Whether it is an address of one of the device's interfaces, in the network of the poller group. */
export function ownsAddress({ pollerGroup, evidence }: KnownDevice, group: number, address: string): boolean {
  return pollerGroup === group && evidence.some(({ addresses }) => addresses.includes(address))
}

/** Devices that share evidence with a host, or that have one of these addresses in the poller group. */
export async function devicesLike(
  sql: Asked,
  evidence: Evidence,
  pollerGroup: number,
  addresses: readonly string[],
): Promise<KnownDevice[]> {
  const [macs, serials, asked] = [universalMacs(evidence), [...evidence.serials], [...addresses]]
  const all = [...evidence.addresses, ...addresses]
  const rows = await sql<DeviceRow[]>`
    with kinds as (
      select 1 as kind, device_id from devices where lower("snmpEngineID") = ${evidence.engineId ?? ''} and "snmpEngineID" <> ''
      union select 2, device_id from devices where upper(serial) = any(${serials}::text[]) and serial <> ''
      union select 2, device_id from "entPhysical" where upper("entPhysicalSerialNum") = any(${serials}::text[])
        and "entPhysicalClass" in ('chassis', 'stack') and "entPhysicalSerialNum" <> ''
      union select 3, device_id from ports where "ifPhysAddress" = any(${macs}::text[]) and deleted = 0
      union select 4, device_id from devices where lower("sysName") = ${evidence.sysName ?? ''} and "sysName" <> ''
      union select 5, p.device_id from ipv4_addresses a join ports p using (port_id)
        where a.ipv4_address = any(${all}::text[]) and p.deleted = 0
      union select 5, p.device_id from ipv6_addresses a join ports p using (port_id)
        where a.ipv6_compressed = any(${all}::text[]) and p.deleted = 0
      union select 6, device_id from devices where ip = any(${asked}::text[]::inet[])
        or overwrite_ip = any(${asked}::text[]) or lower(hostname) = any(${asked}::text[])
      union select 7, device_id from device_other_addresses where address = any(${asked}::text[]::inet[])
    ), likely as (
      select k.device_id, count(*) as n from kinds k join devices d using (device_id)
      where k.kind < 5 or d.poller_group = ${pollerGroup} group by 1 order by n desc, 1 limit ${MAX_LIKELY}
    )
    ${sql.unsafe(READ)} from likely l join devices d using (device_id) order by d.device_id`
  return rows.map((row) => knownDevice(row, pollerGroup))
}

/** These devices, with their addresses. */
export async function knownDevices(sql: Asked, ids: readonly number[]): Promise<KnownDevice[]> {
  const rows = await sql<DeviceRow[]>`
    ${sql.unsafe(READ)} from devices d where d.device_id = any(${integers(ids)}::text::int[]) order by d.device_id`
  return rows.map((row) => knownDevice(row, row.poller_group))
}

/** `pollerGroup`: of the other; other sites may have the same private addresses. */
function knownDevice(row: DeviceRow, pollerGroup: number): KnownDevice {
  const isNear = row.poller_group === pollerGroup
  // overwrite_ip may be a name
  const address = row.address !== null && addressOctets(row.address) !== null ? row.address : null
  const own = [...row.addresses, ...(address === null ? [] : [address])]
  return {
    key: row.device_id,
    name: row.name,
    address,
    pollerGroup: row.poller_group,
    isUp: row.up,
    evidence: [
      evidenceOf({
        engineId: row.engine,
        serials: row.serials.some((serial) => serial !== '') ? row.serials : row.found_serials,
        macs: row.macs.length > 0 ? row.macs : row.found_macs,
        // other sites may have the same private addresses
        addresses: isNear ? own : [],
        // a device that was added without an answer has its hostname there
        sysName: row.sys_name === row.name ? null : row.sys_name,
      }),
    ],
  }
}
