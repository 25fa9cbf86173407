import { PORT_COUNTER_COUNT } from '../../lib/port-counters.ts'
import type { PortCounters } from '../../series/samples.ts'

/** The columns of a state are ticks, present, then the counters. */
const COLUMNS = 2 + PORT_COUNTER_COUNT
const TICKS = 0
const PRESENT = 1
const COUNTERS = 2

/**
 * The counters of a device's last poll, from which the next one computes its deltas. Each column uses as many bytes per
 * number as its largest value needs, since most counters are far below 2^64. Cells that were not read are zero.
 */
export class PackedCounters {
  readonly deviceId: number
  /** Epoch ms. */
  readonly time: number
  /** port_id of each row. */
  readonly portId: Int32Array
  /** The number of bytes per value in each column, then the columns, with the lowest bytes of all rows first. */
  private readonly octets: Uint8Array

  /** `last`: the previous state, whose memory is reused if it has the right size. */
  constructor(state: PortCounters, last: PackedCounters | null = null) {
    const rows = state.portId.length
    this.deviceId = state.deviceId
    this.time = state.time
    this.portId = state.portId
    const { ticks, present } = state
    const words = wordsOf(state.counters)
    let size = COLUMNS
    widths[TICKS] = widthOf(ticks)
    widths[PRESENT] = widthOf(present)
    for (let c = 0; c < PORT_COUNTER_COUNT; c++) widths[COUNTERS + c] = wideOf(words, present, c, rows)
    for (const width of widths) size += width * rows
    const octets = last?.octets.length === size ? last.octets : new Uint8Array(size)
    octets.set(widths)
    let at = COLUMNS
    for (let c = 0; c < COUNTERS; c++) {
      const cells = c === TICKS ? ticks : present
      for (let shift = 0; shift < 8 * (widths[c] as number); shift += 8)
        for (let r = 0; r < rows; r++) octets[at++] = (cells[r] as number) >>> shift
    }
    for (let c = 0; c < PORT_COUNTER_COUNT; c++) {
      for (let octet = 0; octet < (widths[COUNTERS + c] as number); octet++) {
        const shift = 8 * (octet & 3)
        const first = 2 * c * rows + (octet >> 2)
        for (let r = 0; r < rows; r++)
          octets[at++] = isRead(present, r, c) ? (words[first + 2 * r] as number) >>> shift : 0
      }
    }
    this.octets = octets
  }

  /** The unpacked state, in memory that the next call reuses. */
  state(): PortCounters {
    const { deviceId, time, portId, octets } = this
    const rows = portId.length
    const { ticks, present, counters } = spaceFor(rows)
    const words = wordsOf(counters)
    let at = COLUMNS
    for (let c = 0; c < COUNTERS; c++) {
      const cells = c === TICKS ? ticks : present
      for (let shift = 0; shift < 8 * (octets[c] as number); shift += 8)
        for (let r = 0; r < rows; r++) cells[r] = (cells[r] as number) | ((octets[at++] as number) << shift)
    }
    for (let c = 0; c < PORT_COUNTER_COUNT; c++) {
      for (let octet = 0; octet < (octets[COUNTERS + c] as number); octet++) {
        const shift = 8 * (octet & 3)
        const first = 2 * c * rows + (octet >> 2)
        for (let r = 0; r < rows; r++) {
          const word = first + 2 * r
          words[word] = (words[word] as number) | ((octets[at++] as number) << shift)
        }
      }
    }
    return { deviceId, time, portId, ticks, present, counters }
  }

  /** Memory used, bytes. */
  get size(): number {
    return this.octets.length
  }
}

const widths = new Uint8Array(COLUMNS)

function isRead(present: Uint32Array, row: number, counter: number): boolean {
  return ((present[row] as number) & (1 << counter)) !== 0
}

/** Bytes that the largest of the numbers needs. */
function widthOf(cells: Uint32Array): number {
  let all = 0
  for (const cell of cells) all |= cell
  return octetsOf(all)
}

/** Bytes that the largest of the 64-bit values read for a counter needs. */
function wideOf(words: Uint32Array, present: Uint32Array, counter: number, rows: number): number {
  let low = 0
  let high = 0
  for (let r = 0; r < rows; r++) {
    if (!isRead(present, r, counter)) continue
    const word = 2 * (counter * rows + r)
    low |= words[word] as number
    high |= words[word + 1] as number
  }
  return high === 0 ? octetsOf(low) : 4 + octetsOf(high)
}

function octetsOf(bits: number): number {
  return (39 - Math.clz32(bits)) >> 3
}

/** Pairs of lower and upper half, because all supported processors are little-endian. */
function wordsOf(counters: BigUint64Array): Uint32Array {
  return new Uint32Array(counters.buffer, counters.byteOffset, counters.length * 2)
}

let space: Pick<PortCounters, 'ticks' | 'present' | 'counters'> = columns(0)

/** Columns of zeros; reuses those of the last call if it had the same number of rows. */
function spaceFor(rows: number): typeof space {
  if (space.ticks.length !== rows) space = columns(rows)
  else {
    space.ticks.fill(0)
    space.present.fill(0)
    space.counters.fill(0n)
  }
  return space
}

function columns(rows: number): Pick<PortCounters, 'ticks' | 'present' | 'counters'> {
  return {
    ticks: new Uint32Array(rows),
    present: new Uint32Array(rows),
    counters: new BigUint64Array(rows * PORT_COUNTER_COUNT),
  }
}
