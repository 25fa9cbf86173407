import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Range } from '../../tools/coverage/discover.ts'
import { objectNames } from '../../tools/coverage/mibs.ts'
import { type Outcome, type Rule, summaryOf } from '../../tools/coverage/outcome.ts'
import { readRecorded, recordedNames, recordedValues } from '../../tools/coverage/recordings.ts'
import { namedOutcomes } from '../../tools/coverage/report-named.ts'
import { defaultSettings } from '../../tools/coverage/settings.ts'
import { Siblings } from '../../tools/coverage/siblings.ts'
import { portlight, projectDir } from '../cli/support.ts'

setDefaultTimeout(240_000)

const work = mkdtempSync(join(tmpdir(), 'portlight-coverage-test-'))
afterAll(() => rmSync(work, { recursive: true, force: true }))

/** An APC UPS with few objects: one that is polled, one that says "not present", one that no definition names. */
const UPS = [
  '1.3.6.1.2.1.1.1.0|4|APC Web/SNMP Management Card (MB:v3.9.2 PF:v3.9.2 MN:AP9617)',
  '1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.318.1.3.2.12',
  '1.3.6.1.2.1.1.3.0|67|4711',
  '1.3.6.1.2.1.1.5.0|4|ups-7',
  '1.3.6.1.4.1.318.1.1.1.2.2.1.0|66|97',
  '1.3.6.1.4.1.318.1.1.1.2.2.2.0|66|31',
  '1.3.6.1.4.1.318.1.1.1.3.2.1.0|66|230',
  '1.3.6.1.4.1.318.1.1.1.12.34.0|2|17',
].join('\n')

function folderOf(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(work, name)
  mkdirSync(folder)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  return folder
}

describe('recordings', () => {
  test('values are in the order of their OIDs, the first of two counts, and lines without a value are left out', () => {
    const values = recordedValues(
      '1.3.10|2|1\n1.3.9|4x|4142\r\n1.3.9|4|late\n1.3.11|2|\n1.3.12|4x|xyz\nnot a line\n1.3.2|70|18446744073709551615',
    )
    expect([...values.keys()]).toEqual(['1.3.2', '1.3.9', '1.3.10'])
    expect(values.get('1.3.2')).toEqual({ kind: 'Counter64', value: 18_446_744_073_709_551_615n })
    expect(values.get('1.3.9')).toEqual({ kind: 'OctetString', value: new Uint8Array([0x41, 0x42]) })
  })

  test('what is below an OID ends where its subtree ends', () => {
    const range = new Range(recordedValues('1.3.1.1|2|1\n1.3.1.2.1|2|2\n1.3.1.2.10.5|2|3\n1.3.1.20.1|2|4\n1.3.2|2|5'))
    expect([...range.below('1.3.1.2').keys()]).toEqual(['1', '10.5'])
    expect([...range.below('1.3.1.20').keys()]).toEqual(['1'])
    expect([...range.below('1.3.1.2.1').keys()]).toEqual([])
    expect([...range.below('1.4').keys()]).toEqual([])
  })

  test('contexts belong to a recording', () => {
    const vlan = '1.3.6.1.2.1.17.2.2.0|2|32771'
    const folder = folderOf('names', { 'b.snmprec': '', 'a.snmprec': '', 'a@vlan-3.snmprec': vlan, 'README.md': '' })
    expect(recordedNames(folder)).toEqual(['a', 'b'])
    expect(readRecorded(folder, 'b').contexts.size).toBe(0)
    expect([...readRecorded(folder, 'a').contexts].map(([name, values]) => [name, ...values.keys()])).toEqual([
      ['vlan-3', '1.3.6.1.2.1.17.2.2.0'],
    ])
  })
})

describe('named values', () => {
  const outcome = (rule: Rule): Outcome => ({
    device: 'sw1',
    system: 'x',
    definition: 'x',
    source: 'own',
    kind: 'sensors',
    oid: '1.3.1',
    rule,
  })

  test('a value that its definition leaves out does not count against it', () => {
    const { total, shownPercent, unexplained, byRule } = summaryOf(
      (['shown', 'shown', 'shown', 'condition', 'noNumber', 'unexplained'] as const).map(outcome),
    )
    expect({ total, shownPercent, unexplained: unexplained.length }).toEqual({
      total: 6,
      shownPercent: 75,
      unexplained: 1,
    })
    expect(byRule.get('shown')).toBe(3)
    expect(summaryOf([]).shownPercent).toBeNull()
  })

  test('each value of a device that definitions name has an outcome', async () => {
    const folder = folderOf('ups', { 'ups-7.snmprec': UPS })
    const outcomes = await namedOutcomes([folder], defaultSettings())
    const rules = new Map(outcomes.map(({ oid, rule }) => [oid, rule]))
    expect(rules.get('1.3.6.1.4.1.318.1.1.1.2.2.1.0')).toBe('shown')
    expect(rules.has('1.3.6.1.4.1.318.1.1.1.12.34.0')).toBe(false)
    expect(summaryOf(outcomes).unexplained).toEqual([])
  })

  test('the command prints the rules with their counts, and fails for a folder that does not exist', async () => {
    const folder = folderOf('command', { 'ups-7.snmprec': UPS })
    const run = (...args: string[]) => portlight(['coverage', ...args], { script: join(projectDir, 'tools/main.ts') })
    const { code, out } = await run('named', folder)
    expect(out).toMatch(/^own definitions: \d+ values of 1 systems\n {2}\s*\d+ {2}shown$/m)
    expect(code).toBe(0)
    expect((await run('named', join(work, 'none'))).code).not.toBe(0)
  })
})

describe('values that no module reads', () => {
  const mibs = () =>
    folderOf('mibs', {
      'X-MIB': `X-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises, OBJECT-TYPE FROM SNMPv2-SMI;
acme OBJECT IDENTIFIER ::= { enterprises 64999 }
acmeHeat OBJECT-TYPE SYNTAX INTEGER ACCESS read-only STATUS mandatory ::= { acme 1 }
acmeName OBJECT-TYPE SYNTAX OCTET STRING ACCESS read-only STATUS mandatory ::= { acme 2 }
acmeTable OBJECT-TYPE SYNTAX SEQUENCE OF AcmeEntry ACCESS not-accessible STATUS mandatory ::= { acme 3 }
acmeEntry OBJECT-TYPE SYNTAX AcmeEntry ACCESS not-accessible STATUS mandatory INDEX { acmeIndex } ::= { acmeTable 1 }
acmeIndex OBJECT-TYPE SYNTAX INTEGER ACCESS read-only STATUS mandatory ::= { acmeEntry 1 }
acmeFan OBJECT-TYPE SYNTAX INTEGER ACCESS read-only STATUS mandatory ::= { acmeEntry 2 }
END`,
      'SNMPv2-SMI': `SNMPv2-SMI DEFINITIONS ::= BEGIN
org OBJECT IDENTIFIER ::= { iso 3 }
enterprises OBJECT IDENTIFIER ::= { org 6 1 4 1 }
END`,
    })

  test('columns with numbers are listed by how many recordings have them; what was asked for is not', () => {
    const names = objectNames(mibs())
    expect(names.get('1.3.6.1.4.1.64999.3.1.2')).toBe('X-MIB::acmeFan')
    const base = '1.3.6.1.4.1.64999'
    const device = (name: string, lines: readonly string[]) => ({
      name,
      values: recordedValues(lines.join('\n')),
      contexts: new Map(),
    })
    const siblings = new Siblings(names)
    siblings.add(
      device('a', [`${base}.1.0|2|41`, `${base}.2.0|4|Acme`, `${base}.3.1.2.7|2|900`, `${base}.9.0|2|1`]),
      new Set(),
    )
    siblings.add(
      device('b', [`${base}.1.0|4|42.5 C`, `${base}.3.1.2.7|2|900`, `${base}.3.1.2.8|2|901`]),
      new Set([`${base}.1.0`]),
    )
    expect(siblings.list()).toEqual([
      {
        oid: `${base}.3.1.2`,
        name: 'X-MIB::acmeFan',
        devices: ['a', 'b'],
        instances: 3,
        hasReadSibling: false,
        examples: ['900', '901'],
      },
      {
        oid: `${base}.1`,
        name: 'X-MIB::acmeHeat',
        devices: ['a'],
        instances: 1,
        hasReadSibling: false,
        examples: ['41'],
      },
    ])
  })

  test('objects of tables and groups that are read in part come first', () => {
    const base = '1.3.6.1.4.1.64999'
    const lines = [`${base}.1.0|2|41`, `${base}.3.1.1.7|2|7`, `${base}.3.1.2.7|2|900`]
    const listed = (...asked: readonly string[]) => {
      const siblings = new Siblings(objectNames(join(work, 'mibs')))
      siblings.add({ name: 'a', values: recordedValues(lines.join('\n')), contexts: new Map() }, new Set(asked))
      return siblings.list().map(({ name, hasReadSibling }) => [name, hasReadSibling])
    }
    expect(listed(`${base}.3.1.1`)).toEqual([
      ['X-MIB::acmeFan', true],
      ['X-MIB::acmeHeat', false],
    ])
    expect(listed(`${base}.2.0`, `${base}.3.1.1`)).toEqual([
      ['X-MIB::acmeHeat', true],
      ['X-MIB::acmeFan', true],
    ])
  })

  test('the command lists what is unread, and says so when there is nothing to compare', async () => {
    const recordings = folderOf('unread', { 'a.snmprec': '1.3.6.1.2.1.1.1.0|4|Acme\n1.3.6.1.4.1.64999.1.0|2|41' })
    const run = (...args: string[]) =>
      portlight(['coverage', 'unread', ...args], { script: join(projectDir, 'tools/main.ts') })
    const listed = await run(recordings, '--mibs', join(work, 'mibs'))
    expect(listed.out.split('\n')).toContain('1\t1\tnot read\tX-MIB::acmeHeat\t1.3.6.1.4.1.64999.1\t41\ta')
    expect(listed.err).toContain('1 recordings')
    expect(listed.code).toBe(0)
    const empty = folderOf('empty', {})
    const none = await run(recordings, '--mibs', empty)
    expect([none.code, none.out]).toEqual([1, ''])
    expect(none.err).toContain('no MIB modules')
    for (const folder of [empty, join(work, 'nowhere')]) {
      const { code, err } = await run(folder, '--mibs', join(work, 'mibs'))
      expect(code).toBe(1)
      expect(err).toContain(folder)
      expect(err).not.toContain('internal error')
    }
  })
})

/** Recordings of real devices; not in this repository. */
const FOLDERS = ['devices', 'devices-more'].map((name) => join(import.meta.dir, '../../../shared', name))
const present = FOLDERS.every((folder) => existsSync(folder))
if (!present) console.warn(`no recordings in ${FOLDERS.join(' and ')}: definitions are not compared with real devices`)

test.skipIf(!present)('of what our definitions name on real devices, at least 99.5 % is shown', async () => {
  const { shownPercent, total } = summaryOf(await namedOutcomes(FOLDERS, defaultSettings()))
  expect(total).toBeGreaterThan(10_000)
  expect(shownPercent).toBeGreaterThan(99.5)
})
