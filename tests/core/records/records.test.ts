import { afterAll, beforeAll, expect, test } from 'bun:test'
import { twoPlaces } from '../../../src/api/v0/records/forms.ts'
import { epochSeconds } from '../../../src/core/database/instants.ts'
import { filled, listed, membersSql, presenter } from '../../../src/core/records/fields.ts'
import * as inSql from '../../../src/core/records/forms.ts'
import { isoTime, localTime } from '../../../src/lib/record-times.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

/** Midnight, the hours around both daylight saving changes in Europe, microseconds, a distant year. */
const INSTANTS = [
  '2026-01-01T00:00:00Z',
  '2026-03-29T00:59:59.999999Z',
  '2026-03-29T01:00:00Z',
  '2026-10-25T00:30:00Z',
  '2026-10-25T01:30:00Z',
  '2024-02-29T23:59:59.000001Z',
  '2026-11-22T12:34:56.7Z',
  '1970-01-01T00:00:00.5Z',
  '2199-12-31T23:59:59.123456Z',
]

test.each(INSTANTS)(
  '%s has the same form in lists, where PostgreSQL formats it, and in single records',
  async (text) => {
    const [row] = await database.store.sql<{ at: Date; seconds: number; local: string; iso: string }[]>`
    select at, ${database.store.sql.unsafe(epochSeconds('at'))} as seconds,
      ${database.store.sql.unsafe(inSql.localTime('at'))} as local, ${database.store.sql.unsafe(inSql.isoTime('at'))} as iso
    from (select ${text}::text::timestamptz as at) x`
    if (row === undefined) throw new Error('no row')
    expect(localTime(row.at)).toBe(row.local)
    expect(isoTime(row.seconds)).toBe(row.iso)
  },
)

test('two places are rounded as PostgreSQL rounds decimals', async () => {
  const values = [0, 0.004, 0.005, 1.005, 2.675, 12.345, 0.1 + 0.2, 59.995, 1234.5678, 3e-7, 299.995]
  const rows = await database.store.sql<{ rounded: number }[]>`
    select round(x::numeric, 2)::float8 as rounded from unnest(${values}::float8[]) with ordinality u(x, n) order by n`
  expect(values.map(twoPlaces)).toEqual(rows.map(({ rounded }) => rounded))
})

test('null becomes what the record says, and a flag that is null is not set', () => {
  const fields = {
    name: { form: 'text', ifNull: '' },
    note: { form: 'text', ifNull: null },
    took: { form: 'number', ifNull: 0 },
    at: { form: 'instant', ifNull: null },
    override: { form: 'flag', ifNull: null },
    ip: { form: 'address', ifNull: '' },
    password: { form: 'text', ifNull: null, secret: true },
  } as const
  const present = presenter(fields, { instant: isoTime, flag: (flag) => flag === 1 })
  const none = { name: null, note: null, took: null, at: null, override: null, ip: null, password: null }
  expect(present(none)).toEqual({ ...none, name: '', took: 0, override: false, ip: '' })
  expect(present({ ...none, at: 0.5, override: 1, took: 1.5 })).toMatchObject({
    at: '1970-01-01T00:00:00.500000Z',
    override: true,
    took: 1.5,
  })
  expect(Object.fromEntries(membersSql(fields, 't', listed, false))).toMatchObject({
    name: `coalesce(t."name", '')`,
    note: 't."note"',
    took: 'coalesce(t."took", 0)',
    ip: `coalesce(host(t."ip"), '')`,
    password: 'null::text',
  })
  expect(filled(fields, { name: 'a', took: null, other: 1 }, { name: 'b', took: 2 })).toEqual({
    ...none,
    name: 'a',
    took: 2,
  })
})
