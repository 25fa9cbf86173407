import { expect, test } from 'bun:test'
import { isFrom } from '../../src/modules/vendor.ts'

test.each([
  { sysObjectID: '1.3.6.1.4.1.9', cisco: true },
  { sysObjectID: '.1.3.6.1.4.1.9.1.2066', cisco: true },
  { sysObjectID: '1.3.6.1.4.1.99.1', cisco: false },
  { sysObjectID: '1.3.6.1.4.1', cisco: false },
  { sysObjectID: '', cisco: false },
  { sysObjectID: null, cisco: false },
])('whether $sysObjectID is a Cisco device: $cisco', ({ sysObjectID, cisco }) => {
  expect(isFrom({ sysObjectID }, 'cisco')).toBe(cisco)
})

test('a product line has a node below its vendor', () => {
  expect(isFrom({ sysObjectID: '1.3.6.1.4.1.674.11000.5000.100.2.1.99' }, 'dellOs10')).toBe(true)
  expect(isFrom({ sysObjectID: '1.3.6.1.4.1.674.10895.3044' }, 'dellOs10')).toBe(false)
})
