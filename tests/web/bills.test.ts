import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { limitOf, limitText } from '../../src/web/pages/bills/form.tsx'
import { makeDevice } from '../support/samples.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
let admin: Person
let reader: Person
let user: Person
let ports: readonly number[]
beforeAll(async () => {
  web = await testWeb()
  admin = await web.signedIn(['admin'])
  reader = await web.signedIn(['global-read'])
  user = await web.signedIn(['user'])
  ports = (await makeDevice(web.api.store, 3)).portIds
  await web.api.store
    .sql`update ports set "ifAlias" = 'transit needle ' || port_id where port_id = any(${[...ports]}::int[])`
})
afterAll(() => web.drop())

const open = async (path: string, person: Person) => await (await web.send(path, { cookie: person.cookie })).text()
const act = (path: string, person: Person, form: Readonly<Record<string, string>>) =>
  web.post(path, { csrf: person.csrf, ...form }, { cookie: person.cookie })
const fields = {
  name: 'Transit',
  type: 'cdr',
  limit: '2.5 G',
  day: '3',
  dir: 'agg',
  custid: 'C1',
  ref: 'R1',
  notes: 'n',
}

test('a bill is created with ports found by a search, changed, and deleted', async () => {
  const [one = 0, two = 0] = ports
  const found = await (await act('/bills/new', admin, { ...fields, do: 'find', find: 'transit needle' })).text()
  expect(found).toContain(`name="port-${one}"`)
  expect(found).toContain('value="2.5 G"')
  expect(await web.api.services.bills.list(SYSTEM, {})).toEqual([])

  const made = await act('/bills/new', admin, { ...fields, do: 'add', [`port-${one}`]: 'on', [`port-${two}`]: 'on' })
  const path = made.headers.get('location') ?? ''
  expect(path).toMatch(/^\/bills\/\d+$/)
  const [bill] = await web.api.services.bills.list(SYSTEM, {})
  expect(bill).toMatchObject({ bill_name: 'Transit', bill_cdr: 2.5e9, bill_day: 3, dir_95th: 'agg' })
  expect(bill?.ports.map(({ port_id }) => port_id).sort()).toEqual([one, two].sort())

  const page = await open(path, admin)
  expect(page).toContain('Previous period')
  expect(page).toContain('Nothing has been counted yet')
  await web.api.store.sql`
    insert into bill_data (bill_id, "timestamp", period, delta, in_delta, out_delta)
    values (${bill?.bill_id ?? 0}, now() - interval '1 minute', 300, 3e9, 1e9, 2e9)`
  await web.api.store.sql`update bills set counted_from = now() - interval '1 day', counted_upto = now()`
  expect(await open(path, admin)).toContain('How the 95th percentile is determined')
  const picture = await web.send(`/graph/bill/${bill?.bill_id}/bits`, { cookie: admin.cookie })
  expect(picture.headers.get('content-type')).toStartWith('image/svg+xml')

  await act(path, admin, { ...fields, do: 'save', limit: '1 T', type: 'quota', [`port-${two}`]: 'on' })
  const [after] = await web.api.services.bills.list(SYSTEM, {})
  expect(after).toMatchObject({ bill_type: 'quota', bill_quota: 1e12 })
  expect(after?.ports.map(({ port_id }) => port_id)).toEqual([two])

  expect(await open(path, reader)).not.toContain('value="delete"')
  expect((await act(path, reader, { ...fields, do: 'delete' })).status).toBe(404)
  expect((await web.send(path, { cookie: user.cookie })).status).toBe(404)
  expect((await web.send(`/graph/bill/${bill?.bill_id}/bits`, { cookie: user.cookie })).status).toBe(404)
  expect((await act(path, admin, { do: 'delete' })).headers.get('location')).toBe('/bills')
  expect(await web.api.services.bills.list(SYSTEM, {})).toEqual([])
})

test('an invalid limit is reported on the form, which keeps its input', async () => {
  const answer = await act('/bills/new', admin, { ...fields, do: 'add', limit: 'much' })
  const text = await answer.text()
  expect([answer.status, text.includes('much is not a valid limit'), text.includes('value="Transit"')]).toEqual([
    422,
    true,
    true,
  ])
})

test('limits read back as written', () => {
  for (const value of [0, 1, 999, 1000, 2.5e9, 1e12, 123_456_789]) expect(limitOf(limitText(value))).toBe(value)
  expect([limitOf('1 Gbit/s'), limitOf('500 MB'), limitOf('10')]).toEqual([1e9, 5e8, 10])
  for (const text of ['', '-1', '1 X', '1e9', '9'.repeat(30)])
    expect(() => limitOf(text)).toThrow('is not a valid limit')
})
