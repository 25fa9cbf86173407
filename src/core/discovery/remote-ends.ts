import type { RemoteEnd } from '../../modules/links/observation.ts'
import { statement, type Tx } from './write-rows.ts'

/** The known device at the remote end of a link, and its port if known. */
export interface KnownEnd {
  readonly device_id: number
  readonly port_id: number | null
}

/** Default system names, which identify nothing. */
const NAMELESS: ReadonlySet<string> = new Set(['localhost', 'localhost.localdomain', '(none)'])

/**
 * Finds the remote ends of links among the known devices: by system name or hostname, then by MAC address of the
 * chassis or port, then by management address; and their port by name, MAC address or ifIndex. An ambiguous match
 * counts as none. The returned function gives null for an unknown neighbour.
 */
export async function remoteEnds(
  tx: Tx,
  rows: readonly { readonly remote: RemoteEnd }[],
): Promise<(remote: RemoteEnd) => KnownEnd | null> {
  const remotes = rows.map(({ remote }) => remote)
  if (remotes.length === 0) return () => null
  const byName = await devicesByName(tx, remotes)
  const byMac = await devicesBy(
    tx,
    `select distinct "ifPhysAddress" as key, device_id from ports where deleted = 0 and "ifPhysAddress" = any($1::text[])`,
    remotes.flatMap(({ mac, portMac }) => [mac, portMac].filter((value) => value !== null)),
  )
  const byAddress = await devicesBy(
    tx,
    `select host(ip) as key, device_id from devices where ip = any($1::text[]::inet[])
     union select ipv4_address, device_id from ipv4_addresses join ports using (port_id)
       where deleted = 0 and ipv4_address = any($1::text[])
     union select ipv6_compressed, device_id from ipv6_addresses join ports using (port_id)
       where deleted = 0 and ipv6_compressed = any($1::text[])`,
    remotes.flatMap(({ addresses }) => addresses),
  )
  const deviceOf = ({ name, mac, portMac, addresses }: RemoteEnd): number | null => {
    const found = [
      name === null ? null : byName(name),
      ...[mac, portMac].map((value) => (value === null ? null : (byMac.get(value) ?? null))),
      ...addresses.map((address) => byAddress.get(address) ?? null),
    ]
    return found.find((id) => id !== null) ?? null
  }
  const ports = await candidatePorts(tx, remotes, [...new Set(remotes.map(deviceOf))])
  return (remote) => {
    const device_id = deviceOf(remote)
    return device_id === null ? null : { device_id, port_id: portOf(remote, ports.get(device_id) ?? []) }
  }
}

interface NamedDevice {
  readonly device_id: number
  readonly sys: string
  readonly host: string
}

/** Matches devices with exactly this name first, then with or without a domain. */
async function devicesByName(tx: Tx, remotes: readonly RemoteEnd[]): Promise<(name: string) => number | null> {
  const folded = (name: string) => name.trim().toLowerCase().replace(/\.$/, '')
  const label = (name: string) => name.split('.', 1)[0] ?? ''
  const names = remotes
    .flatMap(({ name }) => (name === null ? [] : [folded(name)]))
    .filter((name) => name !== '' && !NAMELESS.has(name))
  const candidates = [...new Set(names.flatMap((name) => [name, label(name)]))]
  if (candidates.length === 0) return () => null
  const devices = await statement<NamedDevice[]>(
    tx,
    `select device_id, coalesce(lower("sysName"), '') as sys, lower(hostname) as host from devices
     where lower("sysName") = any($1::text[]) or lower(hostname) = any($1::text[])
       or split_part(lower("sysName"), '.', 1) = any($1::text[]) or split_part(lower(hostname), '.', 1) = any($1::text[])`,
    [array(candidates)],
  )
  const one = (fits: (device: NamedDevice) => boolean) => {
    const fitting = devices.filter(fits)
    return fitting.length === 1 ? (fitting[0]?.device_id ?? null) : null
  }
  return (text) => {
    const name = folded(text)
    if (!candidates.includes(name)) return null
    if (devices.some(({ sys, host }) => sys === name || host === name))
      return one(({ sys, host }) => sys === name || host === name)
    // A numeric label is part of an IP address, not a hostname.
    if (/^\d+$/.test(label(name))) return null
    return name.includes('.')
      ? one(({ sys, host }) => sys === label(name) || host === label(name))
      : one(({ sys, host }) => label(sys) === name || label(host) === name)
  }
}

/** Devices by keys that exactly one device has. */
async function devicesBy(tx: Tx, sql: string, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map()
  const rows = await statement<{ key: string; device_id: number }[]>(tx, sql, [array([...new Set(keys)])])
  const found = new Map<string, number>()
  const shared = new Set<string>()
  for (const { key, device_id } of rows) {
    if (found.has(key) && found.get(key) !== device_id) shared.add(key)
    found.set(key, device_id)
  }
  for (const key of shared) found.delete(key)
  return found
}

interface CandidatePort {
  readonly port_id: number
  readonly device_id: number
  readonly ifIndex: number | null
  readonly ifName: string
  readonly ifDescr: string
  readonly ifAlias: string
  readonly ifPhysAddress: string | null
}

/** Ports of these devices that could be one of the remote ends, by device. */
async function candidatePorts(
  tx: Tx,
  remotes: readonly RemoteEnd[],
  devices: readonly (number | null)[],
): Promise<ReadonlyMap<number, readonly CandidatePort[]>> {
  const ids = devices.filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  const ports = await statement<CandidatePort[]>(
    tx,
    `select port_id, device_id, "ifIndex", coalesce(lower("ifName"), '') as "ifName",
       coalesce(lower("ifDescr"), '') as "ifDescr", coalesce(lower("ifAlias"), '') as "ifAlias", "ifPhysAddress"
     from ports where deleted = 0 and device_id = any($1::int[]) and (lower("ifName") = any($2::text[])
       or lower("ifDescr") = any($2::text[]) or lower("ifAlias") = any($2::text[])
       or "ifPhysAddress" = any($3::text[]) or "ifIndex" = any($4::bigint[]))`,
    [
      `{${ids.join(',')}}`,
      array(remotes.flatMap(({ portNames }) => portNames.map((name) => name.toLowerCase()))),
      array(remotes.flatMap(({ portMac }) => (portMac === null ? [] : [portMac]))),
      `{${remotes.flatMap(({ portIndex }) => (portIndex === null ? [] : [portIndex])).join(',')}}`,
    ],
  )
  return Map.groupBy(ports, ({ device_id }) => device_id)
}

function portOf(remote: RemoteEnd, ports: readonly CandidatePort[]): number | null {
  const one = (fits: (port: CandidatePort) => boolean) => {
    const fitting = ports.filter(fits)
    return fitting.length === 1 ? (fitting[0]?.port_id ?? null) : null
  }
  for (const name of remote.portNames.map((text) => text.toLowerCase())) {
    for (const column of ['ifName', 'ifDescr', 'ifAlias'] as const) {
      const port = one((candidate) => candidate[column] === name)
      if (port !== null) return port
    }
  }
  const byMac = remote.portMac === null ? null : one(({ ifPhysAddress }) => ifPhysAddress === remote.portMac)
  if (byMac !== null || remote.portIndex === null) return byMac
  return one(({ ifIndex }) => ifIndex === remote.portIndex)
}

/** An array in PostgreSQL's text form. */
function array(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll('\0', '').replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
