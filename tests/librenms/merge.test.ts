import { describe, expect, test } from 'bun:test'
import { merged, type Preference } from '../../src/modules/loaded/merge.ts'
import type { Observation, ProcessorRow, SensorRow } from '../../src/modules/observation.ts'

function sensor(part: Partial<SensorRow>): SensorRow {
  return {
    sensor_class: 'temperature',
    sensor_type: 'own',
    sensor_index: '1',
    sensor_oid: '1.3.6.1.4.1.64998.1.1',
    sensor_descr: 'Keel',
    group: null,
    sensor_divisor: 1,
    sensor_multiplier: 1,
    sensor_current: 20,
    sensor_limit: null,
    sensor_limit_warn: null,
    sensor_limit_low: null,
    sensor_limit_low_warn: null,
    entPhysicalIndex: null,
    entPhysicalIndex_measured: null,
    ...part,
  }
}

const sensors = (...rows: SensorRow[]): Observation => ({ kind: 'sensors', complete: true, rows })

function joined(own: SensorRow[], loaded: SensorRow[], prefer: Preference): readonly SensorRow[] {
  const runs = [
    { module: 'defined-health', observations: [sensors(...own)] },
    { module: 'loaded-definitions', observations: [sensors(...loaded)] },
  ]
  return merged(runs, prefer).flatMap((o) => (o.kind === 'sensors' ? o.rows : []))
}

describe('our sensors and loaded ones', () => {
  const theirs = sensor({ sensor_type: 'buoy', sensor_index: 'k.1', sensor_limit: 60, group: 'Hull' })

  test('an object gets one sensor, from the preferred definition', () => {
    expect(joined([sensor({})], [theirs], 'own').map((row) => row.sensor_type)).toEqual(['own'])
    expect(joined([sensor({})], [theirs], 'loaded')).toEqual([theirs])
  })

  test('rows that have the same number by chance are both kept, unless they are called the same', () => {
    const numbered = sensor({ sensor_oid: '1.3.6.1.4.1.64998.1.9', sensor_descr: 'Mast' })
    const types = (own: SensorRow, prefer: Preference) =>
      joined([own], [numbered], prefer).map((row) => [row.sensor_type, row.sensor_descr])
    expect(types(sensor({}), 'loaded')).toEqual([
      ['own-own', 'Keel'],
      ['own', 'Mast'],
    ])
    expect(types(sensor({}), 'own')).toEqual([
      ['own', 'Keel'],
      ['own-loaded', 'Mast'],
    ])
    expect(types(sensor({ sensor_descr: 'Mast' }), 'loaded')).toEqual([['own', 'Mast']])
    const state = { sensor_class: 'state' as const }
    expect(joined([sensor(state)], [{ ...numbered, ...state }], 'loaded').map((row) => row.sensor_descr)).toEqual([
      'Mast',
    ])
  })

  test('a sensor that only one of them finds is kept', () => {
    const other = sensor({ sensor_oid: '1.3.6.1.4.1.64998.1.2', sensor_index: '2' })
    const load = sensor({ sensor_class: 'load', sensor_type: 'buoy' })
    expect(joined([sensor({}), other], [theirs, load], 'own')).toHaveLength(3)
    expect(joined([sensor({}), other], [theirs, load], 'loaded')).toHaveLength(3)
  })

  test('theirs supplies what ours lacks: limits that are guessed or missing, the group, a missing name', () => {
    const [row] = joined(
      [sensor({ sensor_limit: 40, sensor_limit_low: 5, sensor_descr: 'temperature 1' })],
      [theirs],
      'own',
    )
    // 40, which is 20 above the first value, was guessed; 5 was not
    expect(row).toMatchObject({ sensor_limit: 60, sensor_limit_low: 5, group: 'Hull', sensor_descr: 'Keel' })
  })

  test('a name that several of our sensors share is replaced by theirs', () => {
    const second = sensor({ sensor_oid: '1.3.6.1.4.1.64998.1.2', sensor_index: '2' })
    const named = [
      sensor({ ...theirs, sensor_descr: 'Keel 1' }),
      sensor({ ...second, sensor_type: 'buoy', sensor_descr: 'Keel 2' }),
    ]
    expect(joined([sensor({}), second], named, 'own').map((row) => row.sensor_descr)).toEqual(['Keel 1', 'Keel 2'])
    expect(joined([sensor({})], named, 'own').map((row) => row.sensor_descr)).toEqual(['Keel', 'Keel 2'])
  })

  test('limits in another unit are not used', () => {
    const [row] = joined([sensor({})], [sensor({ ...theirs, sensor_divisor: 10 })], 'own')
    expect(row).toMatchObject({ sensor_limit: null, group: null })
  })
})

describe('processors', () => {
  const processor = (processor_type: string): ProcessorRow => ({
    processor_type,
    processor_index: '0',
    processor_oid: `1.3.6.1.4.1.64998.${processor_type.length}`,
    processor_descr: 'Processor',
    processor_precision: 1,
    hrDeviceIndex: null,
    entPhysicalIndex: 0,
    processor_usage: 5,
  })
  const run = (module: string, ...types: string[]) => ({
    module,
    observations: [{ kind: 'processors', complete: true, rows: types.map(processor) } as const],
  })
  const types = (runs: Parameters<typeof merged>[0], prefer: Preference) =>
    merged(runs, prefer).flatMap((o) => (o.kind === 'processors' ? o.rows.map((row) => row.processor_type) : []))

  test('come from one source: the loaded definition, ours, the standard MIBs', () => {
    const [general, own, loaded] = [
      run('processors', 'hr', 'hr'),
      run('defined-health', 'own'),
      run('loaded-definitions', 'buoy'),
    ]
    expect(types([general, own, loaded], 'own')).toEqual(['buoy'])
    expect(types([general, own, loaded], 'loaded')).toEqual(['buoy'])
    expect(types([general, run('defined-health'), loaded], 'own')).toEqual(['buoy'])
    expect(types([general, own, run('loaded-definitions')], 'loaded')).toEqual(['own'])
    expect(types([general, run('loaded-definitions')], 'loaded')).toEqual(['hr', 'hr'])
    expect(types([general, own], 'own')).toEqual(['own'])
    expect(types([general, run('defined-health')], 'own')).toEqual(['hr', 'hr'])
  })
})
