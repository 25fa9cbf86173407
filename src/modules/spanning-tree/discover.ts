import { DOT1D_STP, DOT1D_STP_VERSION, dot1dStpExtPortTable, dot1dStpPortTable } from '../../mibs/bridge-mib.ts'
import { STPX_SPANNING_TREE_TYPE, stpxSpanningTreeType } from '../../mibs/cisco-stp-extensions-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { isComplete, need, phase, type Read } from '../module.ts'
import type { Observation } from '../observation.ts'
import { isFrom } from '../vendor.ts'
import { bridgePorts } from '../vlans/bridge-ports.ts'
import { DEFAULT_VLAN, vlanContexts } from '../vlans/cisco.ts'
import { BRIDGE_PORTS, VTP_VLANS } from '../vlans/discover.ts'
import type { StpPortRow, StpRow } from './observation.ts'
import { portRows, type TreeName, type TreeScalars, treeRow } from './tree.ts'

/** The columns of module `vlans`, which reads them on Cisco. */
const PORTS = need(dot1dStpPortTable)
/** What changes while the configuration does not. */
const STATES = need(dot1dStpPortTable, [
  'dot1dStpPortState',
  'dot1dStpPortDesignatedBridge',
  'dot1dStpPortDesignatedPort',
  'dot1dStpPortForwardTransitions',
])
const NO_EDGES = need(dot1dStpExtPortTable, [])
const NOTHING = { bridge: need(BRIDGE_PORTS.table, []), ports: need(dot1dStpPortTable, []), edges: NO_EDGES }
const SCALARS = { ...DOT1D_STP, type: stpxSpanningTreeType }

/** Keys of the follow-ups in the default context; those of VLANs are their numbers. */
const TREE = 'tree'
const EDGES = 'edges'

/** Trees of VLANs that are read; a switch with more has no more running than this (Catalyst: 128). */
const MAX_TREES = 128

/** Ports in all trees that are read: all trees of a switch with 780 ports. */
const MAX_PORTS = 100_000

/**
 * Spanning trees (BRIDGE-MIB, RFC 4188, and RSTP-MIB, RFC 4318). With PVST, Cisco has one for each VLAN in a context of
 * its own, and that of VLAN 1 in the default context.
 */
export const discoverSpanningTree = phase({
  tables: { bridge: BRIDGE_PORTS, ports: PORTS, vtp: VTP_VLANS },
  *follow({ device, tables: { ports, vtp }, followed }) {
    if (ports.rows.size === 0 && vtp.rows.size === 0) return
    yield { key: TREE, tables: NOTHING, scalars: scalarsOf(isFrom(device, 'cisco')) }
    // The result of the last `yield`; it has the type of the scalars asked for.
    const read = followed.get(TREE)?.scalars as Asked | undefined
    if (ports.rows.size > 0 && (read?.version ?? 0) >= 2)
      yield { key: EDGES, tables: { ...NOTHING, edges: need(dot1dStpExtPortTable) }, scalars: {} as typeof SCALARS }
    if (protocolOf(read) === 'mstp') return
    for (const vlan of vlanContexts(vtp.rows).slice(0, MAX_TREES - 1)) {
      const tables = { bridge: BRIDGE_PORTS, ports: PORTS, edges: NO_EDGES }
      yield { key: String(vlan), context: String(vlan), tables, scalars: scalarsOf(false) }
    }
  },
  run({ device, tables: { bridge, ports, vtp }, followed, unread }) {
    const main = followed.get(TREE)
    const edges = followed.get(EDGES)?.tables.edges
    const trees: StpRow[] = []
    const members: StpPortRow[] = []
    let beyond: string | undefined
    const add = (tree: StpRow | null, rows: readonly StpPortRow[] = []) => {
      if (tree === null) return
      trees.push(tree)
      for (const row of rows)
        if (members.length < MAX_PORTS) members.push(row)
        else beyond ??= String(row.port_index)
    }
    const protocol = protocolOf(main?.scalars)
    const perVlan =
      isPerVlan(main?.scalars, protocol, isFrom(device, 'cisco')) || (protocol === null && vtp.rows.size > 0)
    const own = bridgePorts(bridge.rows)
    if (main !== undefined && ports.rows.size > 0) {
      const tree = treeRow(nameOf(perVlan ? DEFAULT_VLAN : null, protocol), main.scalars)
      add(tree, tree === null ? [] : portRows(tree, ports.rows, edges?.rows, own))
    }
    for (const [key, read] of followed) {
      if (key === TREE || key === EDGES || read.tables.ports.rows.size === 0 || isSame(read.scalars, main?.scalars))
        continue
      const known = treeRow(nameOf(Number(key), protocol), read.scalars)
      // polls do not read this tree, so the time would be out of date until the next discovery
      const tree = known && { ...known, timeSinceTopologyChange: null }
      const theirs = bridgePorts(read.tables.bridge.rows)
      add(tree, tree === null ? [] : portRows(tree, read.tables.ports.rows, undefined, theirs.size > 0 ? theirs : own))
    }
    if (beyond !== undefined) unread(dot1dStpPortTable, [beyond])
    const complete = [bridge, ports, vtp].every((table) => table.complete) && [...followed.values()].every(isComplete)
    return observations(trees, members, complete)
  },
})

/**
 * The tree of the default context. The trees of the other VLANs of a Cisco switch are read at discovery: agents that do
 * not answer for them would hold up each poll.
 */
export const pollSpanningTree = phase({
  tables: { ports: STATES },
  follow: ({ device, tables: { ports } }) =>
    ports.rows.size === 0 ? [] : [{ key: TREE, scalars: scalarsOf(isFrom(device, 'cisco')) }],
  run({ device, tables: { ports }, followed }) {
    const main = followed.get(TREE)
    if (main === undefined) return []
    const cisco = isFrom(device, 'cisco')
    const protocol = protocolOf(main.scalars)
    const perVlan = isPerVlan(main.scalars, protocol, cisco)
    // which tree it is takes the VLANs, which are not read here
    if (cisco && protocol === null && !perVlan) return []
    const tree = treeRow(nameOf(perVlan ? DEFAULT_VLAN : null, protocol), main.scalars)
    return tree === null ? [] : observations([tree], portRows(tree, ports.rows, undefined, null), false)
  },
})

/** The scalars to read; that of Cisco only from Cisco. */
function scalarsOf(cisco: boolean): typeof SCALARS {
  return cisco ? SCALARS : (DOT1D_STP as typeof SCALARS)
}

type Asked = Read<Record<string, never>, typeof SCALARS>['scalars']

/** null: the agent does not report it. */
function protocolOf(read: Asked | undefined): string | null {
  return enumName(STPX_SPANNING_TREE_TYPE, read?.type) ?? enumName(DOT1D_STP_VERSION, read?.version) ?? null
}

/** With PVST; a Cisco switch that does not report it adds the number of the VLAN to the priority. */
function isPerVlan(read: TreeScalars | undefined, protocol: string | null, cisco: boolean): boolean {
  if (protocol !== null) return protocol.endsWith('pvst')
  return cisco && ((read?.priority ?? 0) & 0xfff) === DEFAULT_VLAN
}

function nameOf(vlan: number | null, protocol: string | null): TreeName {
  return { instance: vlan === null ? 'CST' : `VLAN ${vlan}`, vlan, protocol }
}

/** An agent that ignores contexts reports the same tree in each. */
function isSame(one: TreeScalars, other: TreeScalars | undefined): boolean {
  const reported = (read: TreeScalars | undefined) =>
    [read?.address, read?.priority, read?.root?.toHex(), read?.rootCost, read?.rootPort, read?.changes].join(' ')
  return reported(one) === reported(other)
}

function observations(
  trees: readonly StpRow[],
  ports: readonly StpPortRow[],
  complete: boolean,
): readonly Observation[] {
  return [
    { kind: 'stp', complete, rows: trees },
    { kind: 'stp_ports', complete, rows: ports },
  ]
}
