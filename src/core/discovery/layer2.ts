import { colons } from '../../lib/mac.ts'
import { float8, int2, int4, int8, text, type Values } from './columns.ts'
import { portIdsByIfIndex, stateOf } from './routing-links.ts'
import type { DiscoveredTable } from './table.ts'
import type { Tx } from './write-rows.ts'

/** Spanning trees, IS-IS adjacencies and default routes, by kind of observation. */
export const LAYER2 = {
  stp: {
    table: 'stp',
    id: 'stp_id',
    key: ['instance'],
    columns: {
      instance: text(32),
      vlan: int4,
      protocol: text(16),
      bridgeAddress: text(12),
      priority: int4,
      designatedRoot: text(12),
      rootPriority: int4,
      rootCost: int8,
      rootPort: int4,
      is_root: int2,
      topChanges: int8,
      timeSinceTopologyChange: int8,
      maxAge: float8,
      helloTime: float8,
      forwardDelay: float8,
    },
    first: {},
    defaults: {},
    flag: null,
    event: 'stp',
    label: (row) => `Spanning tree ${row['instance']}`,
    changeEvent: treeChange,
  },
  stp_ports: {
    table: 'ports_stp',
    id: 'port_stp_id',
    key: ['instance', 'port_index'],
    columns: {
      port_id: int4,
      instance: text(32),
      vlan: int4,
      port_index: int4,
      state: text(16),
      role: text(16),
      priority: int4,
      pathCost: int8,
      designatedBridge: text(12),
      designatedPort: int4,
      forwardTransitions: int8,
      edge: int2,
    },
    first: {},
    defaults: {},
    flag: null,
    event: 'stp',
    label: (row) => `Spanning tree ${row['instance']}, bridge port ${row['port_index']}`,
    changeEvent: portChange,
    resolve: withPorts,
  },
  isis: {
    table: 'isis_adjacencies',
    id: 'id',
    key: ['isisCircIndex', 'isisISAdjNeighSysID', 'isisISAdjUsage'],
    columns: {
      port_id: int4,
      isisCircIndex: int8,
      isisISAdjNeighSysID: text(32),
      isisISAdjUsage: text(16),
      ifIndex: int8,
      isisISAdjState: text(16),
      isisISAdjNeighSysType: text(32),
      isisISAdjHoldTimer: int4,
      isisISAdjNeighPriority: int4,
      isisISAdjUptime: int8,
      isisISAdjAreaAddress: text(255),
      isisISAdjIPAddrAddress: text(64),
      isisCircAdminState: text(8),
      lost_at: int8,
    },
    first: {},
    defaults: { isisISAdjUsage: '' },
    flag: null,
    event: 'isis',
    label: (row) =>
      `IS-IS adjacency ${row['isisISAdjNeighSysID']} (${row['isisISAdjIPAddrAddress'] ?? row['isisISAdjUsage']})`,
    changeEvent: stateOf('isisISAdjState', 'up'),
    lost: { values: { isisISAdjState: 'down', isisISAdjHoldTimer: null, isisISAdjUptime: null }, since: 'lost_at' },
    resolve: withPorts,
  },
  'default-routes': {
    table: 'default_routes',
    id: 'default_route_id',
    key: ['next_hop'],
    columns: { port_id: int4, next_hop: text(45), ifIndex: int8 },
    first: {},
    defaults: {},
    flag: null,
    event: 'route',
    label: (row) => `Default route by ${row['next_hop']}`,
    resolve: withPorts,
  },
} as const satisfies Record<string, DiscoveredTable>

/** Adds the port of each interface; one that was not read this time stays. */
export async function withPorts(tx: Tx, deviceId: number, found: readonly object[]): Promise<readonly object[]> {
  if (found.length === 0) return found
  const byIfIndex = await portIdsByIfIndex(tx, deviceId)
  return (found as readonly { readonly ifIndex?: number | null }[]).map((row) =>
    row.ifIndex === undefined ? row : { ...row, port_id: byIfIndex.get(Number(row.ifIndex)) ?? null },
  )
}

type Logged = ReturnType<NonNullable<DiscoveredTable['changeEvent']>>

/** A new root, which moves traffic, or else topology changes since the reading before. */
function treeChange(before: Values, row: Values): Logged {
  const [was, is] = [rootText(before), rootText(row)]
  if (was !== null && is !== null && was !== is) return { message: `root bridge: ${was} -> ${is}`, severity: 4 }
  const changes = Number(row['topChanges'] ?? Number.NaN) - Number(before['topChanges'] ?? Number.NaN)
  if (!(changes > 0)) return null
  return { message: changes === 1 ? 'topology changed' : `topology changed ${changes} times`, severity: 3 }
}

/** `32768 00:00:5e:00:53:01`. null: unknown. */
function rootText({ designatedRoot, rootPriority }: Values): string | null {
  if (!designatedRoot) return null
  const address = colons(String(designatedRoot))
  return rootPriority === null ? address : `${rootPriority} ${address}`
}

/**
 * States in which a port stays. Others are steps, or follow from the state of the interface, which has its own events;
 * `broken` is what some agents report of a port without a link.
 */
const LASTING: ReadonlySet<unknown> = new Set(['forwarding', 'blocking'])

function portChange(before: Values, row: Values): Logged {
  const [was, is] = [before['state'], row['state']]
  if (was === is || !LASTING.has(was) || !LASTING.has(is)) return null
  return { message: `${was} -> ${is}`, severity: is === 'forwarding' ? 3 : 4 }
}
