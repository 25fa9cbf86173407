import { ipNetToMediaTable, ipNetToPhysicalTable } from '../../mibs/ip-mib.ts'
import { lldpLocPortTable, lldpRemTable } from '../../mibs/lldp-mib.ts'
import { mibRows } from '../mib/of-mibs.ts'
import type { Instance } from '../table.ts'
import type { Campus, NetworkPort } from './campus.ts'
import { CABLES, STATIONS, type Station } from './plan.ts'

const octets = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Values of LldpChassisIdSubtype (macAddress) and LldpPortIdSubtype (interfaceName). */
const CHASSIS_MAC = 4
const INTERFACE_NAME = 5

interface Cable {
  readonly near: NetworkPort
  readonly farDevice: string
  readonly far: NetworkPort
}

/** The cables of a device from its point of view. */
export function cablesOf(campus: Campus, device: string): readonly Cable[] {
  return CABLES.flatMap(([a, aPort, b, bPort]): Cable[] => {
    const [near, farDevice, far] = a === device ? [aPort, b, bPort] : b === device ? [bPort, a, aPort] : []
    if (near === undefined || farDevice === undefined || far === undefined) return []
    return [{ near: campus.port(device, near), farDevice, far: campus.port(farDevice, far) }]
  })
}

/** The MAC address of a station: locally administered, derived from its address and VLAN. */
export function macOf({ ip, vlan }: Station): Uint8Array {
  return Uint8Array.of(0x02, 0x50, 0x4c, vlan, ...ip.split('.').slice(2).map(Number))
}

/** LLDP-MIB: a device's own ports and their remote ends. */
export function lldpTables(campus: Campus, device: string): Instance[] {
  const cables = cablesOf(campus, device)
  if (cables.length === 0) return []
  return [
    ...mibRows(
      lldpLocPortTable,
      cables.map(({ near }) => [near.ifIndex, { lldpLocPortId: octets(near.ifName), lldpLocPortDesc: near.ifName }]),
    ),
    ...mibRows(
      lldpRemTable,
      cables.map(({ near, farDevice, far }, i) => [
        `0.${near.ifIndex}.${i + 1}`,
        {
          lldpRemChassisIdSubtype: CHASSIS_MAC,
          lldpRemChassisId: campus.ports(farDevice).find((port) => port.mac.length === 6)?.mac ?? far.mac,
          lldpRemPortIdSubtype: INTERFACE_NAME,
          lldpRemPortId: octets(far.ifName),
          lldpRemPortDesc: far.ifName,
          lldpRemSysName: farDevice,
          lldpRemSysDesc: campus.sysDescr(farDevice),
        },
      ]),
    ),
  ]
}

/** The device that routes the VLANs of the stations. */
const GATEWAY = 'core-1'

/** The VLAN of the desks, the only one with IPv6. */
const CLIENTS = 20

/** IP-MIB of the gateway: ipNetToMediaTable, and IPv6 neighbours in ipNetToPhysicalTable. */
export function arpTables(campus: Campus, device: string): Instance[] {
  if (device !== GATEWAY) return []
  const interfaceOf = (station: Station) => campus.port(GATEWAY, `Vl${station.vlan}`).ifIndex
  const media = mibRows(
    ipNetToMediaTable,
    STATIONS.map((station) => [`${interfaceOf(station)}.${station.ip}`, { ipNetToMediaPhysAddress: macOf(station) }]),
  )
  // 2001:db8:a:20::/64 plus the station's number; InetAddressType ipv6 and 16 octets
  const physical = mibRows(
    ipNetToPhysicalTable,
    STATIONS.filter(({ vlan }) => vlan === CLIENTS).map((station) => [
      `${interfaceOf(station)}.2.16.32.1.13.184.0.10.0.32.0.0.0.0.0.0.0.${station.ip.split('.').at(-1)}`,
      { ipNetToPhysicalPhysAddress: macOf(station) },
    ]),
  )
  return [...media, ...physical]
}
