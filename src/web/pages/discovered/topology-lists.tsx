/** @jsxImportSource #jsx */

import type { FoundRows } from '../../../core/lists/network-service.ts'
import { addressText, plain, Unknown } from '../../components/values.tsx'
import { type FoundList, macColumn, numberColumn, portColumn, secondsColumn, state, textColumn } from './columns.tsx'

const yesNo = (known: boolean | null) => (known === null ? null : known ? 'yes' : 'no')

export const DEFAULT_ROUTES: FoundList<'default-routes'> = {
  kind: 'default-routes',
  label: 'Default routes',
  tab: 'routing',
  gate: 'Route.viewAny',
  what: ['default route', 'default routes'],
  empty: 'No device reports a default route',
  columns: () => [
    ...state<FoundRows['default-routes']>(({ hop_up, level }) =>
      hop_up === null ? 'not monitored' : level === 'off' ? 'disabled' : hop_up ? 'up' : 'down',
    ),
    {
      id: 'hop',
      label: 'Next hop',
      cell: ({ next_hop }) => <span class="name">{addressText(next_hop)}</span>,
      text: ({ next_hop }) => next_hop,
    },
    {
      id: 'is',
      label: 'Is device',
      class: 'lab',
      cell: ({ hop_id, hop }) =>
        hop_id === null ? (
          <Unknown why="No monitored device, or several, have this address" />
        ) : (
          <a class="name" href={`/device/${hop_id}`} dir="auto">
            {plain(hop ?? '')}
          </a>
        ),
      text: ({ hop }) => hop,
    },
    portColumn('Over port', 'The device does not say over which port'),
  ],
}

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
      is_root === null ? 'root unknown' : is_root ? 'root bridge' : 'not root',
    ),
    textColumn('instance', 'Tree', ({ instance }) => instance),
    textColumn('protocol', 'Protocol', ({ protocol }) => protocol),
    macColumn('root', 'Root bridge', ({ root }) => root),
    numberColumn('rootPriority', 'Root priority', '', ({ root_priority }) => root_priority),
    portColumn('Root port', 'The bridge is the root, or the port is not known'),
    numberColumn('cost', 'Path cost', '', ({ cost }) => cost),
    macColumn('bridge', 'Bridge address', ({ bridge }) => bridge),
    numberColumn('priority', 'Bridge priority', '', ({ priority }) => priority),
    numberColumn('changes', 'Topology changes', '', ({ changes }) => changes),
    secondsColumn('since', 'Since last change', ({ since_s }) => since_s),
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
    numberColumn('transitions', 'Forward transitions', '', ({ transitions }) => transitions),
    textColumn('edge', 'Edge port', ({ edge }) => yesNo(edge)),
  ],
}
