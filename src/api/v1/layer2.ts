import { Elysia, t } from '../elysia.ts'
import { whole } from '../integer.ts'
import { Text, Value, Whole } from '../nullable.ts'
import { bearerPlugin } from '../token.ts'
import { FoundQueryOf, type FoundResource, foundAnswers, listOf, OptionalFlag } from './found.ts'
import { described, REFUSALS } from './model.ts'

const Mac = t.Union([t.String(), t.Null()], { description: '12 lower-case hex digits' })

const Trees = listOf(
  {
    instance: t.String({ description: 'CST, or VLAN 10 with a tree for each VLAN; the port is the root port' }),
    protocol: Text,
    bridge_address: Mac,
    priority: Whole,
    root_address: Mac,
    root_priority: Whole,
    is_root: OptionalFlag,
    root_cost: Value,
    topology_changes: t.Union([t.Number(), t.Null()], { description: 'Since the agent started' }),
    seconds_since_change: Value,
  },
  'SpanningTree',
)
const TreePorts = listOf(
  {
    instance: t.String(),
    bridge_port: whole(),
    state: Text,
    role: t.Union([t.String(), t.Null()], { description: 'root, designated, alternate, backup, disabled' }),
    path_cost: Value,
    priority: Whole,
    designated_bridge: Mac,
    forward_transitions: Value,
    edge: OptionalFlag,
  },
  'SpanningTreePort',
)
const Adjacencies = listOf(
  {
    neighbour: t.String({ description: 'System ID, such as 0100.0000.0007' }),
    address: Text,
    level: t.String({ description: 'level1, level2, level1and2; empty: not reported' }),
    area: Text,
    state: t.Union([t.String(), t.Null()], { description: 'down also if it was lost in the last day' }),
    up_seconds: Value,
    hold_seconds: Value,
  },
  'IsisAdjacency',
)

const DefaultRoutes = listOf(
  {
    next_hop: t.String({ description: 'IP address; `port_id` and `ifName`: the port over which it is reached' }),
    next_hop_device_id: t.Union([whole(), t.Null()], {
      description:
        'The monitored device that alone has this address; null: none, several, or not granted to the caller',
    }),
    next_hop_hostname: Text,
    next_hop_up: t.Union([t.Boolean(), t.Null()], { description: 'Whether that device answers' }),
  },
  'DefaultRoute',
)

const TREES: FoundResource<'stp'> = {
  kind: 'stp',
  operation: 'v1_spanning_trees',
  type: 'spanning-trees',
  gate: 'Port.viewAny',
  attributes: (row) => ({
    instance: row.instance,
    protocol: row.protocol,
    bridge_address: row.bridge,
    priority: row.priority,
    root_address: row.root,
    root_priority: row.root_priority,
    is_root: row.is_root,
    root_cost: row.cost,
    topology_changes: row.changes,
    seconds_since_change: row.since_s,
  }),
}
const TREE_PORTS: FoundResource<'stp-ports'> = {
  kind: 'stp-ports',
  operation: 'v1_spanning_tree_ports',
  type: 'spanning-tree-ports',
  gate: 'Port.viewAny',
  attributes: (row) => ({
    instance: row.instance,
    bridge_port: row.number,
    state: row.state,
    role: row.role,
    path_cost: row.cost,
    priority: row.priority,
    designated_bridge: row.designated,
    forward_transitions: row.transitions,
    edge: row.edge,
  }),
}
const ADJACENCIES: FoundResource<'isis'> = {
  kind: 'isis',
  operation: 'v1_isis_adjacencies',
  type: 'isis-adjacencies',
  gate: 'Route.viewAny',
  attributes: (row) => ({
    neighbour: row.neighbour,
    address: row.address,
    level: row.usage,
    area: row.area,
    state: row.state,
    up_seconds: row.up_s,
    hold_seconds: row.hold_s,
  }),
}

const DEFAULT_ROUTES: FoundResource<'default-routes'> = {
  kind: 'default-routes',
  operation: 'v1_default_routes',
  type: 'default-routes',
  gate: 'Route.viewAny',
  attributes: (row) => ({
    next_hop: row.next_hop,
    next_hop_device_id: row.hop_id,
    next_hop_hostname: row.hop,
    next_hop_up: row.hop_up,
  }),
}

/** Spanning trees, their ports, IS-IS adjacencies, and default routes. */
export const layer2Routes = (services: Parameters<typeof foundAnswers>[0]) => {
  const answer = foundAnswers(services)
  return new Elysia({ name: 'v1.layer2' })
    .use(bearerPlugin())
    .get('/spanning-trees', (asked) => answer(TREES, asked), {
      query: FoundQueryOf,
      response: { 200: Trees, ...REFUSALS },
      detail: described(TREES.operation, 'Spanning trees of bridges, with their roots', TREES.gate),
    })
    .get('/spanning-tree-ports', (asked) => answer(TREE_PORTS, asked), {
      query: FoundQueryOf,
      response: { 200: TreePorts, ...REFUSALS },
      detail: described(TREE_PORTS.operation, 'Ports in spanning trees, with their states and roles', TREE_PORTS.gate),
    })
    .get('/isis-adjacencies', (asked) => answer(ADJACENCIES, asked), {
      query: FoundQueryOf,
      response: { 200: Adjacencies, ...REFUSALS },
      detail: described(ADJACENCIES.operation, 'Adjacencies to other IS-IS routers', ADJACENCIES.gate),
    })
    .get('/default-routes', (asked) => answer(DEFAULT_ROUTES, asked), {
      query: FoundQueryOf,
      response: { 200: DefaultRoutes, ...REFUSALS },
      detail: described(DEFAULT_ROUTES.operation, 'Next hops of default routes', DEFAULT_ROUTES.gate),
    })
}
