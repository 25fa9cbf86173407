import { expect, test } from 'bun:test'
import { type EngineFault, evolved } from '../../../src/core/alerts/faults/evolve.ts'
import { keptRows } from '../../../src/core/alerts/faults/row.ts'
import { subjectsOf } from '../../../src/core/alerts/faults/subject.ts'
import { MAX_KEYS } from '../../../src/core/alerts/state.ts'

const T = Date.UTC(2026, 7, 1)
const options = { now: T, severity: 'critical', flapWindowS: null, adopt: false } as const
const describe = () => ({ subject: { kind: null, id: null }, message: 'x' }) as const
const found = (keys: readonly string[], cut = false) => ({ keys, cut, describe })
const stored = (faults: readonly EngineFault[]): EngineFault[] => faults.map((fault, i) => ({ ...fault, id: i + 1 }))
const open = (faults: readonly EngineFault[]): string[] =>
  faults.filter(({ state }) => state !== 0).map(({ key }) => key)

test('a thing that is found twice is one fault', () => {
  expect(open(evolved([], found(['1', '1', '2']), options))).toEqual(['1', '2'])
})

test('an alert has at most MAX_KEYS faults; what is missing among the keys that were read stays', () => {
  const keys = Array.from({ length: MAX_KEYS }, (_, i) => String(i))
  const first = stored(evolved([], found(keys, true), options))
  const moved = [...keys.slice(1), 'new']
  const next = evolved(first, found(moved, true), options)
  expect(open(next).length).toBe(MAX_KEYS)
  expect(open(next)).toContain('0')
  expect(open(evolved(stored(next), found(['5']), options))).toEqual(['5'])
})

test.each([
  [['devices'], '', { kind: null, id: null }],
  [['devices', 'ports'], '17', { kind: 'port', id: 17 }],
  [['devices', 'ports', 'sensors'], '17:4', { kind: 'sensor', id: 4 }],
  [['devices', 'sensors', 'sensors_to_state_indexes'], '4:9', { kind: 'sensor', id: 4 }],
  [['devices', 'bgpPeers'], '3', { kind: 'bgp_peer', id: 3 }],
  [['devices', 'vlans'], '3', { kind: 'other', id: null }],
  [['devices', 'ports'], 'x', { kind: 'port', id: null }],
  [['devices', 'ports'], '99999999999', { kind: 'port', id: null }],
])('tables %j and key %j are about %j', (tables, key, subject) => {
  expect(subjectsOf(tables)(key)).toEqual(subject as ReturnType<ReturnType<typeof subjectsOf>>)
})

test('of a row are kept the columns of its own tables and those compared, bounded', () => {
  const kept = keptRows(
    ['devices', 'ports'],
    ['ports.ifOperStatus', 'devices.status'],
  )({
    hostname: 'sw1',
    sysDescr: 'x'.repeat(9000),
    status: 1,
    ifName: 'Gi1',
    ifAlias: 'y'.repeat(9000),
    ifOperStatus: 'down',
    ifSpeed: 1000,
    invented: { a: 1 },
  })
  expect(Object.keys(kept).toSorted()).toEqual(['ifAlias', 'ifName', 'ifOperStatus', 'ifSpeed', 'status'])
  expect(String(kept['ifAlias']).length).toBe(300)
})
