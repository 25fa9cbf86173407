import type { TransactionSql } from 'postgres'
import { PORT_COUNTERS } from '../../lib/port-counters.ts'
import { type Column, hasCounters, type Kind } from '../../series/kind.ts'
import { KINDS, NARROW_NAMES, type NarrowName } from '../../series/kinds.ts'
import type { Store } from '../client.ts'
import { toStoreError } from '../errors.ts'
import { floats, integers, rounded } from '../pg-array.ts'
import { writePortStates } from '../ports/write-state.ts'
import { writeCurrent } from './current.ts'
import type { PortSamples, SampleBatch, SeriesRows } from './samples.ts'

const HOUR_MS = 3_600_000
/**
 * Samples outside this window around now are rejected, so that a clock that jumped does not fill years of partitions.
 */
const MAX_AGE_MS = 7 * 24 * HOUR_MS
const MAX_AHEAD_MS = HOUR_MS
/** An hour may be rolled up this long after its end (ts.rollup.lag is 10 minutes, which leaves a margin). */
const CLOSED_AFTER_MS = 300_000
const ROWS_PER_STATEMENT = 12_000

/**
 * Stores a batch in one transaction: samples, raw counters and current values of the inventory. All or nothing, and
 * safe to repeat: stored samples stay unchanged. Samples older than 7 days or more than an hour ahead of `nowMs` are
 * dropped. Throws StoreError; after a `retryable` one the same batch can be written again.
 */
export async function writeSamples(store: Store, batch: SampleBatch, nowMs = Date.now()): Promise<void> {
  const timely = keepTimely(batch, nowMs)
  // The common case first: no row exists yet, which costs the server a third less than checking each.
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

/**
 * Stores generated samples of one device from before it was polled. Current values and raw counters do not change, and
 * existing samples stay. Returns false and stores nothing when the device no longer exists. Throws StoreError.
 */
export async function writePastSamples(
  store: Store,
  deviceId: number,
  batch: SampleBatch,
  nowMs = Date.now(),
): Promise<boolean> {
  const timely = keepTimely(batch, nowMs)
  for (let attempt = 1; ; attempt++) {
    try {
      return await store.sql.begin(async (tx) => {
        // locks the device: a deletion waits until these samples exist, and then removes them too
        const found = await tx`select from devices where device_id = ${deviceId} for key share`
        if (found.length > 0) await writeSeries(tx, timely, nowMs, 'on conflict do nothing')
        return found.length > 0
      })
    } catch (error) {
      if (attempt > 3 || (error as { code?: string }).code !== '23514') throw toStoreError(error)
      await ensurePartitions(store, timely).catch((cause) => Promise.reject(toStoreError(cause)))
    }
  }
}

async function writeAll(tx: TransactionSql, batch: SampleBatch, nowMs: number, tail: string): Promise<void> {
  await writePortStates(tx, batch.portState)
  await writeSeries(tx, batch, nowMs, tail)
  await writeCurrent(tx, batch)
}

/** Writes the rows of each series to `ts.<kind>_samples`. */
async function writeSeries(tx: TransactionSql, batch: SampleBatch, nowMs: number, tail: string): Promise<void> {
  await writePorts(tx, batch.ports, tail)
  for (const [name, rows] of seriesOf(batch)) {
    if (rows.id.length > 0) await writeRows(tx, KINDS[name], rows, tail)
  }
  for (const [kind, hours] of lateHours(batch, nowMs)) {
    await tx`select ts.late(${kind}, (select array_agg(to_timestamp(s)) from unnest(${integers(hours)}::bigint[]) s))`
  }
}

async function writeRows(tx: TransactionSql, kind: Kind, rows: SeriesRows, tail: string): Promise<void> {
  const columns = kind.columns.map(({ type }, c) => arrayText(type, rows.values[c] ?? []))
  const period = hasCounters(kind.columns) ? [integers(rows.periodMs)] : []
  const parameters = [integers(rows.time), integers(rows.id), ...period, ...columns]
  await tx.unsafe(insertInto(kind) + tail, parameters, { prepare: true })
}

/** A column of a kind as a PostgreSQL array literal. */
function arrayText(type: Column['type'], values: readonly number[]): string {
  if (type === 'int') return integers(values)
  return type === 'bigint' ? rounded(values) : floats(values)
}

const inserts = new Map<Kind, string>()

function insertInto(kind: Kind): string {
  let text = inserts.get(kind)
  if (text === undefined) {
    const { name, key, columns } = kind
    const period = hasCounters(columns) ? [{ name: 'period_ms', type: 'int' }] : []
    const written = [...period, ...columns]
    const cells = written.map((_, c) => `c${c}`).join()
    text = `insert into ts.${name}_samples ("time", ${key}, ${written.map((c) => `"${c.name}"`).join()})
      select to_timestamp(ms / 1000), id, ${cells}
      from unnest($1::float8[], $2::int[], ${written.map(({ type }, c) => `$${c + 3}::${type}[]`).join()}) u(ms, id, ${cells}) `
    inserts.set(kind, text)
  }
  return text
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

/** Starts of hours (epoch seconds) that may already be rolled up, by series. */
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
  for (const [name, rows] of seriesOf(batch)) look(name, rows.time, rows.time.length)
  return new Map([...found].map(([base, hours]) => [base, [...hours]]))
}

/** Creates partitions for every day of the batch. */
async function ensurePartitions(store: Store, batch: SampleBatch): Promise<void> {
  const ensure = async (base: string, times: ArrayLike<number>, length: number): Promise<void> => {
    const days = new Set<number>()
    for (let i = 0; i < length; i++) days.add(Math.floor((times[i] as number) / 86_400_000) * 86_400)
    for (const day of days) {
      await store.sql`select ts.ensure_partitions(${`ts.${base}_samples`}::text::regclass, to_timestamp(${day}))`
    }
  }
  await ensure('port', batch.ports.time, batch.ports.length)
  for (const [name, rows] of seriesOf(batch)) await ensure(name, rows.time, rows.time.length)
}

function seriesOf(batch: SampleBatch): readonly (readonly [NarrowName, SeriesRows])[] {
  return NARROW_NAMES.flatMap((name) => {
    const rows = batch.series[name]
    return rows === undefined ? [] : [[name, rows] as const]
  })
}

/** The batch without samples with impossible times; the same object if all are good. */
function keepTimely(batch: SampleBatch, nowMs: number): SampleBatch {
  const good = (time: number): boolean => time >= nowMs - MAX_AGE_MS && time <= nowMs + MAX_AHEAD_MS
  const { ports, portState, polls } = batch
  const series = seriesOf(batch)
  const portsGood = ports.time.subarray(0, ports.length).every(good)
  const othersGood = portState.every((s) => good(s.time)) && series.every(([, rows]) => rows.time.every(good))
  if (portsGood && othersGood) return batch
  return {
    ports: portsGood ? ports : timelyPorts(ports, good),
    portState: portState.filter((state) => good(state.time)),
    polls: polls.filter((poll) => good(poll.time)),
    series: Object.fromEntries(series.map(([name, rows]) => [name, timelyRows(rows, good)])),
  }
}

function timelyRows({ time, id, periodMs, values }: SeriesRows, good: (time: number) => boolean): SeriesRows {
  const keep = <T>(cells: readonly T[]): T[] => cells.filter((_, r) => good(time[r] as number))
  return { time: keep(time), id: keep(id), periodMs: keep(periodMs), values: values.map(keep) }
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
