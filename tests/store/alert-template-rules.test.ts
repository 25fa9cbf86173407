import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { insertAlertTemplate, replaceAlertTemplate } from '../../src/store/writers/alert-rules.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

/** What remains of a rule that was deleted after somebody looked whether it is there. */

setDefaultTimeout(60_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

test('a rule that is gone is left out of a template, new or replaced', async () => {
  const { store } = database
  const template = { name: 'one', template: 'text', title: null, title_rec: null, ruleIds: [424_242] }
  const id = await insertAlertTemplate(store, template)
  expect(await replaceAlertTemplate(store, id, template)).toBe(true)
  expect(await store.sql`select from alert_template_map`).toHaveLength(0)
})
