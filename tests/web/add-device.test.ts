import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Person, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
let admin: Person
beforeAll(async () => {
  web = await testWeb()
  admin = await web.signedIn(['admin'])
})
afterAll(() => web.drop())

const add = (form: Readonly<Record<string, string>>) =>
  web.post('/devices/new', { csrf: admin.csrf, do: 'add', ...form }, { cookie: admin.cookie })

test('answers from another address lead to the box that accepts them, which the device keeps', async () => {
  web.api.network.agents.set('192.0.2.9', { knows: () => true, sysName: 'nat', from: '198.51.100.1:161' })
  const form = { hostname: '192.0.2.9', way: 'v2c', community: 'public' }
  const refused = await add(form)
  const text = await refused.text()
  expect(refused.status).toBe(422)
  expect(text).toContain('answers come from 198.51.100.1:161')
  const advice = /<ol class="advice">(.*?)<\/ol>/s.exec(text)?.[1] ?? ''
  expect(advice).toContain('“Accept answers from another address or port”')
  expect(advice).not.toContain('Is the community')
  const [box] = /<input[^>]*name="snmp_any_source"[^>]*>/.exec(text) ?? []
  expect(box).not.toContain('checked')

  const added = await add({ ...form, snmp_any_source: '1' })
  expect(added.status).toBe(303)
  const id = /\d+$/.exec(added.headers.get('location') ?? '')?.[0] ?? ''
  const rows = await web.api.store.sql`select snmp_any_source from devices where device_id = ${id}`
  expect(rows).toMatchObject([{ snmp_any_source: 1 }])
})
