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
  type SentenceRule,
  sentenceRule,
  withTimes,
} from '../../../src/core/alerts/sentences/sentence.ts'
import { OPERATORS } from '../../../src/core/rules/builder.ts'
import { HIDDEN_COLUMNS } from '../../../src/core/rules/read-tables.ts'

const NOW = new Date(2026, 10, 26, 14, 30).getTime()
const BEGAN = new Date(2026, 10, 26, 14, 2).getTime()

type Compared = readonly [field: string, operator: string, value?: unknown]
const builderOf = (condition: 'AND' | 'OR', rules: readonly Compared[]) =>
  JSON.stringify({ condition, rules: rules.map(([field, operator, value = '']) => ({ field, operator, value })) })

const ruleOf = (...rules: readonly Compared[]): SentenceRule =>
  sentenceRule({ name: 'The rule', builder: builderOf('AND', rules) })

function presetOf(name: string): SentenceRule {
  const preset = RULE_PRESETS.find((one) => one.preset === name)
  if (preset === undefined) throw new Error(`no preset ${name}`)
  return sentenceRule({ name: preset.name, builder: JSON.stringify(preset.builder) })
}

const UP = { device_id: 7, hostname: 'h', status: 1, ignore: 0, disabled: 0, status_reason: '', uptime: 4_000_000 }
const PORT = {
  ...UP,
  port_id: 5,
  ifName: 'Gi1/0/17',
  ifDescr: 'GigabitEthernet1/0/17',
  ifAlias: 'Uplink to rack 5',
  ifIndex: 10117,
  ifSpeed: 1_000_000_000,
  ifOperStatus: 'down',
  ifOperStatus_prev: 'up',
  ifAdminStatus: 'up',
  deleted: 0,
  hc_mask: 255,
}
const SENSOR = {
  ...UP,
  sensor_id: 3,
  sensor_descr: 'Inlet',
  sensor_class: 'temperature',
  sensor_alert: 1,
  sensor_deleted: 0,
}

const say = (rule: SentenceRule, row: Record<string, unknown>, device = 'sw-3', since: number | null = BEGAN) =>
  faultSentence(rule, row, { device, since, now: NOW })

describe('ports', () => {
  test('a port that went down, how long it was up, and its alias', () => {
    expect(say(presetOf('port-down'), { ...PORT, ifOperStatus_lasted: 41 * 86_400 + 7200 })).toBe(
      'sw-3 Gi1/0/17 is down since 14:02 (was up for 41 days), alias: Uplink to rack 5',
    )
    expect(say(presetOf('port-down'), PORT, 'sw-3', null)).toBe('sw-3 Gi1/0/17 is down, alias: Uplink to rack 5')
  })

  test('an alias that repeats the name is left out, and an unnamed port has its number', () => {
    const rule = ruleOf(['macros.port_down', 'equal', '1'])
    expect(say(rule, { ...PORT, ifAlias: 'Gi1/0/17' }, 'sw-3', null)).toBe('sw-3 Gi1/0/17 is down')
    expect(say(rule, { ...PORT, ifAlias: null, ifName: null, ifDescr: '' }, 'sw-3', null)).toBe(
      'sw-3 ifIndex: 10117 is down',
    )
  })

  test('the neighbour, where the rule joins it', () => {
    const rule = ruleOf(['macros.port_has_xdp_neighbours', 'equal', '1'], ['macros.port_down', 'equal', '1'])
    expect(say(rule, { ...PORT, ifAlias: '', remote_hostname: 'core-1', remote_port: 'xe-0/0/1' }, 'sw-3', null)).toBe(
      'sw-3 Gi1/0/17 is down, connected to: core-1 xe-0/0/1',
    )
  })

  test('use and errors, with the rates', () => {
    const busy = { ...PORT, ifOperStatus: 'up', ifInOctets_rate: 117_500_000, ifOutOctets_rate: 1_250_000 }
    expect(say(presetOf('port-utilisation'), busy)).toBe(
      'sw-3 Gi1/0/17 uses 94 % of 1 Gbit/s (limit 90 %) since 14:02 (in 940 Mbit/s, out 10 Mbit/s), alias: Uplink to rack 5',
    )
    const bad = {
      ...busy,
      ifInErrors_rate: 32,
      ifInUcastPkts_rate: 1000,
      ifOutErrors_rate: 0,
      ifOutUcastPkts_rate: 500,
    }
    // only the direction for which the condition holds
    expect(say(presetOf('port-errors'), bad, 'sw-3', null)).toBe(
      'sw-3 Gi1/0/17 has errors in 3.2 % of received packets (limit 1 %), 32 /s, alias: Uplink to rack 5',
    )
  })
})

describe('health', () => {
  test('a state by its name and number', () => {
    const row = {
      ...SENSOR,
      sensor_class: 'state',
      sensor_descr: 'Output Status',
      sensor_current: 3,
      state_value: 3,
      state_descr: 'onBattery',
      state_generic_value: 2,
    }
    expect(say(presetOf('state-sensor'), row, 'ups-1')).toBe(
      'ups-1: Output Status is onBattery (3) since 14:02, which is critical',
    )
    // the joined row may be another state of the same set
    expect(
      say(ruleOf(['state_translations.state_generic_value', 'equal', '2']), { ...row, state_value: 4 }, 'ups-1', null),
    ).toBe('ups-1: Output Status is in state 3')
  })

  test('a value with the limit that it crosses, and its unit', () => {
    const hot = { ...SENSOR, sensor_current: 71, sensor_prev: 64.5, sensor_limit: 65, sensor_limit_low: 5 }
    expect(say(presetOf('sensor-limit'), hot)).toBe('sw-3: Inlet is 71 °C (limit 65 °C) since 14:02 (before: 64.5 °C)')
    expect(say(presetOf('sensor-limit'), { ...hot, sensor_current: 3, sensor_prev: null }, 'sw-3', null)).toBe(
      'sw-3: Inlet is 3 °C (lower limit 5 °C)',
    )
    const radio = { ...UP, sensor_descr: 'SSID a', sensor_class: 'frequency', sensor_current: 5580 }
    expect(say(ruleOf(['wireless_sensors.sensor_current', 'greater', '5500']), radio, 'ap-1', null)).toBe(
      'ap-1: SSID a is 5580 MHz (limit 5500 MHz)',
    )
  })

  test('processors, memory, storage, supplies', () => {
    expect(
      say(
        ruleOf(['processors.processor_usage', 'greater', '90']),
        { ...UP, processor_descr: 'CPU 1', processor_usage: 97 },
        'srv',
        null,
      ),
    ).toBe('srv: CPU 1 has a load of 97 % (limit 90 %)')
    const memory = {
      ...UP,
      mempool_descr: 'RAM',
      mempool_perc: 96,
      mempool_free: 1_288_490_189,
      mempool_total: 34_359_738_368,
    }
    expect(say(ruleOf(['mempools.mempool_perc', 'greater_or_equal', 90]), memory, 'srv', null)).toBe(
      'srv: memory RAM is 96 % full (limit 90 %), 1.2 GiB of 32 GiB free',
    )
    const disk = {
      ...UP,
      storage_descr: '/var',
      storage_perc: 97,
      storage_free: 3_221_225_472,
      storage_size: 107_374_182_400,
    }
    expect(say(presetOf('storage-full'), disk, 'srv', null)).toBe(
      'srv: /var is 97 % full (limit 95 %), 3 GiB of 100 GiB free',
    )
    expect(
      say(
        ruleOf(['printer_supplies.supply_current', 'less', '10']),
        { ...UP, supply_descr: 'Black Toner', supply_current: 4 },
        'prn',
        null,
      ),
    ).toBe('prn: Black Toner has 4 % left (lower limit 10 %)')
  })

  test('services and components', () => {
    const service = {
      ...UP,
      service_status: 2,
      service_type: 'http',
      service_name: 'Shop',
      service_message: 'HTTP CRITICAL\nno answer',
    }
    expect(say(presetOf('service-down'), service, 'web', null)).toBe(
      'web: service Shop (http) is critical, “HTTP CRITICAL no answer”',
    )
    expect(
      say(
        ruleOf(['macros.component_critical', 'equal', '1']),
        { ...UP, status: 2, label: 'Rail 7', error: 'ECC' },
        'srv',
        null,
      ),
    ).toBe('srv: Rail 7 is critical, error: ECC')
  })
})

describe('devices and what happens to them', () => {
  test('down, and why; restarted; not polled; slow', () => {
    expect(say(presetOf('device-down'), { ...UP, status: 0, status_reason: 'icmp' })).toBe(
      'sw-3 is down since 14:02, no answer to ping',
    )
    expect(say(ruleOf(['devices.uptime', 'less', '300']), { ...UP, uptime: 250 })).toBe(
      'sw-3 was restarted 4 minutes ago',
    )
    const polled = new Date(NOW - 23 * 60_000).toISOString()
    expect(say(presetOf('poller-late'), { ...UP, last_polled: polled })).toBe(
      'sw-3 was last polled at 14:07 (23 minutes ago)',
    )
    expect(
      say(ruleOf(['device_stats.ping_rtt_last', 'greater', '100']), { ...UP, ping_rtt_last: 210.04 }, 'sw-3', null),
    ).toBe('sw-3 answers ping in 210 ms (limit 100 ms)')
    expect(
      say(
        ruleOf(['availability.availability_perc', 'less', '99.9']),
        { ...UP, availability_perc: 98.2, duration: 2_592_000 },
        'sw-3',
        null,
      ),
    ).toBe('sw-3 was up for 98.2 % of the last 30 days (lower limit 99.9 %)')
  })

  test('a BGP session, with the remote system and the last error', () => {
    const row = {
      ...UP,
      bgpPeerIdentifier: '192.0.2.1',
      bgpPeerRemoteAs: 65001,
      bgpPeerDescr: 'Transit X',
      bgpPeerState: 'idle',
      bgpPeerAdminStatus: 'start',
      bgpPeerLastErrorText: 'hold timer expired',
    }
    expect(say(presetOf('bgp-down'), row, 'edge-1')).toBe(
      'edge-1: BGP session with 192.0.2.1 (AS 65001, Transit X) is idle since 14:02, last error: hold timer expired',
    )
  })

  test('an IS-IS adjacency that is down, or was lost', () => {
    const row = {
      ...UP,
      isisISAdjNeighSysID: '0100.0000.0007',
      isisISAdjIPAddrAddress: '10.0.0.9',
      isisISAdjState: 'initializing',
      isisCircAdminState: 'on',
    }
    expect(say(presetOf('isis-down'), row, 'r1')).toBe(
      'r1: IS-IS adjacency with 10.0.0.9 (0100.0000.0007) is initializing since 14:02',
    )
    const lost = { ...row, isisISAdjIPAddrAddress: null, isisISAdjState: 'down', lost_at: 1_700_000_000 }
    expect(say(presetOf('isis-down'), lost, 'r1', null)).toBe('r1: IS-IS adjacency with 0100.0000.0007 was lost')
  })

  test('a QoS class that drops packets', () => {
    const row = {
      ...UP,
      policy: 'WAN-OUT',
      class: 'voice',
      direction: 'output',
      circuit: '',
      dropped_packets_rate: 25,
      offered_packets_rate: 1000,
      dropped_rate: 3.2e6,
      offered_rate: 0,
    }
    expect(say(presetOf('qos-drops'), row, 'r1')).toBe(
      'r1: class voice of policy WAN-OUT (output) drops 25 packets/s (limit 1 packets/s) since 14:02, 2.5 % of what it is offered',
    )
    const plane = { ...row, direction: null, circuit: 'control plane' }
    expect(say(ruleOf(['qos_classes.dropped_rate', 'greater', '1000000']), plane, 'r1', null)).toBe(
      'r1: class voice of policy WAN-OUT on control plane drops 3.2 Mbit/s (limit 1 Mbit/s)',
    )
    expect(say(ruleOf(['qos_classes.sent_rate', 'less', '5']), { ...row, sent_rate: 2 }, 'r1', null)).toBe(
      'r1: QoS class voice: sent is 2 bit/s (lower limit 5 bit/s)',
    )
  })

  test('a spanning tree that changed, its root, and a port that it blocks', () => {
    const tree = {
      ...UP,
      instance: 'VLAN 10',
      designatedRoot: '00005e005301',
      rootPriority: 4096,
      is_root: 0,
      timeSinceTopologyChange: 90,
      topChanges: 7,
    }
    expect(say(presetOf('stp-changed'), tree)).toBe(
      'sw-3: topology of spanning tree VLAN 10 changed 1 minute ago, root bridge: 00:00:5e:00:53:01 with priority 4096',
    )
    expect(say(ruleOf(['stp.designatedRoot', 'not_equal', '00005e005399']), tree, 'sw-3', null)).toBe(
      'sw-3: root of spanning tree VLAN 10 is 00:00:5e:00:53:01 with priority 4096',
    )
    const own = { ...tree, is_root: 1, rootPriority: null }
    expect(say(ruleOf(['stp.is_root', 'equal', '1']), own, 'sw-3', null)).toBe(
      'sw-3: root of spanning tree VLAN 10 is 00:00:5e:00:53:01, the device itself',
    )
    expect(say(ruleOf(['stp.rootCost', 'greater', '9']), { ...tree, rootCost: 20 }, 'sw-3', null)).toBe(
      'sw-3: spanning tree VLAN 10: path cost to the root bridge is 20 (limit 9)',
    )
    const blocked = { ...UP, instance: 'CST', port_index: 3, state: 'blocking', role: 'alternate' }
    expect(say(ruleOf(['ports_stp.state', 'equal', 'blocking']), blocked, 'sw-3', null)).toBe(
      'sw-3: bridge port 3 in spanning tree CST is blocking, role: alternate',
    )
  })

  test('bills', () => {
    const quota = { ...PORT, bill_name: 'Customer A', bill_type: 'quota', total_data: 1.03e12, bill_quota: 1e12 }
    expect(say(presetOf('bill-quota'), quota, 'edge-1', null)).toBe(
      'edge-1: bill Customer A uses 103 % of its allowance (limit 100 %), 1.03 TB of 1 TB',
    )
    const cdr = { ...PORT, bill_name: 'B', bill_type: 'cdr', rate_95th: 12e6, bill_cdr: 10e6 }
    expect(say(presetOf('bill-quota'), cdr, 'edge-1', null)).toBe(
      'edge-1: bill B uses 120 % of its committed rate (limit 100 %), 12 Mbit/s of 10 Mbit/s',
    )
  })

  test('messages, traps and events happen at one time', () => {
    expect(
      say(ruleOf(['syslog.msg', 'contains', 'fail']), { ...UP, msg: 'fan 2 failed', program: 'envd', level: 'err' }),
    ).toBe('sw-3 sent “fan 2 failed” (syslog: err, program: envd)')
    expect(
      say(ruleOf(['eventlog.type', 'equal', 'trap']), { ...UP, type: 'trap', message: 'linkDown ifIndex 3' }),
    ).toBe('sw-3 sent a trap: linkDown ifIndex 3')
  })
})

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
