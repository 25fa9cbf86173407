import { expect, test } from 'bun:test'
import { attachedNames, pollersOf } from '../../../src/core/dependencies/groups.ts'
import { placeFrom, placeOf } from '../../../src/core/dependencies/place.ts'

const ROUTES = `Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
eth0\t00000000\t0100000A\t0003\t0\t0\t0\t00000000\t0\t0\t0
eth0\t0000000A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
`
const NEIGHBOURS = `IP address       HW type     Flags       HW address            Mask     Device
10.0.0.1         0x1         0x2         02:00:00:00:00:aa     *        eth0
10.0.0.7         0x1         0x0         00:00:00:00:00:00     *        eth0
`
const address = (text: string, mac: string, internal = false) => ({ address: text, mac, internal })

test('where a poller is, by its interfaces, routes and ARP table', () => {
  const interfaces = [
    address('127.0.0.1', '00:00:00:00:00:00', true),
    address('10.0.0.9', '02:00:00:00:00:99'),
    address('fe80::1', '02:00:00:00:00:99'),
  ]
  const place = placeOf(interfaces, ROUTES, NEIGHBOURS)
  expect(place).toEqual({
    addresses: ['10.0.0.9'],
    macs: ['020000000099'],
    gateways: [{ address: '10.0.0.1', mac: '0200000000aa' }],
  })
  expect(placeFrom(JSON.parse(JSON.stringify(place)))).toEqual(place)
  expect(placeOf([], '', '')).toEqual({ addresses: [], macs: [], gateways: [] })
})

test('a report that is none is unknown', () => {
  for (const value of [null, 7, {}, { addresses: [1], macs: [], gateways: [] }]) expect(placeFrom(value)).toBeNull()
})

test('pollers of a group, and devices that they are said to be attached to', () => {
  const pollers = [
    { name: 'a', groups: null, place: null },
    { name: 'b', groups: [2], place: null },
  ]
  expect(pollersOf(pollers, 0).map(({ name }) => name)).toEqual(['a'])
  expect(pollersOf(pollers, 2).map(({ name }) => name)).toEqual(['b'])
  expect(attachedNames(['core-1', 'site@2', '2001:db8::1'])).toEqual([
    { name: 'core-1', group: null },
    { name: 'site', group: 2 },
    { name: '2001:db8::1', group: null },
  ])
})
