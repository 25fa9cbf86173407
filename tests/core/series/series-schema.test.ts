import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import * as series from '../../../db/schema/series.ts'
import { PORT_COUNTERS } from '../../../src/lib/port-counters.ts'
import { STAT_GRAPHS, SYSTEM_STATS } from '../../../src/lib/system-stats.ts'
import type { Column, SampleKind } from '../../../src/series/kind.ts'
import { KIND_LIST, KINDS } from '../../../src/series/kinds.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const declared = Object.values(series).map((table) => getTableConfig(table as PgTable))

/** Columns of a kind's tables according to its declaration. */
function columnsOf({ key, columns }: SampleKind, level: 'samples' | 'rolled'): Record<string, string> {
  const types = { int: 'integer', bigint: 'bigint', real: 'real', float8: 'double precision' }
  const counters = columns.some((c) => c.role === 'counter')
  const extreme = (c: Column) => (c.role === 'counter' ? 'real' : types[c.type])
  const time = 'timestamp with time zone'
  return {
    ...(level === 'samples' ? { time } : { bucket: time, n: 'integer', known: 'ARRAY' }),
    [key]: 'integer',
    ...(counters ? { period_ms: level === 'samples' ? 'integer' : 'bigint' } : {}),
    ...Object.fromEntries(
      columns.flatMap((c) => [
        [c.name, types[c.type]],
        ...(level === 'rolled'
          ? [
              [`${c.name}_min`, extreme(c)],
              [`${c.name}_max`, extreme(c)],
            ]
          : []),
      ]),
    ),
  }
}

test.each(KIND_LIST.map((kind) => ({ name: kind.name, kind })))(
  'the tables of kind $name are as declared',
  async ({ kind }) => {
    expect(KINDS[kind.name]).toBe(kind)
    const rows = await database.store.sql<{ table_name: string; column_name: string; data_type: string }[]>`
    select table_name, column_name, data_type from information_schema.columns
    where table_schema = 'ts' and table_name in (select split_part(rel::text, '.', 2) from ts.series where base = ${kind.name})`
    const tables = Map.groupBy(rows, (row) => row.table_name)
    expect([...tables.keys()].toSorted()).toEqual([`${kind.name}_1d`, `${kind.name}_1h`, `${kind.name}_samples`])
    for (const [table, columns] of tables) {
      expect(Object.fromEntries(columns.map((c) => [c.column_name, c.data_type]))).toEqual(
        columnsOf(kind, table.endsWith('_samples') ? 'samples' : 'rolled'),
      )
    }
  },
)

test('a deleted subject is noted for every kind that has samples of it', async () => {
  const rows = await database.store.sql<{ kind: string; subject: string }[]>`
    select tgrelid::regclass::text as subject, split_part(encode(tgargs, 'escape'), '\\000', 1) as kind
    from pg_trigger where tgfoid = 'ts.note_gone'::regproc order by 2`
  const noted = KIND_LIST.filter(({ name, subject }) => subject.table !== 'devices' || name === 'device')
  const want = noted.map(({ name, subject }) => ({ kind: name as string, subject: subject.table }))
  expect([...rows]).toEqual(want.toSorted((a, b) => (a.kind < b.kind ? -1 : 1)))
})

test('a database of an earlier version gets missing columns', async () => {
  const { sql } = database.store
  await sql.unsafe(`select ts.define('early', 'early_id', interval '7 days', array['value:real:gauge'])`)
  await sql.unsafe(
    `select ts.define('early', 'early_id', interval '7 days', array['value:real:gauge', 'more:real:gauge:max'])`,
  )
  const rows = await sql<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
    where ('ts.' || table_name) in (select rel::text from ts.series where base = 'early') and column_name like 'more%'
    order by 1`
  expect(rows.map((r) => r.name)).toEqual([
    'early_1d.more',
    'early_1d.more_max',
    'early_1h.more',
    'early_1h.more_max',
    'early_samples.more',
  ])
})

test('roll-ups stay correct when a new column of a field is at the end of the table', async () => {
  const { sql } = database.store
  await sql.unsafe(`
    select ts.define('grown', 'id', interval '7 days', array['a:real:gauge', 'b:real:gauge', 'old:real:gauge']);
    select ts.define('grown', 'id', interval '7 days', array['a:real:gauge:min:max', 'b:real:gauge']);
    select ts.ensure_partitions('ts.grown_samples', now() - interval '1 day');
    insert into ts.grown_samples (time, id, a, b)
      select date_trunc('hour', now()) - interval '5 hours' + n * interval '1 minute', 1, n, 100 from generate_series(1, 3) n;
    select ts.late('grown', array[date_trunc('hour', now()) - interval '5 hours']);
    select ts.roll('ts.grown_1h')`)
  const rows = await sql`select n, a, a_min, a_max, b, old from ts.grown_1h`
  expect([...rows]).toEqual([{ n: 3, a: 2, a_min: 1, a_max: 3, b: 100, old: null }])
})

test('a view whose columns have moved is recreated, unless another one uses it', async () => {
  const { sql } = database.store
  const names = async () => {
    const rows = await sql<{ name: string }[]>`
      select column_name as name from information_schema.columns where table_name = 'moved' order by ordinal_position`
    return rows.map((row) => row.name)
  }
  await sql.unsafe(`select ts.make_view('ts.moved', 'select 1 as a, 2 as b')`)
  await sql.unsafe(`select ts.make_view('ts.moved', 'select 2 as b, 1 as a')`)
  expect(await names()).toEqual(['b', 'a'])
  await sql.unsafe('create view ts.user_of_moved as select * from ts.moved')
  await sql.unsafe(`select ts.make_view('ts.moved', 'select 3 as c')`)
  expect(await names()).toEqual(['b', 'a'])
})

test.each(KIND_LIST.filter((kind) => kind.view !== null))(
  'the views of $name can be read, and by the reader',
  async ({ view }) => {
    const { sql } = database.store
    for (const name of [`ts.${view?.name}`, `ts.${view?.name}_1h`]) {
      await sql.unsafe(`select * from ${name} where "time" > now()`)
      const [row] = await sql`select has_table_privilege('portlight_reader', ${name}, 'select') as may`
      expect(row).toEqual({ may: true })
    }
  },
)

test('the declared columns, types, nullability and keys match the database', async () => {
  const columns = await database.store.sql<{ name: string; type: string; notnull: boolean }[]>`
    select c.table_name || '.' || c.column_name as name, c.is_nullable = 'NO' as notnull,
      case when c.data_type = 'ARRAY' then format_type(substr(c.udt_name, 2)::regtype, null) || '[]' else c.data_type end as type
    from information_schema.columns c
    where c.table_schema = 'ts' and c.table_name = any(${declared.map((t) => t.name)}) order by 1`
  const wanted = declared.flatMap((t) =>
    t.columns.map((c) => ({ name: `${t.name}.${c.name}`, notnull: c.notNull, type: c.getSQLType() })),
  )
  const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1)
  expect([...columns].toSorted(byName)).toEqual(wanted.toSorted(byName))

  const keys = await database.store.sql<{ name: string; columns: string[] }[]>`
    select k.table_name as name, array_agg(k.column_name::text order by k.ordinal_position) as columns
    from information_schema.table_constraints c join information_schema.key_column_usage k using (constraint_schema, constraint_name)
    where c.constraint_type = 'PRIMARY KEY' and k.table_schema = 'ts' and k.table_name = any(${declared.map((t) => t.name)})
    group by 1 order by 1`
  const wantedKeys = declared.map((t) => ({
    name: t.name,
    columns: t.primaryKeys[0]?.columns.map((c) => c.name) ?? t.columns.filter((c) => c.primary).map((c) => c.name),
  }))
  // a view has no key
  expect([...keys]).toEqual(wantedKeys.filter(({ columns }) => columns.length > 0).toSorted(byName))
})

test('the counters in the code match the table', () => {
  const names = PORT_COUNTERS.map((c) => c.series)
  expect(Object.keys(series.portSamplesStored).filter((name) => (names as string[]).includes(name))).toEqual(names)
})

test('the statistics in the code match the columns of the table, in order', async () => {
  const rows = await database.store.sql<{ name: string }[]>`
    select name from ts.field where base = 'stats' order by position`
  expect(rows.map((r) => r.name)).toEqual(SYSTEM_STATS.map((s) => s.name))
  const drawn = new Set(Object.values(STAT_GRAPHS).flat())
  expect(SYSTEM_STATS.filter((s) => !drawn.has(s.name))).toEqual([])
})
