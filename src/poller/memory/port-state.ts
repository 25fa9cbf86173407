import { PORT_COUNTER_COUNT } from '../../lib/port-counters.ts'
import { sameNumbers } from '../../lib/same-numbers.ts'
import type { PortCounters } from '../../series/samples.ts'

/**
 * The state with its rows in the order of `portIds`, for the deltas of the next poll. Ports missing from the state get
 * a row without counters; rows of other ports are dropped. Returns the state itself if the order is already the same.
 */
export function alignState(state: PortCounters, portIds: Int32Array): PortCounters {
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
