import type { TransactionSql } from 'postgres'
import { integers, octets } from '../pg-array.ts'
import type { PortState } from '../series/samples.ts'

/** Devices per statement; a device with 48 ports takes 11 kB of text. */
const DEVICES_PER_STATEMENT = 100

/** Stores the raw counters that each device's next poll subtracts from. An older state never replaces a newer one. */
export async function writePortStates(tx: TransactionSql, states: readonly PortState[]): Promise<void> {
  const newest = newestByDevice(states)
  for (let from = 0; from < newest.length; from += DEVICES_PER_STATEMENT) {
    const part = newest.slice(from, from + DEVICES_PER_STATEMENT)
    await tx.unsafe(
      `insert into ts.port_state
         select d, to_timestamp(ms / 1000), p::int[], t::bigint[], m::int[], c
         from unnest($1::int[], $2::float8[], $3::text[], $4::text[], $5::text[], $6::bytea[]) u(d, ms, p, t, m, c)
       on conflict (device_id) do update set "time" = excluded."time", port_id = excluded.port_id, ticks = excluded.ticks,
         present = excluded.present, counters = excluded.counters
       where port_state."time" <= excluded."time"`,
      [
        integers(part.map((s) => s.deviceId)),
        integers(part.map((s) => s.time)),
        quoted(part.map((s) => integers(s.portId))),
        quoted(part.map((s) => integers(s.ticks))),
        quoted(part.map((s) => integers(s.present))),
        quoted(part.map((s) => `\\${octets(bigEndian(s.counters))}`)),
      ],
      { prepare: true },
    )
  }
}

/** Sorted by device, so that concurrent writers lock rows in the same order. */
function newestByDevice(states: readonly PortState[]): PortState[] {
  const newest = new Map<number, PortState>()
  for (const state of states) {
    const other = newest.get(state.deviceId)
    if (other === undefined || other.time <= state.time) newest.set(state.deviceId, state)
  }
  return [...newest.values()].sort((a, b) => a.deviceId - b.deviceId)
}

function bigEndian(counters: BigUint64Array): Uint8Array {
  return Buffer.from(new Uint8Array(counters.buffer, counters.byteOffset, counters.byteLength)).swap64()
}

/** text[] of literals that contain only digits, commas, braces and backslashes. */
function quoted(literals: readonly string[]): string {
  return `{${literals.map((l) => `"${l}"`).join()}}`
}
