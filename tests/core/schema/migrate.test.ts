import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { is, sql } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { MIGRATIONS } from '../../../db/migrations.ts'
import * as schema from '../../../db/schema/index.ts'
import { SERIES_SQL } from '../../../db/series.ts'
import { connect } from '../../../src/core/database/client.ts'
import { StoreError } from '../../../src/core/database/errors.ts'
import { migrate } from '../../../src/core/schema/migrate.ts'
import { createLog } from '../../../src/observe/log.ts'
import { emptyDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(60_000)
const log = createLog('silent')
const made: { drop(): Promise<void> }[] = []
afterAll(async () => {
  for (const database of made) await database.drop()
})

async function empty(): Promise<string> {
  const database = await emptyDatabase()
  made.push(database)
  return database.url
}

test('the list of migrations matches the folder', () => {
  const files = readdirSync(join(import.meta.dir, '../../../db/migrations')).toSorted()
  expect(MIGRATIONS.map((m) => `${String(m.number).padStart(4, '0')}_${m.name}.sql`)).toEqual(files)
})

test('the list of series files matches the folder', () => {
  const files = readdirSync(join(import.meta.dir, '../../../db/series')).toSorted()
  expect(Object.keys(SERIES_SQL)).toEqual(files)
})

test('a second run applies nothing', async () => {
  const url = await empty()
  expect((await migrate(url, log)).applied).toEqual(MIGRATIONS.map((m) => m.name))
  expect((await migrate(url, log)).applied).toEqual([])
})

test('of three concurrent starts one migrates and all succeed', async () => {
  const url = await empty()
  const results = await Promise.all([migrate(url, log), migrate(url, log), migrate(url, log)])
  expect(results.map((r) => r.applied.length).toSorted()).toEqual([0, 0, MIGRATIONS.length])
})

test('an edited migration is refused', async () => {
  const url = await empty()
  await migrate(url, log)
  const edited = MIGRATIONS.map((m, i) => (i === 0 ? { ...m, text: `${m.text}\n-- edited` } : m))
  await expect(migrate(url, log, edited)).rejects.toThrow(/was changed after/)
})

test('a database newer than the program is refused and not changed', async () => {
  const url = await empty()
  const later = { number: 9999, name: 'later', text: 'create table later (id int)' }
  await migrate(url, log, [...MIGRATIONS, later])
  const refused = migrate(url, log)
  await expect(refused).rejects.toBeInstanceOf(StoreError)
  await expect(refused).rejects.toThrow(/newer than this program/)
})

test('a failing migration leaves nothing behind, and earlier ones stay', async () => {
  const url = await empty()
  const broken = { number: 9999, name: 'broken', text: 'create table half (id int); select 1/0' }
  await expect(migrate(url, log, [...MIGRATIONS, broken])).rejects.toThrow(/division by zero/)
  const store = connect(url)
  const [row] = await store.sql`select to_regclass('half') as half, to_regclass('devices')::text as devices`
  await store.close()
  expect(row).toEqual({ half: null, devices: 'devices' })
})

test('every Drizzle table and column exists, with its type and nullability', async () => {
  const { store, drop } = await testDatabase()
  const columns = await store.db.execute<{ name: string; type: string; notnull: boolean }>(sql`
    select c.relname || '.' || a.attname as name, a.attnotnull as notnull,
      format_type(a.atttypid, a.atttypmod)
        || case when a.attcollation <> t.typcollation then format(' collate %I', l.collname) else '' end as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
      left join pg_collation l on l.oid = a.attcollation
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      and c.relname not like 'schema\\_%' order by 1`)
  await drop()
  const tables: readonly unknown[] = Object.values(schema)
  const declared = tables
    .filter((value): value is PgTable => is(value, PgTable))
    .flatMap((table) => {
      const { name, columns } = getTableConfig(table)
      return columns.map((c) => ({ name: `${name}.${c.name}`, type: c.getSQLType(), notnull: c.notNull }))
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  expect(declared.length).toBeGreaterThan(100)
  const inDatabase = columns
    .map((c) => ({ ...c, type: c.type.replace(',', ', ') }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  expect(inDatabase).toEqual(declared)
})
