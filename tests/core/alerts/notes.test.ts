import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { MAX_NOTES } from '../../../src/core/alerts/notes.ts'
import { type Person, type TestWeb, testWeb } from '../../web/support.ts'

setDefaultTimeout(120_000)

let web: TestWeb
let admin: Person
let token = ''
let alert = 0
beforeAll(async () => {
  web = await testWeb()
  admin = await web.signedIn(['admin'])
  token = (await web.api.token(['admin'])).token
  const { sql } = web.api.store
  await sql`insert into devices (device_id, hostname) values (1, 'noted')`
  const [rule] = await sql<{ id: number }[]>`
    insert into alert_rules (name, severity, extra, query, builder)
    values ('a rule', 'critical', '{}', '', '{"condition":"AND","rules":[]}') returning id`
  const [row] = await sql<{ id: number }[]>`
    insert into alerts (device_id, rule_id, state, open, "timestamp")
    values (1, ${rule?.id ?? 0}, 1, 1, now()) returning id`
  alert = row?.id ?? 0
})
afterAll(() => web?.drop())

test('the notes of an alert keep the newest lines, however many are added in whichever way', async () => {
  const { sql } = web.api.store
  const long = 'é'.repeat(10_000)
  const notes = async () => {
    const [row] = await sql<{ note: string }[]>`select note from alerts where id = ${alert}`
    return row?.note ?? ''
  }
  for (let i = 0; i < 6; i++) {
    await web.api.call('PUT', `/api/v0/alerts/${alert}`, { token, body: { note: `${i} ${long}` } })
    await web.post(
      `/alerts/${alert}`,
      { csrf: admin.csrf, do: 'note', note: `page ${i} ${long}` },
      { cookie: admin.cookie },
    )
  }
  const kept = await notes()
  expect(kept).toHaveLength(MAX_NOTES)
  expect(kept.split('\n').at(-1)).toContain('page 5 é')
  expect(kept).toContain(') 5 é')
  expect(kept).not.toContain(') 0 é')
})
