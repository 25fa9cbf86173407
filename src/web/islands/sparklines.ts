import { all } from './dom.ts'

/** One hour of a small chart: id, hour from 0 to 23, value above and value below the axis. */
type Point = readonly [id: number, at: number, above: number | null, below: number | null]

const SVG = 'http://www.w3.org/2000/svg'
const WIDTH = 104
const HEIGHT = 24
const HOURS = 24
/** The server's limit of charts per request. */
const AT_ONCE = 200

const known = new Map<string, readonly Point[]>()
const asked = new Set<string>()

/** Draws the small charts of the page, including those in replaced rows; reads all new ones at once. */
export function drawSparks(): void {
  const fresh = new Map<string, number[]>()
  for (const svg of all<SVGSVGElement>('svg[data-spark]')) {
    const key = svg.dataset['spark'] ?? ''
    const points = known.get(key)
    if (points !== undefined) {
      if (svg.childElementCount === 0) draw(svg, points)
      continue
    }
    if (asked.has(key)) continue
    asked.add(key)
    const [kind = '', id = ''] = key.split(':')
    fresh.set(kind, [...(fresh.get(kind) ?? []), Number(id)])
  }
  for (const [kind, ids] of fresh) {
    for (let i = 0; i < ids.length; i += AT_ONCE) void read(kind, ids.slice(i, i + AT_ONCE))
  }
}

async function read(kind: string, ids: readonly number[]): Promise<void> {
  const answer = await fetch(`/graph/sparks/${kind}?ids=${ids.join()}`, { redirect: 'manual' }).catch(() => null)
  if (answer?.ok !== true) return
  const points = (await answer.json()) as readonly Point[]
  const byId = Map.groupBy(points, ([id]) => id)
  for (const id of ids) known.set(`${kind}:${id}`, byId.get(id) ?? [])
  drawSparks()
}

function draw(svg: SVGSVGElement, points: readonly Point[]): void {
  const add = (name: string, d: string) => {
    const path = document.createElementNS(SVG, 'path')
    path.setAttribute('class', name)
    path.setAttribute('d', d)
    svg.append(path)
  }
  if (points.length === 0) {
    add('z', `M0 ${HEIGHT - 1}H${WIDTH}`)
    return
  }
  const hasBelow = points.some(([, , , below]) => below !== null)
  const above = columnOf(points, 2)
  const below = columnOf(points, 3)
  const tops = above.filter((value) => value !== null)
  // Values are scaled to their own range, rates start at zero.
  const least = hasBelow ? 0 : Math.min(...tops)
  const most = Math.max(...tops, ...below.filter((value) => value !== null))
  const room = hasBelow ? HEIGHT / 2 - 1 : HEIGHT - 4
  const zero = hasBelow ? HEIGHT / 2 : HEIGHT - 2
  const scale = (value: number) => (most > least ? ((value - least) / (most - least)) * room : hasBelow ? 0 : room / 2)
  for (const [values, sign, fill, line] of [
    [above, -1, 'fi', 'li'],
    [below, 1, 'fo', 'lo'],
  ] as const) {
    const [area, edge] = pathsOf(values, (value) => zero + sign * scale(value), zero)
    if (hasBelow) add(fill, area)
    add(line, edge)
  }
  if (hasBelow) add('z', `M0 ${zero}H${WIDTH}`)
}

function columnOf(points: readonly Point[], column: 2 | 3): (number | null)[] {
  const values = Array.from<number | null>({ length: HOURS }).fill(null)
  for (const point of points) if (point[1] >= 0 && point[1] < HOURS) values[point[1]] = point[column]
  return values
}

/** A step line over the known hours, and the area between it and the axis. */
function pathsOf(
  values: readonly (number | null)[],
  y: (value: number) => number,
  zero: number,
): readonly [area: string, edge: string] {
  const x = (hour: number) => ((hour * WIDTH) / HOURS).toFixed(1)
  let [area, edge] = ['', '']
  let isOpen = false
  values.forEach((value, hour) => {
    if (value === null) {
      isOpen = false
      return
    }
    const height = y(value).toFixed(1)
    area += `M${x(hour)} ${zero}V${height}H${x(hour + 1)}V${zero}Z`
    edge += `${isOpen ? 'V' : `M${x(hour)} `}${height}H${x(hour + 1)}`
    isOpen = true
  })
  return [area, edge]
}
