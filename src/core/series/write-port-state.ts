import type { TransactionSql } from 'postgres'
import type { PortCounters } from '../../series/samples.ts'
import { type BinaryArray, byteas, int4s } from '../database/binary-array.ts'
import { integers } from '../database/pg-array.ts'
import { encodeCells } from './port-cells.ts'

/** Devices per statement; a device with 48 ports takes 3 kB. */
const DEVICES_PER_STATEMENT = 250

/**
 * Stores the raw counters that each device's next poll subtracts from. An older state never replaces a newer one, unless
 * that is of a time that has not come yet: it was read while the clock was wrong.
 */
export async function writePortStates(tx: TransactionSql, states: readonly PortCounters[]): Promise<void> {
  const newest = newestByDevice(states)
  for (let from = 0; from < newest.length; from += DEVICES_PER_STATEMENT) {
    const part = newest.slice(from, from + DEVICES_PER_STATEMENT)
    const stops = stopsOf(part)
    const binary = ({ value, type }: BinaryArray) => tx.typed(value, type)
    await tx.unsafe(
      `insert into ts.port_state (device_id, "time", port_id, ticks, present, counters, cells, seen, ids)
         select d, to_timestamp(ms / 1000), '{}', '{}', '{}', '', c, ($6::int[])[start:stop], ($5::int[])[start:stop]
         from unnest($1::int[], $2::float8[], $3::int[], $4::int[], $7::bytea[]) u(d, ms, start, stop, c)
       on conflict (device_id) do update set "time" = excluded."time", port_id = excluded.port_id, ticks = excluded.ticks,
         present = excluded.present, counters = excluded.counters, cells = excluded.cells, seen = excluded.seen, ids = excluded.ids
       where port_state."time" <= excluded."time" or port_state."time" > clock_timestamp() + interval '1 minute'`,
      [
        integers(part.map((s) => s.deviceId)),
        integers(part.map((s) => s.time)),
        integers(part.map((s, i) => (stops[i] as number) - s.portId.length + 1)),
        integers(stops),
        binary(int4s(part.map((s) => s.portId))),
        binary(int4s(part.map((s) => s.present))),
        binary(byteas(part.map(encodeCells))),
      ],
      { prepare: true },
    )
  }
}

/** Positions of each device's last port among the ports of all, from 1. */
function stopsOf(states: readonly PortCounters[]): number[] {
  let stop = 0
  return states.map(({ portId }) => {
    stop += portId.length
    return stop
  })
}

/** Sorted by device, so that concurrent writers lock rows in the same order. */
function newestByDevice(states: readonly PortCounters[]): PortCounters[] {
  const newest = new Map<number, PortCounters>()
  for (const state of states) {
    const other = newest.get(state.deviceId)
    if (other === undefined || other.time <= state.time) newest.set(state.deviceId, state)
  }
  return [...newest.values()].sort((a, b) => a.deviceId - b.deviceId)
}
