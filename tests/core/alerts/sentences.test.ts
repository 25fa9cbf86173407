import { describe, expect, test } from 'bun:test'
import { NOW, PORT, presetOf, ruleOf, SENSOR, say, UP } from './sentence-setup.ts'

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
