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

/** The interface of a bridge port. Agents without dot1dBasePortTable number bridge ports like interfaces. */
export function ifIndexOf(ports: BridgePorts, port: number): number | undefined {
  return ports.size === 0 ? port : ports.get(port)
}
