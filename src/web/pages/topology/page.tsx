/** @jsxImportSource #jsx */
import type { NetworkMap } from '../../../core/lists/network-service.ts'
import { Segments } from '../../components/filters.tsx'
import { Mark } from '../../components/icon.tsx'
import { type Column, Pager, pageNumber, Table } from '../../components/table.tsx'
import { amount, Card, count, Empty, plain, Share, Unknown } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, type PageView, page } from '../../page.ts'
import { can } from '../../permissions.ts'
import { distinctLinks, type Edge, edgeClass, edgesOf, edgeText, usedOf } from './edges.ts'
import { Picture, STATE_CLASSES } from './picture.tsx'

const PER_PAGE = 100
const WORST = 8
/** Utilisation in percent from which a connection counts as busy. */
const BUSY = 80

interface TopologyData {
  readonly map: NetworkMap
  readonly edges: readonly Edge[]
  readonly table: boolean
  /** Whether the actor may add neighbours that are not monitored. */
  readonly mayAdd: boolean
}

/** The map of links between devices, with utilisation and what is down. */
export const topologyPage = page<TopologyData>({
  path: '/topology',
  gate: 'Link.viewAny',
  nav: { label: 'Topology', icon: 'graph', group: 'main', order: 50, bar: true },
  async load(visit) {
    const { services, actor, query } = visit
    const mayAdd = can(visit, 'Device.create')
    const table = query.get('view') === 'table'
    const isDrawn = !table && query.get('ghosts') !== 'no' && query.get('format') !== 'json'
    const map = await services.network.map(actor, isDrawn ? await services.candidates.unmonitored(actor) : [])
    const edges = edgesOf(map.links)
    if (query.get('format') !== 'json') return { map, edges, table, mayAdd }
    return Response.json(
      {
        edges: Object.fromEntries(edges.map((edge) => [edge.key, [edgeClass(edge), edgeText(edge)]])),
        devices: Object.fromEntries(map.devices.map((one) => [one.device_id, STATE_CLASSES[one.state]])),
      },
      { headers: { 'Cache-Control': 'private, no-store' } },
    )
  },
  view,
})

function view({ map, edges, table, mayAdd }: TopologyData, { query }: PageRequest): PageView {
  const down = edges.filter((edge) => edge.down).length
  const busy = edges.filter((edge) => (edge.used ?? 0) >= BUSY).length
  return {
    title: 'Topology',
    crumbs: [{ label: 'Topology' }],
    body: (
      <>
        <div class="head">
          <h1>Topology</h1>
          {edges.length === 0 ? null : (
            <p>
              {count(edges.length)} connections among {count(map.devices.length)} devices;{' '}
              {down === 0 ? 'none' : count(down)} down, {busy === 0 ? 'none' : count(busy)} at {BUSY} % or more.
            </p>
          )}
        </div>
        {edges.length === 0 && map.neighbours.length === 0 ? (
          <section class="card">
            <Empty title="No links between devices" help={['how-to/found-devices', 'How neighbours are found']}>
              <p>
                Links are discovered with LLDP, CDP and similar protocols. Enable one of them on your devices:{' '}
                {count(map.unlinked)} of them report no monitored neighbour.
              </p>
              <a class="btn" href="/devices">
                Devices
              </a>
            </Empty>
          </section>
        ) : (
          <>
            <div class="filters">
              <Segments
                label="View"
                name="view"
                current={table ? 'table' : null}
                query={query}
                choices={[
                  { value: null, label: 'Layers' },
                  { value: 'table', label: 'Table' },
                ]}
              />
              {table ? null : (
                <>
                  {map.unknown > 0 ? (
                    <Segments
                      label="Neighbours"
                      name="ghosts"
                      current={query.get('ghosts') === 'no' ? 'no' : null}
                      query={query}
                      choices={[
                        { value: null, label: 'All neighbours' },
                        { value: 'no', label: 'Monitored' },
                      ]}
                    />
                  ) : null}
                  <div class="seg" role="group" aria-label="Zoom" data-map-zoom hidden>
                    <button type="button" data-by="0.8" aria-label="Zoom out">
                      −
                    </button>
                    <button type="button" data-by="0">
                      Fit
                    </button>
                    <button type="button" data-by="1.25" aria-label="Zoom in">
                      +
                    </button>
                  </div>
                  <input
                    class="inp quick"
                    type="search"
                    data-map-find
                    placeholder="Find on the map"
                    aria-label="Find on the map"
                    hidden
                  />
                </>
              )}
            </div>
            {table ? <Links map={map} query={query} /> : <Drawn map={map} edges={edges} mayAdd={mayAdd} />}
          </>
        )}
      </>
    ),
  }
}

function Drawn({
  map,
  edges,
  mayAdd,
}: {
  readonly map: NetworkMap
  readonly edges: readonly Edge[]
  readonly mayAdd: boolean
}): Html {
  const names = new Map(map.devices.map((one) => [one.device_id, plain(one.name)]))
  return (
    <div class="stack">
      <section class="card">
        <div class="map" data-island="map" tabindex="0" role="region" aria-label="Map">
          <Picture map={map} edges={edges} mayAdd={mayAdd} />
        </div>
        <footer class="key">
          {KEY.map(([name, text]) => (
            <span>
              <svg width="26" height="6" aria-hidden="true">
                <path class={`e ${name}`} d="M1 3h24" stroke-width="2" />
              </svg>
              {text}
            </span>
          ))}
          {map.neighbours.length === 0 ? null : (
            <span>
              <svg width="26" height="12" aria-hidden="true">
                <rect class="ghost" x="1" y="1" width="24" height="10" rx="3" />
              </svg>
              {mayAdd ? 'not monitored; click to add it' : 'not monitored'}
            </span>
          )}
          <span>line width: below 1, from 1, from 10, from 100 Gbit/s</span>
        </footer>
      </section>
      <div class="two">
        {edges.length === 0 ? null : (
          <Card title="Worst connections">
            <ul class="rows">
              {edges.slice(0, WORST).map((edge) => (
                <li>
                  <Mark
                    tone={edge.down ? 'bad' : (edge.used ?? 0) >= BUSY ? 'warn' : 'ok'}
                    label={edge.down ? 'Down' : (edge.used ?? 0) >= BUSY ? 'Busy' : 'Up'}
                  />
                  <span class="grow">
                    <a
                      href={edge.worst.port_id === null ? `/device/${edge.worst.a}` : `/port/${edge.worst.port_id}`}
                      dir="auto"
                    >
                      {names.get(edge.worst.a)} {plain(edge.worst.port ?? '')}
                    </a>
                    <span class="l2" dir="auto">
                      to {names.get(edge.worst.b)}
                      {edge.worst.speed === null ? '' : `, ${amount(edge.worst.speed, 'bit/s')}`}
                      {edge.links.length > 1 ? `, one of ${edge.links.length}` : ''}
                    </span>
                  </span>
                  <span class={edge.down ? 'right t-bad strong' : 'right strong'}>{edgeText(edge) || '–'}</span>
                </li>
              ))}
            </ul>
          </Card>
        )}
        <Card title="Not on the map">
          <ul class="rows">
            <li>
              <span class="grow">Devices without a link to another monitored device</span>
              <b>{count(map.unlinked)}</b>
            </li>
            <li>
              <span class="grow">
                {mayAdd ? <a href="/found">Neighbours that are not monitored</a> : 'Neighbours that are not monitored'}
              </span>
              <b>{count(map.unknown)}</b>
            </li>
          </ul>
        </Card>
      </div>
    </div>
  )
}

const KEY = [
  ['u0', 'below 5 %'],
  ['u1', 'to 25 %'],
  ['u2', 'to 50 %'],
  ['u3', 'to 80 %'],
  ['u4', 'above'],
  ['dead', 'down'],
] as const

interface LinkLine {
  readonly link: NetworkMap['links'][number]
  readonly local: string
  readonly remote: string
}

function Links({ map, query }: { readonly map: NetworkMap; readonly query: URLSearchParams }): Html {
  const names = new Map(map.devices.map((one) => [one.device_id, plain(one.name)]))
  const links = distinctLinks(map.links)
  const rows = links
    .slice((pageNumber(query) - 1) * PER_PAGE, pageNumber(query) * PER_PAGE)
    .map((link) => ({ link, local: names.get(link.a) ?? '', remote: names.get(link.b) ?? '' }))
  return (
    <section class="card">
      <Table columns={COLUMNS} rows={rows} query={query} caption="Links, the worst first" />
      <Pager query={query} total={links.length} what={['link', 'links']} />
    </section>
  )
}

const end = (device: number, name: string, port: number | null, ifName: string) => (
  <>
    <a class="name" href={`/device/${device}`} dir="auto">
      {name}
    </a>
    <span class="l2">
      {port === null ? (
        plain(ifName)
      ) : (
        <a href={`/port/${port}`} dir="auto">
          {plain(ifName) || `port ${port}`}
        </a>
      )}
    </span>
  </>
)

const COLUMNS: readonly Column<LinkLine>[] = [
  {
    id: 'mark',
    label: 'State',
    quiet: true,
    cell: ({ link }) => <Mark tone={link.down ? 'bad' : 'ok'} label={link.down ? 'Down' : 'Up'} />,
  },
  {
    id: 'from',
    label: 'From',
    class: 'full',
    cell: ({ link, local }) => end(link.a, local, link.port_id, link.port ?? ''),
  },
  {
    id: 'to',
    label: 'To',
    class: 'lab',
    cell: ({ link, remote }) => end(link.b, remote, link.remote_port_id, link.remote_port),
  },
  {
    id: 'speed',
    label: 'Speed',
    numeric: true,
    cell: ({ link }) => (link.speed === null ? <Unknown /> : amount(link.speed, 'bit/s')),
  },
  { id: 'used', label: 'Used', numeric: true, cell: ({ link }) => <Share percent={usedOf(link)} /> },
  { id: 'by', label: 'By', class: 'lab', cell: ({ link }) => plain((link.protocol ?? '').toUpperCase()) },
]
