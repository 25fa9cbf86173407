/** Width and height of a map tile, pixels. */
export const TILE = 256
const MAX_ZOOM = 17
/** Largest latitude of the projection, degrees. */
const MAX_LAT = 85.0511

export interface MapView {
  readonly zoom: number
  /**
   * Position of the image's left and top edges in the whole world at this zoom, pixels from the north-western corner.
   */
  readonly left: number
  readonly top: number
}

interface Spot {
  /** Degrees. */
  readonly lat: number
  readonly lng: number
}

/** Position of a place at a zoom, in pixels of the whole world (spherical Mercator, EPSG:3857). */
export function project({ lat, lng }: Spot, zoom: number): { readonly x: number; readonly y: number } {
  const side = TILE * 2 ** zoom
  const phi = (Math.max(-MAX_LAT, Math.min(MAX_LAT, lat)) * Math.PI) / 180
  return { x: ((lng + 180) / 360) * side, y: ((1 - Math.asinh(Math.tan(phi)) / Math.PI) / 2) * side }
}

/** The view that shows all places, centred, at the largest zoom that fits; `asked`: the requested zoom, null: none. */
export function viewOf(spots: readonly Spot[], width: number, height: number, asked: number | null): MapView {
  const boxAt = (zoom: number) => {
    const points = spots.map((spot) => project(spot, zoom))
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
    const range = (values: number[]) => [Math.min(...values), Math.max(...values)] as const
    return { x: range(xs), y: range(ys) }
  }
  const margin = 40
  const fits = (zoom: number) => {
    const { x, y } = boxAt(zoom)
    return x[1] - x[0] <= width - 2 * margin && y[1] - y[0] <= height - 2 * margin
  }
  let best = MAX_ZOOM - 4
  while (best > 0 && !fits(best)) best--
  const zoom = asked === null ? best : Math.max(0, Math.min(MAX_ZOOM, asked))
  const { x, y } = boxAt(zoom)
  return { zoom, left: Math.round((x[0] + x[1] - width) / 2), top: Math.round((y[0] + y[1] - height) / 2) }
}

/** The tiles that cover the view, with their positions in it. */
export function tilesOf({ zoom, left, top }: MapView, width: number, height: number) {
  const count = 2 ** zoom
  const tiles: { readonly tx: number; readonly ty: number; readonly x: number; readonly y: number }[] = []
  for (let row = Math.floor(top / TILE); row * TILE < top + height; row++) {
    if (row < 0 || row >= count) continue
    for (let column = Math.floor(left / TILE); column * TILE < left + width; column++) {
      // beyond the date line the world repeats
      tiles.push({ tx: ((column % count) + count) % count, ty: row, x: column * TILE - left, y: row * TILE - top })
    }
  }
  return tiles
}

/** The source of tiles in setting `web.tile_url`. */
export interface TileSource {
  /** Scheme, host and port. */
  readonly origin: string
  address(zoom: number, x: number, y: number): string
}

export function tileSource(template: string): TileSource | null {
  const isComplete = ['{z}', '{x}', '{y}'].every((part) => template.includes(part))
  const address = (zoom: number, x: number, y: number) =>
    template.replace('{z}', String(zoom)).replace('{x}', String(x)).replace('{y}', String(y))
  const url = isComplete ? URL.parse(address(0, 0, 0)) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '') return null
  // the origin that the browser may load from must not depend on the tile
  return URL.parse(address(7, 1, 2))?.origin === url.origin ? { origin: url.origin, address } : null
}
