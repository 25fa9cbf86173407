/** Positions of devices on the map, in its own pixel coordinates; (x, y) is the centre of a device. */
export interface Layout {
  readonly width: number
  readonly height: number
  readonly places: ReadonlyMap<number, Place>
}

/** A device's position. `line` of `lines`: its row within a folded layer, from 0. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly layer: number
  readonly line: number
  readonly lines: number
}

export const NODE_WIDTH = 128
export const NODE_HEIGHT = 40
const GAP_X = 26
/** Distance between the rows of a folded layer. */
export const ROW_HEIGHT = NODE_HEIGHT + 18
const LAYER_GAP = 64
const MARGIN = 24
const SWEEPS = 4
/** Devices with at least this share of the links of the device with most are the top of their part of the network. */
const TOP_SHARE = 0.6

/**
 * Lays out each connected part in layers. Its top are the devices with the most links among those that remain when leaf
 * devices are removed repeatedly; the layer of a device is its distance to them. Within a layer, devices are ordered by
 * the positions of their neighbours. Wide layers are folded into rows. Pure; the result does not depend on the order of
 * links.
 */
export function layoutOf(ids: readonly number[], edges: readonly (readonly [number, number])[]): Layout {
  const near = neighboursOf(ids, edges)
  const layers = new Map<number, number>()
  for (const part of partsOf(near)) for (const [id, layer] of layersOf(part, near)) layers.set(id, layer)
  const rows: number[][] = []
  for (const id of [...near.keys()].sort((a, b) => a - b)) {
    const layer = layers.get(id) ?? 0
    while (rows.length <= layer) rows.push([])
    rows[layer]?.push(id)
  }
  const ordered = untangled(rows, near)
  return placed(ordered)
}

type Near = ReadonlyMap<number, ReadonlySet<number>>

function neighboursOf(ids: readonly number[], edges: readonly (readonly [number, number])[]): Near {
  const near = new Map(ids.map((id) => [id, new Set<number>()]))
  for (const [a, b] of edges) {
    if (a === b || !near.has(a) || !near.has(b)) continue
    near.get(a)?.add(b)
    near.get(b)?.add(a)
  }
  return near
}

/** Connected parts, largest first. */
function partsOf(near: Near): number[][] {
  const seen = new Set<number>()
  const parts: number[][] = []
  for (const id of [...near.keys()].sort((a, b) => a - b)) {
    if (seen.has(id)) continue
    const part = [id]
    seen.add(id)
    for (const one of part) {
      for (const other of near.get(one) ?? []) {
        if (seen.has(other)) continue
        seen.add(other)
        part.push(other)
      }
    }
    parts.push(part)
  }
  return parts.sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0))
}

/** Distance of each device of a part from its top. */
function layersOf(part: readonly number[], near: Near): ReadonlyMap<number, number> {
  const layers = new Map<number, number>()
  let now = topsOf(part, near)
  for (let layer = 0; now.length > 0; layer++) {
    for (const id of now) layers.set(id, layer)
    now = [...new Set(now.flatMap((id) => [...(near.get(id) ?? [])]))].filter((id) => !layers.has(id))
  }
  return layers
}

function topsOf(part: readonly number[], near: Near): number[] {
  const degree = new Map(part.map((id) => [id, near.get(id)?.size ?? 0]))
  let ends = part.filter((id) => (degree.get(id) ?? 0) <= 1)
  const left = new Set(part)
  while (ends.length > 0 && left.size > ends.length) {
    const next = new Set<number>()
    for (const id of ends) left.delete(id)
    for (const id of ends) {
      for (const other of near.get(id) ?? []) {
        if (!left.has(other)) continue
        const now = (degree.get(other) ?? 0) - 1
        degree.set(other, now)
        if (now <= 1) next.add(other)
      }
    }
    ends = [...next]
  }
  const links = (id: number) => degree.get(id) ?? 0
  const most = Math.max(...[...left].map(links))
  return [...left].filter((id) => links(id) >= most * TOP_SHARE).sort((a, b) => a - b)
}

/**
 * Orders the devices of each layer by the mean position of their neighbours in the adjacent layers, in several passes.
 */
function untangled(rows: readonly (readonly number[])[], near: Near): number[][] {
  const out = rows.map((row) => [...row])
  const at = new Map<number, number>()
  const note = (row: readonly number[]) => {
    row.forEach((id, i) => {
      at.set(id, (i + 0.5) / row.length)
    })
  }
  out.forEach(note)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const order = sweep % 2 === 0 ? out.keys() : [...out.keys()].reverse()
    for (const r of order) {
      const row = out[r] ?? []
      const beside = new Set(out[sweep % 2 === 0 ? r - 1 : r + 1] ?? [])
      if (beside.size === 0) continue
      const middle = new Map(
        row.map((id) => {
          const seen = [...(near.get(id) ?? [])]
            .filter((other) => beside.has(other))
            .map((other) => at.get(other) ?? 0.5)
          return [id, seen.length === 0 ? (at.get(id) ?? 0.5) : seen.reduce((a, b) => a + b, 0) / seen.length] as const
        }),
      )
      row.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0) || a - b)
      note(row)
    }
  }
  return out
}

function placed(rows: readonly (readonly number[])[]): Layout {
  const total = rows.reduce((sum, row) => sum + row.length, 0)
  const columns = Math.max(8, Math.ceil(Math.sqrt(total * 0.9)))
  const folded = rows.map((row) => Math.ceil(row.length / columns))
  const widest = Math.max(1, ...rows.map((row, i) => Math.ceil(row.length / Math.max(1, folded[i] ?? 1))))
  const width = widest * (NODE_WIDTH + GAP_X) - GAP_X + 2 * MARGIN
  const places = new Map<number, Place>()
  let y = MARGIN + NODE_HEIGHT / 2
  rows.forEach((row, layer) => {
    const deep = Math.max(1, folded[layer] ?? 1)
    const across = Math.ceil(row.length / deep)
    const step = Math.min((width - 2 * MARGIN + GAP_X) / across, 2.2 * (NODE_WIDTH + GAP_X))
    const left = (width - step * across) / 2 + step / 2
    row.forEach((id, i) => {
      // fill column by column, so that neighbours of one device stay together
      const [column, line] = [Math.floor(i / deep), i % deep]
      places.set(id, { x: round(left + column * step), y: y + line * ROW_HEIGHT, layer, line, lines: deep })
    })
    y += (deep - 1) * ROW_HEIGHT + NODE_HEIGHT + LAYER_GAP
  })
  return { width: round(width), height: Math.max(y - LAYER_GAP - NODE_HEIGHT / 2 + MARGIN, 2 * MARGIN), places }
}

const round = (value: number) => Math.round(value * 10) / 10
