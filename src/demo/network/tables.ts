import { ifStackTable } from '../../mibs/if-mib.ts'
import type { DeviceModel } from '../device.ts'
import { FLEET } from '../fleet.ts'
import { mibRows } from '../mib/of-mibs.ts'
import type { Instance } from '../table.ts'
import { ipsecTables, nacTables, portSecurityTables } from './access.ts'
import { bridgeTables } from './bridges.ts'
import { type Campus, campusOf } from './campus.ts'
import { arpTables, lldpTables } from './neighbours.ts'
import { bgpTables, ospfTables, ospfv3Tables, vrfTables } from './routing.ts'

/** A device's view of the surrounding network, by SNMP context; `''` is the default context. */
export type NetworkTables = ReadonlyMap<string, readonly Instance[]>

const campuses = new Map<string, Campus>()

/** The part of a device's MIB that depends on other devices of the fleet: neighbours, VLANs, sessions. */
export function networkTables({ name }: Pick<DeviceModel, 'name'>, seed: string): NetworkTables {
  if (!FLEET.some((model) => model.name === name)) return new Map()
  let campus = campuses.get(seed)
  if (campus === undefined) {
    campus = campusOf(FLEET, seed)
    campuses.set(seed, campus)
  }
  const { tables, contexts } = bridgeTables(campus, name)
  return new Map([
    [
      '',
      [
        ...lldpTables(campus, name),
        ...arpTables(campus, name),
        ...tables,
        ...bgpTables(name),
        ...ospfTables(name),
        ...ospfv3Tables(campus, name),
        ...vrfTables(name),
        ...nacTables(campus, name),
        ...portSecurityTables(campus, name),
        ...ipsecTables(name),
        ...stackTables(campus, name),
      ],
    ],
    ...contexts,
  ])
}

const ACTIVE = 1

/** IF-MIB::ifStackTable of devices whose logical interfaces are named after the physical ones (`xe-0/0/0.0`). */
function stackTables(campus: Campus, device: string): Instance[] {
  const ports = campus.ports(device)
  const byName = new Map(ports.map((port) => [port.ifName, port.ifIndex]))
  return mibRows(
    ifStackTable,
    ports.flatMap(({ ifName, ifIndex }) => {
      const unit = ifName.lastIndexOf('.')
      const lower = unit < 0 ? undefined : byName.get(ifName.slice(0, unit))
      return lower === undefined ? [] : [[`${ifIndex}.${lower}`, { ifStackStatus: ACTIVE }] as const]
    }),
  )
}
