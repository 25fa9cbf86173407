import { expect, test } from 'bun:test'
import { rowFacts } from '../../../src/core/alerts/sentences/row-facts.ts'
import { faultSentence, sentenceRule } from '../../../src/core/alerts/sentences/sentence.ts'

const NOW = new Date('2026-11-26T12:00:00Z').getTime()
const SENSOR = { device_id: 1, sensor_id: 2, sensor_class: 'temperature', sensor_descr: 'Inlet', sensor_current: 71 }
const PROCESSOR = { device_id: 1, processor_id: 2, processor_descr: 'cpu0', processor_usage: 93 }
const STORAGE = { device_id: 1, storage_id: 2, storage_descr: '/var', storage_perc: 80 }

const of = (field: string, operator: string, value: unknown, over: object, row: object) =>
  faultSentence(
    sentenceRule({
      name: 'r',
      builder: JSON.stringify({ condition: 'AND', rules: [{ field, operator, value, data: { over } }] }),
    }),
    row as Record<string, unknown>,
    { device: 'sw-1', since: null, now: NOW },
  )

test.each<[string, string, unknown, object, object, string]>([
  [
    ...(['sensors.sensor_current', 'greater', '65', { kind: 'held', for: '10m', of: '15m' }] as const),
    ...([
      { ...SENSOR, sensor_current_held_s: 700 },
      'sw-1: sensor Inlet: value has been above 65 °C for 10 minutes of the last 15 minutes, now 71 °C',
    ] as const),
  ],
  [
    ...(['processors.processor_usage', 'greater', '90', { kind: 'average', of: '1h' }] as const),
    ...([
      { ...PROCESSOR, processor_usage_average: 91.5 },
      'sw-1: processor cpu0: load is 91.5 % on average over 1 hour (limit 90 %), now 93 %',
    ] as const),
  ],
  [
    ...(['sensors.sensor_current', 'not_between', ['-4', '4'], { kind: 'unusual' }] as const),
    ...([
      { ...SENSOR, sensor_current_average: 70, sensor_current_usual: 42, sensor_current_spreads: 9 },
      'sw-1: sensor Inlet: value is 70 °C on average in the last hour, where 42 °C is usual, now 71 °C',
    ] as const),
  ],
  [
    ...(['storage.storage_perc', 'greater_or_equal', '100', { kind: 'forecast', of: '7d' }] as const),
    ...([
      { ...STORAGE, storage_perc_per_day: 3 },
      'sw-1: storage /var: share in use is forecast to be 101 % in 7 days (limit 100 %), now 80 %',
    ] as const),
  ],
  [
    ...(['storage.storage_perc', 'less', '-10', { kind: 'change', of: '1d' }] as const),
    ...([
      { ...STORAGE, storage_perc_before: 95 },
      'sw-1: storage /var: share in use has fallen by 15 % within 1 day (limit -10 %), now 80 %',
    ] as const),
  ],
  [
    ...(['macros.port_usage_perc', 'greater', '80', { kind: 'held', for: '10m', of: '15m' }] as const),
    ...([
      { device_id: 1, port_id: 7, ifName: 'Gi1', port_usage_perc_held_s: 700 },
      'sw-1: port Gi1: use of its speed, busier direction has been above 80 % for 10 minutes of the last 15 minutes',
    ] as const),
  ],
  [
    ...(['sensors.sensor_current', 'is_null', '', { kind: 'no_data', of: '30m' }] as const),
    ...([SENSOR, 'sw-1: sensor Inlet: value has not been read for 30 minutes'] as const),
  ],
  [
    ...(['bills.rate_95th', 'greater', '50000000', { kind: 'period_end' }] as const),
    ...([
      { device_id: 1, bill_id: 1, bill_name: 'Transit', rate_95th: 10_000_000, rate_95th_at_end: 80_000_000 },
      'sw-1: bill Transit: 95th percentile that counts is forecast to be 80 Mbit/s at the end of the period (limit 50 Mbit/s)',
    ] as const),
  ],
])('%s %s %j %j', (field, operator, value, over, row, want) => {
  expect(of(field, operator, value, over, row)).toBe(want)
})

test('what the history does not say is unknown, and the limit in spreads is never one of the value', () => {
  const text = of('sensors.sensor_current', 'greater', '4', { kind: 'unusual' }, { ...SENSOR, sensor_current: null })
  expect(text).toBe('sw-1: sensor Inlet: value is unknown on average in the last hour, where unknown is usual')
})

test('facts about the thing itself do not say what it is, although its history is joined', () => {
  const rule = sentenceRule({
    name: 'r',
    builder: JSON.stringify({
      condition: 'AND',
      rules: [
        {
          field: 'ports.ifInOctets_rate',
          operator: 'greater',
          value: '8',
          data: { over: { kind: 'average', of: '1h' } },
        },
      ],
    }),
  })
  const facts = rowFacts(rule, { device_id: 1, port_id: 7, ifName: 'Gi1', ifAlias: 'Uplink' }, NOW)
  expect(facts).toContainEqual({ label: 'Alias', value: 'Uplink' })
})
