import { PORT_COUNTER_COUNT } from '../lib/port-counters.ts'
import { sameNumbers } from '../lib/same-numbers.ts'
import type { PortState } from '../store/series/samples.ts'

/**
 * The state's rows in the order of `portIds`, for the next poll to subtract from. Ports missing from the state get a row
 * without counters; rows of other ports are dropped. Returns the state itself if the order is already the same.
 */
export function alignState(state: PortState, portIds: Int32Array): PortState {
  if (sameNumbers(state.portId, portIds)) return state
  const rows = portIds.length
  const from = state.portId.length
  const rowOf = new Map<number, number>()
  for (let r = 0; r < from; r++) rowOf.set(state.portId[r] as number, r)
  const ticks = new Uint32Array(rows)
  const present = new Uint32Array(rows)
  const counters = new BigUint64Array(rows * PORT_COUNTER_COUNT)
  for (let r = 0; r < rows; r++) {
    const old = rowOf.get(portIds[r] as number)
    if (old === undefined) continue
    ticks[r] = state.ticks[old] as number
    present[r] = state.present[old] as number
    for (let c = 0; c < PORT_COUNTER_COUNT; c++) counters[c * rows + r] = state.counters[c * from + old] as bigint
  }
  return { deviceId: state.deviceId, time: state.time, portId: portIds, ticks, counters, present }
}

/**
 * A copy of the state for the next poll to subtract from, in the memory of the last one if that has as many ports: the
 * columns of a poll are a worker's memory, which is free again once they are stored.
 */
export function keepState(state: PortState, last: PortState | null): PortState {
  const rows = state.portId.length
  const { counters, ticks, present } = last?.portId.length === rows ? last : columnsFor(rows)
  counters.set(state.counters)
  ticks.set(state.ticks)
  present.set(state.present)
  return { deviceId: state.deviceId, time: state.time, portId: state.portId, ticks, counters, present }
}

/** One piece of memory for all columns. */
function columnsFor(rows: number): Pick<PortState, 'counters' | 'ticks' | 'present'> {
  const counters = rows * PORT_COUNTER_COUNT * 8
  const memory = new ArrayBuffer(counters + rows * 8)
  return {
    counters: new BigUint64Array(memory, 0, rows * PORT_COUNTER_COUNT),
    ticks: new Uint32Array(memory, counters, rows),
    present: new Uint32Array(memory, counters + rows * 4, rows),
  }
}
