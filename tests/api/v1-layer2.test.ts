import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeDiscovery } from '../../src/core/discovery/write.ts'
import { newDevice, port, ports } from '../core/discovery/factories.ts'
import { type TestApi, testApi } from '../support/api.ts'

let api: TestApi
let mine: number
let other: number
let hop: number
/** The address of `hop`, through which both go. */
const HOP = '192.0.2.77'
beforeAll(async () => {
  api = await testApi({ 'api.v1.enabled': 'true' })
  const made = async (root: string) => {
    const id = await newDevice(api.store)
    const tree = {
      instance: 'CST',
      vlan: null,
      protocol: 'rstp',
      designatedRoot: root,
      rootPort: 3,
      is_root: 0,
    } as const
    const member = {
      instance: 'CST',
      vlan: null,
      port_index: 3,
      ifIndex: 7,
      state: 'forwarding',
      role: 'root',
    } as const
    const adjacency = {
      isisCircIndex: 1,
      isisISAdjNeighSysID: '0100.0000.0007',
      isisISAdjUsage: 'level2',
      ifIndex: 7,
      isisISAdjState: 'up',
      isisISAdjUptime: 60,
    }
    await writeDiscovery(
      api.store,
      id,
      [
        ports([port(7, { ifName: 'Gi0/7' })]),
        { kind: 'stp', complete: true, rows: [{ ...tree, topChanges: 5 }] },
        { kind: 'stp_ports', complete: true, rows: [member] },
        { kind: 'isis', complete: true, rows: [adjacency] },
        { kind: 'default-routes', complete: true, rows: [{ next_hop: HOP, ifIndex: 7 }] },
      ],
      { tookMs: 1, complete: true },
    )
    return id
  }
  mine = await made('00005e005301')
  other = await made('00005e005302')
  hop = await newDevice(api.store)
  await writeDiscovery(
    api.store,
    hop,
    [
      ports([port(1, { ifName: 'Gi0/1' })]),
      {
        kind: 'ipv4',
        complete: true,
        rows: [{ address: HOP, prefixLen: 24, ifIndex: 1, context: null }],
      },
    ],
    { tookMs: 1, complete: true },
  )
  await api.store.sql`update devices set status = 1 where device_id = ${hop}`
}, 60_000)
afterAll(() => api.drop())

interface Listed {
  readonly data: {
    readonly type: string
    readonly id: string
    readonly attributes: Readonly<Record<string, unknown>>
  }[]
  readonly meta: { readonly total: number; readonly limit: number; readonly offset: number }
}
async function list(
  path: string,
  roles: Parameters<TestApi['token']>[0] = ['admin'],
  deviceIds: readonly number[] = [],
) {
  const { token, username } = await api.token(roles)
  if (deviceIds.length > 0) await api.services.users.grant(username, { deviceIds })
  const { json } = await api.call('GET', `/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })
  return json as unknown as Listed
}
const devices = ({ data }: Listed) => data.map(({ attributes }) => attributes['device_id']).sort()

test('a tree with its root and root port', async () => {
  const { data, meta } = await list(`spanning-trees?device=${mine}`)
  expect(meta).toEqual({ total: 1, limit: 100, offset: 0 })
  expect(data).toMatchObject([
    {
      type: 'spanning-trees',
      attributes: {
        device_id: mine,
        ifName: 'Gi0/7',
        instance: 'CST',
        protocol: 'rstp',
        root_address: '00005e005301',
        is_root: false,
        priority: null,
        topology_changes: 5,
      },
    },
  ])
})

test('ports of trees, and adjacencies', async () => {
  expect((await list(`spanning-tree-ports?device=${mine}`)).data).toMatchObject([
    {
      type: 'spanning-tree-ports',
      attributes: { ifName: 'Gi0/7', bridge_port: 3, state: 'forwarding', role: 'root', edge: null },
    },
  ])
  expect((await list(`isis-adjacencies?device=${mine}`)).data).toMatchObject([
    {
      type: 'isis-adjacencies',
      attributes: {
        ifName: 'Gi0/7',
        neighbour: '0100.0000.0007',
        level: 'level2',
        state: 'up',
        up_seconds: 60,
        area: null,
      },
    },
  ])
})

test('default routes say which device their next hop is, to those who may see it', async () => {
  const known = { next_hop: HOP, next_hop_device_id: hop, next_hop_up: true }
  const unknown = { next_hop: HOP, next_hop_device_id: null, next_hop_hostname: null, next_hop_up: null }
  const path = `default-routes?device=${mine}`
  expect((await list(path)).data).toMatchObject([
    { type: 'default-routes', attributes: { device_id: mine, ifName: 'Gi0/7', ...known } },
  ])
  expect((await list(path, ['user'], [mine])).data).toMatchObject([{ attributes: unknown }])
  expect((await list(path, ['user'], [mine, hop])).data).toMatchObject([{ attributes: known }])
  // A second device with the address, as routers of a VRRP group: it is not known which one is meant.
  const { sql } = api.store
  await sql`insert into ipv4_addresses (ipv4_address, ipv4_prefixlen, ipv4_network_id, port_id, context_name)
    select ${HOP}, 24, ipv4_network_id, (select port_id from ports where device_id = ${other}), '' from ipv4_addresses
    where ipv4_address = ${HOP}`
  expect((await list(path)).data).toMatchObject([{ attributes: unknown }])
})

test('pages, text, and only what was granted', async () => {
  for (const path of ['spanning-trees', 'spanning-tree-ports', 'isis-adjacencies', 'default-routes']) {
    expect(devices(await list(path))).toEqual([mine, other].sort())
    const page = await list(`${path}?limit=1&offset=1`)
    expect([page.data.length, page.meta]).toEqual([1, { total: 2, limit: 1, offset: 1 }])
    expect(devices(await list(path, ['user'], [mine]))).toEqual([mine])
    expect(devices(await list(`${path}?device=${other}`, ['user'], [mine]))).toEqual([])
  }
  expect(devices(await list('spanning-trees?text=5E005302'))).toEqual([other])
})
