import { describe, expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import fc from 'fast-check'
import { decodeIndex } from '../../src/lib/index-decode.ts'
import { looseIpv4, looseMac } from '../../src/lib/loose-index.ts'
import { namesOfPort } from '../../src/lib/port-names.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { runModules } from '../../src/modules/run.ts'
import { type Agent, agentOf, discover, FACTS, int, ip, moduleOf, octets, only, readerOf, text } from './agent.ts'

// Indexes that differ from RFC 2578 in ways that agents are known for.

const run = (module: string, cells: Record<string, SnmpValue>, facts?: Parameters<typeof discover>[2]) =>
  discover([moduleOf(MODULES, module)], agentOf(cells) as Agent, facts)

describe('IPv4 addresses', () => {
  test.each([
    ['10.8.1.1', 0, undefined, '10.8.1.1'],
    ['10.8.1.1.3', 0, undefined, '10.8.1.1'],
    ['4.10.8.1.1', 0, undefined, '10.8.1.1'],
    // the column decides between 4.10.8.1 in domain 1 and 10.8.1.1 with its length
    ['4.10.8.1.1', 0, '4.10.8.1', '4.10.8.1'],
    ['4.10.8.1.1', 0, '10.8.1.1', '10.8.1.1'],
    ['7.1.10.8.1.1.3', 0, '10.8.1.1', '10.8.1.1'],
    ['10.8.1.1.3', 0, '0.0.0.0', '10.8.1.1'],
    ['2.10.4294967240.0.1', 1, undefined, '10.200.0.1'],
    ['10.8.1', 0, '10.8.1.1', null],
    ['10.8.1.256', 0, undefined, null],
    ['10.8.1.1.2.3', 0, undefined, null],
  ] as const)('%s after %p integers, column %p: %p', (index, before, column, want) => {
    expect(looseIpv4(index, before, column)).toBe(want)
  })

  test('an index of the MIB always means what RFC 2578 says', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), fc.nat(65_535), (address, ifIndex) => {
        expect(looseIpv4(address.join('.'), 0)).toBe(address.join('.'))
        expect(looseIpv4(`${ifIndex}.${address.join('.')}`, 1)).toBe(address.join('.'))
      }),
    )
  })

  test.each([
    ['a virtual domain', (address: string) => `${address}.2`],
    ['a length', (address: string) => `4.${address}`],
  ])('with %s: addresses, ARP entries and BGP sessions are found', async (_name, form) => {
    const addresses = await run('addresses', {
      [`1.3.6.1.2.1.4.20.1.1.${form('10.77.1.1')}`]: ip('10.77.1.1'),
      [`1.3.6.1.2.1.4.20.1.2.${form('10.77.1.1')}`]: int(3),
      [`1.3.6.1.2.1.4.20.1.3.${form('10.77.1.1')}`]: ip('255.255.255.192'),
    })
    expect(only(addresses, 'ipv4').rows).toEqual([{ address: '10.77.1.1', prefixLen: 26, ifIndex: 3, context: null }])

    const arp = await run('arp', {
      [`1.3.6.1.2.1.4.22.1.2.9.${form('10.77.1.9')}`]: octets('02ab00000009'),
      [`1.3.6.1.2.1.4.22.1.3.9.${form('10.77.1.9')}`]: ip('10.77.1.9'),
    })
    expect(only(arp, 'arp').rows).toEqual([{ ifIndex: 9, address: '10.77.1.9', mac: '02ab00000009', context: null }])

    const bgp = await run('bgp', {
      '1.3.6.1.2.1.15.2.0': int(64500),
      [`1.3.6.1.2.1.15.3.1.2.${form('10.77.2.1')}`]: int(6),
      [`1.3.6.1.2.1.15.3.1.7.${form('10.77.2.1')}`]: ip('10.77.2.1'),
      [`1.3.6.1.2.1.15.3.1.9.${form('10.77.2.1')}`]: int(64501),
    })
    expect(only(bgp, 'bgp').rows).toMatchObject([{ bgpPeerIdentifier: '10.77.2.1', bgpPeerState: 'established' }])
  })

  test('a neighbour cache without the length of its addresses', async () => {
    const found = await run('arp', { '1.3.6.1.2.1.4.35.1.4.6.1.10.77.3.1': octets('02ab00000031') })
    expect(only(found, 'arp').rows).toMatchObject([{ ifIndex: 6, address: '10.77.3.1' }])
  })
})

describe('MAC addresses', () => {
  const MAC = '240.159.194.1.2.3'
  const FDB = '1.3.6.1.2.1.17.7.1.2.2.1.2'

  test.each([
    ['sign-extended octets', `${FDB}.7.4294967280.4294967199.4294967234.1.2.3`, 7],
    ['a length', `${FDB}.7.6.${MAC}`, 7],
    ['no database', `${FDB}.${MAC}`, null],
    ['as the MIB has it', `${FDB}.7.${MAC}`, 7],
  ])('%s', async (_name, oid, vlan) => {
    const found = await run('fdb', { [oid]: int(12) })
    expect(only(found, 'fdb').rows).toEqual([{ mac_address: 'f09fc2010203', vlan, ifIndex: 12 }])
  })

  test('an index of the MIB always means what RFC 2578 says', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 6, maxLength: 6 }), fc.nat(4094), (mac, database) => {
        const index = `${database}.${mac.join('.')}`
        expect(looseMac(index, 1)).toEqual({ mac: mac.toHex(), integers: [database] })
        expect(decodeIndex(index, ['integer', 'mac'])).toEqual([database, mac.toHex()])
      }),
    )
  })
})

describe('neighbours', () => {
  const REM = '1.0.8802.1.1.2.1.4.1.1'
  const row = (index: string, port: string) => ({
    [`${REM}.4.${index}`]: int(4),
    [`${REM}.5.${index}`]: octets('02ab00000042'),
    [`${REM}.6.${index}`]: int(5),
    [`${REM}.7.${index}`]: text(port),
    [`${REM}.9.${index}`]: text('far'),
    [`1.0.8802.1.1.2.1.4.2.1.3.${index}.1.4.10.77.4.1`]: int(1),
  })

  test.each([
    ['12', [{ by: 'ifIndex', value: '31' }]],
    ['13', []],
    ['5.1', [{ by: 'ifIndex', value: '5' }]],
    ['900.5.1', [{ by: 'ifIndex', value: '5' }]],
  ])('index %s of lldpRemTable', async (index, local) => {
    const found = await run('links', {
      ...row(index, 'bridge/ether7'),
      '1.3.6.1.4.1.14988.1.1.11.1.1.8.12': int(31),
    })
    expect(only(found, 'links').rows).toMatchObject([
      { local, remote_hostname: 'far', remote: { addresses: ['10.77.4.1'], portNames: ['bridge/ether7', 'ether7'] } },
    ])
  })

  test.each([
    ['bridge/bond1/sfp-sfpplus3', ['bridge/bond1/sfp-sfpplus3', 'bond1/sfp-sfpplus3', 'sfp-sfpplus3']],
    ['Gi1/0/3', ['Gi1/0/3']],
    ['xe-0/0/1.0', ['xe-0/0/1.0']],
    ['ether5', ['ether5']],
    ['', []],
  ])('a port that calls itself %p', (given, names) => expect(namesOfPort(given)).toEqual(names))

  test.each([
    ['0012aabb0007', '00:12:aa:bb:00:07', '0012aabb0007'],
    ['410a3d000142', '41:0a:3d:00:01:42', '410a3d000142'],
    ['0102030405', '01:02:03:04:05', null],
    [Buffer.from('02:fe:00:00:00:01').toString('hex'), '02:fe:00:00:00:01', '02fe00000001'],
    [Buffer.from('core-1.example.net(FOC1)').toString('hex'), 'core-1.example.net(FOC1)', null],
  ])('CDP device ID %s', async (hex, shown, mac) => {
    const CDP = '1.3.6.1.4.1.9.9.23.1.2.1.1'
    const found = await run('links', { [`${CDP}.6.4.1`]: octets(hex), [`${CDP}.7.4.1`]: text('eth0') })
    expect(only(found, 'links').rows).toMatchObject([{ remote_hostname: shown, remote: { mac } }])
  })
})

test.each([
  ['bgp', '1.3.6.1.2.1.15.3.1.9.700.1', 'BGP4-MIB::bgpPeerTable (index 700.1)'],
  ['addresses', '1.3.6.1.2.1.4.20.1.2.700.1', 'IP-MIB::ipAddrTable (index 700.1)'],
  ['arp', '1.3.6.1.2.1.4.22.1.2.700.1', 'IP-MIB::ipNetToMediaTable (index 700.1)'],
  ['ports', '1.3.6.1.2.1.2.2.1.2.2147483648', 'IF-MIB::ifTable (index 2147483648)'],
  ['fdb', '1.3.6.1.2.1.17.7.1.2.2.1.2.700.1', 'Q-BRIDGE-MIB::dot1qTpFdbTable (index 700.1)'],
])('%s: a table with rows that cannot be read is named', async (module, cell, named) => {
  const reader = readerOf(agentOf({ [cell]: module === 'arp' ? octets('02ab00000001') : int(1) }) as Agent)
  const unread: string[] = []
  for await (const run of runModules([moduleOf(MODULES, module)], 'discover', FACTS, reader)) unread.push(...run.unread)
  expect(unread).toEqual([named])
})

test('VLANs without a name among those with one are found if ports are members', async () => {
  const CURRENT = '1.3.6.1.2.1.17.7.1.4.2.1'
  const found = await run('vlans', {
    '1.3.6.1.2.1.17.1.4.1.2.1': int(1),
    '1.3.6.1.2.1.17.7.1.4.3.1.1.10': text('office'),
    [`${CURRENT}.3.0.10`]: int(10),
    [`${CURRENT}.4.0.10`]: octets('80'),
    [`${CURRENT}.3.0.20`]: int(20),
    [`${CURRENT}.4.0.20`]: octets('80'),
    [`${CURRENT}.3.0.30`]: int(30),
    [`${CURRENT}.4.0.30`]: octets('00'),
  })
  expect(only(found, 'vlans').rows.map(({ vlan_vlan, vlan_name }) => [vlan_vlan, vlan_name])).toEqual([
    [10, 'office'],
    [20, 'VLAN 20'],
  ])
})
