import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { writeSamples } from '../../src/core/series/write.ts'
import { batch, makeDevice, portSamples } from '../support/samples.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
let admin: Person
let portId = 0
let billId = 0
const ENDS = Math.floor(Date.now() / 300_000) * 300_000
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

beforeAll(async () => {
  web = await testWeb()
  admin = await web.signedIn(['admin'])
  const { deviceId, portIds } = await makeDevice(web.api.store, 1)
  portId = portIds[0] ?? 0
  await web.api.store.sql`update devices set status = 1, last_polled = now() where device_id = ${deviceId}`
  const samples = Array.from({ length: 12 }, (_, i) => ({
    portId,
    time: ENDS - i * 300_000,
    periodMs: 300_000,
    deltas: { in_octets: 37_500_000, out_octets: 75_000_000 },
  }))
  await writeSamples(web.api.store, batch({ ports: portSamples(samples) }))
  billId = await web.api.services.bills.save(SYSTEM, {
    billId: null,
    ports: [portId],
    values: {
      ...{
        bill_name: 'Transit',
        bill_type: 'cdr',
        bill_cdr: 1e9,
        bill_day: 1,
        bill_custid: '',
        bill_ref: '',
        bill_notes: '',
      },
    },
  })
})
afterAll(() => web.drop())

const get = (path: string, person: Person = admin) => web.send(path, { cookie: person.cookie })
const rangeText = `from=${ENDS / 1000 - 3600}&to=${ENDS / 1000}`

test('a graph is downloaded as CSV with plain values, and units and zone in the heading', async () => {
  const answer = await get(`/graph/port/${portId}/port_bits?${rangeText}&format=csv`)
  expect(answer.headers.get('content-type')).toContain('text/csv')
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="port-${portId}-port_bits.csv"`)
  const [head = '', ...lines] = (await answer.text()).trimEnd().split('\r\n')
  expect(head).toStartWith(`"Time (${zone})","Time (UTC)","Length (s)","In (bit/s)","Out (bit/s)"`)
  const rows = lines.map((line) => line.split(','))
  expect(rows.length).toBeGreaterThan(10)
  const known = rows.filter((row) => row[3] !== '')
  expect(known.length).toBeGreaterThan(0)
  for (const [local = '', utc = '', step, inbound, outbound] of known) {
    expect(utc).toMatch(/^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z"$/)
    expect(local).toMatch(/^"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"$/)
    expect(Number(step)).toBeGreaterThan(0)
    expect([Number(inbound), Number(outbound)]).toEqual([1e6, 2e6])
  }
})

test('a graph is downloaded as an image by the session, and by nobody else', async () => {
  const path = `/graph/port/${portId}/port_bits?${rangeText}&graph_type=png&download=1`
  const answer = await get(path)
  expect(answer.headers.get('content-type')).toBe('image/png')
  expect(answer.headers.get('content-disposition')).toContain(`port-${portId}-port_bits.png`)
  expect(
    Buffer.from(await answer.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
  expect((await web.send(path)).status).toBe(303)
  const stranger = await web.signedIn(['user'])
  for (const address of [path, path.replace('graph_type=png', 'format=csv')])
    expect((await get(address, stranger)).status).toBe(404)
})

test('so are the graphs of a bill, and its past periods', async () => {
  for (const type of ['bits', 'monthly']) {
    // nothing has been counted yet, so there is no image
    const image = await get(`/graph/bill/${billId}/${type}?${rangeText}&graph_type=png&download=1`)
    expect([type, image.status]).toEqual([type, 404])
    const table = await get(`/graph/bill/${billId}/${type}?${rangeText}&format=csv`)
    expect([type, table.headers.get('content-type')]).toEqual([type, 'text/csv; charset=utf-8'])
    expect(await table.text()).toStartWith(`"Time (${zone})","Time (UTC)"`)
  }
  const periods = await (await get(`/bills/${billId}?format=csv`)).text()
  expect(periods.split('\r\n')[0]).toBe(
    '"From","To","Used","Allowed","Unit of used, allowed and over","Share (%)","Over","In (B)","Out (B)"',
  )
})

test('lists name the units of their columns', async () => {
  expect(await (await get('/ports?format=csv')).text()).toContain('"In (bit/s)"')
  expect((await (await get('/devices?format=csv')).text()).split('\r\n')[0]).toMatch(
    /"CPU \(%\)".*"Ping \(ms\)".*"Uptime \(s\)"/,
  )
  expect((await (await get('/health?format=csv')).text()).split('\r\n')[0]).toContain('"Value","Unit"')
})

test('the links of a page lead to its range', async () => {
  const page = await (await get(`/port/${portId}?${rangeText}`)).text()
  const links = [...page.matchAll(/href="(\/graph\/[^"]*)" data-file/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  )
  expect(links.length).toBeGreaterThan(1)
  for (const link of links.slice(0, 2))
    expect((await get(link)).headers.get('content-disposition')).toContain('attachment')
  expect(links[0]).toContain(`from=${ENDS / 1000 - 3600}`)
})
