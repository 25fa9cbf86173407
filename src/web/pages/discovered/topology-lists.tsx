/** @jsxImportSource #jsx */

import type { FoundRows } from '../../../core/lists/network-service.ts'
import { plain, Unknown } from '../../components/values.tsx'
import { type FoundList, macColumn, numberColumn, portColumn, secondsColumn, state, textColumn } from './columns.tsx'

const yesNo = (known: boolean | null) => (known === null ? null : known ? 'yes' : 'no')

export const ISIS: FoundList<'isis'> = {
  kind: 'isis',
  label: 'IS-IS',
  gate: 'Route.viewAny',
  what: ['adjacency', 'adjacencies'],
  empty: 'No device reports IS-IS adjacencies',
  columns: () => [
    ...state<FoundRows['isis']>(({ state: word }) => word || 'unknown'),
    portColumn(),
    textColumn('neighbour', 'Neighbour', ({ neighbour }) => neighbour),
    textColumn('address', 'Address', ({ address }) => address),
    textColumn('level', 'Level', ({ usage }) => usage),
    textColumn('area', 'Area', ({ area }) => area),
    secondsColumn('up', 'Up for', ({ up_s }) => up_s),
    secondsColumn('hold', 'Holding time', ({ hold_s }) => hold_s),
  ],
}

export const STP: FoundList<'stp'> = {
  kind: 'stp',
  label: 'Spanning tree',
  gate: 'Port.viewAny',
  what: ['spanning tree', 'spanning trees'],
  empty: 'No device reports a spanning tree',
  columns: () => [
    ...state<FoundRows['stp']>(({ is_root }) =>
      is_root === null ? 'root unknown' : is_root ? 'root bridge' : 'has a root',
    ),
    textColumn('instance', 'Tree', ({ instance }) => instance),
    textColumn('protocol', 'Protocol', ({ protocol }) => protocol),
    macColumn('root', 'Root bridge', ({ root }) => root),
    numberColumn('rootPriority', 'Root priority', '', ({ root_priority }) => root_priority),
    {
      id: 'port',
      label: 'Root port',
      class: 'lab',
      cell: ({ port_id, port }) =>
        port_id === null ? (
          <Unknown why="The bridge is the root, or the port is not known" />
        ) : (
          <a class="name" href={`/port/${port_id}`} dir="auto">
            {plain(port ?? '') || `port ${port_id}`}
          </a>
        ),
      text: ({ port }) => port,
    },
    numberColumn('cost', 'Path cost', '', ({ cost }) => cost),
    macColumn('bridge', 'Own address', ({ bridge }) => bridge),
    numberColumn('priority', 'Own priority', '', ({ priority }) => priority),
    numberColumn('changes', 'Topology changes', '', ({ changes }) => changes),
    secondsColumn('since', 'Since the last', ({ since_s }) => since_s),
  ],
}

export const STP_PORTS: FoundList<'stp-ports'> = {
  kind: 'stp-ports',
  label: 'Spanning tree ports',
  gate: 'Port.viewAny',
  what: ['port', 'ports'],
  empty: 'No device reports ports of a spanning tree',
  columns: () => [
    ...state<FoundRows['stp-ports']>(({ state: word }) => word || 'unknown'),
    portColumn(),
    textColumn('instance', 'Tree', ({ instance }) => instance),
    textColumn('role', 'Role', ({ role }) => role),
    numberColumn('cost', 'Path cost', '', ({ cost }) => cost),
    numberColumn('priority', 'Priority', '', ({ priority }) => priority),
    macColumn('designated', 'Designated bridge', ({ designated }) => designated),
    numberColumn('transitions', 'Times forwarding', '', ({ transitions }) => transitions),
    textColumn('edge', 'Edge port', ({ edge }) => yesNo(edge)),
  ],
}
