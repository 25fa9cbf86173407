import { expect, test } from 'bun:test'
import { debounceRemovals, type Memory } from '../../src/modules/debounce.ts'
import type { LinkRow } from '../../src/modules/links/observation.ts'
import type { Observation, SensorRow } from '../../src/modules/observation.ts'

const sensor = (sensor_index: string, sensor_current: number): SensorRow => ({
  sensor_class: 'temperature',
  sensor_type: 'entity-sensor',
  sensor_index,
  sensor_oid: `1.3.6.1.2.1.99.1.1.1.4.${sensor_index}`,
  sensor_descr: `Sensor ${sensor_index}`,
  group: null,
  sensor_divisor: 1,
  sensor_multiplier: 1,
  sensor_current,
  sensor_limit: null,
  sensor_limit_warn: null,
  sensor_limit_low: null,
  sensor_limit_low_warn: null,
  entPhysicalIndex: null,
  entPhysicalIndex_measured: null,
})
const sensors = (rows: SensorRow[], complete = true): Observation => ({ kind: 'sensors', complete, rows })

/** Consecutive readings; returns what the writer gets from each: [indexes, complete]. */
function readings(...sets: Observation[][]): [string[], boolean][] {
  let memory: Memory = new Map()
  return sets.map((observations) => {
    const debounced = debounceRemovals(observations, memory)
    memory = debounced.memory
    const found = debounced.observations.filter((o) => o.kind === 'sensors')
    return [found.flatMap((o) => o.rows.map((r) => r.sensor_index)).sort(), found.every((o) => o.complete)]
  })
}

test('the first reading removes nothing', () => {
  expect(readings([sensors([sensor('1', 20)])])).toEqual([[['1'], false]])
})

test('a row that is missing once or twice is kept, missing three times it is removed', () => {
  const both = [sensor('1', 20), sensor('2', 21)]
  const one = [sensors(both.slice(0, 1))]
  expect(readings([sensors(both)], one, one, one)).toEqual([
    [['1', '2'], false],
    [['1', '2'], true],
    [['1', '2'], true],
    [['1'], true],
  ])
})

test('a row that reappears in between starts counting again', () => {
  const both = [sensor('1', 20), sensor('2', 21)]
  const one = [sensor('1', 20)]
  expect(readings([sensors(both)], [sensors(one)], [sensors(both)], [sensors(one)]).map(([rows]) => rows)).toEqual([
    ['1', '2'],
    ['1', '2'],
    ['1', '2'],
    ['1', '2'],
  ])
})

test('two modules of one kind form one set, and kept rows are reported once', () => {
  const reported = readings(
    [sensors([sensor('1', 1)]), sensors([sensor('2', 2)])],
    [sensors([]), sensors([sensor('2', 2)])],
  )
  expect(reported[1]).toEqual([['1', '2'], true])
})

test('a truncated reading stays truncated', () => {
  const one = [sensor('1', 20)]
  expect(readings([sensors(one)], [sensors([], false)])[1]).toEqual([['1'], false])
})

test('a truncated reading does not count as missing', () => {
  const one = [sensors([sensor('1', 20)])]
  const truncated = [sensors([], false)]
  const none = [sensors([])]
  const reported = readings(one, none, truncated, none, truncated, none).map(([rows]) => rows.length)
  expect(reported).toEqual([1, 1, 1, 1, 1, 0])
})

test('a neighbour stays the same if the local port is renamed, but not if it moves to another port', () => {
  const link = (number: string, name: string): LinkRow => ({
    local: [
      { by: 'name', value: name },
      { by: 'ifIndex', value: number },
    ],
    protocol: 'lldp',
    remote_hostname: 'b',
    remote_port: 'p1',
    remote_platform: null,
    remote_version: '',
    remote: { name: 'b', mac: null, addresses: [], portNames: ['p1'], portMac: null, portIndex: null },
  })
  const links = (...rows: LinkRow[]): Observation => ({ kind: 'links', complete: true, rows })
  const { memory } = debounceRemovals([links(link('1', 'x'))], new Map())
  expect(debounceRemovals([links(link('1', 'y'))], memory).missing).toBe(0)
  expect(debounceRemovals([links(link('2', 'x'))], memory).missing).toBe(1)
})

test('kinds with their own ageing pass unchanged', () => {
  const fdb: Observation = { kind: 'fdb', complete: true, rows: [] }
  expect(debounceRemovals([fdb], new Map())).toMatchObject({ observations: [fdb], missing: 0 })
})
