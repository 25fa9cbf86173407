import { describe, expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { agentOf, discover, int, ip, moduleOf, octets, oid, only, text, ticks } from './agent.ts'

const MEDIA = '1.3.6.1.2.1.4.22.1.2'
const PHYSICAL = '1.3.6.1.2.1.4.35.1.4'
const LLDP = '1.0.8802.1.1.2.1.4.1.1'
const LOC_PORT = '1.0.8802.1.1.2.1.3.7.1'
const BASE_PORT = '1.3.6.1.2.1.17.1.4.1.2'
const CDP = '1.3.6.1.4.1.9.9.23.1.2.1.1'
const FDP = '1.3.6.1.4.1.1991.1.1.3.20.1.2.1.1'
const EDP = '1.3.6.1.4.1.1916.1.13.2.1'
const NOKIA = '1.3.6.1.4.1.6527.3.1.2.59.4.1.1'
const V2 = '1.3.111.2.802.1.1.13.1.4.1.1'

/** What a module finds on a device of this vendor. */
const run = (name: string, cells: Readonly<Record<string, SnmpValue>>, enterprise: number | string = 99999) =>
  discover([moduleOf(MODULES, name)], agentOf(cells), { sysObjectID: `.1.3.6.1.4.1.${enterprise}.1` })

const dots = (value: string) => [...new TextEncoder().encode(value)].join('.')

describe('arp', () => {
  test('entries of both tables once; unresolved and malformed ones are left out', async () => {
    const found = await run('arp', {
      [`${MEDIA}.3.192.0.2.1`]: octets('0200000000a1'),
      [`${MEDIA}.3.192.0.2.2`]: octets('000000000000'),
      [`${MEDIA}.3.192.0.2.3`]: octets(''),
      [`${MEDIA}.3.192.0.2`]: octets('0200000000a9'),
      [`${MEDIA}.3.192.0.2.4`]: text('2:0:0:0:0:a4'),
      [`${PHYSICAL}.3.1.4.192.0.2.1`]: octets('0200000000a1'),
      [`${PHYSICAL}.4.1.4.192.0.2.5`]: octets('0200000000a5'),
      [`${PHYSICAL}.4.2.16.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.7`]: octets('0200000000a7'),
      [`${PHYSICAL}.4.4.20.254.128.0.0.0.0.0.0.0.0.0.0.0.0.0.8.0.0.0.4`]: octets('0200000000a8'),
    })
    const arp = only(found, 'arp')
    expect(arp.complete).toBe(true)
    expect(arp.rows.map((row) => [row.ifIndex, row.address, row.mac])).toEqual([
      [3, '192.0.2.1', '0200000000a1'],
      [3, '192.0.2.4', '0200000000a4'],
      [4, '192.0.2.5', '0200000000a5'],
    ])
    expect(only(found, 'nd').rows.map((row) => [row.ifIndex, row.address])).toEqual([
      [4, '2001:0db8:0000:0000:0000:0000:0000:0007'],
      [4, 'fe80:0000:0000:0000:0000:0000:0000:0008'],
    ])
  })

  test('a truncated table makes its families incomplete', async () => {
    const values = {
      [`${MEDIA}.1.10.0.0.1`]: octets('020000000001'),
      [`${PHYSICAL}.1.1.4.10.0.0.1`]: octets('020000000001'),
    }
    const truncated = (column: string) => agentOf(values, { truncated: { [column]: 1 } })
    const media = await discover([moduleOf(MODULES, 'arp')], truncated(MEDIA))
    expect([only(media, 'arp').complete, only(media, 'nd').complete]).toEqual([false, true])
    const physical = await discover([moduleOf(MODULES, 'arp')], truncated(PHYSICAL))
    expect([only(physical, 'arp').complete, only(physical, 'nd').complete]).toEqual([false, false])
  })

  test('one column of each table is read from an agent without them', async () => {
    const agent = agentOf({})
    const found = await discover([moduleOf(MODULES, 'arp')], agent)
    expect(only(found, 'arp')).toEqual({ kind: 'arp', complete: true, rows: [] })
    expect(agent.asked).toEqual([MEDIA, PHYSICAL])
  })
})

describe('links', () => {
  const neighbour = (index: string, cells: Readonly<Record<number, SnmpValue>>, table = LLDP) =>
    Object.fromEntries(Object.entries(cells).map(([column, value]) => [`${table}.${column}.${index}`, value]))

  test('LLDP: subtypes, management address, and identification of the local port', async () => {
    const found = await run('links', {
      ...neighbour('0.7.1', {
        4: int(4),
        5: octets('0200000000c1'),
        6: int(5),
        7: text('Gi0/1'),
        8: text('to the core'),
        9: text('core1.example.net'),
        10: text('Some OS'),
      }),
      '1.0.8802.1.1.2.1.4.2.1.3.0.7.1.1.4.198.51.100.1': int(2),
      '1.0.8802.1.1.2.1.4.2.1.3.0.7.1.2.16.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.1': int(2),
      [`${LOC_PORT}.3.7`]: text('ge-0/0/7'),
      [`${LOC_PORT}.4.7`]: text('seven'),
      [`${BASE_PORT}.7`]: int(507),
    })
    expect(only(found, 'links')).toEqual({
      kind: 'links',
      complete: true,
      rows: [
        {
          local: [
            { by: 'name', value: 'ge-0/0/7' },
            { by: 'ifIndex', value: '507' },
            { by: 'name', value: 'seven' },
            { by: 'ifIndex', value: '7' },
          ],
          protocol: 'lldp',
          remote_hostname: 'core1.example.net',
          remote_port: 'Gi0/1',
          remote_platform: null,
          remote_version: 'Some OS',
          remote: {
            name: 'core1.example.net',
            mac: '0200000000c1',
            addresses: ['198.51.100.1', '2001:db8::1'],
            portNames: ['Gi0/1', 'to the core'],
            portMac: null,
            portIndex: null,
          },
        },
      ],
    })
  })

  test('LLDP: without a system name the description is used, then the chassis ID; MAC addresses have colons', async () => {
    const found = await run('links', {
      ...neighbour('0.1.1', { 5: octets('0200000000c1'), 7: octets('0200000000d1'), 10: text('"Printer') }),
      ...neighbour('0.2.1', { 4: int(5), 5: octets('01c6336401'), 6: int(7), 7: text('12') }),
      ...neighbour('0.3.1', { 4: int(4), 5: text('02-00-00-00-00-C3'), 6: int(3), 7: octets('4142434445fe') }),
      ...neighbour('0.4', { 7: text('malformed index') }),
      ...neighbour('0.5.1', { 7: text('') }),
    })
    const rows = only(found, 'links').rows
    expect(rows.map((row) => [row.remote_hostname, row.remote_port])).toEqual([
      ['Printer', '02:00:00:00:00:d1'],
      ['198.51.100.1', '12'],
      ['02:00:00:00:00:c3', '41:42:43:44:45:fe'],
    ])
    expect(
      rows.map(({ remote }) => [remote.mac, remote.addresses[0] ?? null, remote.portMac, remote.portIndex]),
    ).toEqual([
      ['0200000000c1', null, '0200000000d1', null],
      [null, '198.51.100.1', null, 12],
      ['0200000000c3', null, '4142434445fe', null],
    ])
  })

  test('LLDP: an interface name as chassis ID is the name of the port', async () => {
    const cells = { 4: int(6), 5: text('vmnic5'), 6: int(3), 7: text('02:00:00:00:00:d1'), 9: text('esx') }
    const [row] = only(await run('links', neighbour('0.1.1', cells)), 'links').rows
    expect(row).toMatchObject({
      remote_hostname: 'esx',
      remote_port: 'vmnic5',
      remote: { mac: null, portMac: '0200000000d1', portNames: ['vmnic5'] },
    })
  })

  test('LLDP-V2-MIB is read only if LLDP-MIB has no neighbours; its index has the ifIndex', async () => {
    const v2 = neighbour('0.17.1.1', { 8: text('10GE1'), 10: text('far') }, V2)
    const alone = await run('links', v2)
    expect(only(alone, 'links').rows).toMatchObject([
      { local: [{ by: 'ifIndex', value: '17' }], remote_hostname: 'far' },
    ])
    const both = await run('links', { ...v2, ...neighbour('0.1.1', { 7: text('x'), 9: text('near') }) })
    expect(only(both, 'links').rows.map((row) => row.remote_hostname)).toEqual(['near'])
  })

  test('CDP: the serial number that NX-OS appends is dropped; without a device ID there is no link', async () => {
    const found = await run('links', {
      ...neighbour(
        '9.1',
        {
          3: int(1),
          4: octets('c6336409'),
          5: text('NX-OS 9'),
          6: text('n9k.example.net(FDO1234)'),
          7: text('Ethernet1/1'),
          8: text('N9K'),
        },
        CDP,
      ),
      ...neighbour('9.2', { 7: text('Ethernet1/2') }, CDP),
      ...neighbour('10.1', { 6: text(''), 7: text('Ethernet1/3') }, CDP),
    })
    expect(only(found, 'links').rows).toMatchObject([
      {
        local: [{ by: 'ifIndex', value: '9' }],
        protocol: 'cdp',
        remote_hostname: 'n9k.example.net(FDO1234)',
        remote_platform: 'N9K',
        remote: { name: 'n9k.example.net', addresses: ['198.51.100.9'] },
      },
    ])
  })

  test('a neighbour that goes by its MAC address in CDP is the one that LLDP shows with its name', async () => {
    const found = await run('links', {
      ...neighbour('0.1.1', { 4: int(4), 5: octets('0200000000c1'), 6: int(5), 7: text('gi10'), 9: text('Access') }),
      ...neighbour('1.1', { 6: text('0200000000c1'), 7: text('GI10') }, CDP),
      ...neighbour('2.1', { 6: text('0200000000c1'), 7: text('gi11') }, CDP),
      ...neighbour('3.1', { 6: text('0200000000c2'), 7: text('gi10') }, CDP),
      ...neighbour('4.1', { 6: text('Access'), 7: text('gi10') }, CDP),
    })
    expect(only(found, 'links').rows.map((r) => [r.protocol, r.remote_hostname, r.remote_port])).toEqual([
      ['lldp', 'Access', 'gi10'],
      ['cdp', '0200000000c1', 'gi11'],
      ['cdp', '0200000000c2', 'gi10'],
      ['cdp', 'Access', 'gi10'],
    ])
  })

  test('vendor tables are read only from devices of that vendor', async () => {
    const foundry = neighbour('5.1', { 3: text('icx'), 6: text('v8'), 7: text('ethernet1/1/1'), 10: int(2) }, FDP)
    const extreme = neighbour('1001.0.0.2.0.0.0.0.225', { 3: text('x460'), 4: text('16.1'), 5: int(2), 6: int(7) }, EDP)
    const nokia = neighbour('88.35717120.1.1', { 6: int(7), 7: text('35717120'), 9: text('sr') }, NOKIA)
    const all = { ...foundry, ...extreme, ...nokia }
    const hosts = async (enterprise: number) =>
      only(await run('links', all, enterprise), 'links').rows.map((row) => [row.protocol, row.remote_hostname])
    expect(await hosts(1991)).toEqual([['cdp', 'icx']])
    expect(await hosts(1916)).toEqual([['edp', 'x460']])
    expect(await hosts(6527)).toEqual([['lldp', 'sr']])
    expect(await hosts(99999)).toEqual([])
    const [edp] = only(await run('links', extreme, 1916), 'links').rows
    expect(edp).toMatchObject({
      local: [{ by: 'ifIndex', value: '1001' }],
      remote_port: '2:7',
      remote: { mac: '0200000000e1', portNames: ['2:7', '7'] },
    })
  })

  test('a truncated walk of neighbours or local ports is not complete', async () => {
    const cells = { ...neighbour('0.7.1', { 7: text('a'), 9: text('far') }), [`${LOC_PORT}.3.7`]: text('p7') }
    for (const column of [`${LLDP}.9`, `${LOC_PORT}.3`]) {
      const found = await discover([moduleOf(MODULES, 'links')], agentOf(cells, { truncated: { [column]: 0 } }))
      expect(only(found, 'links').complete).toBe(false)
    }
  })
})

describe('nac', () => {
  const CAF = '1.3.6.1.4.1.9.9.656.1.4'

  test('Cisco: the session ID is IMPLIED in only one index; the method that succeeded wins', async () => {
    const session = dots('0A01')
    const found = await run(
      'nac',
      {
        [`${CAF}.1.1.2.10.${session}`]: octets('0200000000e1'),
        [`${CAF}.1.1.4.10.${session}`]: octets('c0000207'),
        [`${CAF}.1.1.5.10.${session}`]: int(6),
        [`${CAF}.1.1.6.10.${session}`]: int(3),
        [`${CAF}.1.1.7.10.${session}`]: int(4),
        [`${CAF}.1.1.10.10.${session}`]: text('phone'),
        [`${CAF}.1.1.14.10.${session}`]: int(20),
        [`${CAF}.1.1.15.10.${session}`]: int(3600),
        [`${CAF}.1.1.16.10.${session}`]: int(1200),
        [`${CAF}.2.1.2.10.4.${session}.2`]: int(3),
        [`${CAF}.2.1.2.10.4.${session}.3`]: int(4),
      },
      9,
    )
    expect(only(found, 'nac')).toEqual({
      kind: 'nac',
      complete: true,
      rows: [
        {
          local: { by: 'ifIndex', value: '10' },
          auth_id: '0A01',
          domain: 'voice',
          username: 'phone',
          mac_address: '0200000000e1',
          ip_address: '192.0.2.7',
          host_mode: 'multiDomain',
          authz_status: 'authorizationSuccess',
          authz_by: '',
          authc_status: 'authcSuccess',
          method: 'macAuthBypass',
          timeout: 3600,
          time_left: 1200,
          vlan: 20,
          time_elapsed: null,
        },
      ],
    })
  })

  test('HP: both states come from one state machine', async () => {
    const HP = '1.3.6.1.4.1.11.2.14.11.5.1.25.1.2'
    const found = await run(
      'nac',
      {
        [`${HP}.5.1.7.16.2.0.0.0.0.225`]: int(1),
        [`${HP}.5.1.8.16.2.0.0.0.0.225`]: ticks(12_345),
        [`${HP}.5.1.13.16.2.0.0.0.0.225`]: text('alice'),
        [`${HP}.5.1.15.16.2.0.0.0.0.225`]: int(21),
        [`${HP}.2.1.5.16.2.0.0.0.0.225`]: int(5),
        [`${HP}.5.1.7.17.2.0.0.0.0.226`]: int(2),
        [`${HP}.2.1.5.17.2.0.0.0.0.226`]: int(7),
      },
      11,
    )
    expect(only(found, 'nac').rows).toMatchObject([
      {
        local: { by: 'ifIndex', value: '16' },
        mac_address: '0200000000e1',
        authz_status: 'authorizationSuccess',
        authz_by: 'remoteAuthServer',
        authc_status: 'authcSuccess',
        vlan: 21,
        time_elapsed: 123,
      },
      { authz_status: 'held', authc_status: 'held', vlan: null, time_elapsed: null },
    ])
  })

  test('Huawei: users by interface name; administrators have no interface', async () => {
    const HW = '1.3.6.1.4.1.2011.5.2.1'
    const found = await run(
      'nac',
      {
        [`${HW}.15.1.3.64`]: text('host/pc'),
        [`${HW}.15.1.11.64`]: int(312),
        [`${HW}.15.1.13.64`]: int(3),
        [`${HW}.15.1.15.64`]: ip('192.0.2.64'),
        [`${HW}.15.1.17.64`]: octets('0200000000e1'),
        [`${HW}.15.1.57.64`]: text('GigabitEthernet0/0/1'),
        [`${HW}.15.1.57.65`]: text(''),
        [`${HW}.15.1.3.65`]: text('admin'),
        [`${HW}.16.1.16.64`]: int(2),
        [`${HW}.16.1.17.64`]: int(13),
        [`${HW}.16.1.28.64`]: int(3),
      },
      2011,
    )
    expect(only(found, 'nac').rows).toMatchObject([
      {
        local: { by: 'name', value: 'GigabitEthernet0/0/1' },
        auth_id: '64',
        ip_address: '192.0.2.64',
        authz_status: 'failAuthorized',
        authz_by: 'eap',
        authc_status: 'radius',
        method: 'dot1x',
        vlan: 312,
      },
    ])
  })
})

test('nac: clients of Dell OS6 and AOS-CX', async () => {
  const dell = '1.3.6.1.4.1.674.10895.5000.2.6132.1.1.61.4.1.1'
  const mac = '2.0.0.0.0.225'
  const cells = { 3: int(5), 4: int(1), 5: int(2), 6: int(1), 8: int(21), 9: int(1), 10: int(60) }
  const rows = Object.fromEntries(Object.entries(cells).map(([column, value]) => [`${dell}.${column}.${mac}`, value]))
  const ofDell = await run('nac', { ...rows, [`${dell}.3.2.0.0.0.0.226`]: int(0) }, '674.10895')
  expect(only(ofDell, 'nac').rows).toMatchObject([
    {
      local: { by: 'ifIndex', value: '5' },
      mac_address: '0200000000e1',
      authz_status: 'authorizationSuccess',
      authz_by: 'radius',
      authc_status: 'authcSuccess',
      method: 'mab',
      vlan: 21,
      time_elapsed: 60,
    },
  ])
  const client = '1.3.6.1.4.1.47196.4.1.1.3.17.1.1.1'
  const index = `5.${dots('1/1/3')}.${mac}`
  const agent = agentOf({
    [`${client}.3.${index}`]: text('host/pc'),
    [`${client}.7.${index}`]: text('held'),
    [`${client}.9.${index}`]: int(0),
  })
  const facts = { sysObjectID: '1.3.6.1.4.1.47196.4.1.1.1.50' }
  expect(only(await discover([moduleOf(MODULES, 'nac')], agent, facts), 'nac').rows).toMatchObject([
    { local: { by: 'name', value: '1/1/3' }, auth_id: '1/1/3', username: 'host/pc', authc_status: 'held', vlan: null },
  ])
})

describe('port security', () => {
  const CPS = '1.3.6.1.4.1.9.9.315.1.2.1.1'

  test('enumerations and missing columns', async () => {
    const cells = {
      [`${CPS}.1.5`]: int(1),
      [`${CPS}.2.5`]: int(3),
      [`${CPS}.3.5`]: int(2),
      [`${CPS}.8.5`]: int(2),
      [`${CPS}.10.5`]: octets('0200000000f1'),
      [`${CPS}.15.5`]: int(2),
      [`${CPS}.1.6`]: int(7),
      [`${CPS}.1.x`]: oid('1.3'),
    }
    expect(only(await run('port-security', cells, 9), 'port-security').rows).toEqual([
      {
        ifIndex: 5,
        port_security_enable: 1,
        status: 'shutdown',
        max_addresses: 2,
        address_count: null,
        violation_action: 'dropNotify',
        violation_count: null,
        last_mac_address: '0200000000f1',
        sticky_enable: 0,
      },
      expect.objectContaining({ ifIndex: 6, port_security_enable: null, status: null }),
    ])
  })

  test('is not read from devices of other vendors', async () => {
    const agent = agentOf({ [`${CPS}.1.5`]: int(1) })
    const found = await discover([moduleOf(MODULES, 'port-security'), moduleOf(MODULES, 'nac')], agent, {
      sysObjectID: '1.3.6.1.4.1.99.9.1',
    })
    expect(only(found, 'port-security').rows).toEqual([])
    expect(agent.asked).toEqual([])
  })
})
