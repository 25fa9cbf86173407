/** @jsxImportSource #jsx */
import type { SessionRow, VrfRow } from '../../../core/lists/network-service.ts'
import { NoMatch, oneOf, QuickFind, Segments, textOf } from '../../components/filters.tsx'
import { Mark, type Tone } from '../../components/icon.tsx'
import { type Column, markColumn, pillColumn, Table } from '../../components/table.tsx'
import { addressText, count, DeviceText, duration, Empty, plain, Unknown } from '../../components/values.tsx'
import { listPage } from '../../list-page.tsx'
import { can } from '../../permissions.ts'
import { protocolsFor } from './protocols.ts'

/** The permission to see VRFs. */
const VRFS = 'Vrf.viewAny'

const LOOKS: Readonly<Record<SessionRow['level'], readonly [Tone, string]>> = {
  down: ['bad', 'Down'],
  up: ['ok', 'Up'],
  off: ['off', 'Admin down'],
  unknown: ['off', 'Unknown'],
}
const lookOf = ({ level }: SessionRow) => LOOKS[level]
export const toneOf = ({ level }: Pick<SessionRow, 'level'>): Tone => LOOKS[level][0]

const COLUMNS: readonly Column<SessionRow>[] = [
  markColumn(lookOf),
  {
    id: 'device',
    label: 'Device',
    class: 'full',
    cell: (row) => (
      <a class="name" href={`/device/${row.device_id}/routing`} dir="auto">
        {plain(row.device)}
      </a>
    ),
  },
  pillColumn(lookOf),
  {
    id: 'peer',
    label: 'Peer',
    class: 'lab',
    cell: ({ peer, error, level, protocol, id }) => (
      <>
        {protocol === 'BGP' ? <a href={`/bgp/${id}`}>{addressText(peer)}</a> : addressText(peer)}
        {level === 'down' && error !== null ? (
          <span class="l2" dir="auto">
            {plain(error)}
          </span>
        ) : null}
      </>
    ),
  },
  { id: 'name', label: 'Name', class: 'lab w5', cell: ({ name }) => <DeviceText text={name} /> },
  { id: 'protocol', label: 'Protocol', class: 'lab', cell: ({ protocol }) => protocol },
  { id: 'as', label: 'AS', numeric: true, cell: ({ remote_as }) => remote_as ?? <Unknown /> },
  { id: 'state', label: 'State', class: 'lab', cell: ({ state }) => plain(state) },
  {
    id: 'for',
    label: 'Established',
    numeric: true,
    cell: ({ established_s }) => (established_s === null ? <Unknown /> : duration(established_s)),
  },
  {
    id: 'accepted',
    label: 'Accepted',
    numeric: true,
    class: 'w4',
    cell: ({ accepted }) => (accepted === null ? <Unknown /> : count(accepted)),
  },
  {
    id: 'advertised',
    label: 'Advertised',
    numeric: true,
    class: 'w4',
    cell: ({ advertised }) => (advertised === null ? <Unknown /> : count(advertised)),
  },
]

const VRF_COLUMNS: readonly Column<VrfRow>[] = [
  { id: 'name', label: 'VRF', class: 'full', cell: ({ name }) => <DeviceText text={name} /> },
  {
    id: 'device',
    label: 'Device',
    class: 'lab',
    cell: (row) => (
      <a href={`/device/${row.device_id}/routing`} dir="auto">
        {plain(row.device)}
      </a>
    ),
  },
  { id: 'rd', label: 'Route distinguisher', class: 'lab', cell: ({ rd }) => <DeviceText text={rd} /> },
  { id: 'descr', label: 'Description', class: 'lab', cell: ({ descr }) => <DeviceText text={descr} /> },
  { id: 'ports', label: 'Ports', numeric: true, cell: ({ ports }) => count(ports) },
]

/** Routing sessions of all devices, those down first, with their prefixes; VRFs. */
export const routingPage = listPage({
  path: '/routing',
  gate: 'BgpPeer.viewAny',
  also: ['Route.viewAny', VRFS],
  nav: { label: 'Routing', icon: 'route', group: 'explore', order: 20 },
  title: 'Routing',
  caption: 'Routing sessions, those down first',
  query(query, visit) {
    const protocols = protocolsFor((gate) => can(visit, gate))
    /** What is listed; null: all sessions. */
    const kind = oneOf(query, 'kind', [...protocols, ...(can(visit, VRFS) ? (['VRF'] as const) : [])])
    return {
      kind,
      protocols,
      protocol: kind === 'VRF' ? null : kind,
      down: query.get('state') === 'down',
      text: textOf(query),
    }
  },
  async load(visit, { kind, ...wanted }) {
    const { network } = visit.services
    const [{ rows, counts }, vrfs] = await Promise.all([
      network.sessions(visit.actor, wanted),
      can(visit, VRFS)
        ? network.vrfs(visit.actor, kind === 'VRF' ? wanted : { ...wanted, offset: 0, limit: 1 })
        : { rows: [], total: 0 },
    ])
    const sum = (of: 'all' | 'down', listed = counts) => listed.reduce((total, one) => total + one[of], 0)
    const listed = counts.filter(({ protocol }) => kind === null || protocol === kind)
    return {
      rows: kind === 'VRF' ? [] : rows,
      total: kind === 'VRF' ? vrfs.total : sum(wanted.down ? 'down' : 'all', listed),
      vrfs,
      counts,
      all: sum('all'),
      down: sum('down'),
    }
  },
  what: ({ wanted: { kind } }) => (kind === 'VRF' ? ['VRFs', 'VRFs'] : ['session', 'sessions']),
  columns: COLUMNS,
  head: ({ all, down, vrfs }) => (
    <>
      <h1>Routing</h1>
      <p>
        {down === 0 ? 'No sessions down' : `${count(down)} of ${count(all)} sessions down`}
        {vrfs.total === 0 ? '' : `, ${count(vrfs.total)} VRFs`}
      </p>
    </>
  ),
  filters: ({ counts, all, down, vrfs, wanted }, visit) => (
    <>
      <Segments
        label="Protocol"
        name="kind"
        current={wanted.kind}
        query={visit.query}
        choices={[
          { value: null, label: 'All sessions', n: all },
          ...wanted.protocols.map((name) => ({
            value: name,
            label: name,
            n: counts.find(({ protocol }) => protocol === name)?.all ?? 0,
          })),
          ...(can(visit, VRFS) ? [{ value: 'VRF', label: 'VRFs', n: vrfs.total }] : []),
        ]}
      />
      {wanted.kind === 'VRF' ? null : (
        <Segments
          label="State"
          name="state"
          current={wanted.down ? 'down' : null}
          query={visit.query}
          choices={[
            { value: null, label: 'Any state' },
            { value: 'down', label: 'Down', mark: <Mark tone="bad" label={null} />, n: down },
          ]}
        />
      )}
      <QuickFind action="/routing" query={visit.query} text={wanted.text} />
    </>
  ),
  instead: ({ wanted, vrfs }, { query }) =>
    wanted.kind !== 'VRF' || vrfs.rows.length === 0 ? null : (
      <Table columns={VRF_COLUMNS} rows={vrfs.rows} query={query} caption="VRFs" />
    ),
  empty: (_, { query }) =>
    query.size > 0 ? (
      <NoMatch title="Nothing matches" list="/routing" />
    ) : (
      <Empty
        title="No device has reported a routing session"
        help={['how-to/troubleshooting#it-answers-but-things-are-missing', 'When something is missing']}
      />
    ),
})
