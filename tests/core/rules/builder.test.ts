import { expect, test } from 'bun:test'
import { parseBuilder } from '../../../src/core/rules/builder.ts'
import { compile } from '../../../src/core/rules/compile.ts'
import { builderText } from '../../../src/core/rules/text.ts'

const rule = (field: string, operator: string, value: unknown = '') => ({ id: field, field, operator, value })
const all = (...rules: unknown[]) => ({ condition: 'AND', rules, valid: true })

test('a builder is accepted as an object and as JSON text', () => {
  const builder = all(rule('devices.os', 'equal', 'linux'))
  expect(parseBuilder(JSON.stringify(builder))).toEqual(parseBuilder(builder))
})

test.each([
  ['no JSON', '{'],
  ['no object', []],
  ['nothing', null],
  ['no condition', { rules: [] }],
  ['lower case', { condition: 'and', rules: [rule('devices.os', 'equal')] }],
  ['no rules', { condition: 'AND' }],
  ['only empty groups', all(all(), all(all()))],
  ['a rule that is text', all('x')],
  ['an unknown operator', all(rule('devices.os', 'constructor', 1))],
  ['a field that is SQL', all(rule('devices.os" or true --', 'equal', 1))],
  ['an unknown column', all(rule('devices.nonsense', 'equal', 1))],
  ['an unknown table', all(rule('slas.status', 'equal', 1))],
  ['a table that is not offered', all(rule('users.password', 'equal', 1))],
  ['another table that is not offered', all(rule('devices_perms.user_id', 'equal', 1))],
  ['a secret', all(rule('devices.community', 'equal', 'public'))],
  ['an unknown macro', all(rule('macros.nonsense', 'equal', 1))],
  ['a macro of the language', all(rule('macros.constructor', 'equal', 1))],
  ['between with one', all(rule('devices.uptime', 'between', [1]))],
  ['between with text', all(rule('devices.uptime', 'between', '1,2'))],
  ['in with none', all(rule('devices.os', 'in', ' , '))],
  ['a value that is an object', all(rule('devices.os', 'equal', {}))],
  ['a value with NUL', all(rule('devices.os', 'equal', 'a\0b'))],
  ['a quoted value that is SQL', all(rule('devices.os', 'equal', '`now(); drop table devices`'))],
  ['too many conditions', all(...Array.from({ length: 501 }, () => rule('devices.os', 'equal', 1)))],
  [
    'nested too deep',
    Array.from({ length: 21 }).reduce<unknown>((inner) => all(inner), rule('devices.os', 'equal', 1)),
  ],
  ['too long', ' '.repeat(70_000)],
])('refused: %s', (_, builder) => {
  expect(() => compile(builder)).toThrow(expect.objectContaining({ name: 'BuilderError' }))
})

test('no value of a rule becomes part of the SQL', () => {
  const { members, faults, params } = compile(
    all(rule('devices.hostname', 'contains', "x'y"), rule('devices.os', 'in', 'a b')),
  )
  for (const text of [members, faults.all, faults.some]) expect(text).not.toContain("x'y")
  expect(params).toEqual(["%x'y%", 'a', 'b'])
})

test('the rule as text', () => {
  const builder = all(
    rule('devices.os', 'not_equal', 'Juniper'),
    {
      condition: 'OR',
      rules: [rule('macros.device_up', 'equal', '1'), rule('devices.hostname', 'begins_with', 'core')],
    },
    rule('devices.uptime', 'between', [1, '2']),
    rule('devices.last_polled', 'less', '`macros.past_5m`'),
    rule('devices.sysName', 'is_null'),
  )
  expect(builderText(parseBuilder(builder))).toBe(
    'devices.os != "Juniper" AND (macros.device_up = 1 OR devices.hostname LIKE "core%") AND ' +
      'devices.uptime BETWEEN 1 AND 2 AND devices.last_polled < macros.past_5m AND devices.sysName IS NULL',
  )
})

test('the helper `joins` names each table and how it is joined', () => {
  expect(compile(all(rule('ports.ifName', 'equal', 'x'), rule('locations.location', 'equal', 'y'))).joins).toEqual([
    ['ports', 'devices.device_id', 'ports.device_id'],
    ['locations', 'devices.location_id', 'locations.id'],
  ])
})
