import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { agentOf, gauge, int, octets, only, row, run, text } from './agent.ts'

const RTT = '1.3.6.1.4.1.9.9.42.1'
const PING = '1.3.6.1.2.1.80.1.3.1'
const RPM = '1.3.6.1.4.1.2636.3.50.1'
const [CISCO, JUNIPER, HUAWEI] = ['1.3.6.1.4.1.9.1.2068', '1.3.6.1.4.1.2636.1.1.1.2.29', '1.3.6.1.4.1.2011.2.224']

type Cells = Record<string, SnmpValue>
const operation = (index: string, more: Readonly<Record<number, SnmpValue>> = {}): Cells =>
  row(`${RTT}.2.1.1`, index, { 3: text(''), 4: int(1), 5: int(250), 9: int(1), ...more })
const found = async (cells: Cells, sysObjectID: string) => {
  const { rows, complete } = only(await run('sla', agentOf(cells), sysObjectID), 'sensors')
  return { complete, rows, shown: rows.map((one) => `${one.sensor_class} ${one.sensor_descr}: ${one.sensor_current}`) }
}
/** Names as an index: each with its length. */
const names = (...all: readonly string[]) =>
  all.flatMap((name) => [name.length, ...new TextEncoder().encode(name)]).join('.')

test('an echo of IP SLA: its state, and its round trip with its threshold', async () => {
  const { rows, shown, complete } = await found(
    {
      ...operation('11', { 3: text('branch') }),
      ...row(`${RTT}.2.2.1`, '11', { 2: octets('c0000207'), 37: int(2) }),
      ...row(`${RTT}.2.10.1`, '11', { 1: gauge(7), 2: int(1) }),
    },
    CISCO,
  )
  expect(complete).toBe(true)
  expect(shown).toEqual([
    'state IP SLA 11 ICMP echo to 192.0.2.7 (branch): 1',
    // only jitter operations can be in microseconds
    'delay IP SLA 11 ICMP echo to 192.0.2.7 (branch) round trip: 0.007',
  ])
  expect(rows[0]?.states?.values.map(({ value, generic }) => `${value} ${generic}`)).toContain('4 critical')
  expect(rows[1]).toMatchObject({ sensor_oid: `${RTT}.2.10.1.1.11`, sensor_divisor: 1000, sensor_limit: 0.25 })
})

test('a jitter operation in microseconds: jitter, lost packets and MOS', async () => {
  const { shown } = await found(
    {
      ...operation('20', { 4: int(9), 5: int(0) }),
      ...row(`${RTT}.2.2.1`, '20', { 2: octets('20010db8000000000000000000000007'), 37: int(2) }),
      ...row(`${RTT}.2.10.1`, '20', { 1: gauge(1500), 2: int(3) }),
      ...row(`${RTT}.5.2.1`, '20', { 26: gauge(2), 27: gauge(0), 29: gauge(1), 42: gauge(434), 46: gauge(120) }),
      ...operation('21', { 4: int(16) }),
      ...row(`${RTT}.2.10.1`, '21', { 1: gauge(3), 2: int(1) }),
      ...row(`${RTT}.5.2.1`, '21', { 42: gauge(0), 46: gauge(2) }),
    },
    CISCO,
  )
  const name = 'IP SLA 20 UDP jitter to 2001:db8::7'
  expect(shown).toEqual([
    `state ${name}: 3`,
    `delay ${name} round trip: 0.0015`,
    `delay ${name} jitter: 0.00012`,
    `count ${name} packets lost to the target: 2`,
    `count ${name} packets lost from the target: 0`,
    `count ${name} packets lost somewhere: 1`,
    `count ${name} MOS: 4.34`,
    'state IP SLA 21 ICMP jitter: 1',
    'delay IP SLA 21 ICMP jitter round trip: 0.003',
    'delay IP SLA 21 ICMP jitter jitter: 0.002',
  ])
})

test('operations that are not ready, of an unknown type, or with odd indexes', async () => {
  const { shown } = await found(
    {
      ...operation('1', { 9: int(2) }),
      ...operation('2', { 4: int(99) }),
      ...operation('3.4'),
      ...operation('5'),
      ...row(`${RTT}.2.2.1`, '2', { 2: octets('00000000'), 11: text('www.example.net') }),
      ...row(`${RTT}.2.10.1`, '2', { 2: int(0) }),
      ...row(`${RTT}.2.10.1`, '1', { 2: int(1) }),
      ...row(`${RTT}.2.10.1`, '3.4', { 2: int(1) }),
    },
    CISCO,
  )
  expect(shown).toEqual(['state IP SLA 2 to www.example.net: 0'])
})

const LAST = '2'
const JUNOS: Cells = {
  ...row(PING, names('edge', 'dns'), { 6: gauge(25) }),
  ...row(PING, names('edge', 'old'), { 6: gauge(40) }),
  ...row(`${RPM}.2.1`, `${names('edge', 'dns')}.1`, { 4: gauge(0) }),
  ...row(`${RPM}.2.1`, `${names('edge', 'dns')}.${LAST}`, { 4: gauge(2_500_000) }),
  ...row(`${RPM}.3.1`, `${names('edge', 'dns')}.${LAST}.1`, { 5: gauge(25_310) }),
  ...row(`${RPM}.3.1`, `${names('edge', 'dns')}.${LAST}.2`, { 5: gauge(90) }),
  ...row(`${RPM}.3.1`, `${names('edge', 'dns')}.4.1`, { 5: gauge(1) }),
}

test('probes of Juniper: the last completed test, in microseconds where it has them', async () => {
  const { shown, complete } = await found(JUNOS, JUNIPER)
  expect(complete).toBe(true)
  expect(shown).toEqual([
    'delay Probe edge dns round trip: 0.02531',
    'loss Probe edge dns loss: 2.5',
    'delay Probe edge old round trip: 0.04',
  ])
})

test('ping tests of others; a malformed index is no test', async () => {
  const { shown } = await found({ ...JUNOS, ...row(PING, '9.65', { 6: gauge(1) }) }, HUAWEI)
  expect(shown).toEqual(['delay Probe edge dns round trip: 0.025', 'delay Probe edge old round trip: 0.04'])
})

test('what vendors are asked', async () => {
  const asked = async (sysObjectID: string) => {
    const agent = agentOf({})
    const seen = await run('sla', agent, sysObjectID)
    return [agent.asked, seen.length] as const
  }
  expect(await asked('1.3.6.1.4.1.8072.3.2.10')).toEqual([[], 0])
  expect(await asked(CISCO)).toEqual([[`${RTT}.2.1.1.4`], 1])
  expect(await asked(HUAWEI)).toEqual([[`${PING}.6`], 1])
  expect(await asked(JUNIPER)).toEqual([[`${PING}.6`, `${RPM}.2.1.4`, `${RPM}.3.1.5`], 1])
})

test('a truncated walk is not complete', async () => {
  const cut = agentOf(JUNOS, { truncated: { [`${PING}.6`]: 1 } })
  expect(only(await run('sla', cut, JUNIPER), 'sensors').complete).toBe(false)
  const cells = { ...operation('11'), ...row(`${RTT}.2.10.1`, '11', { 2: int(1) }) }
  for (const column of [`${RTT}.2.1.1.4`, `${RTT}.2.10.1.2`]) {
    const short = agentOf(cells, { truncated: { [column]: 1 } })
    expect(only(await run('sla', short, CISCO), 'sensors').complete).toBe(false)
  }
})

/** Recordings of real routers; not in this repository. */
const FOLDER = join(import.meta.dir, '../../../shared/devices')
const present = existsSync(FOLDER)
if (!present) console.warn(`no recordings in ${FOLDER}: probes are not tried against real routers`)

test.skipIf(!present)('real routers of Juniper', async () => {
  const shown = async (name: string) => {
    const cells: Cells = {}
    for (const line of readFileSync(join(FOLDER, `${name}.snmprec`), 'utf8').split('\n')) {
      const [, oid = '', value] = /^(1\.3\.6\.1\.(?:2\.1\.80|4\.1\.2636\.3\.50)[\d.]+)\|66\|(\d+)$/.exec(line) ?? []
      if (value !== undefined) cells[oid] = gauge(Number(value))
    }
    return (await found(cells, JUNIPER)).shown.map((one) =>
      one.replace(/^(\w+) Probe .* (loss|round trip): /, '$1 $2 '),
    )
  }
  expect(await shown('junos_rpm')).toEqual(['loss loss 0', 'loss loss 0'])
  expect(await shown('junos_vmx')).toEqual([
    'loss loss 0',
    'loss loss 0',
    'delay round trip 0.025',
    'delay round trip 0.052',
  ])
})
