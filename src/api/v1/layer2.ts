import { forbidden } from '../../core/base/errors.ts'
import { isAllowed, type Permission } from '../../core/base/permissions.ts'
import type { FoundRows } from '../../core/lists/network-service.ts'
import type { Services } from '../../core/services.ts'
import { Elysia, t } from '../elysia.ts'
import { whole } from '../integer.ts'
import { Text, Value, Whole } from '../nullable.ts'
import { bearerPlugin } from '../token.ts'
import { numberOf, type QueryTexts } from './given.ts'
import { described, ErrorList, REFUSALS } from './model.ts'
import { v1Run } from './run.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000
const MAX_OFFSET = 1_000_000
const MAX_ID = 2_147_483_647

const Given = (description: string) => t.Optional(t.String({ description }))
const Query = t.NoValidate(
  t.Object({
    device: Given('device_id; absent: all enabled devices'),
    text: Given('Part of the name of the device or port, or of the row, regardless of case'),
    limit: Given(`1 to ${MAX_LIMIT}; default ${DEFAULT_LIMIT}`),
    offset: Given(`0 to ${MAX_OFFSET}; default 0`),
  }),
)

const OF_DEVICE = {
  device_id: whole(),
  hostname: t.Union([t.String(), t.Null()], { description: 'null: the device is not granted to the caller' }),
  port_id: t.Union([whole(), t.Null()], { description: 'null: none, or unknown' }),
  ifName: Text,
}
const Flag = t.Union([t.Boolean(), t.Null()])
const Mac = t.Union([t.String(), t.Null()], { description: '12 lower-case hex digits' })

const listOf = <T extends Parameters<typeof t.Object>[0]>(attributes: T, title: string) =>
  t.NoValidate(
    t.Object({
      data: t.Array(
        t.Object({
          type: t.String(),
          id: t.String(),
          attributes: t.Object({ ...OF_DEVICE, ...attributes }, { title }),
        }),
      ),
      meta: t.Object({ total: whole(), limit: whole(), offset: whole() }),
    }),
  )

const Trees = listOf(
  {
    instance: t.String({ description: 'CST, or VLAN 10 with a tree for each VLAN; the port is the root port' }),
    protocol: Text,
    bridge_address: Mac,
    priority: Whole,
    root_address: Mac,
    root_priority: Whole,
    is_root: Flag,
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
    edge: Flag,
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

/** A list: its kind on the pages, and how a row becomes the attributes of a resource. */
interface List<K extends 'stp' | 'stp-ports' | 'isis'> {
  readonly kind: K
  readonly operation: string
  readonly type: string
  readonly gate: Permission
  readonly attributes: (row: FoundRows[K]) => object
}

const TREES: List<'stp'> = {
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
const TREE_PORTS: List<'stp-ports'> = {
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
const ADJACENCIES: List<'isis'> = {
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

/** Spanning trees, their ports, and IS-IS adjacencies. These operations are our own; LibreNMS has none like them. */
export const layer2Routes = (services: Pick<Services, 'auth' | 'sessions' | 'network' | 'config' | 'log'>) => {
  const run = v1Run(services)
  type Asked = Parameters<typeof run>[1] & { readonly query: QueryTexts }
  const answer = <K extends 'stp' | 'stp-ports' | 'isis'>(list: List<K>, { bearer, request, query }: Asked) =>
    run(list.operation, { bearer, request }, async (actor) => {
      if (!isAllowed(actor, list.gate, services.config)) throw forbidden('')
      const limit = numberOf(query, 'limit', MAX_LIMIT, 1) ?? DEFAULT_LIMIT
      const offset = numberOf(query, 'offset', MAX_OFFSET) ?? 0
      const deviceId = numberOf(query, 'device', MAX_ID, 1)
      const wanted = { deviceId, text: query['text'] ?? '', limit, offset }
      const { rows, total } = await services.network.found(actor, list.kind, wanted)
      return {
        data: rows.map((row) => ({
          type: list.type,
          id: String(row.id),
          attributes: {
            device_id: row.device_id,
            hostname: row.device,
            port_id: row.port_id,
            ifName: row.port,
            ...list.attributes(row),
          },
        })),
        meta: { total, limit, offset },
      }
    })
  const refusals = { 400: ErrorList, ...REFUSALS }
  return new Elysia({ name: 'v1.layer2' })
    .use(bearerPlugin())
    .get('/spanning-trees', (asked) => answer(TREES, asked), {
      query: Query,
      response: { 200: Trees, ...refusals },
      detail: described(TREES.operation, 'Spanning trees of bridges, with their roots', TREES.gate),
    })
    .get('/spanning-tree-ports', (asked) => answer(TREE_PORTS, asked), {
      query: Query,
      response: { 200: TreePorts, ...refusals },
      detail: described(TREE_PORTS.operation, 'Ports in spanning trees, with their states and roles', TREE_PORTS.gate),
    })
    .get('/isis-adjacencies', (asked) => answer(ADJACENCIES, asked), {
      query: Query,
      response: { 200: Adjacencies, ...refusals },
      detail: described(ADJACENCIES.operation, 'Adjacencies to other IS-IS routers', ADJACENCIES.gate),
    })
}
