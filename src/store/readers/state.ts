import { PORT_COUNTERS } from '../../lib/port-counters.ts'
import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'
import { integers } from '../pg-array.ts'
import type { PortState } from '../samples.ts'

const DEVICES_PER_READ = 500

interface StateRow {
  readonly device_id: number
  readonly ms: number
  readonly port_id: number[]
  readonly ticks: number[]
  readonly present: number[]
  readonly counters: Uint8Array
}

/** The raw counters of every device's ports at its last stored poll, by device_id: where polling goes on after a restart. */
export async function loadPortStates(store: Store): Promise<Map<number, PortState>> {
  const states = new Map<number, PortState>()
  for (let after = 0; ; ) {
    const rows = await guarded(
      () => store.sql<StateRow[]>`
        select s.device_id, (extract(epoch from s."time") * 1000)::float8 as ms, s.port_id, s.ticks, s.present, s.counters
        from ts.port_state s join devices d using (device_id)
        where s.device_id > ${after} order by s.device_id limit ${DEVICES_PER_READ}`,
    )
    for (const row of rows) states.set(row.device_id, portState(row))
    const last = rows.at(-1)
    if (last === undefined || rows.length < DEVICES_PER_READ) return states
    after = last.device_id
  }
}

function portState(row: StateRow): PortState {
  return {
    deviceId: row.device_id,
    time: Math.round(row.ms),
    portId: Int32Array.from(row.port_id),
    ticks: Uint32Array.from(row.ticks),
    present: Uint32Array.from(row.present),
    counters: counters(row.counters),
  }
}

/** Counters as they are stored: most significant octet first. */
function counters(bytes: Uint8Array): BigUint64Array {
  const copy = Buffer.alloc(bytes.length)
  copy.set(bytes)
  copy.swap64()
  return new BigUint64Array(copy.buffer, copy.byteOffset, copy.length / 8)
}

/**
 * The members of a port record that come from its last polls, by their API names: for every counter of PORT_COUNTERS
 * `ifInOctets`, `ifInOctets_prev`, `ifInOctets_delta` and `ifInOctets_rate` (per second), and `poll_time`, `poll_prev`
 * (epoch seconds) and `poll_period` (seconds). Text: an integer beyond 2^53. null: not known; `_prev`, `_delta` and
 * `_rate` are null when the last poll gave no sample (a first poll, a restart of the agent).
 */
export type LivePortCounters = Readonly<Record<string, number | string | null>>

type CounterName = (typeof PORT_COUNTERS)[number]['series']

interface SampleRow extends Readonly<Record<CounterName, number | string | null>> {
  readonly port_id: number
  readonly device_id: number
  readonly period_ms: number | null
}

/** Live counters of these ports, by port_id; ports that were never read are absent. Reads one state per device concerned. */
export async function livePortCounters(
  store: Store,
  portIds: readonly number[],
): Promise<Map<number, LivePortCounters>> {
  const found = new Map<number, LivePortCounters>()
  if (portIds.length === 0) return found
  const ids = integers(portIds)
  const [states, samples] = await guarded(() =>
    Promise.all([
      store.sql<StateRow[]>`
        select s.device_id, (extract(epoch from s."time") * 1000)::float8 as ms, s.port_id, s.ticks, s.present, s.counters
        from ts.port_state s
        where s.device_id in (select p.device_id from ports p where p.port_id = any(${ids}::int[]))`,
      // A lookup for each port: the planner must not read a day of everybody's samples instead.
      store.sql<SampleRow[]>`
        select p.port_id, p.device_id, x.*
        from unnest(${ids}::int[]) q(id) join ports p on p.port_id = q.id join ts.port_state s using (device_id)
        left join lateral (
          select period_ms, ${store.sql.unsafe(PORT_COUNTERS.map((c) => c.series).join())}
          from ts.port_samples m where m.port_id = p.port_id and m."time" = s."time" limit 1) x on true`,
    ]),
  )
  const byDevice = new Map(states.map((row) => [row.device_id, { state: portState(row), rows: rowsOf(row.port_id) }]))
  for (const sample of samples) {
    const device = byDevice.get(sample.device_id)
    const row = device?.rows.get(sample.port_id)
    if (device !== undefined && row !== undefined) found.set(sample.port_id, live(device.state, row, sample))
  }
  return found
}

function rowsOf(portIds: readonly number[]): Map<number, number> {
  return new Map(portIds.map((id, row) => [id, row]))
}

function live(state: PortState, row: number, sample: SampleRow): LivePortCounters {
  const { period_ms: periodMs } = sample
  const out: Record<string, number | string | null> = {
    poll_time: state.time / 1000,
    poll_prev: periodMs === null ? null : (state.time - periodMs) / 1000,
    poll_period: periodMs === null ? null : periodMs / 1000,
  }
  const present = state.present[row] ?? 0
  PORT_COUNTERS.forEach(({ port: name, series }, c) => {
    const raw = (present & (1 << c)) === 0 ? null : (state.counters[c * state.portId.length + row] as bigint)
    const text = sample[series]
    const delta = text === null ? null : BigInt(text)
    out[name] = raw === null ? null : exact(raw)
    // A counter that is below its own delta has wrapped, and only 32-bit counters do.
    out[`${name}_prev`] =
      raw === null || delta === null ? null : exact(raw - delta + (raw < delta ? 4_294_967_296n : 0n))
    out[`${name}_delta`] = delta === null ? null : exact(delta)
    out[`${name}_rate`] = delta === null || periodMs === null ? null : (Number(delta) * 1000) / periodMs
  })
  return out
}

function exact(value: bigint): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}
