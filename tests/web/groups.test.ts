import { afterAll, beforeAll, expect, test } from 'bun:test'
import { makeDevice } from '../support/samples.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
let admin: Person
let reader: Person
let deviceId: number
beforeAll(async () => {
  web = await testWeb()
  admin = await web.signedIn(['admin'])
  reader = await web.signedIn(['global-read'])
  deviceId = (await makeDevice(web.api.store, 1)).deviceId
})
afterAll(() => web.drop())

const open = async (path: string, person: Person) => await (await web.send(path, { cookie: person.cookie })).text()
const act = (path: string, person: Person, form: Readonly<Record<string, string>>) =>
  web.post(path, { csrf: person.csrf, ...form }, { cookie: person.cookie })

test('a dynamic group is made with its rule, which is shown in words, and deleted', async () => {
  await web.api.store.sql`update devices set os = 'ios' where device_id = ${deviceId}`
  const rules = '{"condition":"AND","rules":[{"field":"devices.os","operator":"equal","value":"ios"}]}'
  const made = await act('/groups/new', admin, { do: 'add', name: 'Switches', type: 'dynamic', rules })
  const path = made.headers.get('location') ?? ''
  expect(path).toMatch(/^\/groups\/\d+$/)
  const page = await open(path, reader)
  expect(page).toContain('devices.os = &quot;ios&quot;')
  expect(page).toContain(`href="/device/${deviceId}"`)
  expect((await act(path, reader, { do: 'delete' })).status).toBe(404)
  const emptied = await act(path, admin, { do: 'save', name: 'Switches', type: 'static', devices: '' })
  expect(await emptied.text()).toContain('No device that you may see belongs to it')
  expect((await act(path, admin, { do: 'delete' })).headers.get('location')).toBe('/groups')
})

test('an unknown device and a taken name are said on the form', async () => {
  const made = await act('/groups/new', admin, { do: 'add', name: 'Taken', type: 'static', devices: String(deviceId) })
  expect(made.status).toBe(303)
  for (const more of [{ name: 'Taken' }, { name: 'Other', devices: 'nowhere' }]) {
    expect((await act('/groups/new', admin, { do: 'add', type: 'static', devices: '', ...more })).status).toBe(422)
  }
})

test('the overview says when nothing has been polled for long', async () => {
  const { sql } = web.api.store
  await sql`update devices set status = 1, last_polled = now() where device_id = ${deviceId}`
  expect(await open('/', admin)).not.toContain('No device has been polled')
  // of a database of its own: what another visit read is not known there
  const other = await testWeb()
  try {
    const person = await other.signedIn(['admin'])
    const { deviceId: own } = await makeDevice(other.api.store, 1)
    await other.api.store
      .sql`update devices set status = 1, last_polled = now() - interval '1 day', last_polled_timetaken = 1 where device_id = ${own}`
    const page = await (await other.send('/', { cookie: person.cookie })).text()
    expect(page).toContain('No device has been polled')
    expect(page).toContain('1 of 1')
  } finally {
    await other.drop()
  }
})
