import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fillDevice } from '../support/fill.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

// Routing sessions of several protocols, VRFs and default routes share pages, and each needs its own right, as in the API.

let web: TestWeb
let id = 0
const MARKS = { bgp: '192.0.2.11', ospf: '192.0.2.12', ospfv3: '2001:db8::13', route: '192.0.2.14', vrf: 'vrf-15' }

beforeAll(async () => {
  web = await testWeb()
  const { store } = web.api
  const { sql } = store
  id = (await fillDevice(store, 10_000, 'router')).ids.get('devices') ?? 0
  await sql`update public."bgpPeers" set "bgpPeerIdentifier" = ${MARKS.bgp}`
  await sql`update ospf_nbrs set "ospfNbrIpAddr" = ${MARKS.ospf}`
  await sql`update ospfv3_nbrs set "ospfv3NbrAddress" = ${MARKS.ospfv3}`
  await sql`update default_routes set next_hop = ${MARKS.route}`
  await sql`update vrfs set vrf_name = ${MARKS.vrf}`
}, 120_000)
afterAll(() => web.drop())

async function member(role: string, permissions: readonly string[]): Promise<Person> {
  await web.api.services.users.defineRole(role, ['Device.viewAny', ...permissions])
  const person = await web.signedIn([])
  await web.api.services.users.setRoles(person.username, [role])
  await web.api.services.users.grant(person.username, { deviceIds: [id] })
  return person
}

async function shown(path: string, { cookie }: Person): Promise<readonly string[] | number> {
  const answer = await web.send(path, { cookie })
  const text = await answer.text()
  if (answer.status !== 200) return answer.status
  return Object.entries(MARKS).flatMap(([what, mark]) => (text.includes(mark) ? [what] : []))
}

test.each([
  { rights: ['BgpPeer.viewAny'], tab: ['bgp'], page: ['bgp'], vrfs: ['bgp'], count: 1 },
  {
    rights: ['Route.viewAny'],
    tab: ['ospf', 'ospfv3', 'route'],
    page: ['ospf', 'ospfv3'],
    vrfs: ['ospf', 'ospfv3'],
    count: 3,
  },
  { rights: ['Vrf.viewAny'], tab: 404, page: [], vrfs: ['vrf'], count: 0 },
  {
    rights: ['BgpPeer.viewAny', 'Route.viewAny', 'Vrf.viewAny'],
    tab: ['bgp', 'ospf', 'ospfv3', 'route'],
    page: ['bgp', 'ospf', 'ospfv3'],
    vrfs: ['vrf'],
    count: 4,
  },
  { rights: [], tab: 404, page: 404, vrfs: 404, count: 0 },
])('with $rights the lists of these rights are shown, counted and offered', async ({ rights, ...expected }) => {
  const person = await member(
    `of-${rights.length}-${rights.join('-').toLowerCase().replaceAll('.viewany', '')}`,
    rights,
  )
  expect({
    tab: await shown(`/device/${id}/routing`, person),
    page: await shown('/routing', person),
    vrfs: await shown('/routing?kind=VRF', person),
  }).toEqual({ tab: expected.tab, page: expected.page, vrfs: expected.vrfs })
  const device = await (await web.send(`/device/${id}`, { cookie: person.cookie })).text()
  const counted = new RegExp(`/device/${id}/routing"[^>]*>Routing<small> (\\d+)`).exec(device)?.[1]
  expect(Number(counted ?? 0)).toBe(expected.count)
  expect(/href="\/routing"/.test(device)).toBe(expected.page !== 404)
})

test('OSPFv3 sessions are on the tab of the device, to which the list leads', async () => {
  const admin = await web.signedIn(['admin'])
  expect(await shown(`/device/${id}/routing`, admin)).toContain('ospfv3')
})

test('a session whose state the agent does not say is unknown, and none of those that are down', async () => {
  const admin = await web.signedIn(['admin'])
  await web.api.store.sql`update ospf_nbrs set "ospfNbrState" = ''`
  await web.api.store.sql`update ospfv3_nbrs set "ospfv3NbrState" = 'down'`
  const page = async (path: string) => await (await web.send(path, { cookie: admin.cookie })).text()
  expect(await page(`/device/${id}/routing`)).toContain('aria-label="Unknown"')
  expect(await page('/routing?kind=OSPF')).toContain('Unknown')
  const down = await shown('/routing?state=down', admin)
  expect(down).toContain('ospfv3')
  expect(down).not.toContain('ospf')
})
