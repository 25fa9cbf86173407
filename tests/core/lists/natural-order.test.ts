import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await database.drop()
})

async function keysOf(names: readonly string[]): Promise<string[]> {
  const rows = await database.store.sql<{ key: string }[]>`
    select natural_key(name) as key from unnest(${names as string[]}::text[]) with ordinality n (name, i) order by i`
  return rows.map(({ key }) => key)
}

const isBefore = (one: string, other: string): boolean => Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0

test('names are in the order of the numbers in them', async () => {
  const names = [
    '',
    'core',
    'Gi1/0/2',
    'gi1/0/10',
    'GI1/0/010b',
    'Gi1/0/11',
    'gi2',
    'sw9-1',
    'SW10',
    'sw010a',
    '東京9',
    '東京10',
  ]
  const keys = await keysOf(names)
  const sorted = names
    .map((_, i) => i)
    .sort((a, b) => Buffer.compare(Buffer.from(keys[a] ?? ''), Buffer.from(keys[b] ?? '')))
  expect(sorted.map((i) => names[i])).toEqual(names)
})

test('any two numbers after the same text are in their order, whatever zeros they begin with', async () => {
  const number = fc.bigInt({ min: 0n, max: 10n ** 20n - 1n })
  const zeros = fc.nat({ max: 30 })
  await fc.assert(
    fc.asyncProperty(number, number, zeros, zeros, fc.string({ maxLength: 20 }), async (a, b, before, more, text) => {
      const name = text.replaceAll(/[\0\d]/g, '')
      const [one, other] = await keysOf([`${name}${'0'.repeat(before)}${a}`, `${name}${'0'.repeat(more)}${b}`])
      expect(isBefore(one ?? '', other ?? '')).toBe(a < b)
      if (a === b) expect(one).toBe(other ?? '')
    }),
    { numRuns: 200 },
  )
})

test('a name of nothing but digits, or longer than is looked at, has a key', async () => {
  const names = ['0'.repeat(255), '9'.repeat(255), '1a'.repeat(5000), '7'.repeat(21)]
  const keys = await keysOf(names)
  expect(keys.map((key) => key.length > 0)).toEqual([true, true, true, true])
  expect(keys[0]).toBe('0'.repeat(20))
})
