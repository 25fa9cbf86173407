import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { parseMac } from '../../lib/mac.ts'
import { namesOfPort } from '../../lib/port-names.ts'
import {
  LLDP_CHASSIS_ID,
  LLDP_PORT_ID,
  type lldpLocPortTable,
  type lldpNeighborInfoTable,
} from '../../mibs/lldp-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { lldpId, networkAddress, unquoted } from './ids.ts'
import type { LinkRow, LocalPort } from './observation.ts'

/** A neighbour as every LLDP MIB reports it. */
export interface LldpNeighbour {
  readonly local: readonly LocalPort[]
  readonly chassisIdSubtype: number | undefined
  readonly chassisId: Uint8Array | undefined
  readonly portIdSubtype: number | undefined
  readonly portId: Uint8Array | undefined
  readonly portDesc: string | undefined
  readonly sysName: string | undefined
  readonly sysDesc: string | undefined
  readonly addresses: readonly string[]
}

/**
 * The link to a neighbour; null if it does not identify itself. A neighbour without a system name goes by its
 * description, then by its chassis ID.
 */
export function lldpLink(neighbour: LldpNeighbour): LinkRow | null {
  const { sysName = '', portDesc = '' } = neighbour
  const sysDesc = unquoted(neighbour.sysDesc)
  const chassisSubtype = enumName(LLDP_CHASSIS_ID, neighbour.chassisIdSubtype)
  const chassis = lldpId(chassisSubtype, neighbour.chassisId)
  const portSubtype = enumName(LLDP_PORT_ID, neighbour.portIdSubtype)
  const port = lldpId(portSubtype, neighbour.portId)
  const addresses = [...neighbour.addresses, ...(chassis.address === null ? [] : [chassis.address])]
  const hostname = sysName || sysDesc || chassis.text || addresses[0] || ''
  // Hypervisors send an interface name as chassis ID and a MAC address as port ID; the name is then the port's.
  const portName = chassisSubtype === 'interfaceName' && port.mac !== null ? chassis.text : port.text
  const remotePort = portName || portDesc
  if (hostname === '' || (remotePort === '' && chassis.text === '')) return null
  const mayBeIndex = portSubtype === undefined || portSubtype === 'local'
  return {
    local: neighbour.local,
    protocol: 'lldp',
    remote_hostname: hostname,
    remote_port: remotePort,
    remote_platform: null,
    remote_version: sysDesc,
    remote: {
      name: sysName || null,
      mac: chassis.mac,
      addresses,
      portNames: [
        ...new Set([port.mac === null || portName !== port.text ? portName : '', portDesc].flatMap(namesOfPort)),
      ],
      portMac: port.mac,
      portIndex: mayBeIndex && /^\d{1,10}$/.test(port.text) ? Number(port.text) : null,
    },
  }
}

/** The local ports by LLDP's own numbers. */
export interface LocalNumbering {
  readonly locPorts: Rows<typeof lldpLocPortTable>
  /** ifIndex by bridge port. */
  readonly basePorts: ReadonlyMap<number, number>
}

/**
 * The interface for an LldpPortNumber. The MIB requires the bridge port number on bridges and the ifIndex elsewhere.
 * Agents use either, or neither; in that case the port's own ID and description identify it.
 */
export function localPort(number: number, { locPorts, basePorts }: LocalNumbering): readonly LocalPort[] {
  const local = locPorts.get(String(number))
  const id = lldpId(undefined, local?.lldpLocPortId)
  const candidates: LocalPort[] = []
  // A numeric ID may be an ifIndex, a bridge port or a name; only other text is certain to be a name.
  if (id.text !== '' && id.mac === null && !/^\d+$/.test(id.text)) candidates.push({ by: 'name', value: id.text })
  const ifIndex = basePorts.get(number)
  if (ifIndex !== undefined) candidates.push({ by: 'ifIndex', value: String(ifIndex) })
  if (local?.lldpLocPortDesc) candidates.push({ by: 'name', value: local.lldpLocPortDesc })
  if (id.mac !== null) candidates.push({ by: 'mac', value: id.mac })
  candidates.push({ by: 'ifIndex', value: String(number) })
  return candidates
}

/** Management addresses by the neighbour's index, which is the first `parts` sub-identifiers. */
export function managementAddresses(indexes: Iterable<string>, parts: number): ReadonlyMap<string, readonly string[]> {
  const addresses = new Map<string, string[]>()
  for (const index of indexes) {
    const ids = index.split('.')
    const key = ids.slice(0, parts).join('.')
    const family = Number(ids[parts])
    const octets = decodeIndex(ids.slice(parts + 1).join('.'), ['octets'])?.[0]
    const address = octets === undefined ? null : networkAddress(Uint8Array.of(family, ...octets))
    if (address === null) continue
    const list = addresses.get(key)
    if (list === undefined) addresses.set(key, [address])
    else list.push(address)
  }
  return addresses
}

/** Neighbours from TP-Link JetStream, which sends everything as text and has the ifIndex in the index. */
export function jetstreamLinks(rows: Rows<typeof lldpNeighborInfoTable>): readonly LinkRow[] {
  return [...rows].flatMap(([index, row]) => {
    const key = decodeIndex(index, ['integer', 'integer'])
    if (key === null) return []
    const portText = row.lldpNeighborPortIdDescr ?? ''
    const link = lldpLink({
      local: [{ by: 'ifIndex', value: String(key[0]) }],
      chassisIdSubtype: parseMac(row.lldpNeighborChassisId ?? '') === null ? undefined : 4,
      chassisId: octets(row.lldpNeighborChassisId),
      portIdSubtype: parseMac(portText) === null ? undefined : 3,
      portId: octets(portText),
      portDesc: row.lldpNeighborPortDescr,
      sysName: row.lldpNeighborDeviceName,
      sysDesc: row.lldpNeighborDeviceDescr,
      addresses: [],
    })
    return link === null ? [] : [link]
  })
}

function octets(text: string | undefined): Uint8Array {
  return new TextEncoder().encode(text ?? '')
}
