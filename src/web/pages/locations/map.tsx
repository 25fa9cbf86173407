/** @jsxImportSource #jsx */
import type { LocationListRow } from '../../../core/lists/network-service.ts'
import { project, TILE, type TileSource, tilesOf, viewOf } from '../../../core/lists/tiles.ts'
import { withQuery } from '../../components/table.tsx'
import { count, Empty, placeText } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'

const WIDTH = 1120
const HEIGHT = 560
const DOT = 7

type Placed = LocationListRow & { readonly lat: number; readonly lng: number }
const isPlaced = (row: LocationListRow): row is Placed => row.lat !== null && row.lng !== null

/** Locations on a tile map: an image with links, which needs no scripts. */
export function LocationsMap({
  rows,
  source,
  attribution,
  query,
}: {
  readonly rows: readonly LocationListRow[]
  readonly source: TileSource
  readonly attribution: string
  readonly query: URLSearchParams
}): Html {
  const placed = rows.filter(isPlaced)
  if (placed.length === 0) {
    return (
      <Empty title="No location has coordinates" help={['how-to/change-devices', 'How locations are set']}>
        <p>Coordinates are read from brackets at the end of sysLocation: Paris [48.85, 2.35].</p>
      </Empty>
    )
  }
  const asked = /^\d{1,2}$/.test(query.get('zoom') ?? '') ? Number(query.get('zoom')) : null
  const view = viewOf(placed, WIDTH, HEIGHT, asked)
  // Locations with devices down are drawn last, so that they are on top.
  const sorted = placed.toSorted((a, b) => a.down - b.down)
  return (
    <>
      <div class="filters body">
        <a class="btn s-s" href={withQuery(query, { zoom: String(Math.max(0, view.zoom - 1)) })}>
          Zoom out
        </a>
        <a class="btn s-s" href={withQuery(query, { zoom: String(Math.min(17, view.zoom + 1)) })}>
          Zoom in
        </a>
        <a class="btn s-s" href={withQuery(query, { zoom: null })}>
          All
        </a>
        <span class="sub">
          {count(placed.length)} of {count(rows.length)} locations have coordinates
        </span>
      </div>
      <svg class="tiles-map" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="group" aria-label="Map of locations">
        {tilesOf(view, WIDTH, HEIGHT).map(({ tx, ty, x, y }) => (
          <image href={source.address(view.zoom, tx, ty)} x={x} y={y} width={TILE} height={TILE} aria-hidden="true" />
        ))}
        {sorted.map((row) => {
          const at = project(row, view.zoom)
          const words = `${placeText(row.location) || row.location}: ${count(row.devices)} devices, ${count(row.down)} down`
          return (
            <a href={`/devices?location=${encodeURIComponent(row.location)}`} aria-label={words}>
              <circle
                class={row.down > 0 ? 'place bad' : 'place ok'}
                cx={Math.round(at.x - view.left)}
                cy={Math.round(at.y - view.top)}
                r={DOT}
              >
                <title>{words}</title>
              </circle>
              {row.down > 0 ? (
                <text class="place-x" x={Math.round(at.x - view.left)} y={Math.round(at.y - view.top) + 4}>
                  ×
                </text>
              ) : null}
            </a>
          )
        })}
      </svg>
      {attribution === '' ? null : <footer class="sub">{attribution}</footer>}
    </>
  )
}
