import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { counterKey } from '../../src/modules/qos/observation.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { agentOf, counter64, gauge, int, moduleOf, octets, only, poll, row, run, text } from './agent.ts'

const QOS = '1.3.6.1.4.1.9.9.166.1'
const CISCO = '1.3.6.1.4.1.9.1.2068'

type Cells = Record<string, SnmpValue>
const policy = (index: number, more: Readonly<Record<number, SnmpValue>>): Cells =>
  row(`${QOS}.1.1.1`, String(index), { 2: int(1), 3: int(2), 4: int(7), ...more })
const object = (index: string, config: number, type: number, parent: number): Cells =>
  row(`${QOS}.5.1.1`, index, { 2: gauge(config), 3: int(type), 4: gauge(parent) })
const counters = (index: string, base: bigint): Cells =>
  row(`${QOS}.15.1.1`, index, {
    3: counter64(base + 3n),
    6: counter64(base + 6n),
    10: counter64(base + 10n),
    14: counter64(base + 14n),
    17: counter64(base + 17n),
  })

/** A shaper with a nested policy of two classes; matches and queueing are no classes. */
const SHAPED: Cells = {
  ...policy(50, {}),
  ...object('50.1', 900, 1, 0),
  ...object('50.2', 901, 2, 1),
  ...object('50.3', 902, 6, 2),
  ...object('50.4', 910, 1, 2),
  ...object('50.5', 911, 2, 4),
  ...object('50.6', 912, 3, 5),
  ...object('50.7', 913, 2, 4),
  ...row(`${QOS}.6.1.1`, '900', { 1: text('WAN-OUT') }),
  ...row(`${QOS}.6.1.1`, '910', { 1: text('CHILD') }),
  ...row(`${QOS}.7.1.1`, '901', { 1: text('class-default') }),
  ...row(`${QOS}.7.1.1`, '911', { 1: text('VOICE') }),
  ...row(`${QOS}.7.1.1`, '913', { 1: text('class-default') }),
  ...counters('50.2', 1000n),
  ...counters('50.5', 2000n),
}

const found = async (cells: Cells) => only(await run('qos', agentOf(cells), CISCO), 'qos')
const polled = async (cells: Cells) =>
  only(await poll([moduleOf(MODULES, 'qos')], agentOf(cells), { sysObjectID: CISCO }), 'qos_counters')
const classOf = (name: string, more: object = {}) => ({
  ifIndex: 7,
  circuit: '',
  direction: 'output',
  policy: 'WAN-OUT',
  class: name,
  ...more,
})

test('classes with those that they are nested in, and their counters', async () => {
  expect(await found(SHAPED)).toEqual({
    kind: 'qos',
    complete: true,
    rows: [
      classOf('class-default', { qos_index: '50.2', config_index: 901 }),
      classOf('class-default / VOICE', { qos_index: '50.5', config_index: 911 }),
      classOf('class-default / class-default', { qos_index: '50.7', config_index: 913 }),
    ],
  } as never)
  expect(await polled(SHAPED)).toEqual({
    kind: 'qos_counters',
    complete: true,
    rows: [
      { key: '50.2 901 7 output', counters: [1006, 1010, 1017, 1003, 1014] },
      { key: '50.5 911 7 output', counters: [2006, 2010, 2017, 2003, 2014] },
    ],
  })
})

test('what a policy is attached to', async () => {
  const places: readonly (readonly [Readonly<Record<number, SnmpValue>>, string | null])[] = [
    [{ 2: int(2) }, ''],
    [{ 2: int(3), 5: int(16) }, 'DLCI 16'],
    [{ 2: int(4), 6: int(1), 7: int(32) }, 'VC 1/32'],
    [{ 2: int(5), 4: int(0), 8: int(0) }, 'control plane'],
    [{ 2: int(5), 4: int(0), 8: int(3) }, 'control plane 3'],
    [{ 2: int(6), 9: int(20) }, 'VLAN 20'],
    [{ 2: int(7), 10: gauge(4) }, 'EVC 4'],
    [{ 2: int(8), 14: octets('c0000207') }, 'tunnel 192.0.2.7'],
    [{ 2: int(8), 14: octets('') }, 'tunnel'],
    [{ 2: int(9) }, null],
    [{ 2: int(99) }, ''],
  ]
  for (const [more, circuit] of places) {
    const { rows } = await found({ ...SHAPED, ...policy(50, more) })
    expect([...new Set(rows.map((one) => one.circuit))]).toEqual(circuit === null ? [] : [circuit])
  }
})

test('other vendors are asked nothing, a Cisco without policies for one column', async () => {
  const other = agentOf(SHAPED)
  expect(await run('qos', other, '1.3.6.1.4.1.2636.1')).toEqual([])
  expect(other.asked).toEqual([])
  const bare = agentOf({})
  expect(only(await run('qos', bare, CISCO), 'qos')).toEqual({ kind: 'qos', complete: true, rows: [] })
  expect(bare.asked).toEqual([`${QOS}.1.1.1.3`])
  const asked = agentOf({})
  expect(await poll([moduleOf(MODULES, 'qos')], asked, { sysObjectID: CISCO })).toEqual([])
  expect(asked.asked).toEqual([`${QOS}.1.1.1.3`])
})

test('a class without a name, within itself, or of no policy is left out, the others stay', async () => {
  const odd: Cells = {
    ...SHAPED,
    // each within the other
    ...object('50.20', 901, 2, 21),
    ...object('50.21', 900, 1, 20),
    // a parent that is not there, a name that is not there, an empty name, a policy that is not there
    ...object('50.22', 901, 2, 99),
    ...object('50.23', 999, 2, 1),
    ...object('50.24', 998, 2, 1),
    ...row(`${QOS}.7.1.1`, '998', { 1: text('') }),
    ...object('51.1', 901, 2, 0),
    // a class that no policy contains, malformed indexes
    ...object('50.25', 901, 2, 0),
    ...object('50', 901, 2, 1),
    ...object('50.2.3', 901, 2, 1),
  }
  expect((await found(odd)).rows).toHaveLength(3)
})

test('the same class twice is one', async () => {
  const { rows } = await found({ ...SHAPED, ...object('50.30', 911, 2, 4) })
  expect(rows.map((one) => one.qos_index)).toEqual(['50.2', '50.5', '50.7'])
})

test('counters that the agent lacks, or that count more than is exact, are unknown', async () => {
  const some: Cells = {
    ...SHAPED,
    ...row(`${QOS}.15.1.1`, '50.7', { 6: counter64(0n), 10: counter64(2n ** 64n - 1n), 17: int(-5) }),
    ...row(`${QOS}.15.1.1`, '50.4', { 6: counter64(2n ** 63n) }),
    ...row(`${QOS}.15.1.1`, '77.1', { 6: counter64(9n) }),
  }
  const { rows } = await polled(some)
  expect(rows.map(({ key }) => key)).toEqual(['50.2 901 7 output', '50.5 911 7 output', '50.7 913 7 output'])
  expect(rows.at(-1)?.counters).toEqual([0, Number.NaN, Number.NaN, Number.NaN, Number.NaN])
})

test('a class that is another one since discovery has another key', async () => {
  const [, voice] = (await polled({ ...SHAPED, ...object('50.5', 913, 2, 4) })).rows
  expect(voice?.key).toBe('50.5 913 7 output')
  const moved = await polled({ ...SHAPED, ...policy(50, { 4: int(8) }) })
  expect(moved.rows.map(({ key }) => key)).toEqual(['50.2 901 8 output', '50.5 911 8 output'])
})

test('a long and odd name is cut, a long table is bounded', async () => {
  const long = await found({ ...SHAPED, ...row(`${QOS}.7.1.1`, '901', { 1: text(`${'😀'.repeat(127)}x`) }) })
  // nested names with the same beginning are one
  expect(long.rows.map((one) => one.class.isWellFormed() && one.class.length <= 255)).toEqual([true])
  const many: Cells = { ...SHAPED }
  for (let i = 0; i < 12_000; i++) {
    Object.assign(many, object(`50.${i + 100}`, i + 10_000, 2, 1))
    Object.assign(many, row(`${QOS}.7.1.1`, String(i + 10_000), { 1: text(`C${i}`) }))
  }
  expect((await found(many)).rows).toHaveLength(10_000)
})

test('a truncated walk is not complete', async () => {
  for (const column of ['1.1.1.3', '5.1.1.2', '6.1.1.1', '7.1.1.1']) {
    const cut = agentOf(SHAPED, { truncated: { [`${QOS}.${column}`]: 1 } })
    expect(only(await run('qos', cut, CISCO), 'qos').complete).toBe(false)
  }
})

/** A recording of a real switch; not in this repository. */
const RECORDING = join(import.meta.dir, '../../../shared/devices/iosxe_c9500h-svl.snmprec')
const present = existsSync(RECORDING)
if (!present) console.warn(`no recording ${RECORDING}: QoS is not tried against a real device`)

test.skipIf(!present)('a real switch: the policy of its control plane', async () => {
  const cells: Cells = {}
  for (const line of readFileSync(RECORDING, 'utf8').split('\n')) {
    const [, oid = '', tag, value = ''] = /^(1\.3\.6\.1\.4\.1\.9\.9\.166[\d.]+)\|(2|4|66|70)\|(.*)$/.exec(line) ?? []
    if (tag === '4') cells[oid] = text(value)
    else if (tag === '70') cells[oid] = counter64(BigInt(value))
    else if (tag !== undefined) cells[oid] = tag === '2' ? int(Number(value)) : gauge(Number(value))
  }
  const { rows, complete } = await found(cells)
  expect(complete).toBe(true)
  expect(rows).toHaveLength(22)
  expect(new Set(rows.map(({ policy, circuit, direction }) => `${policy}|${circuit}|${direction}`)).size).toBe(1)
  expect(rows.map((one) => one.class)).toContain('class-default')
  const counted = await polled(cells)
  const keys = new Set(counted.rows.map(({ key }) => key))
  expect(rows.every((one) => keys.has(counterKey(one)))).toBe(true)
  expect(counted.rows.filter(({ counters }) => (counters[0] ?? 0) > 0).length).toBeGreaterThan(5)
})
