import { describe, expect, test } from 'bun:test'
import type { GraphOutcome } from '../../src/core/base/graphs.ts'
import { createGraphs } from '../../src/graphs/graphs.ts'
import { DARK, THEME } from '../../src/graphs/palette.ts'
import { isTrafficPort } from '../../src/series/traffic-ports.ts'
import { knownSeries, NOW_S } from './fixtures.ts'
import { decode } from './pixels.ts'

const graphsOf = (series = knownSeries({})) => createGraphs({ series, now: () => NOW_S * 1000 })

function image(outcome: GraphOutcome): Uint8Array {
  if (outcome.kind !== 'image') throw new Error(`no image: ${JSON.stringify(outcome)}`)
  return outcome.bytes
}

describe('every graph of the catalogue is drawn', () => {
  test.each(['port_bits', 'port_upkts', 'port_nupkts', 'port_errors'])('%s', async (type) => {
    const outcome = await graphsOf().port(1, type, {})
    expect(outcome).toMatchObject({ kind: 'image', contentType: 'image/png' })
    expect(await decode(image(outcome))).toMatchObject({ width: 1075, height: 300 })
  })
  test.each([
    'device_bits',
    'device_uptime',
    'device_poller_perf',
    'device_icmp_perf',
    'device_processor',
    'device_mempool',
    'device_storage',
    'device_temperature',
    'device_voltage',
    'device_dbm',
    'device_state',
  ])('%s', async (type) => {
    expect(await graphsOf().device(1, type, {})).toMatchObject({ kind: 'image' })
  })
})

describe('refusals', () => {
  test.each(['port_nothing', '', 'device_bits', 'constructor'])('a port has no graph %p', async (type) => {
    expect(await graphsOf().port(1, type, {})).toEqual({ kind: 'unknown-type', message: `${type} template missing` })
  })
  test.each(['device_nothing', 'port_bits', 'device_constructor', 'device_'])(
    'a device has no graph %p',
    async (type) => {
      expect(await graphsOf().device(1, type, {})).toEqual({
        kind: 'unknown-type',
        message: `${type} template missing`,
      })
    },
  )
  test('an invalid time', async () => {
    expect(await graphsOf().port(1, 'port_bits', { from: 'whenever' })).toEqual({
      kind: 'bad-time',
      message: "'from' is not a time: whenever",
    })
  })
  test('a port that never had a sample', async () => {
    expect(await graphsOf(knownSeries({ value: () => Number.NaN })).port(1, 'port_bits', {})).toEqual({
      kind: 'no-data',
    })
  })
  test('a device without sensors of the class', async () => {
    expect(await graphsOf(knownSeries({ names: [] })).device(1, 'device_temperature', {})).toEqual({ kind: 'no-data' })
  })
})

test('an empty range of a port with samples gives an image', async () => {
  const series = knownSeries({ value: (t) => (t < NOW_S - 30 * 86_400 ? 1 : Number.NaN) })
  expect(await graphsOf(series).port(1, 'port_bits', {})).toMatchObject({ kind: 'image' })
})

describe('sizes', () => {
  test.each([
    [{ width: '212', height: '100' }, 212, 100],
    [{ width: '100', height: '30' }, 100, 30],
    [{ width: '4000', height: '2000' }, 4000, 2000],
    [{ width: 'wide', height: '' }, 1075, 300],
    [{ width: '100.6' }, 101, 300],
  ])('%p', async (options, width, height) => {
    expect(await decode(image(await graphsOf().port(1, 'port_bits', options)))).toMatchObject({ width, height })
  })
})

describe('rejected sizes', () => {
  test.each([
    [{ width: '0' }, "'width' is not from 16 to 4000"],
    [{ width: '1e9' }, "'width' is not from 16 to 4000"],
    [{ width: 'Infinity' }, "'width' is not from 16 to 4000"],
    [{ height: '-5' }, "'height' is not from 10 to 2000"],
    [{ height: '2001' }, "'height' is not from 10 to 2000"],
    [{ output: 'json', max_points: '0' }, "'max_points' is not from 2 to 4000"],
  ])('%p', async (options, message) => {
    expect(await graphsOf().port(1, 'port_bits', options)).toEqual({ kind: 'bad-size', message })
  })
})

describe('outputs', () => {
  const options = { from: '-1d', width: '600', height: '200' }
  test('json has the values that the image shows, in the same unit', async () => {
    const series = knownSeries({ value: (t) => (t < NOW_S - 3600 ? Number.NaN : 1000) })
    const outcome = await graphsOf(series).port(1, 'port_bits', { ...options, output: 'json' })
    if (outcome.kind !== 'figures') throw new Error(outcome.kind)
    const { time, step, series: drawn } = outcome.figures
    expect([time[0], step, time.length]).toEqual([NOW_S - 86_400, 300, 288])
    expect(drawn.map(({ name, unit, now, avg }) => ({ name, unit, now, avg }))).toEqual([
      { name: 'In', unit: 'bit/s', now: 8000, avg: 8000 },
      { name: 'Out', unit: 'bit/s', now: 8000, avg: 8000 },
    ])
    expect(drawn[0]?.values.slice(275, 278)).toEqual([null, 8000, 8000])
  })
  test('json has no more points than are requested', async () => {
    const outcome = await graphsOf().port(1, 'port_bits', { from: '-30d', output: 'json', max_points: '50' })
    if (outcome.kind !== 'figures') throw new Error(outcome.kind)
    expect(outcome.figures.time.length).toBeLessThanOrEqual(50)
    expect(outcome.figures.series[0]?.values).toHaveLength(outcome.figures.time.length)
  })
  test.each([{ output: 'svg' }, { graph_type: 'svg' }])('%p is an SVG of the same size', async (as) => {
    const outcome = await graphsOf().port(1, 'port_bits', { ...options, ...as })
    if (outcome.kind !== 'image') throw new Error(outcome.kind)
    expect(outcome.contentType).toBe('image/svg+xml')
    const text = new TextDecoder().decode(outcome.bytes)
    expect(text).toStartWith('<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200"')
    expect(text.length).toBeLessThan(20_000)
    // a third-party renderer can read it
    expect(await decode(outcome.bytes)).toMatchObject({ width: 600, height: 200 })
  })
  test('a name from a device cannot break out of an SVG', async () => {
    const series = { ...knownSeries({}), portName: async () => '<script>alert(1)</script>&\u0000\ud800"' }
    const outcome = await graphsOf(series).port(1, 'port_bits', { ...options, output: 'svg', title: 'yes' })
    const text = new TextDecoder().decode(image(outcome))
    expect(text).toContain('&lt;script&gt;')
    expect(text).not.toContain('<script')
    expect(text).not.toContain('\u0000')
  })
  test('theme=dark has light text on dark paper', async () => {
    const picture = await decode(image(await graphsOf().port(1, 'port_bits', { ...options, theme: 'dark' })))
    expect(picture.at(599, 0)).toBe(DARK.paper)
  })
})

describe('what graphs read', () => {
  test('a month of a port has 5-minute buckets, for the 95th percentile of bills', async () => {
    const series = knownSeries({})
    await graphsOf(series).port(1, 'port_bits', { from: '-30d' })
    expect(series.asked[0]?.window).toMatchObject({ fromS: NOW_S - 30 * 86_400, toS: NOW_S, stepS: 300 })
  })
  test.each([
    ['-10m', 1],
    ['-1h', 4],
    ['-1d', 100],
    ['-3d', 300],
  ])('%s has buckets of %p s, which divide 5 minutes', async (from, stepS) => {
    const series = knownSeries({})
    await graphsOf(series).port(1, 'port_bits', { from })
    expect(series.asked[0]?.window.stepS).toBe(stepS)
  })
  test('half a year has one bucket per pixel of the plot', async () => {
    const series = knownSeries({})
    await graphsOf(series).port(1, 'port_bits', { from: '-180d', width: '1000' })
    expect(series.asked[0]?.window.stepS).toBe(Math.ceil((180 * 86_400) / (1000 - 66 - 1)))
  })
  test('a year has buckets of a day', async () => {
    const series = knownSeries({})
    await graphsOf(series).port(1, 'port_bits', { from: '-365d' })
    expect(series.asked[0]?.window.stepS).toBe(86_400)
  })
  test('device_bits adds up the ports that count', async () => {
    const port = {
      ifName: 'Gi0/1',
      ifDescr: 'GigabitEthernet0/1',
      ifType: 'ethernetCsmacd',
      disabled: false,
      deleted: false,
    }
    const series = knownSeries({
      ports: [
        { ...port, portId: 1 },
        { ...port, portId: 2, deleted: true },
        { ...port, portId: 3 },
      ],
    })
    await graphsOf(series).device(9, 'device_bits', {})
    expect(series.asked[0]?.portIds).toEqual([1, 3])
  })
})

test.each([
  { name: 'an Ethernet port counts', port: {}, want: true },
  { name: 'a disabled port does not', port: { disabled: true }, want: false },
  { name: 'nor a deleted port', port: { deleted: true }, want: false },
  { name: 'nor a bundle', port: { ifType: 'ieee8023adLag' }, want: false },
  { name: 'nor a VLAN', port: { ifType: 'l2vlan' }, want: false },
  { name: 'nor a virtual port', port: { ifType: 'propVirtual' }, want: false },
  { name: 'nor a port named Loopback', port: { ifName: 'Loopback0' }, want: false },
  { name: 'nor a port described as a tunnel', port: { ifDescr: 'Tunnel7' }, want: false },
  { name: 'nor a bond', port: { ifName: 'bond0' }, want: false },
  { name: 'one without names and type counts', port: { ifName: null, ifDescr: null, ifType: null }, want: true },
])('$name', ({ port, want }) => {
  const plain = {
    portId: 1,
    ifName: 'Gi0/1',
    ifDescr: 'GigabitEthernet0/1',
    ifType: 'ethernetCsmacd',
    disabled: false,
    deleted: false,
  }
  expect(isTrafficPort({ ...plain, ...port })).toBe(want)
})

test('graphs of a device: poller and ping first, then by name', async () => {
  const series = knownSeries({
    has: {
      ports: 2,
      kinds: ['processor', 'mempool', 'storage', 'module_time'],
      sensorClasses: ['voltage', 'charge', 'no-such-class'],
    },
  })
  expect(await graphsOf(series).deviceTypes(1)).toEqual([
    { name: 'device_poller_perf', desc: 'Poller Time' },
    { name: 'device_icmp_perf', desc: 'Ping Response' },
    { name: 'device_availability', desc: 'Device Availability' },
    { name: 'device_bits', desc: 'Total Traffic' },
    { name: 'device_charge', desc: 'Battery Charge' },
    { name: 'device_mempool', desc: 'Memory Usage' },
    { name: 'device_ping_perf', desc: 'Ping Response' },
    { name: 'device_poller_modules_perf', desc: 'Poller Modules Performance' },
    { name: 'device_processor', desc: 'Processor Usage' },
    { name: 'device_storage', desc: 'Filesystem Usage' },
    { name: 'device_uptime', desc: 'System Uptime' },
    { name: 'device_voltage', desc: 'voltage' },
  ])
})

test('concurrent graphs are all drawn, and a failing one does not stop the others', async () => {
  const good = knownSeries({})
  const graphs = createGraphs({
    series: { ...good, values: () => Promise.reject(new Error('database away')) },
    now: () => NOW_S * 1000,
  })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) =>
      i % 5 === 2 ? graphs.device(1, 'device_uptime', {}) : graphs.port(1, 'port_bits', { width: `${300 + i}` }),
    ),
  )
  expect(outcomes.filter((o) => o.status === 'rejected')).toHaveLength(4)
  for (const [i, o] of outcomes.entries())
    if (o.status === 'fulfilled') expect((await decode(image(o.value))).width).toBe(300 + i)
})

test('memory stays flat over hundreds of images', async () => {
  const graphs = graphsOf()
  const draw = async (n: number) => {
    for (let i = 0; i < n; i++)
      image(await graphs.port(1, 'port_bits', { width: i % 2 === 0 ? '1075' : '600', height: '300' }))
  }
  await draw(150)
  const before = process.memoryUsage.rss()
  await draw(400)
  // leaked images cost 1.3 MB each: 500 MB for 400 of them; other test files of the process leave garbage too
  expect((process.memoryUsage.rss() - before) / 1e6).toBeLessThan(300)
}, 60_000)

describe('outages', () => {
  const outages = [{ startS: NOW_S - 40_000, endS: NOW_S - 30_000 }]
  const svgOf = async (of: (graphs: ReturnType<typeof createGraphs>) => Promise<GraphOutcome>, known = outages) => {
    const series = knownSeries({ shades: { outages: known, maintenance: [] } })
    const outcome = await of(createGraphs({ series, now: () => NOW_S * 1000 }))
    return outcome.kind === 'image' ? new TextDecoder().decode(outcome.bytes) : outcome.kind
  }
  const drawing = {
    label: 'Traffic',
    unit: 'bit/s',
    fromS: NOW_S - 86_400,
    toS: NOW_S,
    timeS: Float64Array.of(NOW_S - 86_400),
    stepS: 86_400,
    series: [{ label: 'In', as: 'in' as const, values: Float64Array.of(1) }],
  }

  test('of its device shade the graph of a service', async () => {
    const subject = { deviceId: 1, datasetId: 2, label: 'time', unit: 's' }
    expect(await svgOf((graphs) => graphs.service(subject, { output: 'svg' }))).toContain(THEME.outage)
    expect(await svgOf((graphs) => graphs.service(subject, { output: 'svg' }), [])).not.toContain(THEME.outage)
  })
  test('shade a drawing that names its device, and no other', async () => {
    expect(await svgOf((graphs) => graphs.drawing({ ...drawing, deviceId: 1 }, { output: 'svg' }))).toContain(
      THEME.outage,
    )
    expect(await svgOf((graphs) => graphs.drawing(drawing, { output: 'svg' }))).not.toContain(THEME.outage)
  })
})
