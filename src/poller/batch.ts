import { PORT_COUNTER_COUNT } from '../lib/port-counters.ts'
import type {
  DevicePoll,
  GaugeSample,
  IcmpSample,
  PortState,
  SampleBatch,
  StatSample,
  UsageSample,
} from '../store/samples.ts'

/** Collects the measurements of many polls into one batch of columns. `seal` hands it over; use a new one after that. */
export interface BatchBuilder {
  /** Sample rows of all kinds so far. */
  readonly rows: number
  /**
   * Appends the samples of one device: `deltas` is column-major [counter][row] with `rows` rows, NaN where unknown.
   * A row with `periodMs` 0 has no predecessor and is left out.
   */
  addPorts(time: number, portIds: Int32Array, periodMs: Int32Array, deltas: Float64Array, rows: number): void
  addState(state: PortState): void
  addDevice(poll: DevicePoll): void
  addIcmp(sample: IcmpSample): void
  addStats(sample: StatSample): void
  addGauge(kind: 'sensors' | 'wireless' | 'processors' | 'supplies', sample: GaugeSample): void
  addUsage(kind: 'mempools' | 'storage', sample: UsageSample): void
  seal(): SampleBatch
}

/** `capacity`: port rows that fit before the columns grow. */
export function createBatch(capacity = 4096): BatchBuilder {
  let size = capacity
  let length = 0
  let time = new Float64Array(size)
  let portId = new Int32Array(size)
  let periodMs = new Int32Array(size)
  let deltas = new Float64Array(size * PORT_COUNTER_COUNT)
  const states = new Map<number, PortState>()
  const devices: DevicePoll[] = []
  const icmp: IcmpSample[] = []
  const gauges = {
    sensors: [] as GaugeSample[],
    wireless: [] as GaugeSample[],
    processors: [] as GaugeSample[],
    supplies: [] as GaugeSample[],
  }
  const stats: StatSample[] = []
  const usages = { mempools: [] as UsageSample[], storage: [] as UsageSample[] }

  function grow(least: number): void {
    let next = size * 2
    while (next < least) next *= 2
    const wider = new Float64Array(next * PORT_COUNTER_COUNT)
    for (let c = 0; c < PORT_COUNTER_COUNT; c++) wider.set(deltas.subarray(c * size, c * size + length), c * next)
    deltas = wider
    time = extend(time, new Float64Array(next))
    portId = extend(portId, new Int32Array(next))
    periodMs = extend(periodMs, new Int32Array(next))
    size = next
  }

  return {
    get rows() {
      return (
        length +
        devices.length +
        icmp.length +
        gauges.sensors.length +
        gauges.wireless.length +
        gauges.processors.length +
        usages.mempools.length +
        usages.storage.length +
        gauges.supplies.length +
        stats.length
      )
    },
    addPorts(at, ids, periods, values, rows) {
      if (length + rows > size) grow(length + rows)
      for (let r = 0; r < rows; r++) {
        const period = periods[r] as number
        if (period <= 0) continue
        time[length] = at
        portId[length] = ids[r] as number
        periodMs[length] = period
        for (let c = 0; c < PORT_COUNTER_COUNT; c++) deltas[c * size + length] = values[c * rows + r] as number
        length++
      }
    },
    addState(state) {
      states.set(state.deviceId, state)
    },
    addDevice(poll) {
      devices.push(poll)
    },
    addIcmp(sample) {
      icmp.push(sample)
    },
    addStats(sample) {
      stats.push(sample)
    },
    addGauge(kind, sample) {
      gauges[kind].push(sample)
    },
    addUsage(kind, sample) {
      usages[kind].push(sample)
    },
    seal() {
      return {
        ports: { length, capacity: size, time, portId, periodMs, deltas },
        portState: [...states.values()],
        devices,
        icmp,
        ...gauges,
        ...usages,
        stats,
      }
    },
  }
}

function extend<T extends Float64Array | Int32Array>(from: T, to: T): T {
  to.set(from)
  return to
}
