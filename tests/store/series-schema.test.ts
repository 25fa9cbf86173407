import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import * as series from '../../db/schema/series.ts'
import { PORT_COUNTERS } from '../../src/lib/port-counters.ts'
import { STAT_GRAPHS, SYSTEM_STATS } from '../../src/lib/system-stats.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const declared = Object.values(series).map((table) => getTableConfig(table as PgTable))

test('every series, roll-up and state of ports is declared, and nothing else', async () => {
  const rows = await database.store.sql<{ name: string }[]>`
    select rel::text as name from ts.series union all select 'ts.port_state'`
  expect(declared.map((t) => `${t.schema}.${t.name}`).toSorted()).toEqual(rows.map((r) => r.name).toSorted())
})

test('the declared columns, types, nullability and keys are those of the database', async () => {
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
  expect([...keys]).toEqual(wantedKeys.toSorted(byName))
})

test('the counters of the code are the counters of the table', () => {
  const names = PORT_COUNTERS.map((c) => c.series)
  expect(Object.keys(series.portSamples).filter((name) => (names as string[]).includes(name))).toEqual(names)
})

test('the statistics of the code are the columns of the table, in their order', async () => {
  const rows = await database.store.sql<{ name: string }[]>`
    select name from ts.field where base = 'stats' order by position`
  expect(rows.map((r) => r.name)).toEqual(SYSTEM_STATS.map((s) => s.name))
  const drawn = new Set(Object.values(STAT_GRAPHS).flat())
  expect(SYSTEM_STATS.filter((s) => !drawn.has(s.name))).toEqual([])
})
