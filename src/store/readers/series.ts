import { PORT_COUNTERS } from '../../lib/port-counters.ts'
import { statPosition } from '../../lib/system-stats.ts'
import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'
import { integers } from '../pg-array.ts'
import { axis, Buckets, type GapRule, gaps, gaugeSpans, type SeriesData, type SeriesWindow } from './series-buckets.ts'
import { LEVEL_WIDTH_S, type Level, pickLevel, reachOf } from './series-level.ts'

export type { GapRule, NamedSeries, SeriesData, SeriesWindow } from './series-buckets.ts'

export type PortCounterName = (typeof PORT_COUNTERS)[number]['series']
const ALL_COUNTERS: readonly PortCounterName[] = PORT_COUNTERS.map((c) => c.series)
/** Counters whose roll-ups keep the highest rate. */
const WITH_MAX: readonly string[] = ['in_octets', 'out_octets', 'in_pkts', 'out_pkts', 'in_err', 'out_err']

/**
 * Rates per second of these ports, added up: one series for each counter, under its name. For a single port also
 * `<counter>_max`, the highest rate of a sample within the bucket, where that is kept. NaN where no port is known.
 */
export async function portSeries(
  store: Store,
  portIds: readonly number[],
  window: SeriesWindow,
  rule: GapRule,
  counters: readonly PortCounterName[] = ALL_COUNTERS,
): Promise<SeriesData> {
  const level = pickLevel(window, await reachOf(store, 'port'), Date.now() / 1000)
  const { timeS, stepS } = axis(window, LEVEL_WIDTH_S[level])
  const withMax = portIds.length === 1 ? counters.filter((c) => WITH_MAX.includes(c)) : []
  const buckets = counters.map(() => new Buckets(timeS, stepS))
  if (portIds.length > 0 && timeS.length > 0) {
    const rows = await guarded(() => readPortRows(store, portIds, counters, withMax, { timeS, stepS, level, rule }))
    const spans = rows.map((r) => ({ startS: Number(r[0]), endS: Number(r[1]) }))
    const isGap = level === 'samples' ? gaps(spans, rule) : []
    rows.forEach((row, i) => {
      const span = spans[i]
      if (span === undefined || isGap[i] === true) return
      counters.forEach((name, c) => {
        const max = withMax.indexOf(name)
        const rate = numeric(row[2 + c])
        buckets[c]?.add(span, rate, max < 0 ? rate : numeric(row[2 + counters.length + max]))
      })
    })
  }
  return {
    timeS,
    stepS,
    series: counters.flatMap((name, c) => {
      const found = buckets[c] as Buckets
      const average = { name, values: found.average() }
      return withMax.includes(name) ? [average, { name: `${name}_max`, values: found.most() }] : [average]
    }),
  }
}

interface Reading {
  readonly timeS: Float64Array
  readonly stepS: number
  readonly level: Level
  readonly rule: GapRule
}

/** Rows of start, end, rates, highest rates; ports that were polled at the same time are added up by the server. */
function readPortRows(
  { sql }: Store,
  portIds: readonly number[],
  counters: readonly string[],
  withMax: readonly string[],
  reading: Reading,
): Promise<unknown[][]> {
  const ids = `'${integers(portIds)}'::int[]`
  const { from, to } = bounds(reading)
  // Literals, so that partitions and chunks outside the window are left out when the query is planned.
  if (reading.level === 'samples') {
    const rates = counters.map((c) => `(sum(${c}) * 1000.0::float8 / period_ms)::float8`)
    const highest = withMax.map((c) => `(max(${c}) * 1000.0::float8 / period_ms)::float8`)
    return sql
      .unsafe(
        `select e - period_ms / 1000.0::float8, e, ${[...rates, ...highest].join()} from (
           select extract(epoch from "time")::float8 as e, period_ms, ${counters.join()} from ts.port_samples
           where port_id = any(${ids}) and "time" > ${from} and "time" <= ${to}) s
         group by e, period_ms order by e`,
      )
      .values()
  }
  const width = LEVEL_WIDTH_S[reading.level]
  const known = (c: string): string => `coalesce(known[${ALL_COUNTERS.indexOf(c as PortCounterName) + 1}], period_ms)`
  const rates = counters.map((c) => `sum(${c} * 1000.0::float8 / nullif(${known(c)}, 0))`)
  return sql
    .unsafe(
      `select extract(epoch from bucket)::float8, extract(epoch from bucket)::float8 + ${width},
         ${[...rates, ...withMax.map((c) => `max(${c}_max)`)].join()}
       from ts.port_${reading.level}_all
       where port_id = any(${ids}) and bucket >= ${from} and bucket < ${to} group by bucket order by bucket`,
    )
    .values()
}

/** `uptime` and `poll_time` in seconds, `requests` and `timeouts` per poll. */
export async function deviceSeries(
  store: Store,
  deviceId: number,
  window: SeriesWindow,
  rule: GapRule,
): Promise<SeriesData> {
  return gaugeSeries(store, 'device', [{ id: deviceId, name: '' }], window, rule, [
    { name: 'uptime', sample: 'uptime_s', rolled: 'uptime_s' },
    { name: 'poll_time', sample: 'took_ms / 1000.0', rolled: 'took_ms / 1000.0' },
    { name: 'requests', sample: 'requests', rolled: 'requests::float8 / n' },
    { name: 'timeouts', sample: 'timeouts', rolled: 'timeouts::float8 / n' },
    {
      name: 'available',
      sample: 'case when uptime_s is null then 0 else 100 end',
      // The first weight of a roll-up is that of uptime_s, where it is another than the row's.
      rolled: '100.0::float8 * coalesce(known[1], n) / n',
    },
  ])
}

/** `rtt_avg`, `rtt_min`, `rtt_max` in ms and `loss` in percent of ICMP echo. */
export async function icmpSeries(
  store: Store,
  deviceId: number,
  window: SeriesWindow,
  rule: GapRule,
): Promise<SeriesData> {
  const loss = '100.0 * (sent - received) / nullif(sent, 0)'
  return gaugeSeries(store, 'icmp', [{ id: deviceId, name: '' }], window, rule, [
    { name: 'rtt_avg', sample: 'rtt_avg', rolled: 'rtt_avg' },
    { name: 'rtt_min', sample: 'rtt_min', rolled: 'rtt_min_min' },
    { name: 'rtt_max', sample: 'rtt_max', rolled: 'rtt_max_max' },
    { name: 'loss', sample: loss, rolled: loss },
  ])
}

/** What is measured in percent of itself: where its items are, and the column of its series. */
const USAGES = {
  processor: { table: 'processors', value: 'usage' },
  mempool: { table: 'mempools', value: 'perc' },
  storage: { table: 'storage', value: 'perc' },
} as const

/**
 * Use in percent, one series for each processor, memory pool or file system of the device, named by its description.
 * `only`: the item of this id alone; null: all.
 */
export async function usageSeries(
  store: Store,
  base: keyof typeof USAGES,
  deviceId: number,
  window: SeriesWindow,
  rule: GapRule,
  only: number | null = null,
): Promise<SeriesData> {
  const { sql } = store
  const { table, value } = USAGES[base]
  const there = base === 'mempool' ? sql`mempool_deleted = 0` : sql`true`
  const subjects = await guarded(
    () => sql<Subject[]>`
      select ${sql(KEY[base])} as id, ${sql(`${base}_descr`)} as name from ${sql(table)}
      where device_id = ${deviceId} and ${there} and ${one(store, KEY[base], only)} order by 1`,
  )
  return gaugeSeries(store, base, subjects, window, rule, [{ name: '', sample: value, rolled: value }])
}

/**
 * Values in the unit of the class, one series for each sensor of that `sensor_class` of the device, named by its
 * description. `table` says which sensors: those of health, or wireless ones.
 */
export async function sensorSeries(
  store: Store,
  table: 'sensors' | 'wireless_sensors',
  deviceId: number,
  sensorClass: string,
  window: SeriesWindow,
  rule: GapRule,
  only: number | null = null,
): Promise<SeriesData> {
  const subjects = await guarded(
    () => store.sql<Subject[]>`
      select sensor_id as id, coalesce(sensor_descr, sensor_index, '') as name from ${store.sql(table)}
      where device_id = ${deviceId} and sensor_class = ${sensorClass} and sensor_deleted = 0
        and ${one(store, 'sensor_id', only)} order by 1`,
  )
  const base = table === 'sensors' ? 'sensor' : 'wireless'
  return gaugeSeries(store, base, subjects, window, rule, [{ name: '', sample: 'value', rolled: 'value' }])
}

/** `value` of a data set of a service, in the unit that its check says. */
export async function serviceSeries(
  store: Store,
  datasetId: number,
  window: SeriesWindow,
  rule: GapRule,
): Promise<SeriesData> {
  return gaugeSeries(store, 'service', [{ id: datasetId, name: '' }], window, rule, [
    { name: 'value', sample: 'value', rolled: 'value' },
  ])
}

/** Percent that is left, one series for each supply of a printer, named by its description. */
export async function supplySeries(
  store: Store,
  deviceId: number,
  window: SeriesWindow,
  rule: GapRule,
): Promise<SeriesData> {
  const subjects = await guarded(
    () => store.sql<Subject[]>`
      select supply_id as id, supply_descr as name from printer_supplies where device_id = ${deviceId} order by 1`,
  )
  return gaugeSeries(store, 'supply', subjects, window, rule, [{ name: '', sample: 'value', rolled: 'value' }])
}

/** Statistics of a device by name (SYSTEM_STATS; others are left out): gauges, counters per second, shares in percent. */
export async function statSeries(
  store: Store,
  deviceId: number,
  names: readonly string[],
  window: SeriesWindow,
  rule: GapRule,
): Promise<SeriesData> {
  const lines = names.filter((name) => statPosition(name) >= 0).map((name) => ({ name, column: `"${name}"` }))
  return gaugeSeries(
    store,
    'stats',
    [{ id: deviceId, name: '' }],
    window,
    rule,
    lines.map(({ name, column }) => ({ name, sample: column, rolled: column })),
  )
}

/** Condition: the item of this id alone; null: all items. */
function one({ sql }: Store, column: string, id: number | null) {
  return id === null ? sql`true` : sql`${sql(column)} = ${id}`
}

interface Subject {
  readonly id: number
  readonly name: string
}

/** One line: its name (after the subject's), and its expression over `ts.<base>_samples` and over the roll-ups. */
interface Line {
  readonly name: string
  readonly sample: string
  readonly rolled: string
}

type GaugeBase =
  | 'supply'
  | 'stats'
  | 'device'
  | 'icmp'
  | 'processor'
  | 'mempool'
  | 'storage'
  | 'sensor'
  | 'wireless'
  | 'service'
const KEY: Readonly<Record<GaugeBase, string>> = {
  device: 'device_id',
  icmp: 'device_id',
  processor: 'processor_id',
  mempool: 'mempool_id',
  storage: 'storage_id',
  sensor: 'sensor_id',
  supply: 'supply_id',
  stats: 'device_id',
  wireless: 'sensor_id',
  service: 'service_dataset_id',
}

async function gaugeSeries(
  store: Store,
  base: GaugeBase,
  subjects: readonly Subject[],
  window: SeriesWindow,
  rule: GapRule,
  lines: readonly Line[],
): Promise<SeriesData> {
  const level = pickLevel(window, await reachOf(store, base), Date.now() / 1000)
  const { timeS, stepS } = axis(window, LEVEL_WIDTH_S[level])
  if (subjects.length === 0 || timeS.length === 0) return { timeS, stepS, series: [] }
  const { from, to } = bounds({ timeS, stepS, level, rule })
  const raw = level === 'samples'
  const time = raw ? '"time"' : 'bucket'
  const rows = await guarded(() =>
    store.sql
      .unsafe(
        `select ${KEY[base]}, extract(epoch from ${time})::float8, ${lines.map((l) => `(${raw ? l.sample : l.rolled})::float8`).join()}
         from ts.${base}_${raw ? level : `${level}_all`}
         where ${KEY[base]} = any('${integers(subjects.map((s) => s.id))}'::int[]) and ${time} >= ${from} and ${time} ${raw ? '<=' : '<'} ${to}
         order by 1, 2`,
      )
      .values(),
  )
  const bySubject = Map.groupBy(rows as unknown[][], (row) => Number(row[0]))
  return {
    timeS,
    stepS,
    series: subjects.flatMap(({ id, name }) => {
      const own = bySubject.get(id) ?? []
      const times = own.map((row) => Number(row[1]))
      const spans = raw
        ? gaugeSpans(times, rule)
        : times.map((startS) => ({ startS, endS: startS + LEVEL_WIDTH_S[level] }))
      return lines.map((line, l) => {
        const buckets = new Buckets(timeS, stepS)
        own.forEach((row, i) => {
          const span = spans[i]
          if (span !== undefined) buckets.add(span, numeric(row[2 + l]))
        })
        return { name: `${name}${line.name}`, values: buckets.average() }
      })
    }),
  }
}

/** SQL times between which rows can matter to the axis: samples tell of the time before them, up to a gap's length. */
function bounds({ timeS, stepS, level, rule }: Reading): { from: string; to: string } {
  const start = timeS[0] ?? 0
  const end = (timeS.at(-1) ?? 0) + stepS
  const margin = level === 'samples' ? Math.ceil(rule.intervals * rule.intervalS) : 0
  return { from: `to_timestamp(${start - margin})`, to: `to_timestamp(${end + margin})` }
}

function numeric(value: unknown): number {
  return value === null || value === undefined ? Number.NaN : Number(value)
}
