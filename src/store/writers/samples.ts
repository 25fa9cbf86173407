import type { TransactionSql } from 'postgres'
import { PORT_COUNTERS } from '../../lib/port-counters.ts'
import { SYSTEM_STATS } from '../../lib/system-stats.ts'
import type { Store } from '../client.ts'
import { toStoreError } from '../errors.ts'
import { floats, integers, rounded } from '../pg-array.ts'
import type { GaugeSample, PortSamples, SampleBatch, UsageSample } from '../samples.ts'
import { writeCurrent } from './current.ts'
import { writePortStates } from './state.ts'

const HOUR_MS = 3_600_000
/** Samples outside this window around now are refused: a clock that jumped must not fill years of partitions. */
const OLDEST_MS = 7 * 24 * HOUR_MS
const NEWEST_MS = HOUR_MS
/** An hour may have been rolled up this long after its end (ts.rollup.lag is 10 minutes; the rest is room for us). */
const CLOSED_AFTER_MS = 300_000
const ROWS_PER_STATEMENT = 12_000

/**
 * Stores a batch in one transaction: samples, the counters they led to, the current values of the inventory. All or
 * nothing, and safe to repeat: what is stored already stays as it is. Samples older than 7 days or more than an hour
 * ahead of `nowMs` are left out. Throws StoreError; after a `retryable` one the same batch can be written again.
 */
export async function writeSamples(store: Store, batch: SampleBatch, nowMs = Date.now()): Promise<void> {
  const timely = keepTimely(batch, nowMs)
  // The common case first: no row exists yet, which costs the server a third less than asking for each.
  let tail = ''
  for (let attempt = 1; ; attempt++) {
    try {
      await store.sql.begin((tx) => writeAll(tx, timely, nowMs, tail))
      return
    } catch (error) {
      const { code } = error as { code?: string }
      const duplicate = code === '23505' && tail === ''
      const noPartition = code === '23514'
      if (attempt > 3 || !(duplicate || noPartition)) throw toStoreError(error)
      if (duplicate) tail = 'on conflict do nothing'
      else await ensurePartitions(store, timely).catch((cause) => Promise.reject(toStoreError(cause)))
    }
  }
}

/** The series of a batch: its rows go to `ts.<base>_samples`. */
async function writeAll(tx: TransactionSql, batch: SampleBatch, nowMs: number, tail: string): Promise<void> {
  await writePorts(tx, batch.ports, tail)
  await writePortStates(tx, batch.portState)
  for (const { base, columns, rows } of narrowSeries(batch)) {
    if (rows === 0) continue
    const names = ['time', ...columns.map((c) => c.name)].map((n) => `"${n}"`)
    await tx.unsafe(
      `insert into ts.${base}_samples (${names.join()})
       select to_timestamp(ms / 1000), ${columns.map((_, i) => `c${i}`).join()}
       from unnest($1::float8[], ${columns.map((c, i) => `$${i + 2}::${c.type}[]`).join()}) u(ms, ${columns.map((_, i) => `c${i}`).join()}) ${tail}`,
      [batchTimes(batch, base), ...columns.map((c) => c.text)],
      { prepare: true },
    )
  }
  await writeCurrent(tx, batch)
  for (const [base, hours] of lateHours(batch, nowMs)) {
    await tx`select ts.late(${base}, (select array_agg(to_timestamp(s)) from unnest(${integers(hours)}::bigint[]) s))`
  }
}

const COUNTERS = PORT_COUNTERS.map((c) => c.series)
const PORT_SQL = `
  insert into ts.port_samples ("time", port_id, period_ms, ${COUNTERS.join()})
  select to_timestamp(ms / 1000), id, period, ${COUNTERS.join()}
  from unnest($1::float8[], $2::int[], $3::int[], ${COUNTERS.map((_, i) => `$${i + 4}::bigint[]`).join()})
    u(ms, id, period, ${COUNTERS.join()}) `

async function writePorts(tx: TransactionSql, ports: PortSamples, tail: string): Promise<void> {
  for (let from = 0; from < ports.length; from += ROWS_PER_STATEMENT) {
    const rows = Math.min(ROWS_PER_STATEMENT, ports.length - from)
    await tx.unsafe(
      PORT_SQL + tail,
      [
        integers(ports.time, rows, from),
        integers(ports.portId, rows, from),
        integers(ports.periodMs, rows, from),
        ...COUNTERS.map((_, c) => integers(ports.deltas, rows, c * ports.capacity + from)),
      ],
      { prepare: true },
    )
  }
}

interface NarrowSeries {
  readonly base: Base
  readonly rows: number
  readonly columns: readonly { readonly name: string; readonly type: string; readonly text: string }[]
}

function narrowSeries(batch: SampleBatch): NarrowSeries[] {
  const { devices, icmp } = batch
  return [
    {
      base: 'device',
      rows: devices.length,
      columns: [
        { name: 'device_id', type: 'int', text: integers(devices.map((d) => d.deviceId)) },
        { name: 'uptime_s', type: 'bigint', text: rounded(devices.map((d) => d.uptimeS)) },
        { name: 'took_ms', type: 'real', text: floats(devices.map((d) => d.tookMs)) },
        { name: 'requests', type: 'int', text: integers(devices.map((d) => d.requests)) },
        { name: 'timeouts', type: 'int', text: integers(devices.map((d) => d.timeouts)) },
      ],
    },
    {
      base: 'icmp',
      rows: icmp.length,
      columns: [
        { name: 'device_id', type: 'int', text: integers(icmp.map((i) => i.deviceId)) },
        { name: 'rtt_avg', type: 'real', text: floats(icmp.map((i) => i.rttAvgMs)) },
        { name: 'rtt_min', type: 'real', text: floats(icmp.map((i) => i.rttMinMs)) },
        { name: 'rtt_max', type: 'real', text: floats(icmp.map((i) => i.rttMaxMs)) },
        { name: 'sent', type: 'int', text: integers(icmp.map((i) => i.sent)) },
        { name: 'received', type: 'int', text: integers(icmp.map((i) => i.received)) },
      ],
    },
    gauges('sensor', 'sensor_id', 'value', 'float8', batch.sensors),
    gauges('wireless', 'sensor_id', 'value', 'float8', batch.wireless),
    gauges('processor', 'processor_id', 'usage', 'real', batch.processors),
    usages('mempool', 'mempool_id', batch.mempools),
    usages('storage', 'storage_id', batch.storage),
    gauges('supply', 'supply_id', 'value', 'real', batch.supplies),
    {
      base: 'stats',
      rows: batch.stats.length,
      columns: [
        { name: 'device_id', type: 'int', text: integers(batch.stats.map((s) => s.deviceId)) },
        ...(batch.stats.length === 0 ? [] : SYSTEM_STATS).map(({ name }, i) => ({
          name,
          type: 'real',
          text: floats(batch.stats.map((s) => s.values[i] as number)),
        })),
      ],
    },
  ]
}

function gauges(base: Base, key: string, name: string, type: string, samples: readonly GaugeSample[]): NarrowSeries {
  return {
    base,
    rows: samples.length,
    columns: [
      { name: key, type: 'int', text: integers(samples.map((s) => s.id)) },
      { name, type, text: floats(samples.map((s) => s.value)) },
    ],
  }
}

function usages(base: Base, key: string, samples: readonly UsageSample[]): NarrowSeries {
  return {
    base,
    rows: samples.length,
    columns: [
      { name: key, type: 'int', text: integers(samples.map((s) => s.id)) },
      { name: 'used', type: 'bigint', text: rounded(samples.map((s) => s.used)) },
      { name: 'free', type: 'bigint', text: rounded(samples.map((s) => s.free)) },
      { name: 'total', type: 'bigint', text: rounded(samples.map((s) => s.total)) },
      { name: 'perc', type: 'real', text: floats(samples.map((s) => s.perc)) },
    ],
  }
}

/** Where the samples of each series are in a batch. */
const SAMPLES = {
  device: 'devices',
  icmp: 'icmp',
  sensor: 'sensors',
  wireless: 'wireless',
  processor: 'processors',
  mempool: 'mempools',
  storage: 'storage',
  supply: 'supplies',
  stats: 'stats',
} as const
type Base = keyof typeof SAMPLES
const BASES = Object.keys(SAMPLES) as readonly Base[]

function timesOf(batch: SampleBatch, base: Base): number[] {
  return batch[SAMPLES[base]].map((s) => s.time)
}

function batchTimes(batch: SampleBatch, base: Base): string {
  return integers(timesOf(batch, base))
}

/** Starts of hours (epoch seconds) that may be rolled up already, by series. */
function lateHours(batch: SampleBatch, nowMs: number): Map<string, number[]> {
  const found = new Map<string, Set<number>>()
  const look = (base: string, times: ArrayLike<number>, length: number): void => {
    for (let i = 0; i < length; i++) {
      const hour = Math.floor((times[i] as number) / HOUR_MS) * HOUR_MS
      if (hour + HOUR_MS + CLOSED_AFTER_MS > nowMs) continue
      const hours = found.get(base) ?? new Set<number>()
      found.set(base, hours.add(hour / 1000))
    }
  }
  look('port', batch.ports.time, batch.ports.length)
  for (const base of BASES) {
    const times = timesOf(batch, base)
    look(base, times, times.length)
  }
  return new Map([...found].map(([base, hours]) => [base, [...hours]]))
}

/** Makes partitions for every day of the batch. */
async function ensurePartitions(store: Store, batch: SampleBatch): Promise<void> {
  const ensure = async (base: string, times: ArrayLike<number>, length: number): Promise<void> => {
    const days = new Set<number>()
    for (let i = 0; i < length; i++) days.add(Math.floor((times[i] as number) / 86_400_000) * 86_400)
    for (const day of days) {
      await store.sql`select ts.ensure_partitions(${`ts.${base}_samples`}::text::regclass, to_timestamp(${day}))`
    }
  }
  await ensure('port', batch.ports.time, batch.ports.length)
  for (const base of BASES) {
    const times = timesOf(batch, base)
    await ensure(base, times, times.length)
  }
}

/** The batch without the samples whose time cannot be right; the same object when all are good. */
function keepTimely(batch: SampleBatch, nowMs: number): SampleBatch {
  const good = (time: number): boolean => time >= nowMs - OLDEST_MS && time <= nowMs + NEWEST_MS
  const bad = ({ time }: { time: number }): boolean => !good(time)
  const { ports } = batch
  let portsGood = true
  for (let i = 0; i < ports.length && portsGood; i++) portsGood = good(ports.time[i] as number)
  if (portsGood && !batch.portState.some(bad) && !BASES.some((base) => batch[SAMPLES[base]].some(bad))) return batch
  const keep = <T extends { time: number }>(samples: readonly T[]): readonly T[] => samples.filter((s) => good(s.time))
  return {
    ports: portsGood ? ports : timelyPorts(ports, good),
    portState: keep(batch.portState),
    devices: keep(batch.devices),
    icmp: keep(batch.icmp),
    sensors: keep(batch.sensors),
    wireless: keep(batch.wireless),
    processors: keep(batch.processors),
    mempools: keep(batch.mempools),
    storage: keep(batch.storage),
    supplies: keep(batch.supplies),
    stats: keep(batch.stats),
  }
}

function timelyPorts(ports: PortSamples, good: (time: number) => boolean): PortSamples {
  const rows = Array.from({ length: ports.length }, (_, i) => i).filter((i) => good(ports.time[i] as number))
  const deltas = new Float64Array(rows.length * COUNTERS.length)
  for (let c = 0; c < COUNTERS.length; c++) {
    rows.forEach((r, i) => {
      deltas[c * rows.length + i] = ports.deltas[c * ports.capacity + r] as number
    })
  }
  return {
    length: rows.length,
    capacity: rows.length,
    time: Float64Array.from(rows, (r) => ports.time[r] as number),
    portId: Int32Array.from(rows, (r) => ports.portId[r] as number),
    periodMs: Int32Array.from(rows, (r) => ports.periodMs[r] as number),
    deltas,
  }
}
