/** @jsxImportSource #jsx */
import type { SessionQuery, SessionRow, VrfRow } from '../../../core/lists/network-service.ts'
import { QuickFind, Segments, textOf } from '../../components/filters.tsx'
import { Mark, Pill, type Tone } from '../../components/icon.tsx'
import { type Column, Pager, pageNumber, Table } from '../../components/table.tsx'
import { addressText, count, DeviceText, duration, Empty, plain, Unknown } from '../../components/values.tsx'
import { page } from '../../page.ts'

const PER_PAGE = 100
const PROTOCOLS = ['BGP', 'OSPF', 'OSPFv3'] as const

interface RoutingData {
  readonly sessions: readonly SessionRow[]
  readonly vrfs: readonly VrfRow[]
  readonly counts: readonly { readonly protocol: string; readonly all: number; readonly down: number }[]
  readonly vrfTotal: number
  readonly wanted: SessionQuery
  /** What is listed; null: all sessions. */
  readonly kind: (typeof PROTOCOLS)[number] | 'VRF' | null
  readonly page: number
}

/** Routing sessions of all devices, those down first, with their prefixes; VRFs. */
export const routingPage = page<RoutingData>({
  path: '/routing',
  gate: 'BgpPeer.viewAny',
  nav: { label: 'Routing', icon: 'route', group: 'explore', order: 20 },
  async load({ services: { network }, actor, query }) {
    const kind = [...PROTOCOLS, 'VRF' as const].find((name) => name === query.get('kind')) ?? null
    const wanted: SessionQuery = {
      protocol: kind === 'VRF' ? null : kind,
      down: query.get('state') === 'down',
      text: textOf(query),
      offset: (pageNumber(query) - 1) * PER_PAGE,
      limit: PER_PAGE,
    }
    const [{ rows, counts }, vrfs] = await Promise.all([
      network.sessions(actor, wanted),
      network.vrfs(actor, kind === 'VRF' ? wanted : { ...wanted, offset: 0, limit: 1 }),
    ])
    return { sessions: rows, counts, vrfs: vrfs.rows, vrfTotal: vrfs.total, wanted, kind, page: pageNumber(query) }
  },
  view(data, { query }) {
    const { sessions, vrfs, counts, vrfTotal, wanted, kind } = data
    const of = (name: string) => counts.find(({ protocol }) => protocol === name)
    const down = counts.reduce((sum, one) => sum + one.down, 0)
    const all = counts.reduce((sum, one) => sum + one.all, 0)
    const listed = counts.filter(({ protocol }) => kind === null || protocol === kind)
    const total = kind === 'VRF' ? vrfTotal : listed.reduce((sum, one) => sum + (wanted.down ? one.down : one.all), 0)
    const isEmpty = kind === 'VRF' ? vrfs.length === 0 : sessions.length === 0
    return {
      title: 'Routing',
      crumbs: [{ label: 'Routing' }],
      body: (
        <>
          <div class="head">
            <h1>Routing</h1>
            <p>
              {down === 0 ? 'No sessions down' : `${count(down)} of ${count(all)} sessions down`}
              {vrfTotal === 0 ? '' : `, ${count(vrfTotal)} VRFs`}
            </p>
          </div>
          <div class="filters">
            <Segments
              label="Protocol"
              name="kind"
              current={kind}
              query={query}
              choices={[
                { value: null, label: 'All sessions', n: all },
                ...PROTOCOLS.map((name) => ({ value: name, label: name, n: of(name)?.all ?? 0 })),
                { value: 'VRF', label: 'VRFs', n: vrfTotal },
              ]}
            />
            {kind === 'VRF' ? null : (
              <Segments
                label="State"
                name="state"
                current={wanted.down ? 'down' : null}
                query={query}
                choices={[
                  { value: null, label: 'Any state' },
                  { value: 'down', label: 'Down', mark: <Mark tone="bad" label={null} />, n: down },
                ]}
              />
            )}
            <QuickFind action="/routing" query={query} text={wanted.text} />
          </div>
          <section class="card">
            {isEmpty ? (
              <Empty title={query.size > 0 ? 'Nothing matches' : 'No device has reported a routing session'}>
                {query.size === 0 ? null : (
                  <a class="btn" href="/routing">
                    Remove filters
                  </a>
                )}
              </Empty>
            ) : kind === 'VRF' ? (
              <Table columns={VRF_COLUMNS} rows={vrfs} query={query} caption="VRFs" />
            ) : (
              <Table columns={COLUMNS} rows={sessions} query={query} caption="Routing sessions, those down first" />
            )}
            <Pager
              query={query}
              page={data.page}
              perPage={PER_PAGE}
              total={total}
              what={kind === 'VRF' ? 'VRFs' : total === 1 ? 'session' : 'sessions'}
            />
          </section>
        </>
      ),
    }
  },
})

const TONES: Readonly<Record<SessionRow['level'], Tone>> = { down: 'bad', up: 'ok', off: 'off' }

const COLUMNS: readonly Column<SessionRow>[] = [
  {
    id: 'mark',
    label: 'State',
    quiet: true,
    class: 'no',
    cell: (row) => (
      <Mark tone={TONES[row.level]} label={row.level === 'off' ? 'Admin down' : row.level === 'up' ? 'Up' : 'Down'} />
    ),
  },
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
  {
    id: 'pill',
    label: 'State',
    quiet: true,
    class: 'r only-s',
    cell: ({ level }) => (
      <Pill tone={TONES[level]}>{level === 'off' ? 'Admin down' : level === 'up' ? 'Up' : 'Down'}</Pill>
    ),
  },
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
