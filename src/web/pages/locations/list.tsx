/** @jsxImportSource #jsx */
import { invalid } from '../../../core/base/errors.ts'
import type { LocationListRow } from '../../../core/lists/network-service.ts'
import { tileSource } from '../../../core/lists/tiles.ts'
import { NoMatch, QuickFind, Segments, textOf } from '../../components/filters.tsx'
import { Button, Field, Form, ofForm } from '../../components/form.tsx'
import { type Column, markColumn } from '../../components/table.tsx'
import { count, Empty, placeText, Unknown } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { listPage } from '../../list-page.tsx'
import type { Form as FormData, PageRequest } from '../../page.ts'
import { can, requireGate } from '../../permissions.ts'
import { LocationsMap } from './map.tsx'

const MAX_ON_MAP = 1000
/** Characters, as the database has them. */
const MAX_NAME = 255

const degrees = (value: number, [plus, minus]: readonly [string, string]) =>
  `${Math.abs(value).toFixed(4)}° ${value < 0 ? minus : plus}`

/** Degrees that were entered; null: none. Throws `invalid`. */
function degreesOf(form: FormData, name: 'lat' | 'lng', most: number): string | null {
  const text = (form.get(name) ?? '').trim()
  if (text === '') return null
  const value = /^[+-]?\d{1,3}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN
  if (!(Math.abs(value) <= most))
    throw invalid(`${name === 'lat' ? 'Latitude' : 'Longitude'}: enter degrees from -${most} to ${most}, such as 48.85`)
  return text
}

const Add = ({ visit }: { readonly visit: PageRequest }): Html => (
  <details class="menu" open={ofForm(visit, 'add').sent !== null}>
    <summary class="btn">Add a location</summary>
    <div class="sheet">
      <Form visit={visit} name="add" to="/locations">
        <Field visit={visit} id="name" label="Name, as devices report it" maxLength={MAX_NAME} required />
        <Field visit={visit} id="lat" label="Latitude, degrees" placeholder="48.85" maxLength={20} />
        <Field visit={visit} id="lng" label="Longitude, degrees" placeholder="2.35" maxLength={20} />
        <Button first>Add</Button>
      </Form>
    </div>
  </details>
)

const COLUMNS: readonly Column<LocationListRow>[] = [
  markColumn(({ down }) => (down > 0 ? ['bad', 'Devices down'] : ['ok', 'All up'])),
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

/** Locations with their devices, and how many of those are down. */
export const locationsPage = listPage({
  path: '/locations',
  gate: 'Location.viewAny',
  nav: { label: 'Locations', icon: 'pin', group: 'manage', order: 20 },
  title: 'Locations',
  caption: 'Locations',
  what: ['location', 'locations'],
  query: (query) => ({ text: textOf(query) }),
  async load({ services: { network, config }, actor, query }, wanted) {
    const source = tileSource(config.get('web.tile_url'))
    const hasTiles = source !== null
    if (source === null || query.get('view') !== 'map')
      return { ...(await network.locations(actor, wanted)), map: null, hasTiles }
    const { rows } = await network.locations(actor, { ...wanted, offset: 0, limit: MAX_ON_MAP })
    return { rows, total: null, map: { source, attribution: config.get('web.tile_attribution') }, hasTiles }
  },
  acts: (_, visit) => (can(visit, 'Location.create') ? <Add visit={visit} /> : null),
  actions: {
    async add(visit, form) {
      requireGate(visit, 'Location.create')
      const name = (form.get('name') ?? '').trim()
      if (name === '' || name.length > MAX_NAME) throw invalid(`Name: enter 1 to ${MAX_NAME} characters`)
      const place = { lat: degreesOf(form, 'lat', 90), lng: degreesOf(form, 'lng', 180) }
      if ((place.lat === null) !== (place.lng === null)) throw invalid('Enter both latitude and longitude, or neither')
      await visit.services.locations.add({ location: name, ...(place.lat !== null && place) })
      return { to: `/locations?q=${encodeURIComponent(name)}` }
    },
  },
  images: ({ map }) => map?.source.origin,
  columns: COLUMNS,
  filters: ({ wanted, map, hasTiles }, { query }) => (
    <>
      <QuickFind action="/locations" query={query} text={wanted.text} />
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
    </>
  ),
  instead: ({ rows, map }, { query }) =>
    map === null || rows.length === 0 ? null : (
      <LocationsMap rows={rows} source={map.source} attribution={map.attribution} query={query} />
    ),
  empty: ({ wanted }) =>
    wanted.text === '' ? (
      <Empty title="No device reports a location" help={['how-to/change-devices', 'How locations are set']}>
        <p>A device's location is its sysLocation, which may end with coordinates in brackets: Paris [48.85, 2.35].</p>
      </Empty>
    ) : (
      <NoMatch title="No location matches" list="/locations" />
    ),
})
