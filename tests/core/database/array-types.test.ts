import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ARRAY_TYPES } from '../../../src/core/database/array-types.ts'
import { type TestDatabase, testDatabase, testServers } from '../../support/database.ts'

for (const { name, url } of testServers()) {
  describe(`arrays of ${name}`, () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await testDatabase(url)
    })
    afterAll(async () => {
      await database?.drop()
    })

    test('the server has each type and its array under these numbers', async () => {
      const { sql } = database.store
      const found = await sql<{ element: number; array: number }[]>`
        select typelem::int as element, oid::int as array from pg_type
        where oid = any(${ARRAY_TYPES.map(([, array]) => array)}::int[]::oid[])`
      expect(found.map(({ element, array }) => `${element} ${array}`).toSorted()).toEqual(
        ARRAY_TYPES.map((pair) => pair.join(' ')).toSorted(),
      )
    })

    test('each array that a table or view has is known', async () => {
      const { sql } = database.store
      const used = await sql<{ array: number; column: string }[]>`
        select distinct a.atttypid::int as array, min(a.attrelid::regclass || '.' || a.attname) as column
        from pg_attribute a join pg_type t on t.oid = a.atttypid join pg_class c on c.oid = a.attrelid
        where t.typcategory = 'A' and not a.attisdropped and c.relkind in ('r', 'p', 'v')
          and c.relnamespace in ('public'::regnamespace, 'ts'::regnamespace, 'grafana'::regnamespace) group by 1`
      const known = new Set(ARRAY_TYPES.map(([, array]) => array))
      expect(used.length).toBeGreaterThan(1)
      expect(used.filter(({ array }) => !known.has(array))).toEqual([])
    })

    test('they are read and sent as lists, also by the first statement of a connection', async () => {
      const { sql } = database.store
      const texts = ['a', 'b c', '{"', '', 'NULL', '\\']
      const [row] = await sql`
        select ${texts}::text[] as texts, ${[1, 2]}::int[] as numbers, ${sql.array([true, false])} as flags,
          array[1.5::float8, 1e300] as floats, '{}'::text[] as none, array['a'::name] as names,
          array[9007199254740991, 9007199254740993]::int8[] as large,
          array['10.0.0.1'::inet] as addresses, array['2026-01-01 00:00:00+00'::timestamptz] as times,
          array[array[1, 2], array[3, 4]] as nested`
      expect(row).toEqual({
        texts,
        numbers: [1, 2],
        flags: [true, false],
        floats: [1.5, 1e300],
        none: [],
        names: ['a'],
        large: [9007199254740991, '9007199254740993'],
        addresses: ['10.0.0.1'],
        times: [new Date('2026-01-01T00:00:00Z')],
        nested: [
          [1, 2],
          [3, 4],
        ],
      })
    })
  })
}
