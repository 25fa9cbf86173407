/** @jsxImportSource #jsx */
import type { Permission } from '../../../../core/base/permissions.ts'
import type { FoundRows } from '../../../../core/lists/network-service.ts'
import type { PeerRow } from '../../../../core/lists/service.ts'
import { Mark } from '../../../components/icon.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { addressText, Card, DeviceText, duration, Empty, plain, Unknown } from '../../../components/values.tsx'
import { can } from '../../../permissions.ts'
import { DEFAULT_ROUTES } from '../../discovered/topology-lists.tsx'
import { toneOf } from '../../routing/list.tsx'
import { protocolsFor } from '../../routing/protocols.ts'
import { tab } from '../tab.ts'

/** Default routes shown; discovery stores fewer. */
const MAX_ROUTES = 100

interface RoutingData {
  readonly sessions: readonly PeerRow[]
  readonly routes: readonly FoundRows['default-routes'][]
}

export const routingTab = tab<RoutingData>({
  id: 'routing',
  label: 'Routing',
  gate: 'BgpPeer.viewAny',
  also: ['Route.viewAny'],
  count: (counts, may) =>
    (may('BgpPeer.viewAny') ? counts.bgp : 0) +
    (may('Route.viewAny') ? counts.ospf : 0) +
    (may(DEFAULT_ROUTES.gate) ? counts['default-routes'] : 0),
  async load(visit, { deviceId }) {
    const { fleet, network } = visit.services
    const may = (gate: Permission) => can(visit, gate)
    const wanted = { deviceId, text: '', offset: 0, limit: MAX_ROUTES }
    const [sessions, { rows: routes }] = await Promise.all([
      fleet.peers(deviceId, protocolsFor(may)),
      may(DEFAULT_ROUTES.gate) ? network.found(visit.actor, 'default-routes', wanted) : { rows: [] },
    ])
    return { sessions, routes }
  },
  view: ({ sessions, routes }, { query, nowMs }) => (
    <>
      {sessions.length > 0 ? (
        <section class="card">
          <Table columns={COLUMNS} rows={sessions} query={query} caption="Routing sessions" />
        </section>
      ) : routes.length > 0 ? null : (
        <section class="card">
          <Empty
            title="No routing sessions have been found"
            help={['how-to/troubleshooting#it-answers-but-things-are-missing', 'When something is missing']}
          />
        </section>
      )}
      {routes.length === 0 ? null : (
        <Card title="Default routes" sub="where packets go for which there is no other route">
          <Table columns={DEFAULT_ROUTES.columns(nowMs)} rows={routes} query={query} caption="Default routes" />
        </Card>
      )}
    </>
  ),
})

/** null: the agent does not say. */
const stateOf = ({ state }: PeerRow): string | null => plain(state) || null

const COLUMNS: readonly Column<PeerRow>[] = [
  {
    id: 'mark',
    label: 'State',
    quiet: true,
    class: 'no',
    cell: (row) => <Mark tone={toneOf(row)} label={stateOf(row) ?? 'Unknown'} />,
  },
  {
    id: 'peer',
    label: 'Peer',
    cell: ({ peer, protocol, id }) =>
      protocol === 'BGP' ? (
        <a class="name" href={`/bgp/${id}`}>
          {addressText(peer)}
        </a>
      ) : (
        <span class="name">{addressText(peer)}</span>
      ),
  },
  { id: 'protocol', label: 'Protocol', class: 'r', cell: ({ protocol }) => protocol },
  { id: 'as', label: 'AS', numeric: true, cell: ({ remote_as }) => (remote_as === null ? <Unknown /> : remote_as) },
  { id: 'name', label: 'Name', class: 'full', cell: ({ name }) => <DeviceText text={name} /> },
  { id: 'state', label: 'State', class: 'lab', cell: (row) => stateOf(row) ?? <Unknown /> },
  {
    id: 'for',
    label: 'Established',
    numeric: true,
    cell: (row) => (row.established_s === null ? <Unknown /> : duration(row.established_s)),
  },
]
