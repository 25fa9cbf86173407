import { expect, test } from 'bun:test'
import { zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { MessageError } from '../../../../../src/core/pollers/remote/link/checks.ts'
import { type Delivery, decodeDelivery, encodeDelivery } from '../../../../../src/core/pollers/remote/link/message.ts'
import { decodeSamples, encodeSamples } from '../../../../../src/core/pollers/remote/link/samples-codec.ts'
import { PORT_COUNTER_COUNT } from '../../../../../src/lib/port-counters.ts'
import { createBatch } from '../../../../../src/poller/samples/batch.ts'
import { KINDS, NARROW_NAMES } from '../../../../../src/series/kinds.ts'
import type { SampleBatch } from '../../../../../src/series/samples.ts'

const AT = Date.UTC(2026, 0, 2)

/** A batch with rows of every kind, `ports` ports, and unknown values. */
function batchOf(ports: number): SampleBatch {
  const batch = createBatch(1)
  const portId = Int32Array.from({ length: ports }, (_, i) => i + 1)
  const counters = new BigUint64Array(ports * PORT_COUNTER_COUNT).fill(2n ** 64n - 1n)
  batch.addState({
    deviceId: 7,
    time: AT,
    portId,
    ticks: new Uint32Array(ports).fill(4_294_967_295),
    counters,
    present: new Uint32Array(ports).fill(4095),
  })
  const deltas = Float64Array.from({ length: ports * PORT_COUNTER_COUNT }, (_, i) => (i % 3 === 0 ? Number.NaN : i))
  batch.addPorts(AT, portId, new Int32Array(ports).fill(60_000), deltas, ports)
  batch.addRefused({ portId: 1, since: AT - 60_000, time: AT, reason: 'reboot' })
  batch.addDevice({ deviceId: 7, time: AT, tookMs: 12.5, answered: true, uptimeS: null, requests: 3, timeouts: 0 })
  for (const kind of NARROW_NAMES)
    batch.add(
      kind,
      9,
      AT,
      KINDS[kind].columns.map((_, c) => (c === 0 ? 1.5 : Number.NaN)),
      1000,
    )
  return batch.seal()
}

test.each([0, 1, 48, 3000])('a batch of %p ports is the same after encoding and decoding', (ports) => {
  const batch = batchOf(ports)
  const read = decodeSamples(encodeSamples(batch))
  const { length, capacity } = batch.ports
  expect(read.ports.length).toBe(length)
  expect([...read.ports.portId]).toEqual([...batch.ports.portId.subarray(0, length)])
  for (let c = 0; c < PORT_COUNTER_COUNT; c++)
    expect([...read.ports.deltas.subarray(c * length, (c + 1) * length)]).toEqual([
      ...batch.ports.deltas.subarray(c * capacity, c * capacity + length),
    ])
  expect(read.portState).toEqual([...batch.portState])
  expect(read.series).toEqual(batch.series)
  expect(read.refusedPairs).toEqual(batch.refusedPairs ?? [])
  expect(read.polls.map(({ deviceId, tookMs, uptimeS }) => [deviceId, tookMs, uptimeS])).toEqual([[7, 12.5, null]])
})

const DELIVERIES: readonly Delivery[] = [
  {
    kind: 'discovery',
    deviceId: 7,
    observations: [
      { kind: 'system', sysName: 'r1', os: null },
      { kind: 'ports', complete: true, rows: [{ ifIndex: 3, ifName: 'ge-0/0/0' }] },
    ],
    ended: {
      run: { tookMs: 20, complete: true },
      modules: [{ name: 'ports', rows: 1, requests: 2, tookMs: 5, note: '', complete: true }],
    },
  },
  { kind: 'discovery', deviceId: 7, observations: [], ended: null },
  { kind: 'ports', deviceId: 7, changes: [{ port_id: 4, ifOperStatus: 'down', ifSpeed: 1e9, ifAlias: 'x' }] },
  { kind: 'status', deviceId: 7, up: false, reason: 'snmp', at: AT },
  { kind: 'failure', deviceId: 7, failure: { kind: 'unresolved', hostname: 'r1' }, at: AT, event: true },
  { kind: 'failure', deviceId: 7, failure: null, at: AT, event: false },
  { kind: 'reboot', deviceId: 7, beforeS: 100, at: AT },
  { kind: 'event', deviceId: 7, message: 'text', severity: 4, at: AT },
]

test.each(DELIVERIES)('a delivery is the same after encoding and decoding: %j', (delivery) => {
  expect(decodeDelivery(encodeDelivery(delivery))).toEqual(delivery)
})

test('random, changed and shortened messages are refused without any other error', () => {
  const whole = [encodeDelivery({ kind: 'samples', batch: batchOf(3) }), ...DELIVERIES.map(encodeDelivery)]
  const plain = encodeSamples(batchOf(3))
  const refusedOrGood = (read: () => unknown): void => {
    try {
      read()
    } catch (error) {
      expect(error).toBeInstanceOf(MessageError)
    }
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), fc.nat(), fc.integer({ min: 0, max: 255 }), (octets, at, value) => {
      refusedOrGood(() => decodeDelivery(octets))
      refusedOrGood(() => decodeDelivery(Buffer.concat([Uint8Array.of(1, 1), zstdCompressSync(octets)])))
      refusedOrGood(() => decodeSamples(octets))
      const changed = Uint8Array.from(plain)
      changed[at % changed.length] = value
      refusedOrGood(() => decodeSamples(changed))
      refusedOrGood(() => decodeSamples(plain.subarray(0, at % plain.length)))
      for (const message of whole) {
        const other = Uint8Array.from(message)
        other[at % other.length] = value
        refusedOrGood(() => decodeDelivery(other))
      }
    }),
    { numRuns: 300 },
  )
})

const garbled = (value: unknown) =>
  Buffer.concat([Uint8Array.of(1, 2), zstdCompressSync(Buffer.from(JSON.stringify(value)))])

test.each([
  ['no device', { kind: 'reboot', beforeS: 1, at: AT }],
  ['a device beyond the range of ids', { kind: 'reboot', deviceId: 2 ** 31, beforeS: 1, at: AT }],
  ['an unknown kind', { kind: 'drop', deviceId: 1 }],
  ['a status of no port', { kind: 'ports', deviceId: 1, changes: [{ port_id: 1, ifOperStatus: 'x' }] }],
  ['an unknown severity', { kind: 'event', deviceId: 1, message: 'm', severity: 9, at: AT }],
  ['a time before all times', { kind: 'status', deviceId: 1, up: true, reason: '', at: 5 }],
  [
    'invalid rows',
    { kind: 'discovery', deviceId: 1, observations: [{ kind: 'ports', complete: true, rows: [1] }], ended: null },
  ],
])('%s is garbled', (_name, value) => {
  expect(() => decodeDelivery(garbled(value))).toThrow(MessageError)
})

test('another version and content that is too large uncompressed have their own reasons', () => {
  const reasonOf = (octets: Uint8Array): string => {
    try {
      decodeDelivery(octets)
      return 'none'
    } catch (error) {
      return error instanceof MessageError ? error.reason : String(error)
    }
  }
  expect(reasonOf(Uint8Array.of(2, 1, 0))).toBe('version')
  const bomb = Buffer.concat([Uint8Array.of(1, 2), zstdCompressSync(Buffer.alloc(100_000_000))])
  expect(bomb.length).toBeLessThan(100_000)
  expect(reasonOf(bomb)).toBe('garbled')
  expect(reasonOf(Buffer.concat([Uint8Array.of(1, 1), new Uint8Array(17 * 1024 * 1024)]))).toBe('too_large')
})
