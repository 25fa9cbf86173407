import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { copyRows } from '../../../src/core/series/copy-rows.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const TYPES = ['int', 'bigint', 'real', 'float8', 'timestamptz'] as const
const COPY = 'copy copied from stdin (format binary)'

test('COPY stores what fits the type of a column, and NULL for the rest', async () => {
  const big = Number.MAX_SAFE_INTEGER
  const time = Date.UTC(1999, 11, 31, 23, 59, 59, 999)
  const given = [
    [2 ** 31 - 1, big, 1.5, Math.PI, time],
    [-(2 ** 31), -big, -1e30, -1e300, Date.UTC(2026, 10, 22, 12, 0, 0, 1)],
    [0, -1, 0, 5e-324, 0],
    [2 ** 31, 2 ** 53, 1e39, Number.POSITIVE_INFINITY, Number.NaN],
    [1.5, 2 ** 32 + 0.4, Number.NaN, Number.NaN, time],
    [Number.NaN, Number.NaN, Number.NEGATIVE_INFINITY, 0, time],
  ]
  const stored = await database.store.sql.begin(async (tx) => {
    await tx.unsafe(`create temp table copied (${TYPES.map((type) => `c_${type} ${type}`).join()}) on commit drop`)
    const columns = TYPES.map((type, c) => ({
      type,
      cells: [Number.NaN, ...given.map((row) => row[c] ?? 0)],
      offset: 1,
    }))
    await tx.unsafe(COPY, [], { copy: copyRows(columns, given.length) })
    return tx`select c_int, c_bigint, c_real::float8, c_float8, extract(epoch from c_timestamptz)::float8 * 1000 as ms from copied`
  })
  expect(stored.map((row) => Object.values(row))).toEqual([
    [2 ** 31 - 1, big, 1.5, Math.PI, time],
    [-(2 ** 31), -big, Math.fround(-1e30), -1e300, Date.UTC(2026, 10, 22, 12, 0, 0, 1)],
    [0, -1, 0, 5e-324, 0],
    [null, null, null, null, null],
    [null, 2 ** 32, null, null, time],
    [null, null, null, 0, time],
  ])
})

test('rows that the server refuses are an error of their statement, and the connection stays usable', async () => {
  const { sql } = database.store
  await sql.unsafe('create table copied (n int primary key)')
  const rows = (numbers: number[]) => ({ copy: copyRows([{ type: 'int', cells: numbers }], numbers.length) })
  const many = Array.from({ length: 200_000 }, (_, i) => i)
  const refused = [
    [COPY, rows([7, 7]), '23505'],
    [COPY, rows([Number.NaN]), '23502'],
    [COPY, { copy: rows(many).copy.subarray(0, 900_001) }, '22P04'],
    [COPY, { copy: new Uint8Array() }, '22P04'],
    ['copy missing from stdin (format binary)', rows(many), '42P01'],
  ] as const
  for (const [statement, options, code] of refused) {
    const transaction = sql.begin(async (tx) => {
      await tx.unsafe(statement, [], options)
    })
    expect(await transaction.catch((error: unknown) => error)).toMatchObject({ code })
  }
  const [{ n } = { n: null }] = await sql.begin(async (tx) => {
    await tx.unsafe(COPY, [], rows(many))
    return tx`select count(*)::int as n from copied`
  })
  expect(n).toBe(many.length)
})
