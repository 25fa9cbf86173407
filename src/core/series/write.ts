import type { TransactionSql } from 'postgres'
import { PORT_COUNTERS } from '../../lib/port-counters.ts'
import { hasCounters, type SampleKind } from '../../series/kind.ts'
import { KINDS, NARROW_NAMES, type NarrowName } from '../../series/kinds.ts'
import type { DeviceClaim, PortSamples, SampleBatch, SeriesRows } from '../../series/samples.ts'
import type { Store } from '../database/client.ts'
import { floats, integers, rounded } from '../database/pg-array.ts'
import { lostClaims } from '../database/write-claims.ts'
import { type CopyColumn, copyRows } from './copy-rows.ts'
import { writeCurrent } from './read-current.ts'
import { selectRows } from './select-rows.ts'
import { inChunks } from './stored-rows.ts'
import { noteLate, writeRefusals } from './write-late-bills.ts'
import { writePortStates } from './write-port-state.ts'

const HOUR_MS = 3_600_000
/**
 * Samples outside this window around now are rejected, so that a clock that jumped does not fill years of partitions.
 */
const MAX_AGE_MS = 7 * 24 * HOUR_MS
const MAX_AHEAD_MS = HOUR_MS
/** An hour may be rolled up this long after its end (ts.rollup.lag is 10 minutes, which leaves a margin). */
const CLOSED_AFTER_MS = 300_000
/** Building a statement of this size blocks this thread for a few milliseconds. */
const ROWS_PER_STATEMENT = 4000

/**
 * Stores a batch in one transaction: samples, raw counters and current values of the inventory. All or nothing, and
 * safe to repeat: stored samples stay unchanged. Drops samples older than 7 days or more than an hour ahead of `nowMs`,
 * and everything about devices whose claim is no longer in force. Throws StoreError; after a `retryable` one the same
 * batch can be written again.
 */
export async function writeSamples(store: Store, batch: SampleBatch, nowMs = Date.now()): Promise<Written> {
  const timely = keepTimely(batch, nowMs)
  // Try the common case first: no row exists yet, so COPY can be used. Old ones may be packed, where COPY sees no conflict.
  let insert = isAllFresh(timely, nowMs) ? copyInto : insertMissing
  for (let attempt = 1; ; attempt++) {
    try {
      const written = await store.sql.begin((tx) => writeClaimed(tx, timely, nowMs, insert))
      return { ...written, untimely: rowsOf(batch) - rowsOf(timely) }
    } catch (error) {
      const { code } = error as { code?: string }
      const duplicate = code === '23505' && insert === copyInto
      const noPartition = code === '23514'
      if (attempt > 3 || !(duplicate || noPartition)) throw error
      if (duplicate) insert = insertMissing
      else await ensurePartitions(store, timely)
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
        // locks the device, so that a deletion waits for these samples and then removes them too
        const found = await tx`select from devices where device_id = ${deviceId} for key share`
        if (found.length > 0) await writeSeries(tx, timely, nowMs, insertMissing)
        return found.length > 0
      })
    } catch (error) {
      if (attempt > 3 || (error as { code?: string }).code !== '23514') throw error
      await ensurePartitions(store, timely)
    }
  }
}

/** What was stored of a batch. */
export interface Written {
  readonly stored: SampleBatch
  /** Claims that were no longer in force: nothing that was made under them is stored. */
  readonly lost: readonly DeviceClaim[]
  /** Rows of samples that were too old, or too far ahead, to be stored. */
  readonly untimely: number
}

function rowsOf(batch: SampleBatch): number {
  return seriesOf(batch).reduce((rows, [, { id }]) => rows + id.length, batch.ports.length)
}

async function writeClaimed(
  tx: TransactionSql,
  batch: SampleBatch,
  nowMs: number,
  insert: Insert,
): Promise<Omit<Written, 'untimely'>> {
  const held = batch.claims?.held ?? []
  const lost = await lostClaims(tx, held)
  const stored = lost.size === 0 ? batch : selectRows(batch, (_, claim) => !lost.has(claim))
  await writeAll(tx, stored, nowMs, insert)
  return { stored, lost: held.filter((_, i) => lost.has(i)) }
}

async function writeAll(tx: TransactionSql, batch: SampleBatch, nowMs: number, insert: Insert): Promise<void> {
  await writePortStates(tx, batch.portState)
  await writeSeries(tx, batch, nowMs, insert)
  await writeRefusals(tx, batch.refusedPairs ?? [])
  await writeCurrent(tx, batch)
}

/** Writes the rows of each series to `ts.<kind>_samples`. */
async function writeSeries(tx: TransactionSql, batch: SampleBatch, nowMs: number, insert: Insert): Promise<void> {
  const { ports } = batch
  for (let from = 0; from < ports.length; from += ROWS_PER_STATEMENT) {
    await insert(tx, KINDS.port, portColumns(ports, from), Math.min(ROWS_PER_STATEMENT, ports.length - from))
  }
  await noteLate(tx, ports, nowMs)
  for (const [name, rows] of seriesOf(batch)) {
    if (rows.id.length > 0) await insert(tx, KINDS[name], columnsOf(KINDS[name], rows), rows.id.length)
  }
  for (const [kind, hours] of lateHours(batch, nowMs)) {
    await tx`select ts.late(${kind}, (select array_agg(to_timestamp(s)) from unnest(${integers(hours)}::bigint[]) s))`
  }
}

/** A column of a table of samples. */
type SampleColumn = CopyColumn & { readonly name: string }

function columnsOf(kind: SampleKind, { time, id, periodMs, values }: SeriesRows): SampleColumn[] {
  return [
    { name: 'time', type: 'timestamptz', cells: time },
    { name: kind.key, type: 'int', cells: id },
    ...(hasCounters(kind.columns) ? [{ name: 'period_ms', type: 'int', cells: periodMs } as const] : []),
    ...kind.columns.map(({ name, type }, c) => ({ name, type, cells: values[c] ?? [] })),
  ]
}

function portColumns({ time, portId, periodMs, deltas, capacity }: PortSamples, offset: number): SampleColumn[] {
  return [
    { name: 'time', type: 'timestamptz', cells: time, offset },
    { name: 'port_id', type: 'int', cells: portId, offset },
    { name: 'period_ms', type: 'int', cells: periodMs, offset },
    ...PORT_COUNTERS.map(
      ({ series }, c) => ({ name: series, type: 'bigint', cells: deltas, offset: c * capacity + offset }) as const,
    ),
  ]
}

/** Writes `rows` rows of these columns to the kind's samples. */
type Insert = (tx: TransactionSql, kind: SampleKind, columns: readonly SampleColumn[], rows: number) => Promise<void>

/** Fails if one of the rows exists. Costs the server two thirds of an insert, and this process a fifth. */
const copyInto: Insert = async (tx, { name }, columns, rows) => {
  const copy = copyRows(columns, rows)
  await tx.unsafe(`copy ts.${name}_samples (${namesOf(columns)}) from stdin (format binary)`, [], { copy })
}

/** Skips rows that exist, also packed ones. */
const insertMissing: Insert = async (tx, { name, key }, columns, rows) => {
  const cells = columns.map((_, c) => `c${c}`).join()
  const values = columns.map(({ type }, c) => (type === 'timestamptz' ? `to_timestamp(c${c} / 1000)` : `c${c}`))
  const arrays = columns.map(({ type }, c) => `$${c + 1}::${type === 'timestamptz' ? 'float8' : type}[]`)
  const instant = `to_timestamp(${cellOf(columns, 'time')} / 1000)`
  await tx.unsafe(
    `insert into ts.${name}_samples (${namesOf(columns)}) select ${values.join()} from unnest(${arrays.join()}) u(${cells})
     where not exists (select from ts.${name}_samples_stored p where p.span is not null and p.${key} = ${cellOf(columns, key)}
         and p."time" = ${instant} and ${inChunks(name, 'p.span', 'samples', instant, instant)})
     on conflict do nothing`,
    columns.map((column) => arrayText(column, rows)),
    { prepare: true },
  )
}

/** The name of a column's cells in `insertMissing`. */
const cellOf = (columns: readonly SampleColumn[], name: string) =>
  `c${columns.findIndex((column) => column.name === name)}`

function namesOf(columns: readonly SampleColumn[]): string {
  return columns.map(({ name }) => `"${name}"`).join()
}

/** A column as a PostgreSQL array literal. */
function arrayText({ type, cells, offset = 0 }: SampleColumn, rows: number): string {
  if (type === 'int') return integers(cells, rows, offset)
  const part = Array.from({ length: rows }, (_, r) => cells[offset + r] as number)
  return type === 'bigint' ? rounded(part) : floats(part)
}

/** Starts of hours (epoch seconds) that may already be rolled up, by series. */
function lateHours(batch: SampleBatch, nowMs: number): Map<string, number[]> {
  const found = new Map<string, Set<number>>()
  const cover = (base: string, times: ArrayLike<number>, length: number): void => {
    for (let i = 0; i < length; i++) {
      const hour = Math.floor((times[i] as number) / HOUR_MS) * HOUR_MS
      if (hour + HOUR_MS + CLOSED_AFTER_MS > nowMs) continue
      const hours = found.get(base) ?? new Set<number>()
      found.set(base, hours.add(hour / 1000))
    }
  }
  cover('port', batch.ports.time, batch.ports.length)
  for (const [name, rows] of seriesOf(batch)) cover(name, rows.time, rows.time.length)
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

/** Whether no chunk that holds these rows can be packed yet: it is closed for a day by then. */
function isAllFresh(batch: SampleBatch, nowMs: number): boolean {
  const fresh = (time: number) => time > nowMs - 24 * HOUR_MS
  const { ports } = batch
  return (
    ports.time.subarray(0, ports.length).every(fresh) && seriesOf(batch).every(([, rows]) => rows.time.every(fresh))
  )
}

/** The batch without samples with impossible times; the same object if all are good. */
function keepTimely(batch: SampleBatch, nowMs: number): SampleBatch {
  const good = (time: number): boolean => time >= nowMs - MAX_AGE_MS && time <= nowMs + MAX_AHEAD_MS
  const { ports, portState } = batch
  const series = seriesOf(batch)
  const portsGood = ports.time.subarray(0, ports.length).every(good)
  const othersGood = portState.every((s) => good(s.time)) && series.every(([, rows]) => rows.time.every(good))
  return portsGood && othersGood ? batch : selectRows(batch, good)
}
