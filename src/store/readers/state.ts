import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import { devices, ports } from '../../../db/schema/index.ts'
import { portSamples, portState } from '../../../db/schema/series.ts'
import { PORT_COUNTERS } from '../../lib/port-counters.ts'
import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'
import { integers } from '../pg-array.ts'
import { prepared } from '../prepared.ts'
import type { PortState } from '../samples.ts'

const DEVICES_PER_READ = 500

/** A row of ts.port_state; `ms` is its time. */
interface StateRow {
  readonly device_id: number
  readonly ms: number
  readonly port_id: readonly number[]
  readonly ticks: readonly (number | string)[]
  readonly present: readonly number[]
  readonly counters: Uint8Array
}

const STATE = {
  device_id: portState.device_id,
  ms: sql<number>`(extract(epoch from ${portState.time}) * 1000)::float8`,
  port_id: portState.port_id,
  ticks: portState.ticks,
  present: portState.present,
  counters: portState.counters,
}

/** The state after this device, in order of device_id. */
const statesAfter = prepared((db) =>
  db
    .select(STATE)
    .from(portState)
    .innerJoin(devices, eq(devices.device_id, portState.device_id))
    .where(gt(portState.device_id, sql.placeholder('after')))
    .orderBy(asc(portState.device_id))
    .limit(DEVICES_PER_READ)
    .prepare('port_states'),
)

/** The raw counters of every device's ports at its last stored poll, by device_id: where polling goes on after a restart. */
export async function loadPortStates(store: Store): Promise<Map<number, PortState>> {
  const states = new Map<number, PortState>()
  for (let after = 0; ; ) {
    const rows = await guarded(() => statesAfter(store.db).execute({ after }))
    for (const row of rows) states.set(row.device_id, stateOf(row))
    const last = rows.at(-1)
    if (last === undefined || rows.length < DEVICES_PER_READ) return states
    after = last.device_id
  }
}

function stateOf(row: StateRow): PortState {
  return {
    deviceId: row.device_id,
    time: Math.round(row.ms),
    portId: Int32Array.from(row.port_id),
    ticks: Uint32Array.from(row.ticks, Number),
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

/** The states that these ports are in. */
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

/** The samples of these ports at their last poll. A lookup for each: the planner must not read a day of everybody's instead. */
const lastSamples = prepared((db) => {
  const last = db
    .select()
    .from(portSamples)
    .where(and(eq(portSamples.port_id, ports.port_id), eq(portSamples.time, portState.time)))
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

type LastSample = Awaited<ReturnType<ReturnType<typeof lastSamples>['execute']>>[number]

/** Live counters of these ports, by port_id; ports that were never read are absent. Reads one state per device concerned. */
export async function livePortCounters(
  store: Store,
  portIds: readonly number[],
): Promise<Map<number, LivePortCounters>> {
  const found = new Map<number, LivePortCounters>()
  if (portIds.length === 0) return found
  const ids = integers(portIds)
  const [states, samples] = await guarded(() =>
    Promise.all([statesOf(store.db).execute({ ids }), lastSamples(store.db).execute({ ids })]),
  )
  const byDevice = new Map(states.map((row) => [row.device_id, { state: stateOf(row), rows: rowsOf(row.port_id) }]))
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

/** The names of a counter's members; made once, for lists have thousands of ports. */
const MEMBERS = PORT_COUNTERS.map(({ port: name, series }) => ({
  name,
  series,
  prev: `${name}_prev`,
  difference: `${name}_delta`,
  rate: `${name}_rate`,
}))

function live(state: PortState, row: number, sample: LastSample): LivePortCounters {
  const { period_ms: periodMs } = sample
  const out: Record<string, number | string | null> = {
    poll_time: state.time / 1000,
    poll_prev: periodMs === null ? null : (state.time - periodMs) / 1000,
    poll_period: periodMs === null ? null : periodMs / 1000,
  }
  const present = state.present[row] ?? 0
  MEMBERS.forEach(({ name, series, prev, difference, rate }, c) => {
    const raw = (present & (1 << c)) === 0 ? null : (state.counters[c * state.portId.length + row] as bigint)
    const delta = sample[series]
    out[name] = raw === null ? null : exact(raw)
    out[prev] = raw === null || delta === null ? null : before(raw, delta)
    out[difference] = delta
    out[rate] = delta === null || periodMs === null ? null : (Number(delta) * 1000) / periodMs
  })
  return out
}

/** What a counter stood at when `delta` was not yet counted. One that is below its delta has wrapped: only 32-bit counters do. */
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
