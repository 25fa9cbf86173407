import type { LocalPort } from '../../../modules/links/observation.ts'
import { statement, type Tx } from './rows.ts'

interface Port {
  readonly port_id: number
  readonly ifIndex: number | null
  readonly ifName: string | null
  readonly ifDescr: string | null
  readonly ifAlias: string | null
  readonly ifPhysAddress: string | null
}

/** Columns in which a name is looked for, one after the other. */
const NAMES = ['ifName', 'ifDescr', 'ifAlias'] as const

/** Finds live ports of a device: the function gives the port of the first way that fits exactly one, null for none. */
export async function localPorts(tx: Tx, deviceId: number): Promise<(ways: readonly LocalPort[]) => number | null> {
  const ports = await statement<Port[]>(
    tx,
    `select port_id, "ifIndex", "ifName", "ifDescr", "ifAlias", "ifPhysAddress" from ports
     where device_id = $1 and deleted = 0`,
    [deviceId],
  )
  const byIndex = new Map(ports.map((port) => [String(port.ifIndex), port.port_id]))
  const byMac = unique(ports, (port) => port.ifPhysAddress)
  const byName = NAMES.map((column) => unique(ports, (port) => port[column]))
  return (ways) => {
    for (const { by, value } of ways) {
      const port =
        by === 'ifIndex'
          ? byIndex.get(value)
          : by === 'mac'
            ? byMac.get(value)
            : byName.map((names) => names.get(value.trim().toLowerCase())).find((id) => id !== undefined)
      if (port !== undefined) return port
    }
    return null
  }
}

/** Ports by a text, in lower case; those that share theirs are left out. */
function unique(ports: readonly Port[], textOf: (port: Port) => string | null): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const shared = new Set<string>()
  for (const port of ports) {
    const key = textOf(port)?.trim().toLowerCase()
    if (!key) continue
    if (found.has(key)) shared.add(key)
    found.set(key, port.port_id)
  }
  for (const key of shared) found.delete(key)
  return found
}
