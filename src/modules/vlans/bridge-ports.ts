import type { Rows } from '@portlight/snmp/table.ts'
import type { dot1dBasePortTable } from '../../mibs/bridge-mib.ts'

/** ifIndex by bridge port. */
export type BridgePorts = ReadonlyMap<number, number>

export function bridgePorts(rows: Rows<typeof dot1dBasePortTable> | undefined): BridgePorts {
  const ports = new Map<number, number>()
  for (const [index, row] of rows ?? []) {
    const port = Number(index)
    const ifIndex = row.dot1dBasePortIfIndex
    if (Number.isInteger(port) && ifIndex !== undefined && ifIndex > 0) ports.set(port, ifIndex)
  }
  return ports
}

/**
 * How much to subtract from the port numbers in other tables to find them in dot1dBasePortTable: 1 if that table
 * counts from 0, which the MIB forbids, while the others count from 1. The table then has a port 0 and lacks one of the
 * used numbers, but no predecessor of one.
 */
export function portOffset(ports: BridgePorts, used: Iterable<number>): 0 | 1 {
  if (!ports.has(0)) return 0
  let lacking = false
  for (const port of used) {
    if (!ports.has(port - 1)) return 0
    lacking ||= !ports.has(port)
  }
  return lacking ? 1 : 0
}

/** The interface of a bridge port. Agents without dot1dBasePortTable number bridge ports like interfaces. */
export function ifIndexOf(ports: BridgePorts, port: number): number | undefined {
  return ports.size === 0 ? port : ports.get(port)
}
