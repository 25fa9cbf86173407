import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { MibFolders } from '../src/folders.ts'
import { moduleName, parseModules } from '../src/module.ts'

const SMI = `SNMPv2-SMI DEFINITIONS ::= BEGIN
org OBJECT IDENTIFIER ::= { iso 3 }
dod OBJECT IDENTIFIER ::= { org 6 }
internet OBJECT IDENTIFIER ::= { dod 1 }
enterprises OBJECT IDENTIFIER ::= { internet private(4) 1 }
Integer32 ::= INTEGER (-2147483648..2147483647)
IpAddress ::= [APPLICATION 0] IMPLICIT OCTET STRING (SIZE (4))
MODULE-IDENTITY MACRO ::= BEGIN
  TYPE NOTATION ::= "LAST-UPDATED" value(Update ExtUTCTime)
END
END
`

const KITE = `-- a comment -- with two more dashes { } ::=
KITE-MIB DEFINITIONS ::= BEGIN
IMPORTS MODULE-IDENTITY, OBJECT-TYPE, enterprises, Integer32, IpAddress FROM SNMPv2-SMI
        TEXTUAL-CONVENTION, KiteState FROM KITE-TC;
kite MODULE-IDENTITY
  LAST-UPDATED "202601010000Z"
  DESCRIPTION "braces } and ::= { in a text are no syntax"
  ::= { enterprises 64997 }
Tenths ::= TEXTUAL-CONVENTION DISPLAY-HINT "d-1" STATUS current DESCRIPTION "" SYNTAX Integer32
lineTable OBJECT-TYPE SYNTAX SEQUENCE OF LineEntry MAX-ACCESS not-accessible STATUS current ::= { kite 1 }
lineEntry OBJECT-TYPE SYNTAX LineEntry MAX-ACCESS not-accessible STATUS current
  INDEX { lineReel, lineAddress, IMPLIED lineName } ::= { lineTable 1 }
LineEntry ::= SEQUENCE { lineReel INTEGER, lineName OCTET STRING }
lineReel OBJECT-TYPE SYNTAX INTEGER { left(1), right(2) } ACCESS read-only STATUS mandatory ::= { lineEntry 1 }
lineAddress OBJECT-TYPE SYNTAX OCTET STRING (SIZE (6)) ACCESS read-only STATUS mandatory ::= { lineEntry 2 }
lineName OBJECT-TYPE SYNTAX OCTET STRING (SIZE (0..32)) ACCESS read-only STATUS mandatory ::= { lineEntry 3 }
line_pull OBJECT-TYPE SYNTAX Tenths ACCESS read-only STATUS mandatory ::= { lineEntry 4 }
lineState OBJECT-TYPE SYNTAX KiteState ACCESS read-only STATUS mandatory ::= { lineEntry 5 }
moreTable OBJECT-TYPE SYNTAX SEQUENCE OF MoreEntry ACCESS not-accessible STATUS mandatory ::= { kite 2 }
moreEntry OBJECT-TYPE SYNTAX MoreEntry ACCESS not-accessible STATUS mandatory AUGMENTS { lineEntry } ::= { moreTable 1 }
moreWind OBJECT-TYPE SYNTAX IpAddress ACCESS read-only STATUS mandatory ::= { moreEntry 1 }
kiteCount OBJECT-TYPE SYNTAX Integer32 ACCESS read-only STATUS mandatory ::= { kite 3 }
lost OBJECT IDENTIFIER ::= { nowhere 1 }
loopA OBJECT IDENTIFIER ::= { loopB 1 }
loopB OBJECT IDENTIFIER ::= { loopA 1 }
broken OBJECT-TYPE SYNTAX INTEGER ::= { kite four }
END
`
const TC = `KITE-TC DEFINITIONS ::= BEGIN
IMPORTS TEXTUAL-CONVENTION FROM SNMPv2-TC;
KiteState ::= TEXTUAL-CONVENTION STATUS current DESCRIPTION "state" SYNTAX INTEGER { up(1), stalled(-2) }
END
`

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portlight-smi-'))
  mkdirSync(join(folder, 'kites'))
  writeFileSync(join(folder, 'SNMPv2-SMI'), SMI)
  writeFileSync(join(folder, 'kites', 'any name.txt'), KITE)
  writeFileSync(join(folder, 'kites', 'tc.mib'), TC)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const kites = () => new MibFolders().library([folder, join(folder, 'kites')])

describe('SMI modules', () => {
  test('names have their OIDs, kinds, types and hints', () => {
    const library = kites()
    expect(library.object('KITE-MIB', 'line_pull')).toMatchObject({
      oid: '1.3.6.1.4.1.64997.1.1.4',
      kind: 'column',
      type: { base: 'integer', hint: 'd-1' },
    })
    expect(library.object('KITE-MIB', 'lineTable')).toMatchObject({ oid: '1.3.6.1.4.1.64997.1', kind: 'table' })
    expect(library.object('KITE-MIB', 'lineEntry')).toMatchObject({ kind: 'entry' })
    expect(library.object('KITE-MIB', 'kiteCount')).toMatchObject({ oid: '1.3.6.1.4.1.64997.3', kind: 'scalar' })
    expect(library.object('KITE-MIB', 'moreWind')).toMatchObject({ kind: 'column', type: { base: 'ip' } })
  })

  test('an enumeration comes from the imported convention', () => {
    expect([...(kites().object('KITE-MIB', 'lineState')?.type?.labels ?? [])]).toEqual([
      [1, 'up'],
      [-2, 'stalled'],
    ])
  })

  test('the index of an augmenting table is that of the table it augments', () => {
    const shape = [
      { base: 'integer', implied: false, size: null },
      { base: 'octets', implied: false, size: 6 },
      { base: 'octets', implied: true, size: null },
    ]
    expect(kites().object('KITE-MIB', 'lineState')?.index).toMatchObject(shape)
    expect(kites().object('KITE-MIB', 'moreWind')?.index).toMatchObject(shape)
  })

  test('an imported name is not a definition; one without a parent or that refers to itself does not exist', () => {
    const library = kites()
    for (const name of ['enterprises', 'KiteState', 'lost', 'loopA', 'broken', 'missing'])
      expect(library.object('KITE-MIB', name)).toBeNull()
    expect(library.object('OTHER-MIB', 'kite')).toBeNull()
  })

  test('if two folders contain a module the later one wins, and folders are not searched recursively', () => {
    const other = join(folder, 'other')
    mkdirSync(other)
    writeFileSync(join(other, 'x'), KITE.replace('64997', '64996'))
    const path = [folder, join(folder, 'kites'), other]
    expect(new MibFolders().library(path).object('KITE-MIB', 'kite')?.oid).toBe('1.3.6.1.4.1.64996')
    expect(new MibFolders().library([folder]).object('KITE-MIB', 'kite')).toBeNull()
  })

  test('a symbolic link to a folder is not a file', () => {
    symlinkSync(join(folder, 'kites'), join(folder, 'linked'))
    const folders = new MibFolders()
    expect(folders.library([folder, join(folder, 'linked')]).object('KITE-MIB', 'kiteCount')).not.toBeNull()
    expect(folders.faults).toEqual([])
  })

  test('a broken definition is reported and left out, and the others are kept', () => {
    const folders = new MibFolders()
    expect(folders.library([folder, join(folder, 'kites')]).object('KITE-MIB', 'kiteCount')).not.toBeNull()
    const [module] = parseModules(KITE.replace('::= { kite 3 }', '::= { kite'))
    expect(module?.faults).toEqual(['kiteCount: the OID cannot be read'])
    expect(module?.nodes.has('lineState')).toBeTrue()
  })

  test('the first name before DEFINITIONS is the name of the module', () => {
    expect(moduleName(KITE)).toBe('KITE-MIB')
    expect(moduleName('X { iso 3 } DEFINITIONS ::= BEGIN END')).toBe('X')
    expect(moduleName('no module')).toBeNull()
  })

  test('truncated and garbled modules end in faults, never in an exception', () => {
    for (let end = 0; end < KITE.length; end += 7) parseModules(KITE.slice(0, end))
    const marks = ['{', '}', '::=', '"', '--', '(', ')', 'SYNTAX', 'END', 'BEGIN', 'MACRO', '\u0000', '9'.repeat(400)]
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(KITE.length), fc.constantFrom(...marks)), { minLength: 1, maxLength: 12 }),
        (edits) => {
          let text = KITE
          for (const [at, mark] of edits) text = text.slice(0, at) + mark + text.slice(at + mark.length)
          const modules = parseModules(text)
          for (const { nodes } of modules) for (const { oid } of nodes.values()) expect(oid.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 500 },
    )
  })
})
