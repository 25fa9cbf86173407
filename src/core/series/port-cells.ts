import { PORT_COUNTER_COUNT } from '../../lib/port-counters.ts'

/**
 * The raw counters of a device's ports as `ts.port_state.cells` has them, which takes a third to a half of 64 bits each: the row goes
 * to the WAL at every poll. First how many octets each column has, ticks and then the counters; then the least ticks, of
 * four octets; then a row for each port: its ticks above the least, and its counters, all in network byte order.
 */

/** What cells hold: `counters` is column-major, as in PortCounters. */
export interface PortCells {
  /** sysUpTime of the response, 1/100 s. */
  readonly ticks: Uint32Array
  readonly counters: BigUint64Array
}

const WIDTHS = 1 + PORT_COUNTER_COUNT
const LEAST_AT = WIDTHS
/** Where the first port's row begins. */
export const CELLS_HEADER = WIDTHS + 4
/** Words of a BigUint64Array on this machine. */
const [LOW, HIGH] = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? [0, 1] : [1, 0]

/** Encodes the counters of a device. */
export function encodeCells({ ticks, counters }: PortCells): Uint8Array {
  const ports = ticks.length
  const words = new Uint32Array(counters.buffer, counters.byteOffset, 2 * counters.length)
  const least = ticks.reduce((low, value) => Math.min(low, value), 0xffff_ffff)
  const widths = new Uint8Array(WIDTHS)
  widths[0] = width(ticks.reduce((bits, value) => bits | (value - least), 0))
  for (let c = 0; c < PORT_COUNTER_COUNT; c++) {
    let [low, high] = [0, 0]
    for (let i = 2 * c * ports; i < 2 * (c + 1) * ports; i += 2) {
      low |= words[i + LOW] as number
      high |= words[i + HIGH] as number
    }
    widths[1 + c] = high === 0 ? width(low) : 4 + width(high)
  }
  const bytes = new Uint8Array(CELLS_HEADER + ports * stride(widths))
  bytes.set(widths)
  put(bytes, LEAST_AT, 4, ports === 0 ? 0 : least, 0)
  let at = CELLS_HEADER
  for (let port = 0; port < ports; port++) {
    at = put(bytes, at, widths[0] as number, (ticks[port] as number) - least, 0)
    for (let c = 0; c < PORT_COUNTER_COUNT; c++) {
      const i = 2 * (c * ports + port)
      at = put(bytes, at, widths[1 + c] as number, words[i + LOW] as number, words[i + HIGH] as number)
    }
  }
  return bytes
}

/** Decodes the counters of `ports` ports. */
export function decodeCells(bytes: Uint8Array, ports: number): PortCells {
  const least = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(LEAST_AT)
  const row = stride(bytes)
  const ticks = new Uint32Array(ports)
  const counters = new BigUint64Array(ports * PORT_COUNTER_COUNT)
  for (let port = 0; port < ports; port++) {
    const cells = bytes.subarray(CELLS_HEADER + port * row)
    ticks[port] = least + Number(get(cells, 0, bytes[0] as number))
    for (let c = 0; c < PORT_COUNTER_COUNT; c++) counters[c * ports + port] = counterOf(bytes, cells, c)
  }
  return { ticks, counters }
}

/** One counter of the row of a port; `header`: the beginning of the cells that it is from. */
export function counterOf(header: Uint8Array, row: Uint8Array, counter: number): bigint {
  let at = 0
  for (let column = 0; column <= counter; column++) at += header[column] as number
  return get(row, at, header[1 + counter] as number)
}

/** Octets of the row of a port. */
function stride(header: Uint8Array): number {
  let sum = 0
  for (let column = 0; column < WIDTHS; column++) sum += header[column] as number
  return sum
}

/** Octets that hold 32 bits. */
function width(bits: number): number {
  return 4 - (Math.clz32(bits) >> 3)
}

function put(bytes: Uint8Array, at: number, octets: number, low: number, high: number): number {
  for (let i = octets - 1; i >= 0; i--) bytes[at++] = i >= 4 ? high >>> ((i - 4) << 3) : low >>> (i << 3)
  return at
}

function get(bytes: Uint8Array, at: number, octets: number): bigint {
  let [low, high] = [0, 0]
  for (let i = 0; i < octets; i++) {
    const left = octets - 1 - i
    if (left >= 4) high = high * 256 + (bytes[at + i] as number)
    else low = low * 256 + (bytes[at + i] as number)
  }
  return high === 0 ? BigInt(low) : (BigInt(high) << 32n) | BigInt(low)
}
