import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { ADDRESS, GONE, PC, type SightedNetwork, sightedNetwork } from '../core/sightings/network.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
let network: SightedNetwork
let admin: Person
let user: Person
let portUser: Person
beforeAll(async () => {
  web = await testWeb()
  network = await sightedNetwork(web.api.store)
  const { users } = web.api.services
  admin = await web.signedIn(['admin'])
  user = await web.signedIn(['user'])
  await users.grant(user.username, { deviceIds: [network.access2] })
  portUser = await web.signedIn(['user'])
  await users.grant(portUser.username, { portIds: [network.ports['access-1 Gi0/3'] ?? 0] })
}, 120_000)
afterAll(() => web.drop())

const open = async (path: string, person: Person) => {
  const answer = await web.send(path, { cookie: person.cookie })
  return { status: answer.status, text: await answer.text() }
}
const rowsOf = (text: string) =>
  [...text.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, cells = '']) =>
    cells
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )

describe('the page of a MAC address', () => {
  test('shows the edge port first, then uplinks, then where it was', async () => {
    const { status, text } = await open('/mac/4C-14-A3-01-02-03', admin)
    expect(status).toBe(200)
    expect(text).toContain('4c:14:a3:01:02:03')
    expect(text).toContain(ADDRESS)
    const rows = rowsOf(text).join('\n')
    const order = ['access-1 Gi0/3', 'core-1 Gi0/48', 'uplink, 1 MAC', 'First seen', 'access-1 Gi0/3', 'access-1 Gi0/2']
    let at = 0
    for (const part of order) {
      const found = rows.indexOf(part, at)
      expect([part, found >= at]).toEqual([part, true])
      at = found
    }
    expect(rows).toContain('ann@example.net')
    // NAC and the forwarding database name the same port
    expect(text).toContain('2 ports')
  })

  test('says when it is nowhere now, when and when it is unknown', async () => {
    expect((await open(`/mac/${GONE}`, admin)).text).toContain('On no port now')
    expect((await open('/mac/020000000099', admin)).text).toContain('Not seen')
    expect((await open('/mac/00005e000105', admin)).text).toContain('shared by routers')
    expect((await open('/mac/nonsense', admin)).status).toBe(404)
  })

  test('shows a user only what is granted, and no name of a device with a port alone', async () => {
    const foreign = (await open(`/mac/${PC}`, user)).text
    expect(foreign).toContain('Not seen')
    expect(foreign).not.toMatch(/access-1|core-1|10\.20\.0\.101|ann@/)
    expect((await open(`/mac/${GONE}`, user)).text).toContain('access-2 Gi0/1')
    const own = (await open(`/mac/${PC}`, portUser)).text
    expect(own).toContain('Gi0/3')
    expect(own).not.toMatch(/access-1|core-1|Gi0\/2/)
  })
})

describe('the list of sightings', () => {
  test.each([
    ['?q=4c:14', ['access-1 Gi0/3', 'access-1 Gi0/2', 'core-1 Gi0/48'], ['access-2']],
    ['?q=10.20.0.0/24', ['core-1 Gi0/1', 'access-1 Gi0/3'], ['access-1 Gi0/2', 'access-2']],
    ['?q=10.20.', ['core-1 Gi0/1', 'access-1 Gi0/3'], ['access-1 Gi0/2', 'access-2']],
    ['?q=10.2', ['core-1 Gi0/1'], ['access-2']],
    ['?q=10.20.0.101', ['core-1 Gi0/1'], ['access-2']],
    ['?q=ann@', ['access-1 Gi0/3'], ['access-1 Gi0/2', 'core-1']],
    ['?q=intel', ['access-2 Gi0/1'], ['access-1', 'core-1']],
    ['?state=before', ['access-1 Gi0/2', 'access-2 Gi0/1'], ['access-1 Gi0/3', 'core-1']],
    ['?vlan=20', ['access-1 Gi0/3'], ['access-1 Gi0/2', 'core-1']],
  ])('%s', async (query, wanted, unwanted) => {
    const rows = rowsOf((await open(`/sightings${query}`, admin)).text).join('\n')
    for (const part of wanted) expect(rows).toContain(part)
    for (const part of unwanted) expect(rows).not.toContain(part)
  })

  test('of a port is its history, linked from the port', async () => {
    const id = network.ports['access-1 Gi0/2'] ?? 0
    expect((await open(`/port/${id}`, admin)).text).toContain(`/sightings?port=${id}`)
    const rows = rowsOf((await open(`/sightings?port=${id}`, admin)).text)
    expect(rows).toHaveLength(2)
    expect(rows[1]).toContain('4c:14:a3:01:02:03')
  })

  test('shows a user only what is granted, also as CSV', async () => {
    for (const path of ['/sightings', '/sightings?format=csv', `/sightings?device=${network.access1}`]) {
      const { status, text } = await open(path, user)
      expect([path, status, /access-1|core-1|4c:14:a3/.test(text)]).toEqual([path, 200, false])
    }
    expect((await open('/sightings', user)).text).toContain('access-2')
  })
})

describe('the search', () => {
  const found = async (text: string, person: Person) => {
    const answer = await web.send(`/search?format=json&q=${encodeURIComponent(text)}`, { cookie: person.cookie })
    const { groups } = (await answer.json()) as {
      groups: { label: string; hits: { title: string; detail: string; href: string }[] }[]
    }
    return groups.find(({ label }) => label === 'Stations')?.hits ?? []
  }

  test.each([['4c:14'], ['4c14.a301.0203'], ['ann@exa'], [ADDRESS], ['10.20.0.0/24']])(
    'finds the edge port of a station by %s',
    async (text) => {
      const [first] = await found(text, admin)
      expect(first).toMatchObject({ title: '4c:14:a3:01:02:03', href: `/mac/${PC}` })
      expect(first?.detail).toStartWith('behind access-1 Gi0/3')
    },
  )

  test('finds who has left, by manufacturer, with the time', async () => {
    const [first] = await found('intel corp', admin)
    expect(first?.detail).toMatch(/^behind access-2 Gi0\/1 · last seen .* ago$/)
  })

  test('finds nothing that is not granted', async () => {
    expect(await found('4c:14', user)).toEqual([])
    expect((await found('intel corp', user)).length).toBe(1)
  })

  test('takes any text', async () => {
    for (const text of ['999.1', '1.2.3.', '%', '_', '\\', "'", '"', '{', '0', 'ff:', '::', 'é'.repeat(90)])
      expect(await web.api.services.sightings.find(SYSTEM, text, 5)).toEqual([])
  })
})
