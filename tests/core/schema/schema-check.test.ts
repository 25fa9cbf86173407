import { expect, setDefaultTimeout, test } from 'bun:test'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { MIGRATIONS } from '../../../db/migrations.ts'
import * as schema from '../../../db/schema/index.ts'
import { schemaDifferences } from '../../support/schema-check.ts'

setDefaultTimeout(60_000)

test('the migrations create what the schema declares: columns, constraints and indexes', async () => {
  expect(await schemaDifferences()).toEqual([])
})

test('differences in either direction are found', async () => {
  const added = pgTable('added', { id: integer().primaryKey(), note: text().notNull() })
  const text0099 = `
    create table added (id int primary key, note text);
    create index added_note on added (note)`
  const migrations = [...MIGRATIONS, { number: 9999, name: 'added', text: text0099 }]
  const found = await schemaDifferences({ ...schema, added }, migrations)
  expect(found.filter((line) => line.includes('added'))).toEqual([
    'only in db/migrations: column added.note text',
    'only in db/migrations: index CREATE INDEX added_note ON public.added USING btree (note)',
    'only in db/schema: column added.note text not null',
  ])
})
