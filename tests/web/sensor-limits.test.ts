import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type Person, type TestWeb, testWeb } from './support.ts'

setDefaultTimeout(120_000)

let web: TestWeb
let admin: Person
let reader: Person
let device = 0
let other = 0
let sensor = 0
beforeAll(async () => {
  web = await testWeb()
  const { sql } = web.api.store
  const rows = await sql<{ device_id: number }[]>`
    insert into devices (hostname, status, last_polled, last_discovered)
    select 'limits' || n, 1, now(), now() from generate_series(1, 2) n returning device_id`
  device = rows[0]?.device_id ?? 0
  other = rows[1]?.device_id ?? 0
  const [row] = await sql<{ sensor_id: number }[]>`
    insert into sensors (device_id, sensor_class, sensor_type, sensor_index, sensor_oid, sensor_descr, sensor_current,
      sensor_limit, limits_guessed)
    values (${device}, 'temperature', 'test', '1', '1.3.6.1.4.1.99999.1', 'Inlet <b>', 25, 45, 1) returning sensor_id`
  sensor = row?.sensor_id ?? 0
  admin = await web.signedIn(['admin'])
  reader = await web.signedIn(['global-read'])
})
afterAll(() => web.drop())

const stored = async () => {
  const [row] = await web.api.store.sql`
    select sensor_limit as high, sensor_limit_low as low, sensor_custom as custom from sensors where sensor_id = ${sensor}`
  return row
}
const save = (person: Person, on: number, form: Readonly<Record<string, string>>) =>
  web.post(
    `/device/${on}/health?one=sensor-${sensor}`,
    { csrf: person.csrf, do: 'limits', sensor: String(sensor), high_warn: '', low_warn: '', ...form },
    { cookie: person.cookie },
  )

test('limits of a sensor are set and given back to discovery on its page', async () => {
  const page = await (await web.send(`/device/${device}/health?one=sensor-${sensor}`, { cookie: admin.cookie })).text()
  expect(page).toContain('guessed from the first value')
  expect((await save(admin, device, { high: '38,5', low: '4' })).status).toBeLessThan(400)
  expect(await stored()).toEqual({ high: 38.5, low: 4, custom: 'Yes' })
  const after = await (await web.send(`/device/${device}/health?one=sensor-${sensor}`, { cookie: admin.cookie })).text()
  expect(after).toContain('set by hand; discovery keeps them')
  expect((await save(admin, device, { do: 'limits-reset' })).status).toBeLessThan(400)
  expect(await stored()).toEqual({ high: null, low: null, custom: 'No' })
})

test.each([
  ['no number', { high: 'warm', low: '' }],
  ['limits in the wrong order', { high: '10', low: '20' }],
])('%s is refused with the reason', async (_name, form) => {
  const before = await stored()
  const answer = await save(admin, device, form)
  expect(await answer.text()).toMatch(/enter a number|is below the low limit/)
  expect(await stored()).toEqual(before)
})

test('nobody sets limits without the permission, or of a sensor of another device', async () => {
  const before = await stored()
  const page = await (await web.send(`/device/${device}/health?one=sensor-${sensor}`, { cookie: reader.cookie })).text()
  expect(page).not.toContain('Save limits')
  expect((await save(reader, device, { high: '1', low: '' })).status).toBe(404)
  expect((await save(admin, other, { high: '1', low: '' })).status).toBe(404)
  expect(await stored()).toEqual(before)
})
