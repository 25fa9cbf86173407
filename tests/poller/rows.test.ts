import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { PlannedPort } from '../../src/core/polling/read-plan.ts'
import { PORT_COUNTER_COUNT } from '../../src/lib/port-counters.ts'
import { PORT_STATUSES } from '../../src/modules/ports/observation.ts'
import { gaugeRows } from '../../src/poller/memory/gauge-rows.ts'
import { PortRows } from '../../src/poller/memory/port-rows.ts'
import { PackedCounters } from '../../src/poller/memory/previous-counters.ts'
import { createBatch } from '../../src/poller/samples/batch.ts'
import type { PortCounters } from '../../src/series/samples.ts'

const text = fc.option(fc.string({ unit: 'binary', maxLength: 12 }), { nil: null })
const speed = fc.option(fc.integer({ min: 0, max: 400_000 }), { nil: null })
const port: fc.Arbitrary<PlannedPort> = fc.record({
  port_id: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  ifIndex: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  ifName: text,
  ifAlias: text,
  ifDescr: text,
  ifSpeed: fc.option(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), { nil: null }),
  ifHighSpeed: speed,
  ifAdminStatus: fc.constantFrom(...PORT_STATUSES),
  ifOperStatus: fc.constantFrom(...PORT_STATUSES),
  hc_mask: fc.constant(0),
  lc_mask: fc.constant(0),
  disabled: fc.constant(0),
  deleted: fc.constant(0),
})

test('rows of ports have the stored values and the changes by polls', () => {
  const change = fc.record({
    row: fc.nat(30),
    admin: fc.integer({ min: 0, max: 7 }),
    oper: fc.integer({ min: 0, max: 7 }),
    speed: fc.integer({ min: 0, max: 400_000 }),
    field: fc.constantFrom('ifName' as const, 'ifAlias' as const),
    text: fc.string({ unit: 'binary', maxLength: 12 }),
  })
  fc.assert(
    fc.property(fc.array(port, { maxLength: 20 }), fc.array(change, { maxLength: 20 }), (ports, changes) => {
      const rows = new PortRows(ports)
      const expected = ports.map((p) => ({ ...p }))
      for (const { row, admin, oper, speed: mbit, field, text: read } of changes) {
        const seen: unknown[] = []
        rows.setTexts([{ row, field, text: read }], (...what) => seen.push(what))
        const own = expected[row]
        const differs = own !== undefined && (own[field] ?? '') !== read
        expect(seen).toEqual(differs ? [[row, field, read]] : [])
        if (own === undefined) continue
        rows.setStatus(row, admin, oper)
        rows.setHighSpeed(row, mbit)
        if (differs) own[field] = read
        own.ifAdminStatus = PORT_STATUSES[admin] ?? null
        own.ifOperStatus = PORT_STATUSES[oper] ?? null
        own.ifHighSpeed = mbit
        own.ifSpeed = mbit * 1_000_000
      }
      for (const [row, own] of expected.entries()) {
        expect(rows.ids[row]).toBe(own.port_id)
        expect(PORT_STATUSES[rows.admin(row)]).toBe(own.ifAdminStatus)
        expect(PORT_STATUSES[rows.oper(row)]).toBe(own.ifOperStatus)
        expect(rows.ifHighSpeed(row)).toBe(own.ifHighSpeed)
        expect(rows.lineSpeeds()[row]).toBe(own.ifSpeed ?? Number.NaN)
      }
      expect(rows.equals(new PortRows(expected))).toBe(true)
    }),
  )
})

test('rows that differ in anything are not equal', () => {
  const one: PlannedPort = {
    port_id: 1,
    ifIndex: 1,
    ifName: 'ge-0/0/0',
    ifAlias: null,
    ifDescr: null,
    ifSpeed: null,
    ifHighSpeed: 1000,
    ifAdminStatus: 'up',
    ifOperStatus: 'down',
    hc_mask: 0,
    lc_mask: 0,
    disabled: 0,
    deleted: 0,
  }
  const others: readonly Partial<PlannedPort>[] = [
    { port_id: 2 },
    { ifName: 'ge-0/0/1' },
    { ifAlias: '' },
    { ifSpeed: 1 },
    { ifHighSpeed: null },
    { ifAdminStatus: 'down' },
    { ifOperStatus: null },
  ]
  for (const other of others) expect(new PortRows([one]).equals(new PortRows([{ ...one, ...other }]))).toBe(false)
})

test('each polled row gets its own values, even next to rows with the same columns', () => {
  const sensor = (id: number, oid: string, divisor: number) => ({
    id,
    sensor_oid: oid,
    sensor_type: 'own',
    sensor_divisor: divisor,
    sensor_multiplier: 1,
    user_func: null,
  })
  const mempool = (id: number, used: string | null, total: number | null) => ({
    id,
    mempool_used_oid: used,
    mempool_free_oid: '1.3.6.1.4.1.1.2',
    mempool_total_oid: null,
    mempool_perc_oid: null,
    mempool_precision: 1,
    mempool_total: total,
  })
  const oids: Uint8Array[] = []
  const polled = {
    sensor: [sensor(7, '1.3.6.1.4.1.1.1.1', 10), sensor(8, 'none', 10), sensor(9, '1.3.6.1.4.1.1.1.2', 10)],
    mempool: [mempool(3, '1.3.6.1.4.1.1.1', null), mempool(4, null, 1000)],
  }
  const rows = gaugeRows({ polled }, () => true, oids, [])
  expect([rows.length, oids.length]).toEqual([4, 5])
  const batch = createBatch()
  const inKinds = new Map([...rows.modules()].map(([module, values], i) => [`${module} ${i}`, values]))
  const mempoolsFirst = [...inKinds.keys()][0]?.startsWith('mempools') === true
  const sensors = [250, 270]
  const mempools = [60, 40, 300]
  rows.add(batch, 5, Float64Array.from(mempoolsFirst ? [...mempools, ...sensors] : [...sensors, ...mempools]))
  const { series } = batch.seal()
  expect(series.sensor?.id).toEqual([7, 9])
  expect(series.sensor?.values[0]).toEqual([25, 27])
  expect(series.mempool?.id).toEqual([3, 4])
  // used, free, total of each
  expect(series.mempool?.values.slice(0, 3)).toEqual([
    [60, 700],
    [40, 300],
    [100, 1000],
  ])
})

test('a kept state equals the state that was read, and its memory can be reused', () => {
  const counter = fc.oneof(fc.constant(0n), fc.bigInt(0n, 2n ** 32n - 1n), fc.bigInt(0n, 2n ** 64n - 1n))
  const cells = <T>(cell: fc.Arbitrary<T>, n: number) => fc.array(cell, { minLength: n, maxLength: n })
  const reading = fc.nat(6).chain((rows) =>
    fc.record({
      ticks: cells(fc.integer({ min: 0, max: 2 ** 32 - 1 }), rows),
      present: cells(fc.integer({ min: 0, max: 2 ** PORT_COUNTER_COUNT - 1 }), rows),
      counters: cells(counter, rows * PORT_COUNTER_COUNT),
    }),
  )
  fc.assert(
    fc.property(fc.array(reading, { maxLength: 6 }), (readings) => {
      let last: PackedCounters | null = null
      for (const [time, { ticks, present, counters }] of readings.entries()) {
        const rows = ticks.length
        const read: PortCounters = {
          deviceId: 1,
          time,
          portId: Int32Array.from(ticks, (_, r) => r + 1),
          ticks: Uint32Array.from(ticks),
          present: Uint32Array.from(present),
          counters: BigUint64Array.from(counters),
        }
        last = new PackedCounters(read, last)
        const isRead = (cell: number) => ((present[cell % rows] ?? 0) & (1 << Math.floor(cell / rows))) !== 0
        const known = counters.map((value, cell) => (isRead(cell) ? value : 0n))
        expect(last.state()).toEqual({ ...read, counters: BigUint64Array.from(known) })
      }
    }),
  )
})

test('a kept state uses only the bytes that its largest numbers need', () => {
  const rows = 48
  const state = (octets: bigint): PortCounters => ({
    deviceId: 1,
    time: 1,
    portId: Int32Array.from({ length: rows }, (_, r) => r),
    ticks: new Uint32Array(rows).fill(2 ** 24),
    present: new Uint32Array(rows).fill(2 ** PORT_COUNTER_COUNT - 1),
    counters: new BigUint64Array(rows * PORT_COUNTER_COUNT).fill(7n).fill(octets, 0, rows),
  })
  const columns = 2 + PORT_COUNTER_COUNT
  expect(new PackedCounters(state(2n ** 40n)).size).toBe(columns + rows * (4 + 2 + 6 + (PORT_COUNTER_COUNT - 1)))
  expect(new PackedCounters(state(2n ** 64n - 1n)).size).toBe(columns + rows * (4 + 2 + 8 + (PORT_COUNTER_COUNT - 1)))
})
