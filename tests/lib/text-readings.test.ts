import { describe, expect, test } from 'bun:test'
import { textReading } from '../../src/lib/text-readings.ts'

describe('a date as minutes from now', () => {
  const now = new Date(2027, 0, 1).getTime()
  const minutes = (text: string) => textReading('dateToRuntime')?.(text, now)
  test.each([
    '01/31/2027',
    '1/31/27',
    '2027-01-31',
    '2027/01/31',
    '31.01.2027',
    '31-01-2027',
    '31-Jan-2027',
    '31 January 2027',
    'Jan 31, 2027',
    ' 01/31/2027 ',
  ])('%j is 30 days ahead', (text) => expect(minutes(text)).toBe(30 * 24 * 60))

  test('the past is negative, and two-digit years up to 69 are in this century', () => {
    expect(minutes('12/31/2026')).toBe(-24 * 60)
    expect(minutes('12/31/69')).toBeGreaterThan(0)
    expect(minutes('12/31/70')).toBeLessThan(0)
  })

  test.each(['', 'soon', '02/30/2027', '13/01/2027', '2027'])('%j is not a date', (text) =>
    expect(minutes(text)).toBeNaN(),
  )
})

test('hours, minutes and seconds as whole minutes', () => {
  const minutes = (text: string) => textReading('hhmmssToMinutes')?.(text, 0)
  expect(minutes('01:30:59')).toBe(90)
  expect(minutes('00:00:59')).toBe(0)
  expect(minutes('100:05')).toBe(6005)
  expect(minutes('a while')).toBeNaN()
})

test('a state is found by its text regardless of case, or by its number', () => {
  const state = textReading('state_text {"Lost":3,"ok":1}')
  expect(state?.('LOST', 0)).toBe(3)
  expect(state?.(' ok ', 0)).toBe(1)
  expect(state?.('2', 0)).toBe(2)
  expect(state?.('code 7', 0)).toBe(7)
  expect(state?.('gone', 0)).toBeNaN()
})

test('functions on numbers, and none at all, do not read text', () => {
  expect([textReading('mw_to_dbm'), textReading(null), textReading(''), textReading('toString')]).toEqual([
    null,
    null,
    null,
    null,
  ])
})
