import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mint, type TestApi, testApi } from '../support/api.ts'

let api: TestApi
let admin = ''
beforeAll(async () => {
  api = await testApi({ 'api.v1.enabled': 'true' })
  admin = (await api.token(['admin'])).token
})
afterAll(() => api.drop())

async function sensor(): Promise<{ readonly id: number; readonly deviceId: number }> {
  const [row] = await api.store.sql<{ id: number; deviceId: number }[]>`
    with d as (insert into devices (hostname) values (${`limited${mint()}`}) returning device_id)
    insert into sensors (device_id, sensor_class, sensor_type, sensor_index, sensor_oid, sensor_descr, sensor_current,
      sensor_limit, sensor_limit_low, limits_guessed)
    select device_id, 'temperature', 't', '1', '1.3', 'Inlet', 25, 45, 5, 1 from d
    returning sensor_id as id, device_id as "deviceId"`
  return row ?? { id: 0, deviceId: 0 }
}
const change = (id: number | string, attributes: unknown, token = admin, data: object = {}) =>
  api.call('PATCH', `/api/v1/sensors/${id}`, {
    token: null,
    headers: { Authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' },
    body: { data: { type: 'sensors', attributes, ...data } },
  })
const stored = async (id: number) => ({
  ...(
    await api.store.sql`
    select sensor_limit as high, sensor_limit_warn as high_warn, sensor_limit_low as low, sensor_custom as custom
    from sensors where sensor_id = ${id}`
  )[0],
})
const detailOf = (json: unknown) => (json as { errors: { detail: string }[] }).errors[0]?.detail

test('limits that are given are set and kept, others stay as they are; No gives them back to discovery', async () => {
  const { id, deviceId } = await sensor()
  const { status, json } = await change(id, { sensor_limit: 38.5, sensor_limit_warn: 35 })
  expect([status, json]).toEqual([
    200,
    {
      data: {
        type: 'sensors',
        id: String(id),
        attributes: {
          device_id: deviceId,
          sensor_class: 'temperature',
          sensor_descr: 'Inlet',
          sensor_current: 25,
          sensor_limit: 38.5,
          sensor_limit_warn: 35,
          sensor_limit_low_warn: null,
          sensor_limit_low: 5,
          sensor_custom: 'Yes',
        },
      },
    },
  ])
  expect((await change(id, { sensor_limit_warn: null })).status).toBe(200)
  expect(await stored(id)).toEqual({ high: 38.5, high_warn: null, low: 5, custom: 'Yes' })
  const [audit] = await api.store.sql<{ message: string; username: string }[]>`
    select message, username from eventlog where device_id = ${deviceId} and type = 'device-edit'
    order by event_id desc limit 1`
  expect(audit?.message).toBe('Limits of sensor temperature Inlet: high 38.5, low 5')
  expect((await change(id, { sensor_custom: 'No' })).status).toBe(200)
  expect(await stored(id)).toEqual({ high: null, high_warn: null, low: null, custom: 'No' })
})

test('what discovery has set can be kept as it is', async () => {
  const { id } = await sensor()
  expect((await change(id, { sensor_custom: 'Yes' })).status).toBe(200)
  expect(await stored(id)).toEqual({ high: 45, high_warn: null, low: 5, custom: 'Yes' })
})

test.each([
  [{ sensor_limit: '40' }, {}, "'sensor_limit' is not a number, nor null for no limit"],
  [{ sensor_limit: 4 }, {}, 'The high limit is below the low limit'],
  [{ sensor_limits: 4 }, {}, "'sensor_limits' is not one of sensor_limit,"],
  [{ constructor: 4 }, {}, "'constructor' is not one of"],
  [{ sensor_custom: 'maybe' }, {}, "'sensor_custom' is not Yes or No"],
  [{ sensor_custom: 'No', sensor_limit: 4 }, {}, "'sensor_custom' is No"],
  [{}, {}, "'data.attributes' has none of"],
  ['none', {}, "'data.attributes' has none of"],
  [{ sensor_limit: 50 }, { type: 'ports' }, "'data.type' is not 'sensors'"],
  [{ sensor_limit: 50 }, { id: '1' }, "'data.id' is not"],
])('%j is refused with the reason', async (attributes, data, detail) => {
  const { id } = await sensor()
  const { status, json } = await change(id, attributes, admin, data)
  expect(status).toBe(400)
  expect(detailOf(json)).toStartWith(detail)
  expect(await stored(id)).toEqual({ high: 45, high_warn: null, low: 5, custom: 'No' })
})

test('a body that is no JSON is refused', async () => {
  const { id } = await sensor()
  for (const body of ['{"data":', '"\\u0000"', '[]']) {
    const headers = { Authorization: `Bearer ${admin}`, 'content-type': 'application/json' }
    expect((await api.call('PATCH', `/api/v1/sensors/${id}`, { token: null, headers, body })).status).toBe(400)
  }
})

test('a sensor of a device that is not granted is answered like one that does not exist', async () => {
  const [mine, other] = [await sensor(), await sensor()]
  await api.services.users.defineRole('limit-setters', ['device.update', 'device.viewAny'])
  const { token, username } = await api.token([])
  await api.services.users.setRoles(username, ['limit-setters'])
  await api.services.users.grant(username, { deviceIds: [mine.deviceId] })
  expect((await change(mine.id, { sensor_limit: 50 }, token)).status).toBe(200)
  const [foreign, missing] = [
    await change(other.id, { sensor_limit: 50 }, token),
    await change(2_147_483_647, { sensor_limit: 50 }, token),
  ]
  expect([foreign.status, foreign.text]).toEqual([404, missing.text])
  expect(await stored(other.id)).toMatchObject({ high: 45 })
  for (const id of ['0', 'x', '99999999999']) expect((await change(id, { sensor_limit: 50 })).status).toBe(404)
})

test('a reader, and a token for reading, change nothing', async () => {
  const { id } = await sensor()
  const reader = await api.token(['global-read'])
  expect((await change(id, { sensor_limit: 50 }, reader.token)).status).toBe(403)
  const { username } = await api.token(['admin'])
  const reading = await api.services.tokens.create({ username, description: '', dialect: null, scope: 'read' })
  expect((await change(id, { sensor_limit: 50 }, reading.token)).status).toBe(403)
  expect(await stored(id)).toMatchObject({ high: 45 })
})
