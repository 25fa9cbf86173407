import { describe, expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { ifTable } from '../../src/mibs/if-mib.ts'
import { mempoolPoll } from '../../src/modules/mempools/poll.ts'
import { type Module, need, phase } from '../../src/modules/module.ts'
import { processorPoll } from '../../src/modules/processors/poll.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { runModules } from '../../src/modules/run.ts'
import { factors } from '../../src/modules/sensors/entity-sensors.ts'
import { sensorPoll } from '../../src/modules/sensors/poll.ts'
import { uptimeSeconds } from '../../src/modules/system/uptime.ts'
import {
  agentOf,
  discover,
  FACTS,
  gauge,
  int,
  ip,
  moduleOf,
  octets,
  oid,
  only,
  readerOf,
  text,
  ticks,
} from './agent.ts'

const ENT = '1.3.6.1.2.1.47.1.1.1.1'

describe('the runner', () => {
  test('a table that two modules need is read once, and modules after system know the OS', async () => {
    const agent = agentOf({
      '1.3.6.1.2.1.1.1.0': text('Arista Networks EOS version 4.99.9M running on an Arista Networks DCS-9999'),
      '1.3.6.1.2.1.1.2.0': oid('1.3.6.1.4.1.30065.1.3011.1'),
      [`${ENT}.7.1`]: text('Chassis'),
      [`${ENT}.11.1`]: text('SERIAL1'),
    })
    let seen: string | null = null
    const last: Module = {
      name: 'last',
      about: 'Tells the OS.',
      discover: phase({
        run({ device }) {
          seen = device.os
          return []
        },
      }),
    }
    const found = await discover([moduleOf(MODULES, 'system'), moduleOf(MODULES, 'inventory'), last], agent)
    expect(only(found, 'system')).toMatchObject({ os: 'arista_eos', serial: 'SERIAL1', hardware: 'DCS-9999' })
    expect(seen as unknown).toBe('arista_eos')
    expect(agent.asked.filter((asked) => asked === `${ENT}.11`).length).toBe(1)
  })

  test('follow-ups read other contexts, and their results come back by key', async () => {
    const port = '1.3.6.1.2.1.2.2.1.2.1'
    const agent = agentOf(
      { [port]: text('default') },
      {
        contexts: { 10: new Map([[port, text('ten')]]), 20: new Map([[port, text('twenty')]]) },
      },
    )
    const found: string[] = []
    const vlans: Module = {
      name: 'vlans',
      about: 'Reads one table in each context.',
      discover: phase({
        follow: () => ['10', '20'].map((key) => ({ key, context: key, tables: { names: need(ifTable, ['ifDescr']) } })),
        run({ followed }) {
          for (const [key, { tables }] of followed) found.push(`${key} ${tables.names.rows.get('1')?.ifDescr}`)
          return []
        },
      }),
    }
    await discover([vlans], agent)
    expect(found).toEqual(['10 ten', '20 twenty'])
  })

  test('reports which tables an agent has, lacks and truncates', async () => {
    const agent = agentOf({ [`${ENT}.7.1`]: text('a'), [`${ENT}.7.2`]: text('b') }, { truncated: { [`${ENT}.7`]: 1 } })
    const runs = runModules([moduleOf(MODULES, 'inventory')], 'discover', FACTS, readerOf(agent))
    for await (const run of runs) {
      expect([run.name, run.supported, run.unsupported, run.truncated]).toEqual([
        'inventory',
        [],
        ['ENTITY-MIB::entAliasMappingTable'],
        ['ENTITY-MIB::entPhysicalTable'],
      ])
      expect(run.observations[0]).toMatchObject({ kind: 'inventory', complete: false })
    }
  })
})

describe('system', () => {
  const SYSTEM = [moduleOf(MODULES, 'system')]
  test('an unknown device is generic', async () => {
    const agent = agentOf({ '1.3.6.1.2.1.1.1.0': text('Thing'), '1.3.6.1.2.1.1.3.0': ticks(12_345) })
    expect(only(await discover(SYSTEM, agent), 'system')).toMatchObject({
      os: 'generic',
      sysDescr: 'Thing',
      uptime: 123,
    })
  })
  test('a device whose agent omits its system group keeps its OS', async () => {
    const system = only(await discover(SYSTEM, agentOf({ '1.3.6.1.2.1.1.3.0': ticks(100) })), 'system')
    expect([system.os, system.sysDescr, system.type]).toEqual([undefined, undefined, undefined])
  })
  test.each([
    { name: 'no clock', ticks: undefined, engine: undefined, want: undefined },
    { name: 'sysUpTime', ticks: 360_000, engine: 3_000, want: 3_600 },
    { name: 'sysUpTime after two wraps', ticks: 500, engine: 85_899_355, want: 85_899_355 },
    { name: 'an engine clock with another origin', ticks: 360_000, engine: 1_700_000_000, want: 3_600 },
    { name: 'only the engine clock', ticks: undefined, engine: 77, want: 77 },
  ])('uptime: $name', ({ ticks, engine, want }) =>
    expect(uptimeSeconds({ agentTicks: ticks, engineS: engine, hostTicks: undefined })).toBe(want as never),
  )
})

test('an outermost entity inside one that the agent does not have is the chassis and the root', async () => {
  const agent = agentOf({
    '1.3.6.1.2.1.1.1.0': text('Arista Networks EOS version 4.99.9M running on an Arista Networks DCS-9999'),
    '1.3.6.1.2.1.1.2.0': oid('1.3.6.1.4.1.30065.1.3011.1'),
    [`${ENT}.5.700`]: int(3),
    [`${ENT}.7.700`]: text('Rack 0'),
    [`${ENT}.4.700`]: int(4_000_001),
    [`${ENT}.11.700`]: text('CHASSIS-SERIAL'),
    [`${ENT}.5.3`]: int(9),
    [`${ENT}.7.3`]: text('Slot 3'),
    [`${ENT}.4.3`]: int(700),
    [`${ENT}.11.3`]: text('CARD-SERIAL'),
  })
  const found = await discover([moduleOf(MODULES, 'system'), moduleOf(MODULES, 'inventory')], agent)
  expect(found.find(({ kind }) => kind === 'system')).toMatchObject({ serial: 'CHASSIS-SERIAL' })
  const inside = new Map(only(found, 'inventory').rows.map((r) => [r.entPhysicalIndex, r.entPhysicalContainedIn]))
  expect([...inside]).toEqual([
    [700, 0],
    [3, 700],
  ])
})

describe('addresses', () => {
  const ADDRESSES = [moduleOf(MODULES, 'addresses')]
  const OLD = '1.3.6.1.2.1.4.20.1'
  const NEW = '1.3.6.1.2.1.4.34.1'
  const PREFIX = '1.3.6.1.2.1.4.32.1.5'
  const v6 = (last: number) => `2.16.32.1.13.184.0.0.0.1.0.0.0.0.0.0.0.${last}`

  test('the old table, an empty mask, the unspecified address', async () => {
    const agent = agentOf({
      [`${OLD}.2.192.0.2.1`]: int(3),
      [`${OLD}.3.192.0.2.1`]: ip('255.255.255.128'),
      [`${OLD}.2.172.16.0.1`]: int(4),
      [`${OLD}.3.172.16.0.1`]: ip('0.0.0.0'),
      [`${OLD}.2.0.0.0.0`]: int(5),
    })
    expect(only(await discover(ADDRESSES, agent), 'ipv4').rows.map((r) => [r.address, r.prefixLen, r.ifIndex])).toEqual(
      [
        ['192.0.2.1', 25, 3],
        ['172.16.0.1', 16, 4],
      ],
    )
  })

  test('a mask that is none is unknown, not the class of the address; the new table may know it', async () => {
    const masks: Record<string, SnmpValue> = {
      '10.9.1.1': ip('255.255.255.0'),
      '10.9.2.1': { kind: 'Null' },
      '10.9.3.1': ip('255.0.255.0'),
      '10.9.4.1': octets('0102030405060708'),
      '10.9.5.1': { kind: 'Null' },
      '10.9.6.1': ip('0.0.0.0'),
    }
    const cells: Record<string, SnmpValue> = {
      [`${NEW}.3.1.4.10.9.5.1`]: int(5),
      [`${NEW}.5.1.4.10.9.5.1`]: oid(`${PREFIX}.5.1.4.10.9.5.0.30`),
    }
    for (const [i, [address, mask]] of Object.entries(masks).entries()) {
      cells[`${OLD}.1.${address}`] = ip(address)
      cells[`${OLD}.2.${address}`] = int(i + 1)
      cells[`${OLD}.3.${address}`] = mask
    }
    const { rows } = only(await discover(ADDRESSES, agentOf(cells)), 'ipv4')
    expect(Object.fromEntries(rows.map(({ address, prefixLen }) => [address, prefixLen]))).toEqual({
      '10.9.1.1': 24,
      '10.9.2.1': 0,
      '10.9.3.1': 0,
      '10.9.4.1': 0,
      '10.9.5.1': 30,
      '10.9.6.1': 8,
    })
  })

  test('the new table: both families, the prefix in the row pointer, no broadcast addresses', async () => {
    const agent = agentOf({
      [`${NEW}.3.1.4.198.51.100.7`]: int(2),
      [`${NEW}.5.1.4.198.51.100.7`]: oid(`${PREFIX}.2.1.4.198.51.100.0.24`),
      [`${NEW}.3.1.4.198.51.100.255`]: int(2),
      [`${NEW}.4.1.4.198.51.100.255`]: int(3),
      [`${NEW}.3.${v6(5)}`]: int(9),
      [`${NEW}.5.${v6(5)}`]: oid(`${PREFIX}.9.2.16.32.1.13.184.0.0.0.1.0.0.0.0.0.0.0.0.64`),
      [`${NEW}.6.${v6(5)}`]: int(2),
      [`${NEW}.3.2.16.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1`]: int(1),
    })
    const found = await discover(ADDRESSES, agent)
    expect(only(found, 'ipv4').rows.map((r) => [r.address, r.prefixLen, r.ifIndex])).toEqual([['198.51.100.7', 24, 2]])
    expect(only(found, 'ipv6').rows).toEqual([
      {
        address: '2001:0db8:0000:0001:0000:0000:0000:0005',
        compressed: '2001:db8:0:1::5',
        prefixLen: 64,
        origin: 'manual',
        ifIndex: 9,
        context: null,
      },
    ])
  })

  test('TP-Link: its own table instead of ipv6AddrTable', async () => {
    const entry = '1.3.6.1.4.1.11863.6.50.1.1.1'
    const index = '255.2.1.32.1.13.184.0.0.0.1.0.0.0.0.0.0.0.5'
    const agent = agentOf({
      [`${entry}.4.${index}`]: octets('20010db8000000010000000000000005'),
      [`${entry}.5.${index}`]: int(64),
      [`${entry}.6.${index}`]: int(2),
    })
    const found = await discover(ADDRESSES, agent, { sysObjectID: '1.3.6.1.4.1.11863.5.1' })
    expect(only(found, 'ipv6').rows).toEqual([
      {
        address: '2001:0db8:0000:0001:0000:0000:0000:0005',
        compressed: '2001:db8:0:1::5',
        prefixLen: 64,
        origin: 'linklayer',
        ifIndex: 255,
        context: null,
      },
    ])
    expect(agent.asked).not.toContain('1.3.6.1.2.1.55.1.8.1.2')
  })

  test("without a row pointer the prefix length comes from the interface's prefixes", async () => {
    const agent = agentOf({
      [`${NEW}.3.${v6(5)}`]: int(9),
      [`${NEW}.5.${v6(5)}`]: oid('0.0'),
      [`${PREFIX}.9.2.16.32.1.13.184.0.0.0.1.0.0.0.0.0.0.0.0.64`]: int(2),
      [`${PREFIX}.9.2.16.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.0.32`]: int(2),
    })
    expect(only(await discover(ADDRESSES, agent), 'ipv6').rows[0]?.prefixLen).toBe(64)
  })

  test('addresses without their length: the zone is recognised even if the type contradicts it', async () => {
    const bare = (type: number, last: number, rest = '') => `${type}.32.1.13.184.0.0.0.1.0.0.0.0.0.0.0.${last}${rest}`
    const agent = agentOf({
      [`${NEW}.3.1.198.51.100.7`]: int(2),
      [`${NEW}.3.1.198.51.100.7.1`]: int(2),
      [`${NEW}.3.${bare(2, 1)}`]: int(3),
      [`${NEW}.5.${bare(2, 1)}`]: oid(`${PREFIX}.3.2.32.1.13.184.0.0.0.1.0.0.0.0.0.0.0.0.64`),
      [`${NEW}.3.${bare(4, 2)}`]: int(4),
      [`${NEW}.3.${bare(2, 3, '.0.0.0.0')}`]: int(5),
      [`${NEW}.3.${bare(2, 4, '.0')}`]: int(6),
      [`${NEW}.3.${bare(1, 5)}`]: int(7),
      [`${NEW}.3.${bare(2, 256)}`]: int(8),
      [`${NEW}.3.2.${Array(15).fill(0).join('.')}.1.0.0.0.0`]: int(1),
    })
    const found = await discover(ADDRESSES, agent)
    expect(only(found, 'ipv4').rows.map((r) => [r.address, r.ifIndex])).toEqual([['198.51.100.7', 2]])
    expect(only(found, 'ipv6').rows.map((r) => [r.compressed, r.prefixLen, r.ifIndex])).toEqual([
      ['2001:db8:0:1::1', 64, 3],
      ['2001:db8:0:1::2', 0, 4],
      ['2001:db8:0:1::3', 0, 5],
    ])
  })

  test('old agents have their IPv6 addresses in IPV6-MIB', async () => {
    const agent = agentOf({ '1.3.6.1.2.1.55.1.8.1.2.4.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.1': int(48) })
    expect(only(await discover(ADDRESSES, agent), 'ipv6').rows).toMatchObject([
      { compressed: '2001:db8::1', prefixLen: 48, ifIndex: 4 },
    ])
  })

  test('a truncated table makes both families incomplete', async () => {
    const agent = agentOf({ [`${NEW}.3.1.4.198.51.100.7`]: int(2) }, { truncated: { [`${NEW}.3`]: 0 } })
    const found = await discover(ADDRESSES, agent)
    expect([only(found, 'ipv4').complete, only(found, 'ipv6').complete]).toEqual([false, false])
  })
})

test('inventory: the ifIndex comes from the alias of the entity or of the one that contains it', async () => {
  const agent = agentOf({
    [`${ENT}.7.10`]: text('Port'),
    [`${ENT}.5.10`]: int(10),
    [`${ENT}.16.10`]: int(2),
    [`${ENT}.7.11`]: text('SFP'),
    [`${ENT}.4.11`]: int(10),
    [`${ENT}.7.12`]: text('Fan'),
    '1.3.6.1.2.1.47.1.3.2.1.2.10.0': oid('1.3.6.1.2.1.2.2.1.1.501'),
  })
  expect(only(await discover([moduleOf(MODULES, 'inventory')], agent), 'inventory').rows).toMatchObject([
    {
      entPhysicalIndex: 10,
      entPhysicalClass: 'port',
      entPhysicalIsFRU: 'false',
      entPhysicalParentRelPos: -1,
      ifIndex: 501,
    },
    { entPhysicalIndex: 11, entPhysicalContainedIn: 10, ifIndex: 501 },
    { entPhysicalIndex: 12, ifIndex: null },
  ])
})

describe('processors, memory, storage', () => {
  const HR = '1.3.6.1.2.1.25.2.3.1'
  const row = (index: number, type: number, descr: string, units: number, size: number, used: number) => ({
    [`${HR}.2.${index}`]: oid(`1.3.6.1.2.1.25.2.1.${type}`),
    [`${HR}.3.${index}`]: text(descr),
    [`${HR}.4.${index}`]: int(units),
    [`${HR}.5.${index}`]: int(size),
    [`${HR}.6.${index}`]: int(used),
  })
  const HOST = [moduleOf(MODULES, 'processors'), moduleOf(MODULES, 'mempools'), moduleOf(MODULES, 'storage')]

  test('rows of hrStorageTable by type and name; both modules share one reading', async () => {
    const agent = agentOf({
      ...row(1, 2, 'Physical memory', 1024, 1000, 400),
      ...row(6, 1, 'Memory buffers', 1024, 1000, 10),
      ...row(10, 3, 'Swap space', 1024, 500, 0),
      ...row(31, 4, '/', 4096, -2_000_000_000, 1_000_000),
      ...row(32, 4, '/proc/fs', 4096, 10, 10),
      ...row(33, 7, 'cdrom', 2048, 10, 10),
      ...row(35, 4, '/dev/da0s1e, mounted on: /var', 512, 100, 10),
      ...row(36, 4, 'devfs: dev file system, mounted on: /dev', 512, 100, 100),
      ...row(37, 2, 'UMA: mbuf', 512, 100, 100),
      ...row(34, 1, 'Something else', 1, 10, 10),
    })
    const found = await discover(HOST, agent)
    expect(only(found, 'mempools').rows.map((r) => [r.mempool_class, r.mempool_total, r.mempool_used])).toEqual([
      ['system', 1_024_000, 409_600],
      ['buffers', 1_024_000, 10_240],
      ['swap', 512_000, 0],
    ])
    expect(only(found, 'storage').rows.map((r) => [r.storage_descr, r.storage_size])).toEqual([
      ['/', (2 ** 32 - 2_000_000_000) * 4096],
      ['/dev/da0s1e, mounted on: /var', 51_200],
    ])
    expect(agent.asked.filter((asked) => asked === `${HR}.3`).length).toBe(1)
  })

  test('UCD-SNMP-MIB replaces a missing HOST-RESOURCES-MIB', async () => {
    const agent = agentOf({
      '1.3.6.1.4.1.2021.11.11.0': int(93),
      '1.3.6.1.4.1.2021.4.5.0': int(2000),
      '1.3.6.1.4.1.2021.4.6.0': int(500),
      '1.3.6.1.4.1.2021.9.1.2.1': text('/'),
      '1.3.6.1.4.1.2021.9.1.11.1': gauge(10),
      '1.3.6.1.4.1.2021.9.1.12.1': gauge(2),
      '1.3.6.1.4.1.2021.9.1.9.1': int(25),
    })
    const found = await discover(HOST, agent)
    expect(only(found, 'processors').rows).toMatchObject([{ processor_usage: 7, processor_precision: -1 }])
    expect(only(found, 'mempools').rows).toMatchObject([{ mempool_used: 1500 * 1024, mempool_total: 2000 * 1024 }])
    expect(only(found, 'storage').rows).toMatchObject([
      { storage_size: (2 * 2 ** 32 + 10) * 1024, storage_perc_oid: '1.3.6.1.4.1.2021.9.1.9.1', storage_used_oid: null },
    ])
  })

  test('polled values', () => {
    expect(processorPoll.sample({ processor_oid: 'x', processor_precision: -1 }, [93])).toBe(7)
    expect(processorPoll.sample({ processor_oid: 'x', processor_precision: 100 }, [1234])).toBe(12.34)
    expect(processorPoll.sample({ processor_oid: 'x', processor_precision: 1 }, [Number.NaN])).toBeNull()
    expect(processorPoll.sample({ processor_oid: 'x', processor_precision: 1 }, [101])).toBeNull()
    const pool = {
      mempool_used_oid: 'a',
      mempool_free_oid: null,
      mempool_total_oid: 'b',
      mempool_perc_oid: null,
      mempool_precision: 10,
      mempool_total: 1,
    }
    expect(mempoolPoll.oids(pool)).toEqual(['a', 'b'])
    expect(mempoolPoll.sample(pool, [30, 120])).toEqual({ used: 300, free: 900, total: 1200, perc: 25 })
    expect(mempoolPoll.sample(pool, [Number.NaN, 120])).toBeNull()
    expect(mempoolPoll.sample({ ...pool, mempool_total_oid: null, mempool_total: 600 }, [30])).toMatchObject({
      perc: 50,
    })
  })
})

describe('sensors', () => {
  const SENSOR = '1.3.6.1.2.1.99.1.1.1'
  const SENSORS = [moduleOf(MODULES, 'entity-sensors'), moduleOf(MODULES, 'lm-sensors')]
  const entity = (index: number, type: number, scale: number, precision: number, value: number, status = 1) => ({
    [`${SENSOR}.1.${index}`]: int(type),
    [`${SENSOR}.2.${index}`]: int(scale),
    [`${SENSOR}.3.${index}`]: int(precision),
    [`${SENSOR}.4.${index}`]: int(value),
    [`${SENSOR}.5.${index}`]: int(status),
  })

  test('scale and precision become divisor and multiplier; the name comes from the entity', async () => {
    const agent = agentOf({
      ...entity(1, 8, 9, 1, 235),
      ...entity(2, 4, 8, 0, 12_050),
      ...entity(3, 6, 10, 0, 2),
      ...entity(4, 8, 9, 0, 40, 3),
      ...entity(5, 8, 9, 0, -1_000_000_000),
      ...entity(6, 12, 9, 0, 1),
      [`${ENT}.7.1`]: text('Inlet'),
    })
    const rows = only(await discover(SENSORS, agent), 'sensors').rows
    expect(
      rows.map((r) => [r.sensor_class, r.sensor_current, r.sensor_divisor, r.sensor_multiplier, r.sensor_descr]),
    ).toEqual([
      ['temperature', 23.5, 10, 1, 'Inlet'],
      ['voltage', 12.05, 1000, 1, 'Sensor 2'],
      ['power', 2000, 1, 1000, 'Sensor 3'],
    ])
  })

  test.each([
    { scale: 9, precision: -3, want: { divisor: 1, multiplier: 1 } },
    { scale: 7, precision: 2, want: { divisor: 1e8, multiplier: 1 } },
    { scale: 11, precision: 0, want: { divisor: 1, multiplier: 1e6 } },
    { scale: 99, precision: 99, want: { divisor: 1e9, multiplier: 1 } },
    { scale: undefined, precision: undefined, want: { divisor: 1, multiplier: 1 } },
  ])('factors of scale $scale, precision $precision', ({ scale, precision, want }) =>
    expect(factors(scale, precision)).toEqual(want),
  )

  test('mainboard sensors; an unconnected header is not a sensor, and temperatures can be negative', async () => {
    const LM = '1.3.6.1.4.1.2021.13.16'
    const agent = agentOf({
      [`${LM}.2.1.2.1`]: text('Core 0'),
      [`${LM}.2.1.3.1`]: gauge(41_500),
      [`${LM}.2.1.2.2`]: text('Outside'),
      [`${LM}.2.1.3.2`]: gauge(2 ** 32 - 5_000),
      [`${LM}.3.1.2.1`]: text('fan1'),
      [`${LM}.3.1.3.1`]: gauge(0),
    })
    const found = (await discover(SENSORS, agent)).filter((o) => o.kind === 'sensors').flatMap((o) => o.rows)
    expect(found.map((r) => [r.sensor_descr, r.sensor_current])).toEqual([
      ['Core 0', 41.5],
      ['Outside', -5],
    ])
    const row = {
      sensor_class: 'temperature',
      sensor_oid: 'x',
      sensor_type: 'lmsensors',
      sensor_divisor: 1000,
      sensor_multiplier: 1,
      user_func: null,
    }
    expect(sensorPoll.sample(row, [2 ** 32 - 5_000])).toBe(-5)
    expect(sensorPoll.sample({ ...row, sensor_type: 'entity-sensor' }, [1_000_000_000])).toBeNull()
  })
})

test('no module throws on garbage', async () => {
  const garbage = [text('x'), octets('ff00'), int(-1), gauge(4_294_967_295), oid('0.0'), ip('0.0.0.0'), ticks(0)]
  const tables = [
    '2.2.1',
    '31.1.1.1',
    '4.20.1',
    '4.34.1',
    '4.32.1',
    '47.1.1.1.1',
    '47.1.3.2.1',
    '25.2.3.1',
    '25.3.3.1',
    '99.1.1.1',
    '55.1.8.1',
  ]
  const indexes = ['0', '1', '4294967295', '1.2.3', '2.16.1', '1.4.1.2.3.4', '256.256.256.256']
  const cells = Object.fromEntries(
    tables.flatMap((table) =>
      Array.from({ length: 19 }, (_, column) =>
        indexes.map(
          (index, i) =>
            [`1.3.6.1.2.1.${table}.${column + 1}.${index}`, garbage[(i + column) % garbage.length]] as const,
        ),
      ).flat(),
    ),
  )
  const found = await discover(MODULES, agentOf(cells as never))
  expect(found.length).toBeGreaterThanOrEqual(10)
})
