import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { deviceGraph } from '../../src/graphs/catalogue/devices.ts'
import type { GraphType } from '../../src/graphs/catalogue/graph-type.ts'
import { portGraph } from '../../src/graphs/catalogue/ports.ts'
import { layout } from '../../src/graphs/layout.ts'
import { DARK, THEME } from '../../src/graphs/palette.ts'
import { createRenderer } from '../../src/graphs/render.ts'
import type { Scene } from '../../src/graphs/scene.ts'
import type { NamedSeries, SeriesData } from '../../src/graphs/series-source.ts'
import { renderSvg } from '../../src/graphs/svg.ts'
import { traces } from '../../src/graphs/trace.ts'
import { inZone } from '../lib/zone.ts'
import { day, NOW_S } from './fixtures.ts'
import { decode, type Pixels } from './pixels.ts'
import { drawnByCanvas } from './raster/canvas.ts'

// Images that were reviewed by eye. GOLDEN=write replaces them; review them again afterwards.

const FOLDER = join(import.meta.dir, 'golden')
const [WIDTH, HEIGHT] = [400, 160]
const renderer = await createRenderer()

const wave = (size: number, phase: number) => (i: number) =>
  i >= 120 && i < 140
    ? Number.NaN
    : Math.round(size * (1.3 + Math.sin((i / 288) * 2 * Math.PI + phase) + 0.2 * (i % 5)))

const data = day({
  in_octets: wave(4e6, 0),
  out_octets: wave(2e6, 1),
  in_err: wave(2, 0),
  out_err: wave(1, 1),
  in_disc: wave(1, 2),
  out_disc: wave(2, 3),
  rtt_avg: wave(10, 0),
  rtt_min: wave(7, 0),
  rtt_max: wave(15, 0),
  loss: (i) => (i > 200 && i < 210 ? 40 : 0),
})

function states(): SeriesData {
  const series = ['PSU 1', 'PSU 2'].map((name, id): NamedSeries => {
    const values = data.timeS.map((_, i) => (i > 100 + 40 * id && i < 160 ? 2 : 1))
    return { name, subject: { id, name }, line: '', values, range: null }
  })
  return { ...data, series }
}
const STATES = new Map(
  [0, 1].map((id) => [
    id,
    [
      { value: 1, name: 'normal', severity: 0 },
      { value: 2, name: 'failed', severity: 2 },
    ],
  ]),
)

function sceneOf(name: string, dark = false): Scene {
  const type: GraphType | null = portGraph(name) ?? deviceGraph(name)
  if (type === null) throw new Error(`no graph ${name}`)
  const drawn = type.states ? states() : data
  const shades = { outages: [{ startS: NOW_S - 14 * 3600, endS: NOW_S - 12.3 * 3600 }], maintenance: [] }
  return inZone('UTC', () =>
    layout(
      {
        type,
        traces: traces(type, drawn, false, { states: STATES }),
        ...drawn,
        fromS: NOW_S - 86_400,
        toS: NOW_S,
        nowS: NOW_S,
        width: WIDTH,
        height: HEIGHT,
        title: name,
        legend: true,
        theme: dark ? DARK : THEME,
        shades,
      },
      renderer.measure,
    ),
  )
}

/** Share of pixels in which a channel differs by more than a 16th; versions differ in how they smooth edges. */
function difference(a: Pixels, b: Pixels): number {
  let off = 0
  for (let y = 0; y < HEIGHT; y++) for (let x = 0; x < WIDTH; x++) if (a.distance(x, y, b.at(x, y)) > 16) off++
  return off / (WIDTH * HEIGHT)
}

describe.each([
  ['port_bits', false],
  ['port_bits', true],
  ['port_errors', false],
  ['device_icmp_perf', false],
  ['device_state', false],
] as const)('%s, dark: %p', (name, dark) => {
  const file = join(FOLDER, `${name}${dark ? '-dark' : ''}.png`)
  const scene = sceneOf(name, dark)

  test('looks as it did when it was reviewed', async () => {
    const bytes = renderer.render(scene)
    if (process.env['GOLDEN'] === 'write') await Bun.write(file, bytes)
    expect(existsSync(file)).toBe(true)
    expect(difference(await decode(bytes), await decode(await Bun.file(file).bytes()))).toBeLessThan(0.01)
  })

  test('looks the same as SVG, apart from its text', async () => {
    const plain = { ...scene, texts: [] }
    const png = await decode(renderer.render(plain))
    const svg = await decode(new TextEncoder().encode(renderSvg(plain)))
    expect(difference(png, svg)).toBeLessThan(0.02)
  })

  test('looks the same as drawn by the canvas', async () => {
    const plain = { ...scene, texts: [] }
    const canvas = await decode(await drawnByCanvas(plain))
    expect(difference(await decode(renderer.render(plain)), canvas)).toBeLessThan(0.015)
    // texts may be shifted by up to half a pixel
    const [ours, theirs] = [await decode(renderer.render(scene)), await decode(await drawnByCanvas(scene))]
    expect(difference(ours, theirs)).toBeLessThan(0.08)
  })
})

test('the comparison detects a change', async () => {
  const [one, other] = [sceneOf('port_bits'), sceneOf('port_errors')]
  expect(difference(await decode(renderer.render(one)), await decode(renderer.render(other)))).toBeGreaterThan(0.02)
})
