import { expect, test } from 'bun:test'
import { tickedIds } from '../../src/web/id.ts'

test.each([
  [[], 9, []],
  [['port-1', 'port-999999999', 'csrf'], 9, [1, 999_999_999]],
  [['port-', 'port--1', 'port-1.5', 'port-1e3', 'port-NaN', 'port- 1', 'port-1x', 'xport-1', 'ports-1'], 15, []],
  [['port-1000000000'], 9, []],
  [['port-1000000000', 'port-9999999999999999'], 15, [1_000_000_000]],
] as const)('ticked: %p of at most %d digits', (fields, digits, ids) => {
  expect(tickedIds(fields, 'port', digits)).toEqual([...ids])
})

test('a form of a hundred thousand fields', () => {
  const fields = Array.from({ length: 100_000 }, (_, i) => `device-${i + 1}`)
  expect(tickedIds(fields, 'device')).toHaveLength(100_000)
})
