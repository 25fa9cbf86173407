import { expect, test } from 'bun:test'
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
