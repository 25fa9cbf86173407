import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { RULE_PRESETS } from '../../../src/core/alerts/rules/presets.ts'
import { ruleFields } from '../../../src/core/alerts/rules/try.ts'
import { clockWords, oneLine, spanWords } from '../../../src/core/alerts/sentences/amounts.ts'
import {
  faultSentence,
  faultWords,
  MAX_SENTENCE,
  pastMessage,
  pastTitle,
  sentenceRule,
  withTimes,
} from '../../../src/core/alerts/sentences/sentence.ts'
import { OPERATORS } from '../../../src/core/rules/builder.ts'
import { HIDDEN_COLUMNS } from '../../../src/core/rules/read-tables.ts'
import { BEGAN, NOW, PORT, presetOf, ruleOf, SENSOR, say, UP } from './sentence-setup.ts'

describe('any other rule', () => {
  test('its conditions with the values, without those that only limit where it looks', () => {
    const rule = ruleOf(
      ['ospf_nbrs.ospfNbrState', 'not_equal', 'full'],
      ['macros.device_up', 'equal', '1'],
      ['devices.os', 'equal', 'ios'],
    )
    expect(say(rule, { ...UP, os: 'ios', ospfNbrIpAddr: '10.0.0.9', ospfNbrState: 'init' }, 'r1', null)).toBe(
      'r1: OSPF neighbour 10.0.0.9: state is init, not full',
    )
    const lease = ruleOf(['ports.ifMtu', 'less', '9000'], ['macros.port_up', 'equal', '1'])
    expect(say(lease, { ...PORT, ifOperStatus: 'up', ifMtu: 1500 }, 'sw-3', null)).toBe(
      'sw-3: port Gi1/0/17: MTU is 1500 B (lower limit 9000 B)',
    )
  })

  test('a version that a rule looks for', () => {
    expect(say(ruleOf(['devices.version', 'equal', '15.2']), { ...UP, version: '15.2' }, 'sw-3', null)).toBe(
      'sw-3: software version is 15.2',
    )
  })

  test('flags are said with their meaning, also if the row does not have them', () => {
    const up = ruleOf(['devices.status', 'equal', '0'])
    expect(say(up, { hostname: 'x' }, 'sw-3', null)).toBe('sw-3 is not up')
    expect(
      say(
        ruleOf(['ports.ignore', 'equal', '1'], ['ports.ifMtu', 'is_not_null']),
        { ...PORT, ifMtu: 1500 },
        'sw-3',
        null,
      ),
    ).toBe('sw-3: port Gi1/0/17: MTU is 1500 B')
    expect(
      say(
        ruleOf(['links.active', 'equal', '0'], ['vlans.vlan_state', 'equal', '0']),
        { ...PORT, vlan_state: 0, vlan_name: 'v7' },
        'sw-3',
        null,
      ),
    ).toBe('sw-3: VLAN v7 of Gi1/0/17: is not active')
  })

  test('a rule that alerts when nothing matches, and one that cannot be read', () => {
    const inverted = { ...ruleOf(['ports.ifName', 'equal', 'x']), inverted: true }
    expect(say(inverted, UP)).toBe('sw-3 has nothing that matches “The rule” since 14:02')
    expect(say(sentenceRule({ name: 'Old', builder: '{' }), UP, 'sw-3', null)).toBe('sw-3: Old')
  })

  test("another table's column of the same name is not taken for the rule's", () => {
    // component.type hides devices.type, component.status devices.status
    const rule = ruleOf(['component.type', 'equal', 'x'], ['devices.status', 'equal', '0'])
    expect(faultWords(rule, { ...UP, status: 2, label: 'Rail 7', type: 'x' }, NOW).what).toBe('is critical')
  })
})

test('a fault that is over', () => {
  const message = say(presetOf('port-down'), PORT, 'sw is 3', null)
  const times = { device: 'sw is 3', began: BEGAN, ended: BEGAN + 18 * 60_000, now: NOW }
  expect(withTimes(message, times)).toBe(
    'sw is 3 Gi1/0/17 was down, alias: Uplink to rack 5 (14:02 to 14:20, 18 minutes)',
  )
  expect(withTimes(message, { ...times, ended: null })).toBe(
    'sw is 3 Gi1/0/17 is down, alias: Uplink to rack 5 (since 14:02)',
  )
  expect(pastMessage('prn: Black Toner has 4 % left (lower limit 10 %)', 'prn')).toBe(
    'prn: Black Toner had 4 % left (lower limit 10 %)',
  )
  expect(pastTitle('core is down, no answer to ping', 'core')).toBe('core was down')
  expect(pastTitle('c Gi1 uses 94 % of 1 Gbit/s (limit 90 %) (in 940 Mbit/s, out 10 Mbit/s), alias: x', 'c')).toBe(
    'c Gi1 used 94 % of 1 Gbit/s (limit 90 %)',
  )
  expect(pastTitle('c: fan is 3 (limits 4, 9), alias: (x', 'c')).toBe('c: fan was 3 (limits 4, 9)')
  expect(pastTitle('e: BGP session with ::1 (AS 1, X) is idle, last error: y', 'e')).toBe(
    'e: BGP session with ::1 (AS 1, X) was idle',
  )
  // what has no verb to change stays
  expect(pastMessage('sw-3 sent “fan 2 failed”', 'sw-3')).toBe('sw-3 sent “fan 2 failed”')
})

test('times as people write them', () => {
  expect(clockWords(BEGAN, NOW)).toBe('14:02')
  expect(clockWords(new Date(2026, 10, 24, 9, 5).getTime(), NOW)).toBe('24 Nov 09:05')
  expect(clockWords(new Date(2025, 10, 24, 9, 5).getTime(), NOW)).toBe('24 Nov 2025')
  expect([0, 59, 61, 3600, 4800, 90_000, 41.9 * 86_400].map(spanWords)).toEqual([
    '0 seconds',
    '59 seconds',
    '1 minute',
    '1 hour',
    '1 hour 20 minutes',
    '1 day 1 hour',
    '41 days',
  ])
  expect([Number.NaN, Number.POSITIVE_INFINITY, -1e300].map(spanWords)).toEqual(['unknown', 'unknown', '0 seconds'])
})

const RULES = RULE_PRESETS.map(({ name, builder }) => sentenceRule({ name, builder: JSON.stringify(builder) }))
const HIDDEN = HIDDEN_COLUMNS.replaceAll(/^'\{|\}'::text\[\]$/g, '').split(',')

test('whatever a row holds, the sentence is one bounded line that begins with the device', () => {
  const value = fc.oneof(
    fc.constantFrom(
      null,
      0,
      1,
      2,
      -1,
      1e300,
      'up',
      'down',
      'quota',
      'state',
      'trap',
      '1',
      '2026-11-26T14:00:00+00:00',
      {},
      [],
    ),
    fc.double(),
    fc.string({ unit: 'binary', maxLength: 2000 }),
  )
  const names = Object.keys({
    ...PORT,
    ...SENSOR,
    state_descr: 0,
    state_value: 0,
    sensor_current: 0,
    sensor_limit: 0,
  }).concat(
    ['bill_name', 'bill_type', 'bgpPeerState', 'service_status', 'service_message', 'storage_perc', 'storage_free'],
    ['total_data', 'bill_quota', 'last_polled', 'sensor_limit_low', 'ifInOctets_rate', 'ifOperStatus_lasted'],
  )
  const row = fc.dictionary(fc.constantFrom(...names), value)
  fc.assert(
    fc.property(fc.constantFrom(...RULES), row, fc.option(fc.double()), (rule, given, since) => {
      const secrets = Object.fromEntries(HIDDEN.map((name) => [name, 'SECRET-VALUE']))
      const sentence = faultSentence(rule, { ...given, ...secrets }, { device: 'sw-3', since, now: NOW })
      expect(sentence.startsWith('sw-3')).toBe(true)
      expect([...sentence].length).toBeLessThanOrEqual(MAX_SENTENCE)
      expect(sentence).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
      expect(sentence).not.toMatch(/SECRET-VALUE|undefined|NaN|null|\[object|hc_mask|sensor_alert|_id\b/)
    }),
    { numRuns: 2000 },
  )
})

test('every field that rules compare, with every comparison, is said without internal names', () => {
  const fields = ruleFields()
  fc.assert(
    fc.property(
      fc.constantFrom(...fields),
      fc.constantFrom(...OPERATORS),
      fc.constantFrom('1', '0', 'up', '5.5', '2026-11-26', 'a b'),
      fc.option(fc.constantFrom<unknown>('up', 7, '2026-11-26T14:00:00+00:00', 'x y'), { freq: 3 }),
      ({ name }, operator, value, actual) => {
        const rule = ruleOf([name, operator, operator.endsWith('between') ? [value, value] : value])
        const column = name.split('.')[1] ?? ''
        const sentence = say(rule, { ...UP, ifName: 'Gi1', ...(actual === null ? {} : { [column]: actual }) })
        expect(rule.group).not.toBeNull()
        expect(sentence).toMatch(/^sw-3(:| )/)
        // words, not names of columns
        expect(sentence).not.toMatch(/undefined|NaN|null\b|macros\.|\w_\w/)
      },
    ),
    { numRuns: 3000 },
  )
})

test('texts from outside are one line of valid characters', () => {
  expect(oneLine('a\n\tb\u202e c\ud800', 20)).toBe('a b c\ufffd')
  expect(oneLine('x'.repeat(1000), 10)).toBe(`${'x'.repeat(9)}…`)
  expect([null, undefined, {}, [], Number.NaN].map((one) => oneLine(one))).toEqual(['', '', '', '', ''])
})
