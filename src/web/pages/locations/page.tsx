/** @jsxImportSource #jsx */
import type { LocationListRow } from '../../../core/lists/network-service.ts'
import { type TileSource, tileSource } from '../../../core/lists/tiles.ts'
import { QuickFind, Segments, textOf } from '../../components/filters.tsx'
import { Mark } from '../../components/icon.tsx'
import { type Column, Pager, pageNumber, Table } from '../../components/table.tsx'
import { count, Empty, placeText, Unknown } from '../../components/values.tsx'
import { page } from '../../page.ts'
import { LocationsMap } from './map.tsx'

const PER_PAGE = 100
const MAX_ON_MAP = 1000

interface LocationsData {
  readonly rows: readonly LocationListRow[]
  readonly total: number
  readonly text: string
  readonly page: number
  /** null: no tile source is configured, or the table is shown. */
  readonly map: { readonly source: TileSource; readonly attribution: string } | null
  readonly hasTiles: boolean
}

/** Locations with their devices, and how many of those are down. */
export const locationsPage = page<LocationsData>({
  path: '/locations',
  gate: 'Location.viewAny',
  nav: { label: 'Locations', icon: 'pin', group: 'manage', order: 20 },
  async load({ services: { network, config }, actor, query }) {
    const text = textOf(query)
    const source = tileSource(config.get('web.tile_url'))
    const map =
      source === null || query.get('view') !== 'map'
        ? null
        : { source, attribution: config.get('web.tile_attribution') }
    const offset = (pageNumber(query) - 1) * PER_PAGE
    const part = map === null ? { offset, limit: PER_PAGE } : { offset: 0, limit: MAX_ON_MAP }
    const found = await network.locations(actor, { text, ...part })
    return { ...found, text, page: pageNumber(query), map, hasTiles: source !== null }
  },
  view: ({ rows, total, text, page: at, map, hasTiles }, { query }) => ({
    ...(map !== null && { images: map.source.origin }),
    title: 'Locations',
    crumbs: [{ label: 'Locations' }],
    body: (
      <>
        <div class="head">
          <h1>Locations</h1>
        </div>
        <div class="filters">
          <QuickFind action="/locations" query={query} text={text} />
          {hasTiles ? (
            <Segments
              label="View"
              name="view"
              current={map === null ? null : 'map'}
              query={query}
              choices={[
                { value: null, label: 'Table' },
                { value: 'map', label: 'Map' },
              ]}
            />
          ) : null}
        </div>
        <section class="card">
          {rows.length === 0 ? (
            <Empty title={text === '' ? 'No device reports a location' : 'No location matches'}>
              {text === '' ? (
                <p>
                  A device's location is its sysLocation, which may end with coordinates in brackets: Paris [48.85,
                  2.35].
                </p>
              ) : (
                <a class="btn" href="/locations">
                  Remove filters
                </a>
              )}
            </Empty>
          ) : map !== null ? (
            <LocationsMap rows={rows} source={map.source} attribution={map.attribution} query={query} />
          ) : (
            <Table columns={COLUMNS} rows={rows} query={query} caption="Locations" />
          )}
          {map === null ? (
            <Pager
              query={query}
              page={at}
              perPage={PER_PAGE}
              total={total}
              what={total === 1 ? 'location' : 'locations'}
            />
          ) : null}
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
        <Unknown why="No coordinates in brackets" />
      ) : (
        `${degrees(lat, ['N', 'S'])}, ${degrees(lng, ['E', 'W'])}`
      ),
  },
]
