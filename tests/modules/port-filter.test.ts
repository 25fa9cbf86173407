import { expect, test } from 'bun:test'
import { SETTINGS } from '../../src/config/schema.ts'
import { isPort, portFilter } from '../../src/modules/ports/filter.ts'

const INTERFACE = { ifDescr: 'Vlan10', ifName: 'Vl10', ifAlias: 'staff', ifType: 'propVirtual', ifOperStatus: 'up' }

test.each([
  { name: 'no rule', settings: {}, want: true },
  { name: 'ifDescr', settings: { bad_if: ['vlan'] }, want: false },
  { name: 'ifDescr by expression', settings: { bad_if_regexp: ['/^vlan\\d+$/'] }, want: false },
  { name: 'ifName', settings: { bad_ifname_regexp: ['^vl'] }, want: false },
  { name: 'ifAlias', settings: { bad_ifalias_regexp: ['STAFF'] }, want: false },
  { name: 'ifOperStatus', settings: { bad_ifoperstatus: ['Up'] }, want: false },
  { name: 'another ifOperStatus', settings: { bad_ifoperstatus: ['down'] }, want: true },
  { name: 'ifType', settings: { bad_iftype: ['Virtual'] }, want: false },
  { name: 'good_if wins', settings: { bad_if: ['vlan'], good_if: ['VLAN10'] }, want: true },
])('port rules: $name', ({ settings, want }) => {
  expect(isPort(portFilter(settings, {}), INTERFACE)).toBe(want)
})

test.each([
  ['voiceOverIp', false],
  ['voiceFXS', false],
  ['voiceEM', true],
  ['ds1', false],
  ['mplsTunnel', false],
  ['ethernetCsmacd', true],
])('by default an interface of type %s becomes a port: %s', (ifType, want) => {
  const settings = { bad_iftype: SETTINGS.bad_iftype.default }
  expect(isPort(portFilter(settings, {}), { ...INTERFACE, ifType })).toBe(want)
})
