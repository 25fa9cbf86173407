import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { writePortChanges } from '../../src/core/discovery/write.ts'
import { speedOf, speedText } from '../../src/web/pages/port/settings.tsx'
import { type Person, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
let admin: Person
let port = 0
beforeAll(async () => {
  web = await testWeb()
  admin = await web.signedIn(['admin'])
  const [row] = await web.api.store.sql<{ id: number }[]>`
    with d as (insert into devices (hostname) values ('edge.example.net') returning device_id)
    insert into ports (device_id, "ifIndex", "ifName", "ifSpeed", "ifHighSpeed") select device_id, 1, 'wan0', 1000000000, 1000 from d
    returning port_id as id`
  port = row?.id ?? 0
}, 120_000)
afterAll(() => web.drop())

const stored = async () =>
  (
    await web.api.store
      .sql`select ignore, disabled, "ifSpeed"::float8 as speed, "ifHighSpeed" as high from ports where port_id = ${port}`
  )[0]
const save = (form: Readonly<Record<string, string>>, person = admin) =>
  web.post(`/port/${port}`, { do: 'settings', csrf: person.csrf, ...form }, { cookie: person.cookie })
const polled = (high: number) =>
  writePortChanges(web.api.store, [{ port_id: port, ifHighSpeed: high, ifSpeed: high * 1e6 }])

test('a port is ignored and its speed kept, until they are taken back', async () => {
  const saved = await save({ ignore: '1', speed: '50M' })
  expect(saved.status).toBeLessThan(400)
  expect({ ...(await stored()) }).toEqual({ ignore: 1, disabled: 0, speed: 50e6, high: 50 })
  await polled(1000)
  expect({ ...(await stored()) }).toEqual({ ignore: 1, disabled: 0, speed: 50e6, high: 50 })
  const page = await (await web.send(`/port/${port}`, { cookie: admin.cookie })).text()
  expect(page).toContain('value="50M"')
  expect(page).toContain('Ignored')
  expect(page).toContain('speed set to 50')

  await save({ disabled: '1', speed: '' })
  await polled(1000)
  expect({ ...(await stored()) }).toEqual({ ignore: 0, disabled: 1, speed: 1e9, high: 1000 })
}, 60_000)

test('a wrong speed changes nothing, and a reader has no form', async () => {
  const before = await stored()
  for (const speed of ['fast', '0', '-5', '1e9', '900000T']) {
    const answer = await save({ speed, ignore: '1' })
    expect([speed, (await answer.text()).includes('speed')]).toEqual([speed, true])
    expect({ ...(await stored()) }).toEqual({ ...before })
  }
  const reader = await web.signedIn(['global-read'])
  expect(await (await web.send(`/port/${port}`, { cookie: reader.cookie })).text()).not.toContain('name="speed"')
  await save({ ignore: '1' }, reader)
  expect({ ...(await stored()) }).toEqual({ ...before })
}, 60_000)

test('every speed is read as it is written', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 1e14 }), (bps) => speedOf(speedText(bps)) === bps))
  expect([speedOf('2.5 Gbit/s'), speedOf('100M'), speedOf('64kbps'), speedOf(' ')]).toEqual([2.5e9, 1e8, 64e3, null])
})
