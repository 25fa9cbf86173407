import { afterAll, describe, expect, test } from 'bun:test'
import type { GraphOutcome } from '../../src/core/base/graphs.ts'
import { createGraphs } from '../../src/graphs/graphs.ts'
import { PAINTS, THEME } from '../../src/graphs/palette.ts'
import { storedSeries } from '../../src/graphs/store-source.ts'
import { testDatabase } from '../support/database.ts'
import { decode, type Pixels } from './pixels.ts'

const database = await testDatabase()
afterAll(() => database.drop())
const { store } = database
const { sql } = store

/** The last whole 5 minutes. */
const NOW_S = Math.floor(Date.now() / 300_000) * 300
const SETTINGS = { 'poller.interval': 300, 'ping.interval': 60, 'series.gap_intervals': 3 }
const graphs = createGraphs({ series: storedSeries(store, { get: (name) => SETTINGS[name] }), now: () => NOW_S * 1000 })

async function addDevice(hostname: string): Promise<number> {
  const [row] = await sql<
    { device_id: number }[]
  >`insert into devices (hostname) values (${hostname}) returning device_id`
  return row?.device_id ?? Number.NaN
}

async function addPort(deviceId: number, ifIndex: number, ifName: string): Promise<number> {
  const [row] = await sql<{ port_id: number }[]>`
    insert into ports (device_id, "ifIndex", "ifName", "ifType") values (${deviceId}, ${ifIndex}, ${ifName}, 'ethernetCsmacd')
    returning port_id`
  return row?.port_id ?? Number.NaN
}

/** A sample every 5 minutes for six hours, except in the third hour. In: 1 MB/s, out: 0.5 MB/s. */
async function addTraffic(portId: number): Promise<void> {
  await sql`
    insert into ts.port_samples ("time", port_id, period_ms, in_octets, out_octets)
    select to_timestamp(t), ${portId}, 300000, 300000000, 150000000
    from generate_series(${NOW_S - 6 * 3600}::int, ${NOW_S}::int, 300) t
    where t <= ${NOW_S - 4 * 3600} or t > ${NOW_S - 3 * 3600}`
}

async function picture(outcome: GraphOutcome): Promise<Pixels> {
  if (outcome.kind !== 'image') throw new Error(`no image: ${JSON.stringify(outcome)}`)
  return decode(outcome.bytes)
}

/** Height in pixels of a colour in a column of an image. */
function heightOf(image: Pixels, x: number, colour: string): number {
  return Array.from({ length: image.height }, (_, y) => image.distance(x, y, colour)).filter((d) => d < 8).length
}

await sql`select ts.ensure_partitions('ts.port_samples'::regclass, to_timestamp(${NOW_S - 86_400}))`
const device = await addDevice('core1.example.net')
const uplink = await addPort(device, 1, 'Gi0/1')
const other = await addPort(device, 2, 'Gi0/2')
const vlan = await addPort(device, 3, 'Vlan10')
await addTraffic(uplink)
await addTraffic(other)
await addTraffic(vlan)

describe('stored traffic', () => {
  test('is drawn with in twice as high as out, and a gap where there were no polls', async () => {
    const image = await picture(await graphs.port(uplink, 'port_bits', { from: '-6h', legend: 'no' }))
    // the plot has 1010 pixels for six hours, starting at pixel 51; the columns are in the second, third and last hour
    const [before, gap, after] = [230, 470, 890]
    for (const x of [before, after]) {
      const [above, below] = [heightOf(image, x, PAINTS.in.fill), heightOf(image, x, PAINTS.out.fill)]
      expect(below).toBeGreaterThan(40)
      expect(above / below).toBeGreaterThan(1.8)
      expect(above / below).toBeLessThan(2.2)
    }
    expect(heightOf(image, gap, PAINTS.in.fill)).toBe(0)
    expect(heightOf(image, gap, THEME.paper)).toBeGreaterThan(200)
  })
  test('of a device is the sum of the ports that count', async () => {
    expect(await graphs.device(device, 'device_bits', { from: '-6h' })).toMatchObject({ kind: 'image' })
  })
  test('is missing for a port without samples', async () => {
    expect(await graphs.port(await addPort(device, 4, 'Gi0/4'), 'port_bits', {})).toEqual({ kind: 'no-data' })
  })
  test('is an empty image in an earlier range', async () => {
    expect(await graphs.port(uplink, 'port_bits', { from: 'now-3d', to: 'now-2d' })).toMatchObject({ kind: 'image' })
  })
  test('is found in the roll-ups of ten years', async () => {
    await sql`select ts.late('port', array(select date_bin('1 hour', "time", timestamptz '2000-01-03') from ts.port_samples))`
    await sql`select ts.roll('ts.port_1h'::regclass, 1000)`
    await sql`select ts.roll('ts.port_1d'::regclass, 1000)`
    const image = await picture(await graphs.port(uplink, 'port_bits', { from: '-10y', legend: 'no' }))
    expect(heightOf(image, 1060, PAINTS.in.fill)).toBeGreaterThan(40)
  })
})

test('other series of a device have the names that graphs use', async () => {
  const server = await addDevice('server1')
  await sql`select ts.ensure_partitions(rel, to_timestamp(t)) from ts.series, unnest(array[${NOW_S - 86_400}::float8, ${NOW_S}::float8]) t where level = 'samples'`
  await sql`insert into ts.device_samples ("time", device_id, uptime_s, took_ms, requests, timeouts)
    select to_timestamp(t), ${server}, t, 800, 10, 0 from generate_series(${NOW_S - 3600}::int, ${NOW_S}::int, 300) t`
  await sql`insert into ts.icmp_samples ("time", device_id, rtt_avg, rtt_min, rtt_max, sent, received)
    select to_timestamp(t), ${server}, 3, 2, 5, 3, 3 from generate_series(${NOW_S - 3600}::int, ${NOW_S}::int, 60) t`
  const types = ['device_uptime', 'device_poller_perf', 'device_icmp_perf']
  for (const type of types) {
    const image = await picture(await graphs.device(server, type, { from: '-1h', legend: 'no' }))
    const colours = type === 'device_icmp_perf' ? PAINTS.spread.fill : PAINTS.neutral.fill
    expect(heightOf(image, 601, colours)).toBeGreaterThan(50)
  }
})

test('a device has graphs of what was discovered, and of its polls if there were any', async () => {
  const names = async (id: number) => (await graphs.deviceTypes(id)).map((t) => t.name)
  expect(await names(device)).toEqual(['device_poller_perf', 'device_icmp_perf', 'device_bits'])
  const [server] = await sql<{ device_id: number }[]>`select device_id from devices where hostname = 'server1'`
  expect(await names(server?.device_id ?? 0)).toEqual([
    'device_poller_perf',
    'device_icmp_perf',
    'device_availability',
    'device_ping_perf',
    'device_uptime',
  ])
})

test('titles name the port', async () => {
  const source = storedSeries(store, { get: (name) => SETTINGS[name] })
  expect(await source.portName(uplink)).toBe('core1.example.net Gi0/1')
  expect(await source.deviceName(device)).toBe('core1.example.net')
  expect(await source.portName(2_000_000_000)).toBeNull()
})

test('sensors and wireless sensors are drawn by class or individually', async () => {
  const radio = await addDevice('radio1')
  await sql`insert into sensors (device_id, sensor_class, sensor_type, sensor_index, sensor_oid, sensor_descr)
    values (${radio}, 'voltage', 'test', '1', '1.3', 'PSU')`
  const found = await sql<{ sensor_id: number }[]>`
    insert into wireless_sensors (device_id, sensor_class, sensor_type, sensor_index, sensor_descr, sensor_oids) values
      (${radio}, 'noise-floor', 'test', '1', 'Radio 1', '[]'), (${radio}, 'noise-floor', 'test', '2', 'Radio 2', '[]')
    returning sensor_id`
  const [first, second] = found.map((row) => row.sensor_id)
  await sql`insert into ts.wireless_samples ("time", sensor_id, value)
    select to_timestamp(t), ${first ?? 0}, -95 from generate_series(${NOW_S - 3600}::int, ${NOW_S}::int, 300) t`
  const type = 'device_wireless_noise-floor'
  expect((await graphs.deviceTypes(radio)).map((t) => t.name)).toContain(type)
  expect(await graphs.device(radio, type, { from: '-1h' })).toMatchObject({ kind: 'image' })
  expect(await graphs.device(radio, type, { from: '-1h' }, first)).toMatchObject({ kind: 'image' })
  // the second has no samples; another device's sensor does not belong to this one
  expect(await graphs.device(radio, type, { from: '-1h' }, second)).toEqual({ kind: 'no-data' })
  expect(await graphs.device(device, type, { from: '-1h' }, first)).toEqual({ kind: 'no-data' })
  expect(await graphs.device(radio, 'device_voltage', {})).toEqual({ kind: 'no-data' })
  expect(await graphs.device(radio, 'device_wireless_nonsense', {})).toMatchObject({ kind: 'unknown-type' })
})
