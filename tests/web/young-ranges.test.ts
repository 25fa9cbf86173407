import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fillDevice } from '../support/fill.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

// Charts of what is young begin where its data begin: a day would show almost nothing of it.

const DAY_MS = 86_400_000
let web: TestWeb
let admin: Person
let ids: ReadonlyMap<string, number>
beforeAll(async () => {
  web = await testWeb()
  ;({ ids } = await fillDevice(web.api.store, 10_000, 'young'))
  admin = await web.signedIn(['admin'])
})
afterAll(() => web.drop())

const id = (table: string) => ids.get(table) ?? 0
const PAGES: readonly (readonly [string, () => string])[] = [
  ['the overview of the device', () => `/device/${id('devices')}`],
  ['its health', () => `/device/${id('devices')}/health`],
  ['its graphs', () => `/device/${id('devices')}/graphs`],
  ['a port', () => `/port/${id('ports')}`],
  ['a BGP session', () => `/bgp/${id('bgpPeers')}`],
  ['a service', () => `/services/${id('services')}`],
  ['a value of the list', () => `/health?chart=sensor-${id('sensors')}`],
]
const AGES = [
  [5 * 60_000, '-1h'],
  [2 * 3_600_000, '-6h'],
  [7 * DAY_MS, '-24h'],
] as const

test.each(PAGES)('%s', async (_, address) => {
  const device_id = id('devices')
  for (const [ageMs, from] of AGES) {
    await web.api.store.sql`
      update devices set inserted = ${new Date(Date.now() - ageMs).toISOString()}::timestamptz where device_id = ${device_id}`
    const text = await (await web.send(address(), { cookie: admin.cookie })).text()
    const chosen = /data-from="([^"]+)" aria-current="true"/.exec(text)?.[1] ?? null
    // a device without graphs has no range
    if (!text.includes('data-from=')) continue
    expect([address(), chosen]).toEqual([address(), from])
  }
})
