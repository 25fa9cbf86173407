import type { Row, Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { wholeUpTo } from '../../lib/whole.ts'
import {
  type DOT1D_STP,
  DOT1D_STP_PORT_STATE,
  type dot1dStpExtPortTable,
  type dot1dStpPortTable,
} from '../../mibs/bridge-mib.ts'
import { enumName, TRUTH_VALUE } from '../../mibs/snmpv2-tc.ts'
import type { Read } from '../module.ts'
import { type BridgePorts, ifIndexOf } from '../vlans/bridge-ports.ts'
import { type BridgeId, bridgeId, isOfPort, portId } from './bridge-id.ts'
import type { StpPortRow, StpRow } from './observation.ts'

/** What an agent reports of one tree. */
export type TreeScalars = Read<Record<string, never>, typeof DOT1D_STP>['scalars']

/** Which tree it is. */
export interface TreeName {
  readonly instance: string
  readonly vlan: number | null
  readonly protocol: string | null
}

const MAX_COUNTER = 0xffff_ffff
const MAX_PORT = 0xffff
/** Seconds; twice the largest maximum age of IEEE 802.1D and more. Larger values are garbage. */
const MAX_TIMER = 100

/**
 * The row of a tree; null: none runs, or the agent reports nothing of it. A bridge without spanning tree reports zeros,
 * or itself as the root with a maximum age of 0, which no running tree has.
 */
export function treeRow(name: TreeName, read: TreeScalars): StpRow | null {
  const address = read.address === undefined ? undefined : macOf(read.address)
  const root = bridgeId(read.root)
  if (read.priority === undefined && root === null) return null
  const silent = !read.rootCost && !read.rootPort && !read.changes
  if (read.root !== undefined && silent && (root === null || root.address === null)) return null
  if (read.maxAge === 0 && (root === null || root.address === null || root.address === address)) return null
  return {
    ...name,
    bridgeAddress: address,
    priority: wholeUpTo(read.priority, MAX_PORT),
    ...(read.root !== undefined && { designatedRoot: root?.address ?? null, rootPriority: root?.priority ?? null }),
    rootCost: wholeUpTo(read.rootCost, MAX_COUNTER),
    rootPort: wholeUpTo(read.rootPort, MAX_PORT),
    is_root: isRoot(root, address, read),
    topChanges: wholeUpTo(read.changes, MAX_COUNTER),
    timeSinceTopologyChange: seconds(read.sinceChange, MAX_COUNTER),
    maxAge: seconds(read.maxAge, MAX_TIMER),
    helloTime: seconds(read.helloTime, MAX_TIMER),
    forwardDelay: seconds(read.forwardDelay, MAX_TIMER),
  }
}

/** By the addresses, or because nothing leads to another root. Undefined: the agent does not report enough. */
function isRoot(
  root: BridgeId | null,
  own: string | null | undefined,
  { rootPort, rootCost }: TreeScalars,
): 0 | 1 | undefined {
  if (root?.address && root.address === own) return 1
  if (rootPort === 0 && rootCost === 0) return 1
  return (rootPort ?? 0) > 0 || (root?.address && own) ? 0 : undefined
}

/** The ports of a tree. `edges` undefined: not read this time; `ports` null: neither. */
export function portRows(
  tree: StpRow,
  rows: Rows<typeof dot1dStpPortTable>,
  edges: Rows<typeof dot1dStpExtPortTable> | undefined,
  ports: BridgePorts | null,
): readonly StpPortRow[] {
  return [...rows].flatMap(([index, row]): StpPortRow[] => {
    // `5.0` is not port 5
    const [port = 0] = decodeIndex(index, ['integer']) ?? []
    if (port < 1 || port > MAX_PORT) return []
    const edge = edges?.get(index)
    return [
      {
        instance: tree.instance,
        vlan: tree.vlan,
        port_index: port,
        ...(ports !== null && { ifIndex: ifIndexOf(ports, port) ?? null }),
        state: enumName(DOT1D_STP_PORT_STATE, row.dot1dStpPortState),
        role: roleOf(tree, port, row),
        priority: wholeUpTo(row.dot1dStpPortPriority, 0xff),
        pathCost: wholeUpTo(row.dot1dStpPortPathCost, MAX_COUNTER),
        ...(row.dot1dStpPortDesignatedBridge !== undefined && {
          designatedBridge: bridgeId(row.dot1dStpPortDesignatedBridge)?.address ?? null,
        }),
        ...(row.dot1dStpPortDesignatedPort !== undefined && { designatedPort: portId(row.dot1dStpPortDesignatedPort) }),
        forwardTransitions: wholeUpTo(row.dot1dStpPortForwardTransitions, MAX_COUNTER),
        edge: flag(edge?.dot1dStpPortOperEdgePort),
      },
    ]
  })
}

/**
 * The role of a port, which no standard MIB for SNMP has, from what the tree knows: the root port leads to the root, a
 * designated port is the one of its segment that sends, and a blocked port is the alternative to another bridge's or to
 * one of the same bridge (IEEE 802.1D §17.3). null: the agent does not report enough.
 */
function roleOf(tree: StpRow, port: number, row: Row<typeof dot1dStpPortTable>): string | null {
  const state = enumName(DOT1D_STP_PORT_STATE, row.dot1dStpPortState)
  if (state === undefined) return null
  if (state === 'disabled' || state === 'broken') return 'disabled'
  // some agents have a root port although they are the root
  if (tree.rootPort === port && tree.is_root !== 1) return 'root'
  const designated = bridgeId(row.dot1dStpPortDesignatedBridge)?.address ?? null
  if (designated === null || !tree.bridgeAddress) return null
  if (designated !== tree.bridgeAddress) return state === 'blocking' ? 'alternate' : null
  if (state !== 'blocking') return 'designated'
  const sender = portId(row.dot1dStpPortDesignatedPort)
  return sender === null ? null : isOfPort(sender, port) ? 'designated' : 'backup'
}

function macOf(address: string): string | null {
  return /^[0-9a-f]{12}$/.test(address) && !/^0+$/.test(address) ? address : null
}

/** Hundredths of a second as seconds. */
function seconds(value: number | undefined, max: number): number | null | undefined {
  const known = wholeUpTo(value, MAX_COUNTER)
  if (known === undefined || known === null) return known
  const s = known / 100
  return s > max ? null : s
}

function flag(value: number | undefined): 0 | 1 | undefined {
  const name = enumName(TRUTH_VALUE, value)
  return name === undefined ? undefined : name === 'true' ? 1 : 0
}
