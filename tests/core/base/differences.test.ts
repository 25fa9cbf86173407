import { expect, test } from 'bun:test'
import { differences } from '../../../src/core/base/differences.ts'

test('members that differ are listed with both values, equal ones are not', () => {
  const before = { delay: 300, notes: '', list: [1, 2], same: 'x', gone: null }
  const after = { delay: 60, notes: 'in\nthe night', list: [1], same: 'x' }
  expect(differences(before, after)).toBe('delay: 300 → 60; notes: empty → in the night; list: 1, 2 → 1')
  expect(differences(before, before)).toBe('')
})

test('times are compared as times, and long values are truncated', () => {
  const at = (text: string) => ({ at: new Date(text) })
  expect(differences(at('2030-01-01'), at('2030-01-01'))).toBe('')
  expect(differences(at('2030-01-01'), { at: null })).toBe('at: 2030-01-01T00:00:00.000Z → empty')
  expect(differences({}, { text: 'y'.repeat(500) })).toBe(`text: empty → ${'y'.repeat(120)}…`)
})

test('secrets are named without their values', () => {
  const said = differences({ password: 'old-one' }, { password: 'new-one' }, new Set(['password']))
  expect(said).toBe('password: a new value (not recorded)')
})
