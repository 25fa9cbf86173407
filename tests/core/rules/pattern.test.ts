import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { BuilderError } from '../../../src/core/rules/errors.ts'
import { postgresPattern } from '../../../src/core/rules/pattern.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { MARIADB, startMaria, type TestMaria } from '../import/maria.ts'

setDefaultTimeout(120_000)

let database: TestDatabase
let maria: TestMaria | null = null
beforeAll(async () => {
  database = await testDatabase()
  if (MARIADB) maria = await startMaria()
})
afterAll(async () => {
  await maria?.stop()
  await database.drop()
})

async function matches(pattern: string, text: string): Promise<boolean> {
  const [row] = await database.store.sql<
    { found: boolean }[]
  >`select ${text}::text ~* ${postgresPattern(pattern)}::text as found`
  return row?.found === true
}

const CASES: readonly [pattern: string, yes: readonly string[], no: readonly string[]][] = [
  ['\\bPEER\\b', ['PEER', 'to peer 7', 'a-PEER-b'], ['PEERING', 'xPEER', 'PEER_1']],
  ['PEER\\B', ['PEERING'], ['PEER', 'PEER 1']],
  ['^(?P<kind>CORE|EDGE)\\h+\\d', ['core 1', 'EDGE\t2'], ['core1', 'x core 1']],
  ["(?<a>x)(?'b'y)\\k<a>\\g{b}(?P=a)", ['xyxyx'], ['xyxyz']],
  ['(a)(b)\\g{-1}\\1', ['abba'], ['abab']],
  ['^\\Qa.b*(c)\\E+$', ['a.b*(c)', 'a.b*(c))'], ['axb(c)']],
  ['(?i)^UP(?:link)?$', ['uplink', 'Up'], ['up link']],
  ['(?i:cust)-(?:a|b)', ['CUST-a'], ['cust-c']],
  ['^x\\x2dy\\x{20AC}$', ['x-y€'], ['xy€']],
  ['^\\p{L}+\\p{Nd}$', ['ab1', 'é1'], ['1a', 'ab']],
  ['^[\\p{L}\\h-]+$', ['a b-c'], ['a1']],
  ['^\\P{L}+$', ['123'], ['a1']],
  ['^a{,2}$', ['', 'a', 'aa'], ['aaa']],
  ['^[\\w.-]+@[\\w.-]+\\z', ['noc@example.net'], ['noc@', 'a b@c']],
  ['(?<!no )uplink(?! spare)', ['uplink', 'to uplink 1'], ['no uplink', 'uplink spare']],
  ['^(?!.*spare).*$', ['uplink'], ['uplink spare']],
  ['^[]x]+$', [']x'], ['y']],
  ['^[[:digit:]]+[[:space:]]$', ['12 '], ['12']],
  ['^.{3}$(?#three)', ['abc'], ['ab']],
  ['^ge-\\d+/\\d+/\\d+(\\.\\d+)?$', ['ge-0/0/1', 'GE-0/0/1.100'], ['xe-0/0/1']],
  ['\\ystay\\y', ['to stay'], ['staying']],
]

test.each(CASES)('%s', async (pattern, yes, no) => {
  for (const text of yes) expect([text, await matches(pattern, text)]).toEqual([text, true])
  for (const text of no) expect([text, await matches(pattern, text)]).toEqual([text, false])
})

test.each([
  ['a++', 'possessive quantifier ++'],
  ['(?>a)', '(?>a'],
  ['(?R)', '(?R)'],
  ['(?(1)a|b)', '(?(1'],
  ['(?|a|b)', '(?|a'],
  ['(*UTF8)a', '(*UT'],
  ['(?-i)a', '(?-i)'],
  ['a(?m)b', 'only at the beginning'],
  ['\\Ka', '\\K'],
  ['[\\P{L}]', '\\P{L}'],
  ['\\p{Han}', '\\p{Han}'],
  ['\\k<none>', 'refers to no group'],
  ['a\\', 'ends in a backslash'],
])('%s is refused with its reason', (pattern, reason) => {
  expect(() => postgresPattern(pattern)).toThrow(BuilderError)
  expect(() => postgresPattern(pattern)).toThrow(reason)
})

const piece = fc.constantFrom(
  ...[
    'a',
    'b',
    'B',
    ' ',
    '1',
    '-',
    '.',
    '\\.',
    '\\b',
    '\\B',
    '\\d',
    '\\w',
    '\\s',
    '\\h',
    '\\W',
    '[ab]',
    '[^a1]',
    '[\\d-]',
    '[a\\h]',
  ],
  ...['(a|b)', '(?:a|1)', '(?<n>a)', '(?i)', '(?=a)', '(?!b)', '^', '$', '\\x61', '\\Q.\\E', '\\A', '\\z'],
)
const quantified = fc
  .tuple(piece, fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '*?'))
  .map(([atom, times]) => (/^(?:\^|\$|\\[bBAz]|\(\?[=!i])/.test(atom) ? atom : atom + times))

test.skipIf(!MARIADB)('random expressions match what they match in MariaDB', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .array(quantified, { minLength: 1, maxLength: 6 })
        .map((parts) => parts.join('').replaceAll(/(\(\?<n>a\))(?=.*\(\?<n>)/g, '(a)')),
      fc.stringMatching(/^[abB1 .-]{0,8}$/),
      async (pattern, text) => {
        // Without PCRE2's shortcuts: its start optimization finds no match of «(?=a)a*a» in «a», which is a fault of its own.
        const found = await maria?.run('select convert(? using utf8mb4) collate utf8mb4_general_ci regexp ? as found', [
          text,
          `(*NO_START_OPT)${pattern}`,
        ])
        expect([pattern, text, await matches(pattern, text)]).toEqual([
          pattern,
          text,
          Number(found?.[0]?.['found']) === 1,
        ])
      },
    ),
    { numRuns: 1500, examples: [['(?=a)a*a', 'a']] },
  )
})

test('any text is translated or refused', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 60, unit: fc.constantFrom(...'\\()[]{}?<>=!:|*+^$.QEbxpk1,-iPa\n\0') }),
      (text) => {
        try {
          expect(typeof postgresPattern(text)).toBe('string')
        } catch (error) {
          expect(error).toBeInstanceOf(BuilderError)
        }
      },
    ),
    { numRuns: 5000 },
  )
  for (const unit of ['[', '(', '\\Q', '\\', '(?<a>', '[[:', '{,', 'a']) {
    try {
      postgresPattern(unit.repeat(1000))
      postgresPattern(unit.repeat(100_000))
    } catch (error) {
      expect(error).toBeInstanceOf(BuilderError)
    }
  }
})
