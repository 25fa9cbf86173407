import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { amount, hoursText, localDay, localTime, minutes } from '../../src/cli/amounts.ts'
import { limitOf, limitText } from '../../src/web/pages/bills/form.tsx'

describe('amounts of bills', () => {
  test.each([
    ['0', 0],
    ['100000000', 1e8],
    ['100M', 1e8],
    ['1.5G', 1.5e9],
    ['1 Gbit/s', 1e9],
    ['2.5t', 2.5e12],
    ['9007199254740991', null],
    ['999999999999999', 999_999_999_999_999],
    ['', null],
    ['-1', null],
    ['1e9', null],
    ['NaN', null],
    ['Infinity', null],
    ['9999P', null],
    ['1.5.5M', null],
    ['M', null],
  ])('%s', (text, value) => {
    if (value === null) expect(() => amount(text)).toThrow('100M')
    else expect(amount(text)).toBe(value)
  })

  test('they are read as on the page of a bill', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1e14 }), (value) => {
        expect(amount(limitText(value))).toBe(limitOf(limitText(value)))
        expect(amount(limitText(value))).toBe(value)
      }),
    )
  })
})

describe('lengths of time', () => {
  test.each([
    ['2h', 120],
    ['90m', 90],
    ['1d', 1440],
    ['1d12h', 2160],
    ['1h 30m', 90],
    ['1w', 10_080],
    ['1:30', 90],
    ['36:00', 2160],
    ['2', 120],
    ['99999:00', 5_999_940],
  ])('%s is %d minutes', (text, value) => expect(minutes(text)).toBe(value))

  test.each(['', '0', '0h', '0:00', '-1h', '1.5h', '2x', 'h', '1:60', '1:1:1', '9999999w', 'NaN', '1e3', '100000:00'])(
    '%p is refused in plain words',
    (text) => expect(() => minutes(text)).toThrow('such as 2h, 90m, 1d or 1:30'),
  )

  test('what is written as hours is read as the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_999_940 }), (value) => {
        expect(minutes(hoursText(value))).toBe(value)
        if (value < 1e7) expect(minutes(`${value}m`)).toBe(value)
      }),
    )
  })
})

describe('local times', () => {
  test.each([
    ['2026-01-31 22:00', '2026-01-31 22:00'],
    ['2026-1-1 9:05', '2026-01-01 09:05'],
    ['2026-01-31T22:00:00', '2026-01-31 22:00'],
    ['2024-02-29 00:00', '2024-02-29 00:00'],
  ])('%s', (text, value) => expect(localTime(text)).toBe(value))

  test.each([
    '',
    'tomorrow',
    '2026-02-30 10:00',
    '2026-01-01 24:00',
    '2026-01-01 10:60',
    '2026-01-01',
    '1969-01-01 10:00',
  ])('%p is refused in plain words', (text) =>
    expect(() => localTime(text)).toThrow('It must be a time such as 2026-01-31 22:00.'),
  )

  test('days', () => {
    expect(localDay('2024-02-29')).toBe('2024-02-29')
    for (const text of ['2026-02-29', '2026-13-01', '2026-01-01 10:00', '', 'x'])
      expect(() => localDay(text)).toThrow('It must be a day such as 2026-01-31.')
  })
})
