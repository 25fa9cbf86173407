import { expect, test } from 'bun:test'
import { layoutOf } from '../../src/core/lists/topology-layout.ts'
import { LABEL, labelSpots, type Spot } from '../../src/web/pages/topology/labels.ts'

const overlaps = (spots: readonly Spot[]): number =>
  spots.flatMap((a, i) =>
    spots.slice(i + 1).filter((b) => Math.abs(a.x - b.x) < LABEL.width && Math.abs(a.y - b.y) < LABEL.height),
  ).length

test('labels of crossing lines do not cover each other', () => {
  // two cores, each linked with the other and with six others
  const edges = [[1, 2] as const, ...[3, 4, 5, 6, 7, 8].flatMap((id) => [[1, id] as const, [2, id] as const])]
  const { places } = layoutOf([...new Set(edges.flat())], edges)
  const lines = edges.flatMap(([a, b]) => {
    const [from, to] = [places.get(a), places.get(b)]
    return from === undefined || to === undefined ? [] : [[from, to] as const]
  })
  expect(lines).toHaveLength(edges.length)
  const middles = lines.map(([a, b]) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }))
  expect(overlaps(middles)).toBeGreaterThan(0)
  expect(overlaps(labelSpots(lines))).toBe(0)
  expect(labelSpots(lines)).toEqual(labelSpots(lines))
})

test('more labels than there is room for are all placed', () => {
  const place = { x: 0, y: 0, layer: 0, line: 0, lines: 1 }
  const lines = Array.from({ length: 2000 }, () => [place, { ...place, y: 100, layer: 1 }] as const)
  const spots = labelSpots(lines)
  expect(spots).toHaveLength(2000)
  expect(spots.every(({ x, y }) => x === 0 && y > 0 && y < 100)).toBe(true)
})
