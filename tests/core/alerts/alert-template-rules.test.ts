import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { insertAlertTemplate, replaceAlertTemplate } from '../../../src/core/alerts/rules/write.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

/** A rule may be deleted after a caller checked that it exists. */

setDefaultTimeout(60_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

test('a deleted rule is omitted from a new or replaced template', async () => {
  const { store } = database
  const template = { name: 'one', template: 'text', title: null, title_rec: null, ruleIds: [424_242] }
  const id = await insertAlertTemplate(store, template)
  expect(await replaceAlertTemplate(store, id, template)).toBe(true)
  expect(await store.sql`select from alert_template_map`).toHaveLength(0)
})
