import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { MAX_MATCHED, Pattern } from '@portlight/pattern/pattern.ts'
import { octetText } from '@portlight/snmp/table.ts'
import { createSettings } from '../../src/config/settings.ts'
import { DEFINITIONS } from '../../src/definitions/catalogue.ts'
import { detectOs } from '../../src/definitions/detect.ts'
import { DefinitionError } from '../../src/definitions/error.ts'
import { HEALTH } from '../../src/definitions/health-catalogue.ts'
import { identify } from '../../src/definitions/identity.ts'
import { parseDefinition } from '../../src/definitions/parse.ts'
import { checkPatterns, patternsOf } from '../../src/definitions/patterns.ts'
import { portFilter } from '../../src/modules/ports/filter.ts'
import { literalsOf, pumped } from '../support/pump.ts'

// Text from agents is matched against hundreds of expressions, none of which may take long, whatever the text.

setDefaultTimeout(120_000)

/** Size of a hostile response in bytes, the maximum that UDP carries. */
const HOSTILE = 65_536
/** A linear expression takes a few milliseconds; one that backtracks takes minutes. */
const CATASTROPHE_MS = 2000

const SYSTEMS = DEFINITIONS.detectable().flatMap(({ os }) => DEFINITIONS.definitionOf(os) ?? [])
const HEALTHS = HEALTH.scopes().map((scope) => HEALTH.definition(scope))
const ALL = [...SYSTEMS, ...HEALTHS].flatMap((definition) =>
  [...patternsOf(definition)].map(([path, pattern]) => ({
    name: `${'os' in definition && typeof definition.os === 'string' ? definition.os : 'health'} ${path}`,
    pattern,
  })),
)

/** The least that it takes: on a busy machine anything may take long once. */
function took(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 4 && least > CATASTROPHE_MS; tries++) {
    const began = performance.now()
    work()
    least = Math.min(least, performance.now() - began)
  }
  return least
}

test('every expression of the definitions compiles to an automaton of bounded size', () => {
  expect(ALL.length).toBeGreaterThan(300)
  expect(ALL.flatMap(({ name, pattern }) => (pattern.error() === null ? [] : [`${name}: ${pattern.error()}`]))).toEqual(
    [],
  )
})

test('a sysDescr crafted against the pfSense expression does not block the worker', () => {
  const sysDescr = `pfSense ${'1.'.repeat(8000)}\n!`
  const facts = { sysObjectID: '1.3.6.1.4.1.12325.1.1.2.1.1', sysDescr }
  const ms = took(() => {
    const { os } = detectOs(DEFINITIONS.detectable(), facts)
    expect(os).toBe('pfsense')
    const definition = DEFINITIONS.definitionOf(os)
    if (definition !== undefined) identify(definition, { ...facts, scalars: new Map(), chassis: null })
  })
  expect(ms).toBeLessThan(CATASTROPHE_MS)
})

test('no expression of the definitions is slow on text derived from it', () => {
  const slow = ALL.flatMap(({ name, pattern }) => {
    for (const text of pumped(pattern.source, HOSTILE)) {
      const ms = took(() => pattern.exec(text))
      if (ms > CATASTROPHE_MS) return [`${name}: ${ms} ms, ${JSON.stringify(text.slice(0, 60))}`]
    }
    return []
  })
  expect(slow).toEqual([])
})

test.each([
  '(a+)+$',
  '(?:x+x+)+y',
  '(.*)*b',
  '(\\w+\\s?)*!',
  '^(?:[^:]*[a-z].*:)?\\s*\\d+$',
  '(a|aa)+$',
  '(?:\\d+\\.)*.*?(\\S+)$',
])('an expression that backtracks in other engines terminates: %s', (source) => {
  const pattern = new Pattern(source)
  expect(pattern.error()).toBeNull()
  const atoms = [...pumped(source, MAX_MATCHED)]
  expect(atoms.length).toBeGreaterThan(0)
  for (const text of atoms) expect(took(() => pattern.exec(text))).toBeLessThan(CATASTROPHE_MS)
})

test.each([
  { name: 'look-ahead', source: '(?!a)b' },
  { name: 'a back reference', source: '(a)\\1' },
  { name: 'repetitions that multiply', source: '(?:a{0,1000}){1,1000}' },
  { name: 'repetitions that make a large automaton', source: '[a-z]{1,900}q' },
])('$name is rejected and matches nothing', ({ source }) => {
  const pattern = new Pattern(source)
  expect(pattern.error()).not.toBeNull()
  expect(pattern.test('aaaab')).toBe(false)
  expect(pattern.exec('aaaab')).toBeNull()
  const value = { os: 'x', text: 'X', type: 'network', icon: 'x.svg', detect: [{ sysDescr: [source] }] }
  expect(() => checkPatterns('x', parseDefinition('x', value))).toThrow(DefinitionError)
})

test('user expressions for interface names use the same engine; unsupported ones are rejected', () => {
  expect(() => createSettings({ flags: { bad_if_regexp: '(?!x)y' } })).toThrow('RE2')
  const filter = portFilter({ bad_if_regexp: ['(a+)+$'] }, {})
  const expression = filter.badIfRegexp[0]
  expect(expression).toBeInstanceOf(Pattern)
  expect(took(() => expression?.test(`${'a'.repeat(HOSTILE)}!`))).toBeLessThan(CATASTROPHE_MS)
})

test('a dot does not match a carriage return', () => {
  const match = new Pattern('Version (?<version>.+)').exec('Version 1.2\r\nCompiled')
  expect(match).toEqual({ text: 'Version 1.2', groups: { version: '1.2' } })
})

test('text from agents is truncated before it is used', () => {
  const text = octetText(new TextEncoder().encode('x'.repeat(HOSTILE)))
  expect(text.length).toBe(8192)
})

// Regular expression literals in code run on JavaScript's engine, over the text that `octetText` leaves.
const FOLDERS = [
  ...['modules', 'mibs', 'poller', 'definitions', 'core/discovery'].map((folder) => `src/${folder}`),
  ...['snmp', 'icmp'].map((name) => `packages/${name}/src`),
]
const root = join(import.meta.dir, '../..')
const LITERALS = FOLDERS.flatMap((folder) =>
  [...new Bun.Glob('**/*.ts').scanSync(join(root, folder))].flatMap((file) =>
    literalsOf(join(root, folder, file)).map((literal) => ({ ...literal, place: `${folder}/${file}:${literal.line}` })),
  ),
)

test('no expression in the code that reads agents is slow on text derived from it', () => {
  expect(LITERALS.length).toBeGreaterThan(60)
  const slow = LITERALS.flatMap(({ place, source, flags }) => {
    const expression = new RegExp(source, flags)
    for (const text of pumped(source, 8192)) {
      const ms = took(() => text.replace(expression, ''))
      if (ms > CATASTROPHE_MS) return [`${place}: ${ms} ms, ${JSON.stringify(text.slice(0, 60))}`]
    }
    return []
  })
  expect(slow).toEqual([])
})
