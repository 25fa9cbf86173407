/** @jsxImportSource #jsx */
import type { LocationListRow } from '../../../domain/network/service.ts'
import { QuickFind, textOf } from '../../components/filters.tsx'
import { Mark } from '../../components/icon.tsx'
import { type Column, Pager, pageNumber, Table } from '../../components/table.tsx'
import { count, Empty, placeText, Unknown } from '../../components/values.tsx'
import { page } from '../../page.ts'

const PER_PAGE = 100

interface LocationsData {
  readonly rows: readonly LocationListRow[]
  readonly total: number
  readonly text: string
  readonly page: number
}

/** Where devices are, and where some are down. */
export const locationsPage = page<LocationsData>({
  path: '/locations',
  gate: 'Location.viewAny',
  nav: { label: 'Locations', icon: 'pin', group: 'manage', order: 20 },
  async load({ services: { network }, actor, query }) {
    const text = textOf(query)
    const found = await network.locations(actor, { text, offset: (pageNumber(query) - 1) * PER_PAGE, limit: PER_PAGE })
    return { ...found, text, page: pageNumber(query) }
  },
  view: ({ rows, total, text, page: at }, { query }) => ({
    title: 'Locations',
    crumbs: [{ label: 'Locations' }],
    body: (
      <>
        <div class="head">
          <h1>Locations</h1>
        </div>
        <div class="filters">
          <QuickFind action="/locations" query={query} text={text} />
        </div>
        <section class="card">
          {rows.length === 0 ? (
            <Empty title={text === '' ? 'No device says where it is' : 'No location matches'}>
              {text === '' ? (
                <p>A device's location is its sysLocation. Coordinates in brackets are read: Paris [48.85, 2.35].</p>
              ) : (
                <a class="btn" href="/locations">
                  Remove filters
                </a>
              )}
            </Empty>
          ) : (
            <Table columns={COLUMNS} rows={rows} query={query} caption="Locations" />
          )}
          <Pager
            query={query}
            page={at}
            perPage={PER_PAGE}
            total={total}
            what={total === 1 ? 'location' : 'locations'}
          />
        </section>
      </>
    ),
  }),
})

const degrees = (value: number, [plus, minus]: readonly [string, string]) =>
  `${Math.abs(value).toFixed(4)}° ${value < 0 ? minus : plus}`

const COLUMNS: readonly Column<LocationListRow>[] = [
  {
    id: 'mark',
    label: 'State',
    quiet: true,
    class: 'no',
    cell: ({ down }) => <Mark tone={down > 0 ? 'bad' : 'ok'} label={down > 0 ? 'Devices down' : 'All up'} />,
  },
  {
    id: 'name',
    label: 'Location',
    class: 'full',
    cell: ({ location }) => (
      <a class="name" href={`/devices?location=${encodeURIComponent(location)}`} dir="auto">
        {placeText(location) || location}
      </a>
    ),
  },
  { id: 'devices', label: 'Devices', numeric: true, cell: ({ devices }) => count(devices) },
  {
    id: 'down',
    label: 'Down',
    numeric: true,
    cell: ({ down }) => (down === 0 ? '0' : <b class="t-bad">{count(down)}</b>),
  },
  {
    id: 'place',
    label: 'Coordinates',
    numeric: true,
    cell: ({ lat, lng }) =>
      lat === null || lng === null ? (
        <Unknown why="Its text has no coordinates in brackets" />
      ) : (
        `${degrees(lat, ['N', 'S'])}, ${degrees(lng, ['E', 'W'])}`
      ),
  },
]
