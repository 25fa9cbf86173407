import { NODE_HEIGHT, NODE_WIDTH, type Place } from '../../../core/lists/network-service.ts'

/** Size of a label, pixels. */
export const LABEL = { width: 36, height: 16 } as const

/** The middle of a label, pixels. */
export interface Spot {
  readonly x: number
  readonly y: number
}

/** Where on its line a label is tried, from the upper box (0) to the lower one (1). */
const SHARES = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8]

/**
 * Where the labels of lines go, in order: in the middle of the line, elsewhere on it if another label is there, and in
 * the middle if nowhere is room.
 */
export function labelSpots(lines: readonly (readonly [Place, Place])[]): readonly Spot[] {
  const taken = new Map<string, Spot[]>()
  const cell = ({ x, y }: Spot, right = 0, down = 0) =>
    `${Math.floor(x / LABEL.width) + right} ${Math.floor(y / LABEL.height) + down}`
  const isFree = (spot: Spot): boolean =>
    [-1, 0, 1].every((right) =>
      [-1, 0, 1].every((down) =>
        (taken.get(cell(spot, right, down)) ?? []).every(
          ({ x, y }) => Math.abs(x - spot.x) >= LABEL.width || Math.abs(y - spot.y) >= LABEL.height,
        ),
      ),
    )
  return lines.map(([a, b]) => {
    const spots = spotsOn(a, b)
    const spot = spots.find(isFree) ?? spots[0] ?? a
    const beside = taken.get(cell(spot))
    if (beside === undefined) taken.set(cell(spot), [spot])
    else beside.push(spot)
    return spot
  })
}

/** Places on a line, the best first. In a folded layer there is only one, at the box where the line ends. */
function spotsOn(a: Place, b: Place): readonly Spot[] {
  if (a.y === b.y) return [{ x: (a.x + b.x) / 2, y: a.y + NODE_HEIGHT / 2 + 8 }]
  const [up, low] = a.y < b.y ? [a, b] : [b, a]
  if (low.lines > 1) return [{ x: low.x + NODE_WIDTH / 2 - 20, y: low.y - NODE_HEIGHT / 2 }]
  const from = up.y + NODE_HEIGHT / 2
  const deep = low.y - NODE_HEIGHT / 2 - from
  // the curve that `path` draws, whose ends are vertical
  return SHARES.map((t) => ({
    x: round(up.x + (low.x - up.x) * (3 * t ** 2 - 2 * t ** 3)),
    y: round(from + deep * (1.5 * t * (1 - t) + t ** 3)),
  }))
}

const round = (value: number) => Math.round(value * 10) / 10
