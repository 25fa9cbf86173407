import type { LocalPort } from '../../modules/links/observation.ts'
import { statement, type Tx } from './write-rows.ts'

interface Port {
  readonly port_id: number
  readonly ifIndex: number | null
  readonly ifName: string | null
  readonly ifDescr: string | null
  readonly ifAlias: string | null
  readonly ifPhysAddress: string | null
}

/** Columns searched for a name, in this order. */
const NAMES = ['ifName', 'ifDescr', 'ifAlias'] as const

/**
 * Finds live ports of a device. The returned function tries several ways and gives the port of the first that matches
 * exactly one; null: none.
 */
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

/** Ports by a text in lower case; texts shared by several ports are omitted. */
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
