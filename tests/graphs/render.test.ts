import { describe, expect, test } from 'bun:test'
import { deviceGraph } from '../../src/graphs/catalogue/devices.ts'
import { portGraph } from '../../src/graphs/catalogue/ports.ts'
import { createBudget } from '../../src/graphs/fairly.ts'
import { lineColour, PAINTS, THEME } from '../../src/graphs/palette.ts'
import { createRenderer } from '../../src/graphs/render.ts'
import type { Scene } from '../../src/graphs/scene.ts'
import { day, sceneOf } from './fixtures.ts'
import { decode } from './pixels.ts'

const renderer = await createRenderer()
const bits = portGraph('port_bits')
const processor = deviceGraph('device_processor')
if (bits === null || processor === null) throw new Error('catalogue lacks a graph')
const N = Number.NaN

/** The middle of box i of an area, away from grid lines. */
function middle(scene: Scene, area: number, i: number): [number, number] {
  const [x0 = N, x1 = N, y = N, base = N] = scene.areas[area]?.steps.subarray(i * 4, i * 4 + 4) ?? []
  const clear = (at: number, lines: readonly number[]) => {
    let free = Math.round(at)
    while (lines.includes(free)) free++
    return free
  }
  return [clear((x0 + x1) / 2, [...scene.gridX, ...scene.minorX]), clear((y + base) / 2, scene.gridY)]
}

describe.each([
  [1075, 300],
  [600, 200],
  [212, 100],
  [2000, 1000],
])('an image of %p x %p', (width, height) => {
  test('has in above, out below and the background in the gap', async () => {
    const data = day({
      in_octets: (i) => (i >= 96 && i < 144 ? N : 1e6),
      out_octets: (i) => (i >= 96 && i < 144 ? N : 6e5),
    })
    const scene = sceneOf(bits, data, { width, height }, renderer.measure)
    const image = await decode(renderer.render(scene))
    expect([image.width, image.height]).toEqual([width, height])
    expect(image.distance(...middle(scene, 0, 10), PAINTS.in.fill)).toBeLessThanOrEqual(3)
    expect(image.distance(...middle(scene, 1, 10), PAINTS.out.fill)).toBeLessThanOrEqual(3)
    const [, y] = middle(scene, 0, 10)
    const gapX = Math.round((scene.plot.left * 7 + scene.plot.right * 5) / 12)
    const clearX = [gapX, gapX + 1, gapX + 2].find((x) => !scene.gridX.includes(x) && !scene.minorX.includes(x)) ?? gapX
    expect(image.at(clearX, y)).toBe(THEME.paper)
    expect(image.at(width - 1, 0)).toBe(THEME.paper)
  })
})

test('a large image leaves time for other work, and is the same', async () => {
  const scene = sceneOf(bits, day({ in_octets: () => 1e6, out_octets: (i) => 6e5 + i }), { width: 4000, height: 2000 })
  let turns = 0
  const count = (): void => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const bytes = await renderer.renderFairly(scene, createBudget())
  clearImmediate(timer)
  expect(turns).toBeGreaterThan(20)
  const [fairly, atOnce] = [await decode(bytes), await decode(renderer.render(scene))]
  for (let y = 0; y < 2000; y += 7)
    for (let x = y % 5; x < 4000; x += 11) if (fairly.at(x, y) !== atOnce.at(x, y)) throw new Error(`${x}, ${y}`)
  expect(atOnce.distance(...middle(scene, 0, 10), PAINTS.in.fill)).toBeLessThanOrEqual(3)
})

test('a line has its colour where its value is', async () => {
  const scene = sceneOf(processor, day({ cpu: () => 37 }), {}, renderer.measure)
  const image = await decode(renderer.render(scene))
  const y = Math.floor(scene.lines[0]?.steps[2] ?? N)
  const x = scene.plot.left + 333
  const near = Math.min(...[y - 1, y, y + 1].map((at) => image.distance(x, at, lineColour(0))))
  expect(near).toBeLessThan(128)
  expect(image.distance(x, y - 6, THEME.paper)).toBeLessThan(30)
})

test('text is drawn with the bundled font', async () => {
  const scene: Scene = {
    ...sceneOf(bits, day({}), { width: 300, height: 60, legend: false }),
    areas: [],
    texts: [{ text: 'MMM', x: 100, y: 40, size: 20, align: 'left', colour: '#000000' }],
  }
  const image = await decode(renderer.render(scene))
  const dark = Array.from({ length: 60 * 20 }, (_, i) =>
    image.distance(100 + (i % 60), 24 + Math.floor(i / 60), '#000000'),
  ).filter((d) => d < 60)
  expect(dark.length).toBeGreaterThan(80)
})

test('a very large image is drawn as well', async () => {
  const scene = sceneOf(
    bits,
    day({ in_octets: () => 1e6, out_octets: () => 1e6 }),
    { width: 4000, height: 2000 },
    renderer.measure,
  )
  const image = await decode(renderer.render(scene))
  expect([image.width, image.height]).toEqual([4000, 2000])
  expect(image.distance(...middle(scene, 0, 10), PAINTS.in.fill)).toBeLessThanOrEqual(3)
})

test('drawing the same graph twice gives identical bytes', () => {
  const scene = sceneOf(bits, day({ in_octets: (i) => i, out_octets: (i) => i }), {}, renderer.measure)
  const first = renderer.render(scene)
  renderer.render(sceneOf(processor, day({ cpu: () => 50 }), {}, renderer.measure))
  expect(Buffer.compare(first, renderer.render(scene))).toBe(0)
})
