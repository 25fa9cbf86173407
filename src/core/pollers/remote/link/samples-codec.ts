import { PORT_COUNTER_COUNT } from '../../../../lib/port-counters.ts'
import { KINDS, NARROW_NAMES, type NarrowName } from '../../../../series/kinds.ts'
import type {
  DevicePoll,
  PortCounters,
  PortSamples,
  RefusedPair,
  SampleBatch,
  SeriesRows,
} from '../../../../series/samples.ts'
import { isId } from '../../../base/ids.ts'
import { isRecord, isTime, MessageError } from './checks.ts'

/**
 * An encoded batch: the length of the header (32 bits), the header in JSON with the shapes, and the columns one after
 * the other, little-endian. Kinds and columns have names, so that either end may know more of them than the other.
 */
interface Header {
  readonly counters: number
  readonly ports: number
  readonly states: readonly (readonly [deviceId: number, time: number, ports: number])[]
  readonly refused: readonly RefusedPair[]
  readonly polls: readonly DevicePoll[]
  readonly series: readonly { readonly kind: string; readonly rows: number; readonly columns: readonly string[] }[]
}

/** Maximum rows of ports, and of each kind, in one message. */
const MAX_ROWS = 500_000
const MAX_COLUMNS = 1000
const MAX_REASON = 64

export function encodeSamples(batch: SampleBatch): Uint8Array {
  const { ports, portState, refusedPairs = [] } = batch
  const series = NARROW_NAMES.flatMap((kind) => {
    const rows = batch.series[kind]
    return rows === undefined || rows.id.length === 0 ? [] : [{ kind, rows }]
  })
  const header: Header = {
    counters: PORT_COUNTER_COUNT,
    ports: ports.length,
    states: portState.map(({ deviceId, time, portId }) => [deviceId, time, portId.length]),
    refused: refusedPairs.map(({ portId, since, time, reason }) => ({ portId, since, time, reason })),
    polls: batch.polls.map(({ deviceId, time, tookMs, answered, uptimeS }) => ({
      deviceId,
      time,
      tookMs,
      answered,
      uptimeS,
    })),
    series: series.map(({ kind, rows }) => ({
      kind,
      rows: rows.id.length,
      columns: KINDS[kind].columns.map(({ name }) => name),
    })),
  }
  const parts: Uint8Array[] = []
  const put = ({ buffer, byteOffset, byteLength }: ArrayBufferView): void => {
    parts.push(new Uint8Array(buffer, byteOffset, byteLength))
  }
  const text = Buffer.from(JSON.stringify(header))
  put(Uint32Array.of(text.length))
  put(text)
  put(ports.time.subarray(0, ports.length))
  put(ports.portId.subarray(0, ports.length))
  put(ports.periodMs.subarray(0, ports.length))
  for (let c = 0; c < PORT_COUNTER_COUNT; c++)
    put(ports.deltas.subarray(c * ports.capacity, c * ports.capacity + ports.length))
  for (const state of portState) {
    for (const column of [state.portId, state.ticks, state.present, state.counters]) put(column)
  }
  for (const { rows } of series) {
    put(Float64Array.from(rows.time))
    put(Int32Array.from(rows.id))
    put(Int32Array.from(rows.periodMs))
    for (const column of rows.values) put(Float64Array.from(column))
  }
  return Buffer.concat(parts)
}

/** Reverses `encodeSamples`. Throws MessageError for anything else. */
export function decodeSamples(octets: Uint8Array): SampleBatch {
  const reader = readerOf(octets)
  const headerLength = reader.u32(1)[0] ?? 0
  const header = parseHeader(reader.bytes(headerLength))
  const n = header.ports
  const ports: PortSamples = {
    length: n,
    capacity: n,
    time: reader.f64(n),
    portId: reader.i32(n),
    periodMs: reader.i32(n),
    deltas: reader.f64(n * PORT_COUNTER_COUNT),
  }
  require(ports.time.every(isTime) && ports.portId.every(isId) && ports.periodMs.every((ms) => ms > 0), 'port samples')
  require(ports.deltas.every(isCell), 'port samples')
  const portState = header.states.map(([deviceId, time, rows]): PortCounters => {
    const state = {
      deviceId,
      time,
      portId: reader.i32(rows),
      ticks: reader.u32(rows),
      present: reader.u32(rows),
      counters: reader.u64(rows * PORT_COUNTER_COUNT),
    }
    require(state.portId.every(isId), 'counters')
    return state
  })
  const series: Partial<Record<NarrowName, SeriesRows>> = {}
  for (const { kind, rows, columns } of header.series) {
    const read = {
      time: [...reader.f64(rows)],
      id: [...reader.i32(rows)],
      periodMs: [...reader.i32(rows)],
      values: columns.map(() => [...reader.f64(rows)]),
    }
    require(read.time.every(isTime) && read.id.every(isId) && read.periodMs.every((ms) => ms >= 0), 'samples')
    require(read.values.every((column) => column.every(isCell)), 'samples')
    const name = NARROW_NAMES.find((known) => known === kind)
    if (name === undefined) continue
    const unknown = new Array<number>(rows).fill(Number.NaN)
    const values = KINDS[name].columns.map((column) => read.values[columns.indexOf(column.name)] ?? unknown)
    series[name] = { ...read, values }
  }
  require(reader.left() === 0, 'length')
  return { ports, portState, refusedPairs: header.refused, polls: header.polls, series }
}

function parseHeader(text: Uint8Array): Header {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(text).toString('utf8'))
  } catch {
    throw new MessageError('garbled', 'the header of the samples is not JSON')
  }
  require(isRecord(value), 'header')
  const { counters, ports, states, refused, polls, series } = value
  require(counters === PORT_COUNTER_COUNT, 'number of counters')
  require(isCount(ports), 'number of ports')
  return {
    counters,
    ports,
    states: listOf(states, (item) => {
      require(Array.isArray(item), 'counters')
      const [deviceId, time, rows] = item
      require(isId(deviceId) && isTime(time) && isCount(rows), 'counters')
      return [deviceId, time, rows] as const
    }),
    refused: listOf(refused, (item) => {
      require(isRecord(item), 'refused pairs')
      const { portId, since, time, reason } = item
      require(isId(portId) && isTime(since) && isTime(time) && isText(reason, MAX_REASON), 'refused pairs')
      return { portId, since, time, reason }
    }),
    polls: listOf(polls, (item) => {
      require(isRecord(item), 'polls')
      const { deviceId, time, tookMs, answered, uptimeS } = item
      require(isId(deviceId) && isTime(time) && isDuration(tookMs) && typeof answered === 'boolean', 'polls')
      require(uptimeS === null || isDuration(uptimeS), 'polls')
      return { deviceId, time, tookMs, answered, uptimeS }
    }),
    series: listOf(series, (item) => {
      require(isRecord(item), 'series')
      const { kind, rows, columns } = item
      require(isText(kind, MAX_REASON) && isCount(rows) && Array.isArray(columns), 'series')
      require(columns.length <= MAX_COLUMNS && columns.every((name) => isText(name, MAX_REASON)), 'series')
      return { kind, rows, columns }
    }),
  }
}

function listOf<T>(value: unknown, parse: (item: unknown) => T): T[] {
  require(Array.isArray(value) && value.length <= MAX_ROWS, 'header')
  return value.map(parse)
}

function require(good: boolean, what: string): asserts good {
  if (!good) throw new MessageError('garbled', `the samples are garbled: ${what}`)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_ROWS
}

function isText(value: unknown, length: number): value is string {
  return typeof value === 'string' && value.length <= length && !value.includes('\0')
}

function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < 2 ** 40
}

/** A finite value, or NaN: unknown. */
function isCell(value: number): boolean {
  return value !== Number.POSITIVE_INFINITY && value !== Number.NEGATIVE_INFINITY
}

/** Reads columns one after the other, as copies because typed arrays must be aligned. */
function readerOf(octets: Uint8Array) {
  let at = 0
  const bytes = (length: number): Uint8Array<ArrayBuffer> => {
    require(length <= octets.length - at, 'length')
    const part = new Uint8Array(octets.subarray(at, at + length))
    at += length
    return part
  }
  return {
    bytes,
    left: () => octets.length - at,
    f64: (n: number) => new Float64Array(bytes(n * 8).buffer),
    i32: (n: number) => new Int32Array(bytes(n * 4).buffer),
    u32: (n: number) => new Uint32Array(bytes(n * 4).buffer),
    u64: (n: number) => new BigUint64Array(bytes(n * 8).buffer),
  }
}
