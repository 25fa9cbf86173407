import { expect, test } from 'bun:test'
import { readable, scalePrefix, shortNumber, siText } from '../../src/lib/si.ts'

test.each([
  [10_000_000, 'bps', '10 Mbps'],
  [0, 'bps', '0 bps'],
  [129_963_765, '', '129.96 M'],
  [999, 'bps', '999 bps'],
  [1000, 'bps', '1 kbps'],
  [999_999, 'bps', '1 Mbps'],
  [999_994, 'bps', '999.99 kbps'],
  [-2500, 'bps', '-2.5 kbps'],
  [1.5, '', '1.5'],
  [1e27, 'B', '1000 YB'],
  [Number.NaN, 'bps', '-'],
] as const)('siText(%p, %p) is %p', (value, unit, want) => {
  expect(siText(value, unit)).toBe(want)
})

test.each([
  [1_234_567_890, 'bit/s', 'large', '1.23 Gbit/s'],
  [497_712_345, 'bit/s', 'large', '497.7 Mbit/s'],
  [0.003333, 'packets/s', 'large', '0.00333 packets/s'],
  [0, 'bit/s', 'large', '0 bit/s'],
  [0.0045, 'A', 'all', '4.5 mA'],
  [2e-10, 'A', 'all', '0.2 nA'],
  [97.128, '%', 'none', '97.13 %'],
  [123_456, 'rpm', 'none', '123456 rpm'],
  [-12.5, 'dBm', 'none', '-12.5 dBm'],
  [1e-7, '', 'none', '1.0e-7'],
  [Number.POSITIVE_INFINITY, '%', 'none', '-'],
] as const)('readable(%p, %p, %p) is %p', (value, unit, prefixes, want) => {
  expect(readable(value, unit, prefixes)).toBe(want)
})

test.each([
  [2.4e9, 'large', { divisor: 1e9, prefix: 'G' }],
  [0.02, 'large', { divisor: 1, prefix: '' }],
  [0.02, 'all', { divisor: 1e-3, prefix: 'm' }],
  [5e6, 'none', { divisor: 1, prefix: '' }],
] as const)('scalePrefix(%p, %p)', (value, prefixes, want) => {
  expect(scalePrefix(value, prefixes)).toEqual(want)
})

test.each([
  [1.5, 2, '1.5'],
  [100, 0, '100'],
  [-0.001, 2, '0'],
  [2.005, 1, '2'],
])('shortNumber(%p, %p) is %p', (value, decimals, want) => {
  expect(shortNumber(value, decimals)).toBe(want)
})
