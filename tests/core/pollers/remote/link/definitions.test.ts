import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { MessageError } from '../../../../../src/core/pollers/remote/link/checks.ts'
import { assembleDefinitions, definitionEntries } from '../../../../../src/core/pollers/remote/link/definitions.ts'
import { installDefinitions, packDefinitions } from '../../../../../src/librenms/definition-archive.ts'
import { loadedDefinitions, readIndex, writeDefinitions } from '../../../../../src/librenms/store.ts'
import { compiled, treeFolder } from '../../../../librenms/tree.ts'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portlight-definitions-'))
  made.push(folder)
  return folder
}

/** A folder to which definitions were added. */
function centre(): string {
  const folder = emptyFolder()
  const tree = treeFolder()
  made.push(tree)
  writeDefinitions(folder, compiled(tree), 'test', new Date(0))
  return folder
}

function packed(folder: string): NonNullable<ReturnType<typeof packDefinitions>> {
  const bundle = packDefinitions(folder)
  if (bundle === null) throw new Error('no definitions')
  return bundle
}

test('definitions arrive complete regardless of the order of their entries', () => {
  const from = centre()
  const to = emptyFolder()
  const entries = definitionEntries(packed(from))
  for (const order of [entries, entries.toReversed()]) {
    const assembler = assembleDefinitions((bundle) => installDefinitions(to, bundle))
    for (const [key, value] of order) assembler.take(key, JSON.parse(JSON.stringify(value)))
    expect(readIndex(to)).toEqual(readIndex(from))
    expect(loadedDefinitions(to).form('buoy')).toEqual(loadedDefinitions(from).form('buoy'))
    expect(loadedDefinitions(to).detectable).toEqual(loadedDefinitions(from).detectable)
  }
  // installing the same again leaves no folder of the first behind
  expect(readdirSync(to)).toHaveLength(2)
})

test('parts of different definitions and malformed entries are not installed', () => {
  const entries = definitionEntries({ id: 'aaaaaaaaaaaa-1', octets: () => new Uint8Array(600_000) })
  expect(entries.map(([key]) => key)).toEqual(['definitions.0', 'definitions.1', 'definitions'])
  const installed: unknown[] = []
  const assembler = assembleDefinitions((bundle) => installed.push(bundle))
  for (const [key, value] of entries.slice(1)) assembler.take(key, value)
  assembler.take('definitions.0', { id: 'bbbbbbbbbbbb-1', text: '' })
  expect(installed).toEqual([])
  for (const value of [null, 7, { id: 'aaaaaaaaaaaa-1' }, { id: 'aaaaaaaaaaaa-1', parts: 9999 }])
    expect(() => assembler.take('definitions', value)).toThrow(MessageError)
  expect(() => definitionEntries({ id: 'x', octets: () => new Uint8Array(40_000_000) })).toThrow(RangeError)
})

test('files that do not belong to definitions are not written, and existing files are kept', () => {
  const folder = centre()
  const before = readIndex(folder)
  const octets = zstdCompressSync(Buffer.from(JSON.stringify({ '../outside.json': '{}' })))
  expect(() => installDefinitions(folder, { id: 'aaaaaaaaaaaa-1', octets })).toThrow(
    'the packed definitions contain an unexpected file',
  )
  expect(() => installDefinitions(folder, { id: '../x', octets })).toThrow('invalid id')
  expect(readIndex(folder)).toEqual(before)
  expect(readdirSync(folder)).toHaveLength(2)
})

test('definitions that the centre no longer has are removed, those added at the site are kept', () => {
  const own = centre()
  installDefinitions(own, null)
  expect(readIndex(own)).not.toBeNull()
  const to = emptyFolder()
  const bundle = packed(own)
  installDefinitions(to, { id: bundle.id, octets: bundle.octets() })
  expect(readIndex(to)).not.toBeNull()
  installDefinitions(to, null)
  expect(readIndex(to)).toBeNull()
})
