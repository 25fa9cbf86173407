import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { GraphFigures, GraphOutcome } from '../../src/core/base/graphs.ts'
import { deviceGraph } from '../../src/graphs/catalogue/devices.ts'
import type { GraphType } from '../../src/graphs/catalogue/graph-type.ts'
import { portGraph } from '../../src/graphs/catalogue/ports.ts'
import { createGraphs } from '../../src/graphs/graphs.ts'
import { layout, plottedFor } from '../../src/graphs/layout.ts'
import type { SeriesData, SeriesSource } from '../../src/graphs/series-source.ts'
import { storedSeries } from '../../src/graphs/store-source.ts'
import { drawnType, traces } from '../../src/graphs/trace.ts'
import { SENSOR_CLASSES } from '../../src/lib/sensor-classes.ts'
import { STAT_GRAPHS } from '../../src/lib/system-stats.ts'
import { WIRELESS_UNITS } from '../../src/lib/wireless-classes.ts'
import { hasCounters, type SampleKind } from '../../src/series/kind.ts'
import { KIND_LIST, KINDS, NARROW_NAMES, type NarrowName } from '../../src/series/kinds.ts'
import { testDatabase } from '../support/database.ts'
import { plainMeasure } from './fixtures.ts'

// What a graph draws, what it returns as JSON, and what PostgreSQL computes from the stored samples must agree.

const database = await testDatabase()
afterAll(() => database.drop())
const { store } = database
const { sql } = store

const STEP_S = 300
/** A day that ends some hours ago, in whole hours. */
const TO_S = Math.floor(Date.now() / 3_600_000) * 3600 - 4 * 3600
const FROM_S = TO_S - 86_400
/** Samples start before the day and end after it. */
const [FIRST_S, LAST_S] = [FROM_S - 7200, TO_S + 7200]
const TOLERANCE = 1e-9

const SETTINGS = { 'poller.interval': STEP_S, 'ping.interval': STEP_S, 'series.gap_intervals': 3 }
let lastRead: SeriesData | null = null
const stored = storedSeries(store, { get: (name) => SETTINGS[name] })
const graphs = createGraphs({ series: remembering(stored), now: Date.now })
/** Graphs that read the hourly roll-up, as those of longer ranges do. */
const hourly = createGraphs({
  series: remembering({
    ...stored,
    ports: (ids, window, counters) => stored.ports(ids, { ...window, level: '1h' }, counters),
    values: (kind, of, window, lines) => stored.values(kind, of, { ...window, level: '1h' }, lines),
  }),
  now: Date.now,
})

/** A source that records the data of the last graph. */
function remembering(source: SeriesSource): SeriesSource {
  const keep = async (data: Promise<SeriesData>) => {
    lastRead = await data
    return lastRead
  }
  return {
    ...source,
    ports: (ids, window, counters) => keep(source.ports(ids, window, counters)),
    values: (kind, of, window, lines) => keep(source.values(kind, of, window, lines)),
  }
}

let state = 20_261_122
/** Random number from 0 to 1, the same in every run. */
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}

let deviceId = 0
const ports: number[] = []

/** The ids of a kind's subjects on the device, in order. */
async function subjects(name: NarrowName, sensorClass?: string): Promise<readonly number[]> {
  const { subject } = KINDS[name] as SampleKind
  if (name === 'service') return [1]
  if (subject.table === 'devices') return [deviceId]
  const rows = await sql.unsafe<{ id: number }[]>(
    `select ${subject.id} as id from ${subject.table} where device_id = $1
       ${subject.class === undefined || sensorClass === undefined ? '' : `and ${subject.class} = '${sensorClass}'`} order by 1`,
    [deviceId],
  )
  return rows.map(({ id }) => id)
}

async function addDevice(): Promise<void> {
  const [device] = await sql<{ device_id: number }[]>`insert into devices (hostname) values ('d1') returning device_id`
  deviceId = device?.device_id ?? 0
  for (const n of [1, 2]) {
    const [port] = await sql<{ port_id: number }[]>`
      insert into ports (device_id, "ifIndex", "ifName", "ifType") values (${deviceId}, ${n}, ${`Gi0/${n}`}, 'ethernetCsmacd')
      returning port_id`
    ports.push(port?.port_id ?? 0)
  }
  for (const n of [1, 2]) {
    await sql`insert into processors (device_id, processor_index, processor_type, processor_oid, processor_descr)
      values (${deviceId}, ${String(n)}, 't', '1.3', 'CPU')`
    await sql`insert into mempools (device_id, mempool_index, mempool_type, mempool_class, mempool_descr)
      values (${deviceId}, ${String(n)}, 't', 'system', ${`Memory ${n}`})`
    await sql`insert into printer_supplies (device_id, supply_index, supply_type, supply_oid, supply_descr)
      values (${deviceId}, ${n}, 'toner', '1.3', ${`Toner ${n}`})`
  }
  await sql`insert into device_modules (device_id, module, rows, requests, took_ms)
    values (${deviceId}, 'arp', 1, 1, 1), (${deviceId}, 'bgp', 1, 1, 1)`
  await sql`insert into storage (device_id, storage_index, storage_type, type, storage_descr)
    values (${deviceId}, '1', 't', 't', '/')`
  await sql`insert into qos_classes (device_id, policy, class, "ifIndex", direction, qos_index, config_index)
    values (${deviceId}, 'WAN', 'voice', 7, 'output', '1.2', 3), (${deviceId}, 'WAN', 'class-default', 7, 'output', '1.3', 4)`
  await sql`insert into stp (device_id, instance) values (${deviceId}, 'VLAN 1'), (${deviceId}, 'VLAN 10')`
  await sql`insert into "bgpPeers" (device_id, "bgpPeerIdentifier", "bgpPeerRemoteAs") values (${deviceId}, '192.0.2.1', 64500)`
  for (const [table, classes] of [
    ['sensors', Object.keys(SENSOR_CLASSES)],
    ['wireless_sensors', Object.keys(WIRELESS_UNITS)],
  ] as const) {
    for (const sensorClass of classes) {
      for (const n of [1, 2])
        await sql`insert into ${sql(table)} ${sql({
          device_id: deviceId,
          sensor_class: sensorClass,
          sensor_type: 't',
          sensor_index: String(n),
          sensor_descr: `${sensorClass} ${n}`,
          ...(table === 'sensors' ? { sensor_oid: '1.3' } : { sensor_oids: '[]' }),
        })}`
    }
  }
  for (const [graph, objects] of Object.entries(STAT_GRAPHS))
    await sql`insert into device_graphs (device_id, graph, objects) values (${deviceId}, ${graph}, ${objects.join(' ')})`
}

/** Random samples of every column of a kind, with unknown values, missing polls and a long gap. */
async function fill(kind: SampleKind, ids: readonly number[]): Promise<void> {
  const counters = hasCounters(kind.columns)
  const rows: Record<string, unknown>[] = []
  for (const id of ids) {
    let before = FIRST_S - STEP_S
    for (let at = FIRST_S; at <= LAST_S; at += STEP_S) {
      const edge =
        Math.min(...[FROM_S, TO_S, FROM_S + 10 * 3600, FROM_S + 11 * 3600].map((s) => Math.abs(at - s))) < 3600
      const inGap = at > FROM_S + 10 * 3600 && at < FROM_S + 11 * 3600
      // never two unknown values in a row, so that only the missing hour is a gap
      const slot = (at / STEP_S) % 4
      if (inGap || (!edge && slot === 0 && random() < 0.2)) continue
      const row: Record<string, unknown> = { time: new Date(at * 1000), [kind.key]: id }
      if (counters) row['period_ms'] = (at - before) * 1000
      before = at
      for (const { name, type, role } of kind.columns) {
        const size = role === 'total' ? 3 : type === 'bigint' ? 5e8 : 90
        const value = random() * size
        const whole = type === 'int' || type === 'bigint'
        row[name] =
          !edge && slot === 2 && role !== 'total' && random() < 0.12
            ? null
            : whole
              ? Math.ceil(value)
              : Math.fround(value)
      }
      rows.push(row)
    }
  }
  for (let i = 0; i < rows.length; i += 200)
    await sql`insert into ${sql(`ts.${kind.name}_samples`)} ${sql(rows.slice(i, i + 200))}`
}

beforeAll(async () => {
  await addDevice()
  await sql`select ts.ensure_partitions(rel, to_timestamp(${FIRST_S})) from ts.series where level = 'samples'`
  for (const kind of KIND_LIST) await fill(kind, kind.name === 'port' ? ports : await subjects(kind.name as NarrowName))
  for (const { name } of KIND_LIST) {
    await sql.unsafe(`update ts.rollup set watermark = to_timestamp(${FIRST_S - 86_400}) where base = '${name}'`)
    await sql.unsafe(`select ts.ensure_partitions(dst, to_timestamp(${FIRST_S})) from ts.rollup where base = '${name}'`)
    await sql.unsafe(`select ts.roll('ts.${name}_1h'::regclass, 1000)`)
  }
}, 180_000)

interface Truth {
  readonly values: ReadonlyMap<number, number>
  readonly avg: number | null
  readonly min: number | null
  readonly max: number | null
  readonly now: number | null
  readonly total: number | null
}

/** A series by plain SQL. `expression` is the value of a sample; `delta` the counter behind it, for totals. */
async function truth(
  kind: SampleKind,
  ids: readonly number[],
  expression: string,
  delta: string | null,
): Promise<Truth> {
  const counters = hasCounters(kind.columns)
  const start = counters
    ? `case when period_ms > 3 * 300000 then null else time - period_ms * interval '1 ms' end`
    : `case when time - lag(time) over w <= interval '15 minutes' then lag(time) over w else time - interval '5 minutes' end`
  const spans = `
    select key, time, start, v, d, ms from (
      select ${kind.key} as key, time, ${start} as start, (${expression})::float8 as v,
        ${delta ?? 'null'}::float8 as d, ${counters ? 'period_ms' : 'null'}::float8 as ms
      from (select * from ts.${kind.name}_samples where ${kind.key} = any('{${ids.join()}}') ${kind.held ? `and (${expression}) is not null` : ''}) s
      window w as (partition by ${kind.key} order by time)) x
    where v is not null`
  const [from, to] = [`to_timestamp(${FROM_S})`, `to_timestamp(${TO_S})`]
  const rows = await sql.unsafe<{ at: number; v: number }[]>(`
    with s as (${spans})
    select extract(epoch from b)::float8 as at, sum(s.v) as v
    from generate_series(${from}, ${to} - interval '5 minutes', interval '5 minutes') b
    join s on s.start <= b and s.time > b group by b order by b`)
  const [figures] = await sql.unsafe<Omit<Truth, 'values'>[]>(`
    with s as (${spans}), i as (
      select *, extract(epoch from least(time, ${to}) - greatest(start, ${from})) as inside from s where start is not null
    )
    select ${
      delta === null
        ? `(select sum(v * inside) / sum(inside) from i where inside > 0) as avg, null as total,
           (select v from i where inside > 0 order by time desc limit 1) as now`
        : `(select sum(d) * 1000 / sum(ms) from s where time >= ${from} and time < ${to}) as avg,
           (select sum(d) from s where time >= ${from} and time < ${to}) as total,
           (select v from s where time >= ${from} and time < ${to} and start is not null order by time desc limit 1) as now`
    },
      (select min(v) from i where inside > 0) as min, (select max(v) from i where inside > 0) as max`)
  if (figures === undefined) throw new Error('no figures')
  return { values: new Map(rows.map(({ at, v }) => [at, v])), ...figures }
}

/** The same by hour, as in roll-ups: a sample belongs to the hour in which it ends. */
async function hourlyTruth({ kind, ids, hourly }: Expected) {
  const rows = await sql.unsafe<{ at: number; v: number | null }[]>(`
    select at, sum(v) as v from (
      select ${kind.key}, extract(epoch from date_bin('1 hour', time, 'epoch'))::float8 as at, (${hourly})::float8 as v
      from ts.${kind.name}_samples s where ${kind.key} = any('{${ids.join()}}')
        and time >= to_timestamp(${FROM_S}) and time < to_timestamp(${TO_S}) group by 1, 2) x group by at`)
  return new Map(rows.flatMap(({ at, v }) => (v === null ? [] : [[at, v] as const])))
}

function numbers(outcome: GraphOutcome): GraphFigures {
  if (outcome.kind !== 'figures') throw new Error(JSON.stringify(outcome))
  return outcome.figures
}

const close = (a: number | null | undefined, b: number | null | undefined, scale = 1): boolean => {
  if (a == null || b == null) return a == null && b == null
  return Math.abs(a - b * scale) <= TOLERANCE * Math.max(1e-300, Math.abs(a), Math.abs(b * scale))
}

/** The stored series of a graph: where their samples are, and the factor to the drawn unit. */
interface Expected {
  readonly kind: SampleKind
  readonly ids: readonly number[]
  readonly expression: string
  /** The counter behind a rate; null: a gauge. */
  readonly delta: string | null
  readonly scale: number
  /** The same over the samples of an hour. */
  readonly hourly: string
}

async function expectedOf(type: GraphType): Promise<readonly Expected[]> {
  if (type.data === 'ports') {
    if (type.elements === 'lines') throw new Error('ports have elements')
    const ids = type.name === 'device_bits' ? ports : ports.slice(0, 1)
    return type.elements.map(({ series, scale }) => ({
      kind: KINDS.port,
      ids,
      expression: `${series} * 1000.0::float8 / period_ms`,
      delta: series,
      scale,
      hourly: `sum(${series}) * 1000.0 / nullif(sum(period_ms) filter (where ${series} is not null), 0)`,
    }))
  }
  const kind: SampleKind = KINDS[type.data]
  const ids = await subjects(type.data, type.sensorClass)
  const of = (id: readonly number[], { name, sample }: { name: string; sample: string }, scale = 1): Expected => {
    // `column * 1000.0::float8 / period_ms`, and 8000.0 for octets as bits
    const [, delta = null, factor] = /^(\w+) \* (1000|8000)/.exec(sample) ?? []
    const mean =
      delta === null
        ? `avg(${sample})`
        : `sum(${delta}) * ${factor}.0 / nullif(sum(period_ms) filter (where ${delta} is not null), 0)`
    const hourly = type.states ? `min(${sample})` : (EXTREMES[name] ?? mean)
    return { kind, ids: id, expression: sample, delta, scale, hourly }
  }
  if (type.elements !== 'lines')
    return type.elements.map(({ series, scale }) =>
      of(ids, { name: series, sample: kind.lines.find((line) => line.name === series)?.sample ?? 'null' }, scale),
    )
  const drawn = kind.lines.filter(
    ({ name }) => (type.lines?.includes(name) ?? true) && !(type.amounts?.includes(name) ?? false),
  )
  return ids.flatMap((id) => drawn.map((line) => of([id], line)))
}

/** Series whose hourly value is not the mean of the samples. */
const EXTREMES: Readonly<Record<string, string>> = {
  rtt_min: 'min(rtt_min)',
  rtt_max: 'max(rtt_max)',
  loss: '100.0 * (sum(sent) - sum(received)) / nullif(sum(sent), 0)',
}

const typed = (name: string): GraphType => {
  const type = portGraph(name) ?? deviceGraph(name)
  if (type === null) throw new Error(`no graph ${name}`)
  return type
}
const range = { from: `${FROM_S}`, to: `${TO_S}`, output: 'json' } as const
const ask = (name: string, options: Readonly<Record<string, string>>, drawing = () => graphs) =>
  name.startsWith('port_') ? drawing().port(ports[0] ?? 0, name, options) : drawing().device(deviceId, name, options)

const NAMES = [
  ...['port_bits', 'port_upkts', 'port_nupkts', 'port_errors'],
  ...['bits', 'uptime', 'poller_perf', 'icmp_perf', 'ping_perf', 'availability'].map((name) => `device_${name}`),
  ...NARROW_NAMES.flatMap((kind) => ((KINDS[kind] as SampleKind).graphs ?? []).map(({ name }) => `device_${name}`)),
  ...Object.keys(STAT_GRAPHS).map((name) => `device_${name}`),
  ...Object.keys(SENSOR_CLASSES).map((name) => `device_${name}`),
  ...Object.keys(WIRELESS_UNITS).map((name) => `device_wireless_${name}`),
]

test('the table is complete: a device that has everything has exactly these graphs', async () => {
  const listed = (await graphs.deviceTypes(deviceId)).map(({ name }) => name)
  expect(listed.toSorted()).toEqual(NAMES.filter((name) => name.startsWith('device_')).toSorted())
})

describe.each(NAMES)('%s', (name) => {
  test('numbers, image and SQL agree on every 5 minutes', async () => {
    const found = numbers(await ask(name, { ...range, max_points: '289' }))
    expect([found.step, found.level, found.time.length]).toEqual([STEP_S, 'samples', 288])
    const type = drawnType(typed(name), lastRead as SeriesData)
    const expected = await expectedOf(type)
    const stored = found.series.filter(({ name: label }) => !/^(Average|Total)\b/.test(label))
    expect(stored).toHaveLength(expected.length)
    for (const [i, series] of stored.entries()) {
      const { kind, ids, expression, delta, scale } = expected[i] as Expected
      // totals are kept only for ports; other counters have averages over the range that is drawn
      const sqlFound = await truth(kind, ids, expression, kind.name === 'port' ? delta : null)
      const off = found.time.filter((at, t) => !close(series.values[t], sqlFound.values.get(at) ?? null, scale))
      expect({ series: series.name, off }).toEqual({ series: series.name, off: [] })
      expect(sqlFound.values.size).toBeGreaterThan(200)
      // the sum of several ports has no samples of its own
      if (ids.length > 1) {
        expect(close(series.total, sqlFound.total)).toBe(true)
        continue
      }
      for (const figure of ['avg', 'min', 'max', 'now'] as const)
        expect({ figure, of: series.name, ok: close(series[figure], sqlFound[figure], scale) }).toEqual({
          figure,
          of: series.name,
          ok: true,
        })
      expect(close(series.total, sqlFound.total)).toBe(true)
    }
    // the image
    const data = lastRead as SeriesData
    const drawn = { ...data, type, traces: traces(type, data, false), fromS: FROM_S, toS: TO_S, nowS: LAST_S }
    const input = { ...drawn, width: 400, height: 200, title: null, legend: false }
    const { columns } = plottedFor(input)
    const shown = columns.map(({ values }, i) => [...values].map((v) => v * (input.traces[i]?.scale ?? 1)))
    expect(shown.map((v) => v.map((value) => (Number.isNaN(value) ? null : value)))).toEqual(
      found.series.map(({ values }) => [...values]),
    )
    const scene = layout(input, plainMeasure)
    expect(scene.areas.length + scene.lines.length).toBeGreaterThan(0)
  })

  test('numbers and SQL agree on every hour, read from the roll-up', async () => {
    const found = numbers(await ask(name, { ...range, max_points: '25' }, () => hourly))
    // percentiles of traffic need 5 minutes
    if (typed(name).fineDays !== undefined) return
    expect([found.step, found.level, found.time.length]).toEqual([3600, '1h', 24])
    const type = drawnType(typed(name), lastRead as SeriesData)
    const stored = found.series.filter(({ name: label }) => !/^(Average|Total)\b/.test(label))
    const expected = await expectedOf(type)
    for (const [i, series] of stored.entries()) {
      const { kind, scale } = expected[i] as Expected
      const hours = await hourlyTruth(expected[i] as Expected)
      const off = found.time.filter((at, t) => !closeEnough(series.values[t], hours.get(at) ?? null, scale, kind))
      expect({ series: series.name, off }).toEqual({ series: series.name, off: [] })
    }
  })
})

/** Spans and values of a series in the range, by plain SQL. */
async function spansOf({ kind, ids, expression }: Expected): Promise<readonly { s: number; e: number; v: number }[]> {
  const start = hasCounters(kind.columns)
    ? `case when period_ms <= 3 * 300000 then time - period_ms * interval '1 ms' end`
    : `case when time - lag(time) over w <= interval '15 minutes' then lag(time) over w else time - interval '5 minutes' end`
  return await sql.unsafe(`select extract(epoch from start)::float8 as s, extract(epoch from time)::float8 as e, v from (
      select time, ${start} as start, (${expression})::float8 as v from ts.${kind.name}_samples
      where ${kind.key} = any('{${ids.join()}}') ${kind.held ? `and (${expression}) is not null` : ''}
      window w as (partition by ${kind.key} order by time)) x
    where v is not null and start < to_timestamp(${TO_S}) and time > to_timestamp(${FROM_S}) order by time`)
}

/** The sum or mean of several series at the middle of each time in which none of them changes. */
function together(all: readonly (readonly { s: number; e: number; v: number }[])[], isMean: boolean): number[] {
  const times = [...new Set(all.flat().flatMap(({ s, e }) => [s, e]))].sort((a, b) => a - b)
  return times.slice(1).flatMap((to, i) => {
    const middle = (to + (times[i] ?? to)) / 2
    const known = all.flatMap((spans) => spans.filter(({ s, e }) => s < middle && middle < e).map(({ v }) => v))
    const sum = known.reduce((a, b) => a + b, 0)
    return known.length === 0 ? [] : [isMean ? sum / known.length : sum]
  })
}

describe.each(NAMES)('the legend of %s', (name) => {
  const FIGURES = ['now', 'min', 'avg', 'max', 'p95', 'total'] as const
  const legendAt = async (width: string) =>
    numbers(await ask(name, { ...range, width })).series.map((series) => [
      series.name,
      ...FIGURES.map((figure) => series[figure]),
    ])

  test('is the same at any width, from whole samples also where series are combined', async () => {
    const found = numbers(await ask(name, { ...range, width: '1075' }))
    for (const width of ['300', '2000', '4000'])
      expect(await legendAt(width)).toEqual(found.series.map((s) => [s.name, ...FIGURES.map((f) => s[f])]))
    const type = drawnType(typed(name), lastRead as SeriesData)
    if (type.name === 'device_bits') return
    const expected = await expectedOf(type)
    for (const series of found.series.filter(({ name: label }) => /^(Average|Total)\b/.test(label))) {
      const side = /^Total (In|Out)$/.exec(series.name)?.[1] ?? ''
      const isOn = (i: number) =>
        type.elements === 'lines' || (type.elements[i]?.draw === 'stack' && type.elements[i].label.endsWith(side))
      const parts = expected.filter((_, i) => isOn(i))
      const spans = await Promise.all(parts.map(spansOf))
      const truth = together(spans, series.name === 'Average')
      // a counter's sample counts in the range in which it ends
      const ended = spans.map((all) => all.filter(({ e }) => type.data !== 'ports' || e < TO_S))
      const now = together(ended, series.name === 'Average').at(-1)
      const scale = parts[0]?.scale ?? 1
      const wanted = { min: Math.min(...truth) * scale, max: Math.max(...truth) * scale, now: (now ?? 0) * scale }
      for (const figure of ['min', 'max', 'now'] as const)
        expect({ figure, of: series.name, ok: close(series[figure], wanted[figure]), got: series[figure] }).toEqual({
          figure,
          of: series.name,
          ok: true,
          got: series[figure],
        })
    }
  })
})

/** Roll-ups of `real` columns are rounded to that type; others must agree exactly. */
function closeEnough(a: number | null | undefined, b: number | null, scale: number, kind: SampleKind): boolean {
  if (close(a, b, scale)) return true
  const coarse = kind.columns.some(({ type, role }) => role === 'gauge' && type !== 'float8')
  return coarse && a != null && b !== null && Math.abs(a - b * scale) <= 1 + 1e-6 * Math.abs(b * scale)
}
