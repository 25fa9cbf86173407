import { PORT_COUNTER_COUNT } from '../../lib/port-counters.ts'
import { deviceValues, icmpValues } from '../../series/kinds/device.ts'
import { KINDS, type NarrowName } from '../../series/kinds.ts'
import type {
  DeviceClaim,
  DevicePoll,
  PortCounters,
  RefusedPair,
  SampleBatch,
  SeriesRows,
} from '../../series/samples.ts'

/** Outcome and cost of a device's poll. */
export interface DeviceSample extends DevicePoll {
  readonly requests: number
  readonly timeouts: number
}

/** A round of ICMP echo requests to a device. */
export type IcmpSample = Parameters<typeof icmpValues>[0] & { readonly deviceId: number; readonly time: number }

/**
 * Collects the samples of many polls in one batch of columns. `seal` returns the batch; create a new builder after
 * that.
 */
export interface BatchBuilder {
  /** Sample rows of all kinds so far. */
  readonly rows: number
  /** Sets the claim under which everything appended from now on was measured. Returns the builder. */
  under(claim: DeviceClaim): BatchBuilder
  /**
   * Appends the samples of one device: `deltas` is column-major [counter][row] with `rows` rows, NaN where unknown.
   * A row with `periodMs` 0 has no previous sample and is left out.
   */
  addPorts(time: number, portIds: Int32Array, periodMs: Int32Array, deltas: Float64Array, rows: number): void
  addRefused(pair: RefusedPair): void
  addState(state: PortCounters): void
  addDevice(poll: DeviceSample): void
  addIcmp(round: IcmpSample): void
  /**
   * Appends a sample: `values` are the kind's columns in order, NaN where unknown. `periodMs`, above 0, is the period
   * of its deltas; kinds without counters have none.
   */
  add(kind: NarrowName, id: number, time: number, values: ArrayLike<number>, periodMs?: number): void
  seal(): SampleBatch
}

/** `capacity`: port rows that fit before the columns have to grow; pass the size of the last batch. */
export function createBatch(capacity = 1024): BatchBuilder {
  let size = Math.max(1, capacity)
  let length = 0
  let narrow = 0
  let time = new Float64Array(size)
  let portId = new Int32Array(size)
  let periodMs = new Int32Array(size)
  let deltas = new Float64Array(size * PORT_COUNTER_COUNT)
  let portClaim = new Int32Array(size)
  const held: DeviceClaim[] = []
  let claim = -1
  const states = new Map<number, { readonly state: PortCounters; readonly claim: number }>()
  const pairClaims: number[] = []
  const pollClaims: number[] = []
  const refusedPairs: RefusedPair[] = []
  const polls: DevicePoll[] = []
  const series = new Map<NarrowName, Columns>()

  function grow(least: number): void {
    let next = size * 2
    while (next < least) next *= 2
    const wider = new Float64Array(next * PORT_COUNTER_COUNT)
    for (let c = 0; c < PORT_COUNTER_COUNT; c++) wider.set(deltas.subarray(c * size, c * size + length), c * next)
    deltas = wider
    time = extend(time, new Float64Array(next))
    portId = extend(portId, new Int32Array(next))
    periodMs = extend(periodMs, new Int32Array(next))
    portClaim = extend(portClaim, new Int32Array(next))
    size = next
  }

  function columnsOf(kind: NarrowName): Columns {
    let columns = series.get(kind)
    if (columns === undefined) {
      columns = { time: [], id: [], periodMs: [], claim: [], values: KINDS[kind].columns.map(() => []) }
      series.set(kind, columns)
    }
    return columns
  }

  function add(kind: NarrowName, id: number, at: number, values: ArrayLike<number>, period = 0): void {
    const columns = columnsOf(kind)
    columns.time.push(at)
    columns.id.push(id)
    columns.periodMs.push(period)
    columns.claim.push(claim)
    // an indexed loop, for speed: a poll's statistics have 150 columns
    const { values: cells } = columns
    for (let c = 0; c < cells.length; c++) cells[c]?.push(values[c] ?? Number.NaN)
    narrow++
  }

  const builder: BatchBuilder = {
    get rows() {
      return length + narrow
    },
    under(next) {
      const last = held.at(-1)
      if (last?.deviceId !== next.deviceId || last.claim !== next.claim) held.push(next)
      claim = held.length - 1
      return builder
    },
    addPorts(at, ids, periods, values, rows) {
      if (length + rows > size) grow(length + rows)
      for (let r = 0; r < rows; r++) {
        const period = periods[r] as number
        if (period <= 0) continue
        time[length] = at
        portId[length] = ids[r] as number
        portClaim[length] = claim
        periodMs[length] = period
        for (let c = 0; c < PORT_COUNTER_COUNT; c++) deltas[c * size + length] = values[c * rows + r] as number
        length++
      }
    },
    addRefused: (pair) => {
      refusedPairs.push(pair)
      pairClaims.push(claim)
    },
    addState(state) {
      states.set(state.deviceId, { state, claim })
    },
    addDevice(poll) {
      polls.push(poll)
      pollClaims.push(claim)
      add('device', poll.deviceId, poll.time, deviceValues(poll))
    },
    addIcmp: (round) => add('icmp', round.deviceId, round.time, icmpValues(round)),
    add,
    seal: () => ({
      ports: { length, capacity: size, time, portId, periodMs, deltas },
      portState: Array.from(states.values(), ({ state }) => state),
      refusedPairs,
      polls,
      series: Object.fromEntries(Array.from(series, ([name, { claim: _, ...rows }]) => [name, rows])),
      ...(held.length > 0 && {
        claims: {
          held,
          ports: portClaim,
          portState: Array.from(states.values(), (own) => own.claim),
          refusedPairs: pairClaims,
          polls: pollClaims,
          series: Object.fromEntries(Array.from(series, ([name, columns]) => [name, columns.claim])),
        },
      }),
    }),
  }
  return builder
}

/** `SeriesRows` while they are being filled. */
interface Columns extends SeriesRows {
  readonly time: number[]
  readonly id: number[]
  readonly periodMs: number[]
  readonly claim: number[]
  readonly values: number[][]
}

function extend<T extends Float64Array | Int32Array>(from: T, to: T): T {
  to.set(from)
  return to
}
