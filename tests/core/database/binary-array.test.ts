import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { type BinaryArray, byteas, int4s, texts } from '../../../src/core/database/binary-array.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(120_000)

let db: TestDatabase

beforeAll(async () => {
  db = await testDatabase()
}, 120_000)
afterAll(async () => {
  await db?.drop()
}, 60_000)

/** What the server reads of an array: its elements in order. */
async function read(type: 'text' | 'int' | 'bytea', { value, type: oid }: BinaryArray): Promise<unknown[]> {
  const { sql } = db.store
  const rows = await sql.unsafe<{ one: unknown }[]>(
    `select one from unnest($1::${type}[]) with ordinality as x(one, n) order by n`,
    [sql.typed(value, oid)],
    { prepare: true },
  )
  return rows.map(({ one }) => one)
}

const known = [
  '',
  ' ',
  'a',
  '"',
  '{',
  '}',
  ',',
  '\\',
  'NULL',
  "'",
  '\n',
  'ä',
  '漢字',
  '👩‍👩‍👧',
  '{"a":1}',
  'x'.repeat(100_000),
]

test('texts arrive as they are', async () => {
  expect(await read('text', texts(known))).toEqual(known)
  expect(await read('text', texts([]))).toEqual([])
  expect(await read('text', texts(['one']))).toEqual(['one'])
})

test('random texts arrive as they are', async () => {
  // PostgreSQL has no character 0
  const text = fc.string({ unit: 'grapheme' }).map((one) => one.replaceAll('\0', ''))
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 40 }), async (cells) => {
      expect(await read('text', texts(cells))).toEqual(cells)
    }),
    { numRuns: 60 },
  )
})

test('half a surrogate pair becomes the replacement character, and character 0 is refused', async () => {
  expect(await read('text', texts(['a\ud83d', 'b']))).toEqual(['a\ufffd', 'b'])
  expect(await read('text', texts(['a\0b'])).catch((error: { code?: string }) => error.code)).toBe('22021')
})

test('a hundred thousand texts', async () => {
  const cells = Array.from({ length: 100_000 }, (_, i) => `${i}`)
  expect(await read('text', texts(cells))).toEqual(cells)
})

test('numbers at the ends of their range, of several columns', async () => {
  const ends = [-(2 ** 31), -1, 0, 1, 2 ** 31 - 1]
  expect(await read('int', int4s([Int32Array.from(ends), Int32Array.from([]), Int32Array.from([7])]))).toEqual([
    ...ends,
    7,
  ])
  expect(await read('int', int4s([]))).toEqual([])
})

test('octets', async () => {
  const cells = [new Uint8Array(0), Uint8Array.from([0]), Uint8Array.from({ length: 256 }, (_, i) => i)]
  expect((await read('bytea', byteas(cells))).map((one) => [...(one as Uint8Array)])).toEqual(
    cells.map((one) => [...one]),
  )
})
