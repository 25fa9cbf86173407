import { afterAll, beforeAll, expect, test } from 'bun:test'
import { statementClass, statementMetrics } from '../../../src/core/database/statements.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.drop())

function count(statement: string, outcome: string): number {
  const found = statementMetrics().find(
    ({ labels }) => labels?.['statement'] === statement && labels['outcome'] === outcome,
  )
  return found?.type === 'histogram' ? found.value.count : 0
}

test('a statement belongs to the class of its first word', () => {
  const texts = ['select 1', '\n   WITH x as (', 'insert into', 'Update x', 'delete from', 'copy x', 'begin ', 'commit']
  expect(texts.map(statementClass)).toEqual([
    ...['select', 'with', 'insert', 'update', 'delete', 'copy', 'transaction', 'transaction'],
  ])
  expect(['', '  ', 'vacuum', '/* x */ select 1', 'constructor'].map(statementClass)).toEqual([
    ...['other', 'other', 'other', 'other', 'other'],
  ])
})

test('each statement is counted once, by class and outcome, also in transactions', async () => {
  const { sql } = db.store
  await sql`select 1`
  const before = ['select', 'transaction', 'update'].map((statement) => count(statement, 'ok'))
  const failed = count('select', 'failed')
  await sql`select 2`
  await sql.begin(async (tx) => {
    await tx`select 3`
    await tx`update users set realname = realname where false`
  })
  await expect(sql`select 1 / 0`.execute()).rejects.toThrow('division by zero')
  await expect(sql`select nothing from nowhere`.execute()).rejects.toThrow('nowhere')
  expect(['select', 'transaction', 'update'].map((statement) => count(statement, 'ok'))).toEqual([
    (before[0] ?? 0) + 2,
    (before[1] ?? 0) + 2,
    (before[2] ?? 0) + 1,
  ])
  expect(count('select', 'failed')).toBe(failed + 2)
})

test('transactions that wait for a connection are counted', async () => {
  const { sql } = db.store
  expect(db.store.waiting()).toBe(0)
  const gate = Promise.withResolvers<void>()
  // more than there are connections
  const many = Array.from({ length: 12 }, () => sql.begin(() => gate.promise))
  await eventually(async () => (db.store.waiting() > 0 ? true : null))
  gate.resolve()
  await Promise.all(many)
  expect(db.store.waiting()).toBe(0)
})
