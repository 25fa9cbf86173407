import { expect, test } from 'bun:test'
import { MAX_MATCHED, Pattern } from '../src/pattern.ts'

test.each([
  { source: '^Cisco (?<os>IOS|NX-OS)', text: 'cisco nx-os(tm)', groups: { os: 'nx-os' } },
  { source: 'a.b', text: 'a\r\nb', groups: null },
  { source: '(?<n>\\d+)|(?<w>[a-z]+)', text: 'x', groups: { n: undefined, w: 'x' } },
  { source: '', text: '', groups: {} },
  { source: 'x', text: '', groups: null },
])('$source on $text', ({ source, text, groups }) => {
  expect(new Pattern(source).exec(text)?.groups ?? null).toEqual(groups)
})

test.each(['(', 'a{1,100000}', '(?=a)', '\\1', '((a{100}){100}){100}'])('%s is refused with a reason', (source) => {
  const pattern = new Pattern(source)
  expect(pattern.error()).toBeString()
  expect(pattern.test('aaaa')).toBe(false)
  expect(pattern.exec('aaaa')).toBeNull()
  expect(pattern.replace('aaaa', 'b')).toBe('aaaa')
})

test('nested repetitions end, and text beyond the limit is not read', () => {
  const long = `${'a'.repeat(1_000_000)}b`
  expect(new Pattern('^(a+)+$').test(long)).toBe(true)
  expect(new Pattern('(a|a)*c').test(long)).toBe(false)
  expect(new Pattern('b').test(long)).toBe(false)
  expect(new Pattern('b').test(`${'a'.repeat(MAX_MATCHED - 1)}b`)).toBe(true)
})

test('a number without a group stays as it is', () => {
  expect(new Pattern('(a)').replace('abc', '$2')).toBe('$2bc')
  expect(new Pattern('(a)').replace('abc', '[$1]')).toBe('[a]bc')
})
