import { afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { writeDefinitions } from '../../src/librenms/store.ts'
import type { Observation } from '../../src/modules/observation.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { agentOf, discover, int, moduleOf, octets, oid, only, text, ticks } from '../modules/agent.ts'
import { compiled, treeFolder } from './tree.ts'

/** Rules of the language that few files use, each with a definition and an agent of its own. */
const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const B = '1.3.6.1.4.1.64998'

/** A module of the invented vendor: gauges on a lock of a canal. */
const LOCK = `LOCK-MIB DEFINITIONS ::= BEGIN
IMPORTS OBJECT-TYPE, enterprises FROM SNMPv2-SMI;
lock OBJECT IDENTIFIER ::= { enterprises 64998 50 }
Hundredths ::= TEXTUAL-CONVENTION DISPLAY-HINT "d-2" STATUS current DESCRIPTION "" SYNTAX INTEGER
Words ::= TEXTUAL-CONVENTION DISPLAY-HINT "255a" STATUS current DESCRIPTION "" SYNTAX OCTET STRING
lLevel OBJECT-TYPE SYNTAX INTEGER ACCESS read-only STATUS mandatory ::= { lock 1 }
lDepth OBJECT-TYPE SYNTAX Hundredths ACCESS read-only STATUS mandatory ::= { lock 2 }
lGate OBJECT-TYPE SYNTAX INTEGER { open(1), shut(2) } ACCESS read-only STATUS mandatory ::= { lock 3 }
lName OBJECT-TYPE SYNTAX Words ACCESS read-only STATUS mandatory ::= { lock 4 }
lSince OBJECT-TYPE SYNTAX TimeTicks ACCESS read-only STATUS mandatory ::= { lock 5 }
lKey OBJECT-TYPE SYNTAX OCTET STRING ACCESS read-only STATUS mandatory ::= { lock 6 }
lCpu OBJECT-TYPE SYNTAX OCTET STRING ACCESS read-only STATUS mandatory ::= { lock 7 }
lPumpTable OBJECT-TYPE SYNTAX SEQUENCE OF LPumpEntry ACCESS not-accessible STATUS mandatory ::= { lock 10 }
lPumpEntry OBJECT-TYPE SYNTAX LPumpEntry ACCESS not-accessible STATUS mandatory INDEX { lPumpSide, lPumpNumber } ::= { lPumpTable 1 }
lPumpSide OBJECT-TYPE SYNTAX INTEGER ACCESS read-only STATUS mandatory ::= { lPumpEntry 1 }
lPumpNumber OBJECT-TYPE SYNTAX INTEGER ACCESS read-only STATUS mandatory ::= { lPumpEntry 2 }
lPumpLabel OBJECT-TYPE SYNTAX OCTET STRING ACCESS read-only STATUS mandatory ::= { lPumpEntry 3 }
lPumpAmps OBJECT-TYPE SYNTAX OCTET STRING ACCESS read-only STATUS mandatory ::= { lPumpEntry 4 }
END
`

const DETECTION = `os: lock
text: 'Canal Lock'
type: environment
mib_dir: tide
discovery: [ { sysObjectID: .1.3.6.1.4.1.64998.50 } ]
`

/** What is found on an agent with these values by a definition with these modules. */
async function found(modules: string, cells: Readonly<Record<string, SnmpValue>>): Promise<readonly Observation[]> {
  const root = treeFolder({
    'mibs/tide/LOCK-MIB': LOCK,
    'resources/definitions/os_detection/lock.yaml': DETECTION,
    'resources/definitions/os_discovery/lock.yaml': `modules:\n${modules}`,
  })
  const folder = mkdtempSync(join(tmpdir(), 'portlight-definitions-'))
  made.push(root, folder)
  writeDefinitions(folder, compiled(root), 'test', new Date(0))
  const agent = agentOf({ '1.3.6.1.2.1.1.2.0': oid(`${B}.50.1`), ...cells })
  const run = [moduleOf(MODULES, 'system'), moduleOf(MODULES, 'loaded-definitions')]
  return discover(run, agent, { settings: { 'definitions.folder': folder } })
}

/** Index, OID, description and value of each sensor. */
async function sensors(modules: string, cells: Readonly<Record<string, SnmpValue>>): Promise<unknown[]> {
  const observed = await found(`  sensors:\n${modules}`, cells)
  return only(observed, 'sensors').rows.map((row) => [
    row.sensor_index,
    row.sensor_oid,
    row.sensor_descr,
    row.sensor_current,
  ])
}

const LEVEL = `
    count:
      data: [ { oid: 'LOCK-MIB::lLevel', num_oid: '.${B}.50.1.{{ $index }}', descr: 'Level {{ $index }}' } ]
`

describe('a scalar is everything that the agent has below it', () => {
  test('at the instance that the MIB gives it', async () => {
    expect(await sensors(LEVEL, { [`${B}.50.1.0`]: int(7) })).toEqual([['0', `${B}.50.1.0`, 'Level 0', 7]])
  })

  test('at other instances', async () => {
    const cells = { [`${B}.50.1.1`]: int(7), [`${B}.50.1.2.5`]: int(8) }
    expect(await sensors(LEVEL, cells)).toEqual([
      ['1', `${B}.50.1.1`, 'Level 1', 7],
      ['2.5', `${B}.50.1.2.5`, 'Level 2.5', 8],
    ])
  })

  test('or the object itself, whose index is empty', async () => {
    expect(await sensors(LEVEL, { [`${B}.50.1`]: int(7) })).toEqual([['', `${B}.50.1`, 'Level', 7]])
  })

  test('an instance that a file names may have rows below it', async () => {
    const item = `
    count:
      data: [ { oid: 'LOCK-MIB::lLevel.4', value: 'LOCK-MIB::lLevel', num_oid: '.${B}.50.1.{{ $index }}', descr: 'Level' } ]
`
    expect(await sensors(item, { [`${B}.50.1.4`]: int(7), [`${B}.50.1.5`]: int(9) })).toEqual([
      ['4', `${B}.50.1.4`, 'Level', 7],
    ])
    expect(await sensors(item, { [`${B}.50.1.4.1`]: int(7), [`${B}.50.1.5`]: int(9) })).toEqual([
      ['4.1', `${B}.50.1.4.1`, 'Level', 7],
    ])
  })

  test('memory pools likewise', async () => {
    const pools = `  mempools:
    data: [ { total: 'LOCK-MIB::lLevel', used: 'LOCK-MIB::lDepth', descr: pool } ]
`
    const { rows } = only(await found(pools, { [`${B}.50.1.1`]: int(400), [`${B}.50.2.1`]: int(10_000) }), 'mempools')
    // the display hint makes 100.00 of it
    expect(rows).toMatchObject([
      { mempool_index: '1', mempool_total: 400, mempool_used: 100, mempool_used_oid: `${B}.50.2.1` },
    ])
    const bare = await found(pools, { [`${B}.50.1`]: int(400), [`${B}.50.2`]: int(10_000) })
    expect(only(bare, 'mempools').rows).toMatchObject([{ mempool_index: '0', mempool_used_oid: `${B}.50.2` }])
  })
})

describe('rows', () => {
  test('with the same index: the last in the order of its own walk wins', async () => {
    const item = (walked: string) => `
    current:
      data: [ { oid: 'LOCK-MIB::${walked}', value: 'LOCK-MIB::lPumpAmps', num_oid: '.${B}.50.10.1.4.{{ $index }}', descr: 'Pump {{ $index }}', index: 'pump.{{ $subindex1 }}' } ]
    additional_oids: { data: [ { oid: [ 'LOCK-MIB::lPumpLabel' ] } ] }
`
    const cells = {
      [`${B}.50.10.1.3.2.1`]: text('East'),
      [`${B}.50.10.1.4.1.1`]: text('1.5 A'),
      [`${B}.50.10.1.4.2.1`]: text('2.5 A'),
    }
    // a column is in the order of its OIDs
    expect(await sensors(item('lPumpAmps'), cells)).toEqual([['pump.1', `${B}.50.10.1.4.2.1`, 'Pump 2.1', 2.5]])
    // in a table rows that have no earlier column come last
    expect(await sensors(item('lPumpTable'), cells)).toEqual([['pump.1', `${B}.50.10.1.4.1.1`, 'Pump 1.1', 1.5]])
  })

  test('a text in quotes within an OID is its length and its octets', async () => {
    const item = `
    count:
      data: [ { oid: 'LOCK-MIB::lLevel', num_oid: '.${B}.51."a b".{{ $index }}', descr: Level } ]
`
    expect(await sensors(item, { [`${B}.50.1.0`]: int(7) })).toEqual([['0', `${B}.51.3.97.32.98.0`, 'Level', 7]])
  })

  test('the number that a text begins with has neither plus nor exponent', async () => {
    const item = (value: string, op: string) => `
    count:
      data: [ { oid: 'LOCK-MIB::lLevel', num_oid: '.${B}.50.1.{{ $index }}', descr: Level, skip_values: [ { oid: 'LOCK-MIB::lKey.0', op: '${op}', value: ${value} } ] } ]
    additional_oids: { data: [ { oid: 'LOCK-MIB::lKey' } ] }
`
    const cells = { [`${B}.50.1.0`]: int(7), [`${B}.50.6.0`]: text('2e3f') }
    expect(await sensors(item('2', '='), cells)).toEqual([])
    expect(await sensors(item('2000', '='), cells)).toHaveLength(1)
    // a text that is a number as a whole is that number
    expect(await sensors(item('2000', '='), { ...cells, [`${B}.50.6.0`]: text('2e3') })).toEqual([])
  })
})

test('the OID of a table may be continued to a column or a row', async () => {
  const item = (walked: string) => `
    current:
      data: [ { oid: 'LOCK-MIB::${walked}', value: 'LOCK-MIB::lPumpAmps', num_oid: '.${B}.50.10.1.4.{{ $index }}', descr: 'Pump', index: 'amps.{{ $index }}' } ]
`
  const cells = { [`${B}.50.10.1.4.2.1`]: text('2.5 A'), [`${B}.50.10.1.4.3.1`]: text('3.5 A') }
  const [second, third] = [
    ['amps.2.1', `${B}.50.10.1.4.2.1`, 'Pump', 2.5],
    ['amps.3.1', `${B}.50.10.1.4.3.1`, 'Pump', 3.5],
  ]
  expect(await sensors(item('lPumpTable.1'), cells)).toEqual([second, third])
  expect(await sensors(item('lPumpTable.1.4'), cells)).toEqual([second, third])
  expect(await sensors(item('lPumpTable.1.4.3'), cells)).toEqual([third])
  expect(await sensors(item('lPumpTable.1.4.3.1'), cells)).toEqual([third])
  expect(await sensors(item('lPumpTable.1.3'), cells)).toEqual([])
})

test('a counter is stored as one, and its value as it is read', async () => {
  const item = (type: string) => `  sensors:
    count:
      data: [ { oid: 'LOCK-MIB::lLevel', num_oid: '.${B}.50.1.{{ $index }}', descr: Level, rrd_type: ${type} } ]
`
  const row = async (type: string) => only(await found(item(type), { [`${B}.50.1.0`]: int(7) }), 'sensors').rows[0]
  expect(await row('COUNTER')).toMatchObject({ rrd_type: 'COUNTER', sensor_current: 7 })
  expect(await row('GAUGE')).not.toHaveProperty('rrd_type')
  expect(await row('NONSENSE')).not.toHaveProperty('rrd_type')
})

test('names without a module are those of the walk, if it prints them so', async () => {
  const item = (flags: string) => `
    current:
      data: [ { oid: 'LOCK-MIB::lPumpTable', value: lPumpAmps, num_oid: '.${B}.50.10.1.4.{{ $index }}', descr: 'Pump {{ lPumpLabel }}', snmp_flags: [ '${flags}', '-Pu' ] } ]
`
  const cells = { [`${B}.50.10.1.3.2.1`]: text('East'), [`${B}.50.10.1.4.2.1`]: text('2.5 A') }
  expect(await sensors(item('-OteQUsab'), cells)).toEqual([['2.1', `${B}.50.10.1.4.2.1`, 'Pump East', 2.5]])
  expect(await sensors(item('-OteQUSab'), cells)).toEqual([])
})

describe('how values look', () => {
  const described = (more: string) => `
    count:
      data: [ { oid: 'LOCK-MIB::lock', value: 'LOCK-MIB::lLevel', num_oid: '.${B}.50.1.{{ $index }}', descr: '{{ LOCK-MIB::lGate }}/{{ LOCK-MIB::lDepth }}/{{ LOCK-MIB::lSince }}/{{ LOCK-MIB::lName }}/{{ LOCK-MIB::lKey }}'${more} } ]
`
  const cells = {
    [`${B}.50.1.0`]: int(7),
    [`${B}.50.2.0`]: int(-5),
    [`${B}.50.3.0`]: int(2),
    [`${B}.50.4.0`]: text('"West"'),
    [`${B}.50.5.0`]: ticks(8_640_123),
    [`${B}.50.6.0`]: octets('00c81b41'),
  }
  const texts = async (more: string) => ((await sensors(described(more), cells))[0] as unknown[])[2]

  test('numbers, no hints, octets as ASCII; quotes are part of a text', async () => {
    expect(await texts('')).toBe('2/-5/8640123/"West"/...A')
  })

  test('flags of an item replace the usual ones', async () => {
    expect(await texts(`, snmp_flags: '-OteQUSab'`)).toBe('2/-5/8640123/"West"/...A')
    expect(await texts(`, snmp_flags: '-OQUb'`)).toBe('shut/-5/1:0:00:01.23/"West"/00 C8 1B 41')
    expect(await texts(`, snmp_flags: [ '-OteQUb', '-Cc' ]`)).toBe('2/-5/8640123/"West"/00 C8 1B 41')
    expect(await texts(`, snmp_flags: '-OteQUax'`)).toBe('2/-5/8640123/22 57 65 73 74 22/00 C8 1B 41')
  })

  test('hints apply if the item says so; quotes around a text with a hint are not part of it', async () => {
    expect(await texts(`, snmp_no_Ih_flag: ''`)).toBe('2/-.05/8640123/West/...A')
    expect(await texts(`, snmp_flags: '-OteQUax', snmp_no_Ih_flag: ''`)).toBe('2/-.05/8640123/West/00 C8 1B 41')
    expect(await texts(`, snmp_no_Ih_flag: null`)).toBe('2/-5/8640123/"West"/...A')
  })

  test('backslashes are trimmed from a field of the OS, not removed from within', async () => {
    const os = '  os: { hardware: LOCK-MIB::lName.0, version: LOCK-MIB::lKey.0 }\n'
    const observed = await found(os, { [`${B}.50.4.0`]: text('\\Lock\\4\\ '), [`${B}.50.6.0`]: text('2.1') })
    expect(only(observed, 'system')).toMatchObject({ hardware: 'Lock\\4', version: '2.1' })
  })

  test('digits after a leading zero are text', async () => {
    const item = `
    state:
      data:
        - oid: LOCK-MIB::lKey
          num_oid: '.${B}.50.6.{{ $index }}'
          descr: 007
          state_name: lKey
          states: [ { value: 1, descr: 01, generic: 0 }, { value: 2, descr: 02, generic: 1 } ]
`
    expect(await sensors(item, { [`${B}.50.6.0`]: int(2) })).toEqual([['0', `${B}.50.6.0`, '007', 2]])
  })
})

describe('pools, disks and processors', () => {
  test('objects given as numeric OIDs', async () => {
    const pools = `  mempools:
    data: [ { total: '.${B}.60.1.0', used: '.${B}.60.2.0', descr: pool, index: 4 } ]
`
    const { rows } = only(await found(pools, { [`${B}.60.1.0`]: int(400), [`${B}.60.2.0`]: int(100) }), 'mempools')
    expect(rows).toMatchObject([
      { mempool_index: '4', mempool_total: 400, mempool_used: 100, mempool_used_oid: `${B}.60.2.0` },
    ])
    expect(only(await found(pools, { [`${B}.60.1.0`]: int(400) }), 'mempools').rows).toEqual([])
  })

  test('disks of one type and index are one, whatever kind of storage they are', async () => {
    const disks = `  storage:
    data:
      - { size: 'LOCK-MIB::lLevel', used: 'LOCK-MIB::lDepth', type: flash, descr: first }
      - { size: 'LOCK-MIB::lLevel', used: 'LOCK-MIB::lDepth', type: disk, descr: second }
      - { size: 'LOCK-MIB::lLevel', used: 'LOCK-MIB::lDepth', type: disk, poller_type: other, descr: third }
`
    const { rows } = only(await found(disks, { [`${B}.50.1.0`]: int(400), [`${B}.50.2.0`]: int(100) }), 'storage')
    expect(rows.map(({ type, storage_descr }) => [type, storage_descr])).toEqual([
      ['lock', 'second'],
      ['other', 'third'],
    ])
  })

  test('the warning of a processor; the first of two with one index gives usage and warning', async () => {
    const processors = (first: string) => `  processors:
    data:
      - { oid: 'LOCK-MIB::lLevel', num_oid: '.${B}.50.1.{{ $index }}', descr: A, warn_percent: ${first} }
      - { oid: 'LOCK-MIB::lDepth', num_oid: '.${B}.50.2.{{ $index }}', descr: B, warn_percent: 80 }
`
    const row = async (first: string) =>
      only(await found(processors(first), { [`${B}.50.1.0`]: int(7), [`${B}.50.2.0`]: int(9) }), 'processors').rows
    expect(await row("'{{ LOCK-MIB::lLevel }}'")).toMatchObject([
      { processor_descr: 'B', processor_oid: `${B}.50.2.0`, processor_usage: 7, processor_perc_warn: 7 },
    ])
    // no percentage at all is the usual one
    for (const none of ['0', '-5', '1e300', 'null', "''"])
      expect((await row(none))[0]).not.toHaveProperty('processor_perc_warn', 80)
  })

  test('a processor whose value has no number is read from the object that is polled', async () => {
    const processors = `  processors:
    data: [ { oid: 'LOCK-MIB::lCpu', num_oid: '.${B}.61.{{ $index }}', descr: 'CPU {{ $index }}' } ]
`
    const cells = { [`${B}.50.7.0`]: text('busy'), [`${B}.61.0`]: text('load 34 %') }
    expect(only(await found(processors, cells), 'processors').rows).toMatchObject([
      { processor_index: '0', processor_oid: `${B}.61.0`, processor_usage: 34 },
    ])
    expect(only(await found(processors, { [`${B}.50.7.0`]: text('busy') }), 'processors').rows).toEqual([])
  })
})
