/** @jsxImportSource #jsx */
import type { PeerRow } from '../../../../core/lists/service.ts'
import { Mark } from '../../../components/icon.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { addressText, DeviceText, duration, Empty, plain, Unknown } from '../../../components/values.tsx'
import { tab } from '../tab.ts'

export const routingTab = tab<readonly PeerRow[]>({
  id: 'routing',
  label: 'Routing',
  gate: 'BgpPeer.viewAny',
  count: ({ routing }) => routing,
  load: ({ services }, { deviceId }) => services.fleet.peers(deviceId),
  view: (rows, { query }) => (
    <section class="card">
      {rows.length === 0 ? (
        <Empty
          title="No routing sessions have been found"
          help={['how-to/troubleshooting#it-answers-but-things-are-missing', 'When something is missing']}
        />
      ) : (
        <Table columns={COLUMNS} rows={rows} query={query} caption="Routing sessions" />
      )}
    </section>
  ),
})

const isFine = ({ state }: PeerRow) => ['established', 'full', 'twoway'].includes(state.toLowerCase())
const isOff = ({ admin }: PeerRow) => admin === 'stop' || admin === 'halted'

const COLUMNS: readonly Column<PeerRow>[] = [
  {
    id: 'mark',
    label: 'State',
    quiet: true,
    class: 'no',
    cell: (row) => <Mark tone={isFine(row) ? 'ok' : isOff(row) ? 'off' : 'bad'} label={plain(row.state)} />,
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
  { id: 'state', label: 'State', class: 'lab', cell: ({ state }) => plain(state) },
  {
    id: 'for',
    label: 'Established',
    numeric: true,
    cell: (row) => (row.established_s === null || !isFine(row) ? <Unknown /> : duration(row.established_s)),
  },
]
