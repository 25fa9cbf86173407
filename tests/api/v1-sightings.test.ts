import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ADDRESS, GONE, PC, type SightedNetwork, sightedNetwork } from '../core/sightings/network.ts'
import { type TestApi, testApi } from '../support/api.ts'

let api: TestApi
let network: SightedNetwork
beforeAll(async () => {
  api = await testApi({ 'api.v1.enabled': 'true' })
  network = await sightedNetwork(api.store)
}, 60_000)
afterAll(() => api.drop())

const get = async (path: string, roles: Parameters<TestApi['token']>[0] = ['admin'], deviceIds: number[] = []) => {
  const { token, username } = await api.token(roles)
  if (deviceIds.length > 0) await api.services.users.grant(username, { deviceIds })
  return await api.call('GET', path, { headers: { authorization: `Bearer ${token}` } })
}
interface Listed {
  readonly data: { readonly attributes: Readonly<Record<string, unknown>> }[]
  readonly meta: { readonly total: number; readonly limit: number; readonly offset: number }
}
const places = async (query: string, ...rest: [roles?: ['user'], deviceIds?: number[]]) => {
  const { json } = await get(`/api/v1/sightings?${query}`, ...rest)
  return (json as unknown as Listed).data.map(
    ({ attributes: a }) => `${a['hostname']} ${a['ifName']} ${a['kind']} ${a['open']}`,
  )
}

test('sightings are listed by MAC address, address, device, port, VLAN, kind, time and whether they are open', async () => {
  expect((await places(`mac=4c14a3010203&kind=fdb`)).sort()).toEqual([
    'access-1 Gi0/2 fdb false',
    'access-1 Gi0/3 fdb true',
    'core-1 Gi0/48 fdb true',
  ])
  expect(await places('mac=00:02:B3')).toEqual(['access-2 Gi0/1 fdb false'])
  expect((await places('address=10.20.0.0/24')).sort()).toEqual(['access-1 Gi0/3 nac true', 'core-1 Gi0/1 arp true'])
  expect(await places(`address=${ADDRESS}&device=${network.core}`)).toEqual(['core-1 Gi0/1 arp true'])
  expect(await places(`port=${network.ports['access-1 Gi0/2']}`)).toEqual(['access-1 Gi0/2 fdb false'])
  expect(await places('vlan=20&open=1')).toEqual(['access-1 Gi0/3 nac true'])
  expect((await places('open=0')).sort()).toEqual(['access-1 Gi0/2 fdb false', 'access-2 Gi0/1 fdb false'])
  const hourAgo = Math.floor(Date.now() / 1000) - 3600
  expect((await places(`until=${hourAgo}&mac=${PC}&kind=fdb`)).sort()).toEqual([
    'access-1 Gi0/2 fdb false',
    'core-1 Gi0/48 fdb true',
  ])
  expect(await places(`since=${new Date(Date.now() - 3_600_000).toISOString()}&mac=${GONE}`)).toEqual([])
})

test('a list is paged, and says how many there are', async () => {
  const { json } = await get('/api/v1/sightings?limit=2&offset=1')
  const { data, meta } = json as unknown as Listed
  expect(data.length).toBe(2)
  expect(meta).toEqual({ total: 6, limit: 2, offset: 1 })
})

test.each([
  ['mac=zz', "'mac' is not a MAC address"],
  ['address=10.0.0.0/99', "'address' is not an IP address"],
  ['vlan=5000', "'vlan' is not a whole number from 0 to 4095"],
  ['kind=dhcp', "'kind' is not one of fdb, arp, nd, nac"],
  ['since=yesterday', "'since' is neither"],
  ['since=0000-01-01T00:00:00Z', "'since' is neither"],
  ['until=9999-12-31T23:59:59-23:59', "'until' is neither"],
  ['until=1e300', "'until' is neither"],
  ['since=-1', "'since' is neither"],
  ['open=yes', "'open' is not 0 or 1"],
  ['limit=5000', "'limit' is not a whole number from 1 to 1000"],
])('%s is refused', async (query, why) => {
  const answer = await get(`/api/v1/sightings?${query}`)
  expect(answer.status).toBe(400)
  expect(JSON.stringify(answer.json)).toContain(why)
})

test('a station has its edge port first, and its addresses', async () => {
  const { status, json } = await get('/api/v1/stations/4c:14:a3:01:02:03')
  expect(status).toBe(200)
  expect(json).toMatchObject({
    data: { type: 'stations', id: PC, attributes: { mac_address: PC, virtual: false, addresses: [ADDRESS] } },
  })
  const { attributes } = (json as unknown as { data: { attributes: { places: Record<string, unknown>[] } } }).data
  expect(attributes.places.map(({ ifName, uplink }) => [ifName, uplink])).toEqual([
    ['Gi0/3', false],
    ['Gi0/3', false],
    ['Gi0/48', true],
  ])
  expect((await get('/api/v1/stations/nonsense')).status).toBe(400)
})

test('a user sees what is granted', async () => {
  expect(await places('', ['user'], [network.access2])).toEqual(['access-2 Gi0/1 fdb false'])
  expect(await places(`mac=${PC}`, ['user'], [network.access2])).toEqual([])
  const { json } = await get(`/api/v1/stations/${PC}`, ['user'], [network.access2])
  expect(json).toMatchObject({ data: { attributes: { addresses: [], places: [] } } })
})
