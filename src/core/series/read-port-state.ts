import { and, eq, inArray, sql } from 'drizzle-orm'
import { ports } from '../../../db/schema/index.ts'
import { portSamplesStored, portState } from '../../../db/schema/series.ts'
import { PORT_COUNTERS } from '../../lib/port-counters.ts'
import type { PortCounters } from '../../series/samples.ts'
import type { Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { prepared } from '../database/prepared.ts'
import { CELLS_HEADER, counterOf, decodeCells } from './port-cells.ts'
import { inChunks } from './stored-rows.ts'

/** A row of ts.port_state; `ms` is its time. */
interface StateRow {
  readonly device_id: number
  readonly ms: number
  readonly port_id: readonly number[]
  readonly ticks: readonly (number | string)[]
  readonly present: readonly number[]
  readonly counters: Uint8Array
  readonly cells: Uint8Array | null
  readonly seen: readonly number[] | null
  readonly ids: readonly number[] | null
}

const STATE = {
  device_id: portState.device_id,
  ms: sql<number>`(extract(epoch from ${portState.time}) * 1000)::float8`,
  port_id: portState.port_id,
  ticks: portState.ticks,
  present: portState.present,
  counters: portState.counters,
  cells: portState.cells,
  seen: portState.seen,
  ids: portState.ids,
}

const statesOfDevices = prepared((db) =>
  db
    .select(STATE)
    .from(portState)
    .where(sql`${portState.device_id} = any(${sql.placeholder('ids')}::int[])`)
    .prepare('port_states'),
)

/** Raw counters of these devices' ports at their last stored polls, by device_id; devices without are absent. */
export async function loadPortStates(store: Store, deviceIds: readonly number[]): Promise<Map<number, PortCounters>> {
  const rows = await statesOfDevices(store.db).execute({ ids: integers(deviceIds) })
  return new Map(rows.map((row) => [row.device_id, stateOf(row)]))
}

const stateOfDevice = prepared((db) =>
  db
    .select(STATE)
    .from(portState)
    .where(eq(portState.device_id, sql.placeholder('device')))
    .prepare('port_state_of_device'),
)

/** Raw counters of one device's ports at its last stored poll; null: none stored. */
export async function loadPortState(store: Store, deviceId: number): Promise<PortCounters | null> {
  const [row] = await stateOfDevice(store.db).execute({ device: deviceId })
  return row === undefined ? null : stateOf(row)
}

function stateOf(row: StateRow): PortCounters {
  const { cells, ids, seen } = row
  const of = { deviceId: row.device_id, time: Math.round(row.ms) }
  if (cells !== null && ids !== null && seen !== null && row.port_id.length === 0)
    return { ...of, portId: Int32Array.from(ids), present: Uint32Array.from(seen), ...decodeCells(cells, ids.length) }
  return {
    ...of,
    portId: Int32Array.from(row.port_id),
    ticks: Uint32Array.from(row.ticks, Number),
    present: Uint32Array.from(row.present),
    counters: counters(row.counters),
  }
}

/** Counters are stored in network byte order. */
function counters(bytes: Uint8Array): BigUint64Array {
  const copy = Buffer.alloc(bytes.length)
  copy.set(bytes)
  copy.swap64()
  return new BigUint64Array(copy.buffer, copy.byteOffset, copy.length / 8)
}

/**
 * Members of a port record derived from its latest polls, by API name: for every counter of PORT_COUNTERS `ifInOctets`,
 * `ifInOctets_prev`, `ifInOctets_delta` and `ifInOctets_rate` (per second), and `poll_time`, `poll_prev` (epoch
 * seconds) and `poll_period` (seconds). Text: an integer beyond 2^53. null: unknown; `_prev`, `_delta` and `_rate` are
 * null when the last poll gave no sample (first poll, restart of the agent).
 */
export type LivePortCounters = Readonly<Record<string, number | string | null>>

/** The states that contain these ports. */
const statesOf = prepared((db) =>
  db
    .select(STATE)
    .from(portState)
    .where(
      inArray(
        portState.device_id,
        db
          .select({ id: ports.device_id })
          .from(ports)
          .where(sql`${ports.port_id} = any(${sql.placeholder('ids')}::int[])`),
      ),
    )
    .prepare('port_states_of'),
)

/**
 * Samples of these ports at their last poll, which may be long ago. One lookup per port, because the planner would
 * otherwise read a day of samples of all ports.
 */
const lastSamples = prepared((db) => {
  const last = db
    .select()
    .from(portSamplesStored)
    .where(
      and(
        eq(portSamplesStored.port_id, ports.port_id),
        eq(portSamplesStored.time, portState.time),
        sql.raw(inChunks('port', 'span', 'samples', '"ts"."port_state"."time"', '"ts"."port_state"."time"')),
      ),
    )
    .limit(1)
    .as('last')
  return db
    .select({
      port_id: ports.port_id,
      device_id: ports.device_id,
      period_ms: last.period_ms,
      in_octets: last.in_octets,
      out_octets: last.out_octets,
      in_pkts: last.in_pkts,
      out_pkts: last.out_pkts,
      in_err: last.in_err,
      out_err: last.out_err,
      in_disc: last.in_disc,
      out_disc: last.out_disc,
      in_bcast: last.in_bcast,
      out_bcast: last.out_bcast,
      in_mcast: last.in_mcast,
      out_mcast: last.out_mcast,
    })
    .from(sql`unnest(${sql.placeholder('ids')}::int[]) wanted(id)`)
    .innerJoin(ports, sql`${ports.port_id} = wanted.id`)
    .innerJoin(portState, eq(portState.device_id, ports.device_id))
    .leftJoinLateral(last, sql`true`)
    .prepare('last_samples')
})

/** Live counters of these ports by port_id; ports that were never polled are absent. Reads one state per device. */
export async function livePortCounters(
  store: Store,
  portIds: readonly number[],
): Promise<Map<number, LivePortCounters>> {
  const found = new Map<number, LivePortCounters>()
  if (portIds.length === 0) return found
  const ids = integers(portIds)
  const [states, samples] = await Promise.all([
    statesOf(store.db).execute({ ids }),
    lastSamples(store.db).execute({ ids }),
  ])
  const byDevice = new Map(
    states.map((row) => {
      const state = stateOf(row)
      return [row.device_id, { state, rows: rowsOf(state.portId) }]
    }),
  )
  for (const sample of samples) {
    const device = byDevice.get(sample.device_id)
    const row = device?.rows.get(sample.port_id)
    if (device === undefined || row === undefined) continue
    const { time, present, counters, portId } = device.state
    const raw = (c: number): bigint => counters[c * portId.length + row] as bigint
    found.set(sample.port_id, live({ ms: time, present: present[row] ?? 0, raw }, sample))
  }
  return found
}

/**
 * Columns that `liveOf` converts to live counters, for a statement with `ports p`, and the joins they need. A state
 * holds the counters of all ports of a device, of which this extracts a single port's.
 */
export const LIVE_SQL = {
  columns: `extract(epoch from s."time")::float8 * 1000 as live_ms, i.seen[i.at] as live_present,
    case when i.narrow then substring(s.cells from 1 for ${CELLS_HEADER}) end as live_header,
    case when i.narrow then substring(s.cells from ${CELLS_HEADER} + (i.at - 1) * i.stride + 1 for i.stride)
      else ${PORT_COUNTERS.map((_, c) => `substring(s.counters from (${c} * i.ports + i.at - 1) * 8 + 1 for 8)`).join(' || ')} end as live_raw,
    x.period_ms, ${PORT_COUNTERS.map(({ series }) => `x.${series}`).join()}`,
  joins: `left join ts.port_state s on s.device_id = p.device_id
    left join lateral (
      select true as narrow, array_position(s.ids, p.port_id) as at, cardinality(s.ids) as ports, s.seen,
        ${Array.from({ length: 1 + PORT_COUNTERS.length }, (_, column) => `get_byte(s.cells, ${column})`).join(' + ')} as stride
      where cardinality(s.port_id) = 0 and s.cells is not null
      union all
      select false, array_position(s.port_id, p.port_id), cardinality(s.port_id), s.present, 8 where cardinality(s.port_id) > 0) i on true
    left join lateral (
      select * from ts.port_samples_stored y where y.port_id = p.port_id and y."time" = s."time"
        and ${inChunks('port', 'y.span', 'samples', 's."time"', 's."time"')} limit 1) x on true`,
} as const

/** A row with the columns of LIVE_SQL. */
export type LiveRow = LastDeltas & {
  /** Epoch milliseconds; null: the device was never polled. */
  readonly live_ms: number | null
  /** null: the port was not read at the last poll. */
  readonly live_present: number | null
  readonly live_raw: Uint8Array | null
  /** null: `live_raw` has 64 bits for each counter, as versions before wrote them. */
  readonly live_header: Uint8Array | null
}

/** Live counters of a row; null: the port was never polled. */
export function liveOf(row: LiveRow): LivePortCounters | null {
  const { live_ms: ms, live_present: present, live_raw: bytes, live_header: header } = row
  if (ms === null || present === null || bytes === null) return null
  if (header !== null) return live({ ms: Math.round(ms), present, raw: (c) => counterOf(header, bytes, c) }, row)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return live({ ms: Math.round(ms), present, raw: (c) => view.getBigUint64(c * 8) }, row)
}

function rowsOf(portIds: Int32Array): Map<number, number> {
  return new Map(Array.from(portIds, (id, row) => [id, row]))
}

/** Names of each counter's members, built once because lists have thousands of ports. */
const MEMBERS = PORT_COUNTERS.map(({ port: name, series }) => ({
  name,
  series,
  prev: `${name}_prev`,
  difference: `${name}_delta`,
  rate: `${name}_rate`,
}))

/** A port's part of its device's state: when it was read, which counters were present, and their values. */
interface PortReading {
  readonly ms: number
  readonly present: number
  readonly raw: (c: number) => bigint
}

/** Deltas of the last sample over its period, by column of ts.port_samples; all null if there is none. */
type LastDeltas = Readonly<Record<(typeof PORT_COUNTERS)[number]['series'], number | string | null>> & {
  readonly period_ms: number | null
}

function live({ ms, present, raw: rawOf }: PortReading, sample: LastDeltas): LivePortCounters {
  const { period_ms: periodMs } = sample
  const out: Record<string, number | string | null> = {
    poll_time: ms / 1000,
    poll_prev: periodMs === null ? null : (ms - periodMs) / 1000,
    poll_period: periodMs === null ? null : periodMs / 1000,
  }
  MEMBERS.forEach(({ name, series, prev, difference, rate }, c) => {
    const raw = (present & (1 << c)) === 0 ? null : rawOf(c)
    const delta = sample[series]
    out[name] = raw === null ? null : exact(raw)
    out[prev] = raw === null || delta === null ? null : before(raw, delta)
    out[difference] = delta
    out[rate] = delta === null || periodMs === null ? null : (Number(delta) * 1000) / periodMs
  })
  return out
}

/** A counter's value before `delta` was added. A value below its delta has wrapped, which only 32-bit counters do. */
function before(raw: bigint, delta: number | string): number | string {
  const number = Number(raw)
  if (typeof delta === 'number' && Number.isSafeInteger(number)) {
    return number - delta + (number < delta ? 4_294_967_296 : 0)
  }
  const counted = BigInt(delta)
  return exact(raw - counted + (raw < counted ? 4_294_967_296n : 0n))
}

function exact(value: bigint): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}
