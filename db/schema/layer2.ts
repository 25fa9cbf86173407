import { doublePrecision, index, integer, pgTable, smallint, text, unique } from 'drizzle-orm/pg-core'
import { big } from './columns.ts'
import { deviceId } from './devices.ts'
import { ports } from './ports.ts'

/** Spanning trees that a bridge takes part in (BRIDGE-MIB::dot1dStp). null: not reported. */
export const stp = pgTable(
  'stp',
  {
    stp_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    /** `CST`: the only tree of the bridge, or the common one of MSTP. `VLAN 10`: that of a VLAN (PVST). */
    instance: text().notNull(),
    /** null: all VLANs. */
    vlan: integer(),
    /** `stp`, `rstp`, `mstp`, `pvst`, `rapid-pvst`. */
    protocol: text(),
    /** 12 hex digits, as all addresses of bridges. */
    bridgeAddress: text(),
    priority: integer(),
    designatedRoot: text(),
    rootPriority: integer(),
    rootCost: big(),
    /** Bridge port that leads to the root; 0: the bridge is the root. */
    rootPort: integer(),
    /** 1: the bridge is the root. */
    is_root: smallint(),
    topChanges: big(),
    /** Seconds; null also for trees that polls do not read: those of VLANs in contexts of their own. */
    timeSinceTopologyChange: big(),
    /** Seconds, as the root has them set. */
    maxAge: doublePrecision(),
    helloTime: doublePrecision(),
    forwardDelay: doublePrecision(),
  },
  (t) => [unique('stp_device_key').on(t.device_id, t.instance)],
)

/** Bridge ports in a spanning tree (BRIDGE-MIB::dot1dStpPortTable). null: not reported. */
export const portsStp = pgTable(
  'ports_stp',
  {
    port_stp_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    /** null: the bridge port has no interface. */
    port_id: integer().references(() => ports.port_id, { onDelete: 'set null' }),
    instance: text().notNull(),
    vlan: integer(),
    /** Number of the bridge port. */
    port_index: integer().notNull(),
    state: text(),
    /** `root`, `designated`, `alternate`, `backup`, `disabled`. */
    role: text(),
    priority: integer(),
    pathCost: big(),
    designatedBridge: text(),
    designatedPort: integer(),
    forwardTransitions: big(),
    /** 1: no bridge is connected. */
    edge: smallint(),
  },
  (t) => [
    unique('ports_stp_device_key').on(t.device_id, t.instance, t.port_index),
    index('ports_stp_port').on(t.port_id),
  ],
)

/**
 * Adjacencies to other IS-IS routers (ISIS-MIB::isisISAdjTable). One that is no longer reported is `down` for a day.
 */
export const isisAdjacencies = pgTable(
  'isis_adjacencies',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    /** null: the circuit has no interface. */
    port_id: integer().references(() => ports.port_id, { onDelete: 'set null' }),
    isisCircIndex: big().notNull(),
    /** `0100.9919.1255`. */
    isisISAdjNeighSysID: text().notNull(),
    /** `level1`, `level2`, `level1and2`; '': not reported. */
    isisISAdjUsage: text().notNull().default(''),
    ifIndex: big(),
    isisISAdjState: text(),
    isisISAdjNeighSysType: text(),
    /** Seconds. */
    isisISAdjHoldTimer: integer(),
    isisISAdjNeighPriority: integer(),
    /** Seconds since it came up; null: it is not up, or not reported. */
    isisISAdjUptime: big(),
    isisISAdjAreaAddress: text(),
    isisISAdjIPAddrAddress: text(),
    isisCircAdminState: text(),
    /** Epoch seconds since when the device no longer reports it; null: it does. */
    lost_at: big(),
  },
  (t) => [
    unique('isis_adjacencies_device_key').on(t.device_id, t.isisCircIndex, t.isisISAdjNeighSysID, t.isisISAdjUsage),
    index('isis_adjacencies_port').on(t.port_id),
  ],
)

/** Next hops of the default route (IP-FORWARD-MIB, RFC 4292). */
export const defaultRoutes = pgTable(
  'default_routes',
  {
    default_route_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    /** null: the agent does not say, or does not list the interface. */
    port_id: integer().references(() => ports.port_id, { onDelete: 'set null' }),
    /** IP address, IPv6 compressed. */
    next_hop: text().notNull(),
    ifIndex: big(),
  },
  (t) => [
    unique('default_routes_device_key').on(t.device_id, t.next_hop),
    index('default_routes_port').on(t.port_id),
    index('default_routes_next_hop').on(t.next_hop),
  ],
)
