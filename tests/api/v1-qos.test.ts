import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeDiscovery } from '../../src/core/discovery/write.ts'
import { newDevice, port, ports } from '../core/discovery/factories.ts'
import { type TestApi, testApi } from '../support/api.ts'

let api: TestApi
let mine: number
let other: number
beforeAll(async () => {
  api = await testApi({ 'api.v1.enabled': 'true' })
  const made = async (policy: string) => {
    const id = await newDevice(api.store)
    const row = {
      ifIndex: 7,
      circuit: '',
      direction: 'output',
      policy,
      class: 'voice',
      qos_index: '50.2',
      config_index: 901,
    }
    await writeDiscovery(
      api.store,
      id,
      [ports([port(7, { ifName: 'Gi0/7' })]), { kind: 'qos', complete: true, rows: [row] }],
      { tookMs: 1, complete: true },
    )
    return id
  }
  mine = await made('WAN')
  other = await made('LAN')
  await api.store
    .sql`update qos_classes set offered_rate = 1000, sent_rate = 800, dropped_rate = 200, dropped_packets_rate = 1.5
    where device_id = ${mine}`
}, 60_000)
afterAll(() => api.drop())

interface Listed {
  readonly data: { readonly type: string; readonly attributes: Readonly<Record<string, unknown>> }[]
  readonly meta: object
}
async function list(
  query: string,
  roles: Parameters<TestApi['token']>[0] = ['admin'],
  deviceIds: readonly number[] = [],
) {
  const { token, username } = await api.token(roles)
  if (deviceIds.length > 0) await api.services.users.grant(username, { deviceIds })
  const { json } = await api.call('GET', `/api/v1/qos-classes${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return json as unknown as Listed
}
const devices = ({ data }: Listed) => data.map(({ attributes }) => attributes['device_id']).sort()

test('a class with its rates; unknown ones are null', async () => {
  const { data, meta } = await list(`?device=${mine}`)
  expect(meta).toEqual({ total: 1, limit: 100, offset: 0 })
  expect(data).toMatchObject([
    {
      type: 'qos-classes',
      attributes: {
        device_id: mine,
        ifName: 'Gi0/7',
        circuit: '',
        direction: 'output',
        policy: 'WAN',
        class: 'voice',
        offered_bits_per_second: 1000,
        sent_bits_per_second: 800,
        dropped_bits_per_second: 200,
        dropped_packets_per_second: 1.5,
      },
    },
  ])
  expect((await list(`?device=${other}`)).data[0]?.attributes).toMatchObject({ sent_bits_per_second: null })
})

test('text, pages, and only what was granted', async () => {
  expect(devices(await list(''))).toEqual([mine, other].sort())
  expect(devices(await list('?text=lan'))).toEqual([other])
  expect((await list('?limit=1&offset=1')).meta).toEqual({ total: 2, limit: 1, offset: 1 })
  expect(devices(await list('', ['user'], [mine]))).toEqual([mine])
  expect(devices(await list(`?device=${other}`, ['user'], [mine]))).toEqual([])
})
