import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { OPERATORS, parseBuilder } from '../../../../src/core/rules/builder.ts'
import { compile } from '../../../../src/core/rules/compile.ts'
import { BuilderError } from '../../../../src/core/rules/errors.ts'
import { builderWords } from '../../../../src/core/rules/in-words.ts'
import { withoutOver } from '../../../../src/core/rules/over/learns.ts'
import { parseOver, spanText, spanWords } from '../../../../src/core/rules/over/over.ts'
import { builderText } from '../../../../src/core/rules/text.ts'

const rule = (field: string, operator: string, value: unknown, over?: unknown) => ({
  ...{ id: field, field, type: 'string', input: 'text', operator, value },
  ...(over !== undefined && { data: { other: 1, over } }),
})
const all = (...rules: unknown[]) => ({ condition: 'AND', rules, valid: true })

describe('conditions over time', () => {
  test.each<[unknown, string, string]>([
    [
      rule('sensors.sensor_current', 'greater', '80', { kind: 'held', for: '10m', of: '15m' }),
      'sensors.sensor_current > 80 FOR 10m OF 15m',
      'sensor: value is above 80 for 10 minutes of the last 15 minutes',
    ],
    [
      rule('processors.processor_usage', 'greater', 90, { kind: 'average', of: 3600 }),
      'AVERAGE(processors.processor_usage, 1h) > 90',
      'average of processor: load over 1 hour is above 90 %',
    ],
    [
      rule('storage.storage_perc', 'greater', '10', { kind: 'change', of: '1d' }),
      'CHANGE(storage.storage_perc, 1d) > 10',
      'change of storage: share in use within 1 day is above 10 %',
    ],
    [
      rule('sensors.sensor_current', 'is_null', null, { kind: 'no_data', of: '30 m' }),
      'NO DATA(sensors.sensor_current, 30m)',
      'no value of sensor: value has been read for 30 minutes',
    ],
    [
      rule('macros.port_usage_perc', 'not_between', ['-4', '4'], { kind: 'unusual' }),
      'UNUSUAL(macros.port_usage_perc) NOT BETWEEN -4 AND 4',
      'port: use of its speed, busier direction, compared with what is usual at this hour of the week, is not between -4 and 4 times the usual spread',
    ],
    [
      rule('storage.storage_perc', 'greater_or_equal', '100', { kind: 'forecast', of: '7d' }),
      'FORECAST(storage.storage_perc, 7d) >= 100',
      'storage: share in use in 7 days, if it goes on as in the last weeks, is at least 100 %',
    ],
    [
      rule('bills.rate_95th', 'greater', '`bills.bill_cdr`', { kind: 'period_end' }),
      'PERIOD END(bills.rate_95th) > bills.bill_cdr',
      'bill: 95th percentile that counts at the end of the period, if the rest of it is like the last week, is above bill: committed rate',
    ],
  ])('%# is read, written and said', (given, text, words) => {
    const group = parseBuilder(all(given))
    expect(builderText(group)).toBe(text)
    expect(builderWords(group)).toBe(words)
  })

  test.each<[unknown, string]>([
    [rule('sensors.sensor_current', 'greater', '1', { kind: 'sum', of: '1h' }), 'The kind of over is one of'],
    [rule('sensors.sensor_current', 'greater', '1', 'average'), 'is an object with a kind'],
    [rule('sensors.sensor_current', 'greater', '1', { kind: 'constructor', of: '1h' }), 'The kind of over is one of'],
    [rule('sensors.sensor_current', 'greater', '1', { kind: 'average' }), 'The member of of average is a time'],
    [rule('sensors.sensor_current', 'greater', '1', { kind: 'average', of: '5s' }), 'from 1m to 31d'],
    [rule('sensors.sensor_current', 'greater', '1', { kind: 'average', of: '99d' }), 'from 1m to 31d'],
    [rule('sensors.sensor_current', 'greater', '1', { kind: 'held', of: '15m' }), 'The member for of held is a time'],
    [
      rule('sensors.sensor_current', 'greater', '1', { kind: 'held', for: '20m', of: '15m' }),
      'cannot hold for 20m of 15m',
    ],
    [rule('sensors.sensor_current', 'equal', '1', { kind: 'average', of: '1h' }), 'average takes less, '],
    [
      rule('sensors.sensor_current', 'greater', '1', { kind: 'no_data', of: '1h' }),
      'no_data takes is_null, not greater',
    ],
    [rule('sensors.sensor_current', 'between', [1, 2], { kind: 'forecast', of: '7d' }), 'forecast takes less, '],
    [rule('devices.uptime', 'less', '1', { kind: 'average', of: '1h' }), 'The history of devices.uptime is not stored'],
    [rule('storage.storage_perc', 'greater', '1', { kind: 'period_end' }), 'Only bills.rate_95th and bills.total_data'],
    [
      rule('bills.rate_95th', 'greater', '1', { kind: 'average', of: '1h' }),
      'The history of bills.rate_95th is not stored',
    ],
    [rule('macros.past_5m', 'less', '1', { kind: 'average', of: '1h' }), 'The history of macros.past_5m is not stored'],
  ])('%# is refused', (given, why) => {
    expect(() => compile(all(given))).toThrow(why)
  })

  test('at most four in a rule', () => {
    const one = rule('sensors.sensor_current', 'greater', '1', { kind: 'average', of: '1h' })
    expect(compile(all(one, one, one, one)).overTime).toBe(true)
    expect(() => compile(all(one, one, one, one, one))).toThrow('at most 4 conditions over time')
  })

  test('data without over is nobody’s business', () => {
    for (const data of [null, 1, 'x', [], {}, { over: null }, { unrelated: {} }])
      expect(compile(all({ ...rule('devices.uptime', 'less', '1'), data })).overTime).toBe(false)
  })

  test('whatever is given is read or refused with a sentence, and times are within their limits', () => {
    const time = fc.oneof(
      fc.string({ maxLength: 6 }),
      fc.integer(),
      fc.double(),
      fc.constantFrom('0', '-1', '1e300', '10m', '9999999999d', null, [], {}),
    )
    const kind = fc.constantFrom(
      'held',
      'average',
      'lowest',
      'highest',
      'change',
      'no_data',
      'unusual',
      'forecast',
      '__proto__',
      7,
    )
    fc.assert(
      fc.property(fc.record({ kind, for: time, of: time }), fc.constantFrom(...OPERATORS), (over, operator) => {
        try {
          const parsed = parseOver({ over }, operator)
          if (parsed !== null && 'ofS' in parsed) expect(parsed.ofS >= 60 && parsed.ofS <= 366 * 86_400).toBe(true)
          if (parsed?.kind === 'held') expect(parsed.forS <= parsed.ofS).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(BuilderError)
        }
      }),
    )
  })
})

test.each([
  [60, '1m', '1 minute'],
  [90, '90s', '90 seconds'],
  [3600, '1h', '1 hour'],
  [5400, '90m', '90 minutes'],
  [604_800, '7d', '7 days'],
])('%d s is %s', (seconds, text, words) => {
  expect([spanText(seconds), spanWords(seconds)]).toEqual([text, words])
})

test('without its conditions over time a rule concerns no fewer things', () => {
  const over = rule('sensors.sensor_current', 'greater', '1', { kind: 'unusual' })
  const plain = rule('devices.os', 'equal', 'ios')
  const left = (given: unknown) => {
    const rest = withoutOver(parseBuilder(given))
    return rest === null ? null : builderText(rest)
  }
  expect(left(all(over, plain))).toBe('devices.os = "ios"')
  expect(left(all(over))).toBeNull()
  expect(left({ condition: 'OR', rules: [over, plain] })).toBeNull()
  expect(left(all(plain, { condition: 'OR', rules: [over, plain] }))).toBe('devices.os = "ios"')
  expect(left(all(plain, all(plain, over)))).toBe('devices.os = "ios" AND (devices.os = "ios")')
})
