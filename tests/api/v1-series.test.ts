import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type TestApi, testApi } from '../support/api.ts'

let api: TestApi
const NOW_S = Math.floor(Date.now() / 3_600_000) * 3600
const ids = { device: 0, other: 0, port: 0, sensor: 0 }

beforeAll(async () => {
  api = await testApi()
  api.settings.applyStored(new Map([['api.v1.enabled', true]]))
  const { sql } = api.store
  const devices = await sql<{ device_id: number }[]>`
    insert into devices (hostname) values ('core1'), ('core2') returning device_id`
  ids.device = devices[0]?.device_id ?? 0
  ids.other = devices[1]?.device_id ?? 0
  const [port] = await sql<{ port_id: number }[]>`
    insert into ports (device_id, "ifIndex", "ifName") values (${ids.device}, 1, 'Gi0/1,"x"') returning port_id`
  ids.port = port?.port_id ?? 0
  const [sensor] = await sql<{ sensor_id: number }[]>`
    insert into sensors (device_id, sensor_class, sensor_type, sensor_index, sensor_oid, sensor_descr)
    values (${ids.device}, 'temperature', 't', '1', '1.3', '=cmd') returning sensor_id`
  ids.sensor = sensor?.sensor_id ?? 0
  await sql`select ts.ensure_partitions(rel, to_timestamp(${NOW_S - 7200})) from ts.series where level = 'samples'`
  await sql`insert into ts.port_samples ("time", port_id, period_ms, in_octets)
    select to_timestamp(t), ${ids.port}, 300000, 300 * (t % 3600) from generate_series(${NOW_S - 7200}::int, ${NOW_S}::int, 300) t`
  await sql`insert into ts.sensor_samples ("time", sensor_id, value)
    select to_timestamp(t), ${ids.sensor}, (t % 3600) / 300 from generate_series(${NOW_S - 7200}::int, ${NOW_S}::int, 300) t
    where t <> ${NOW_S - 1800}`
})
afterAll(() => api.drop())

const get = async (query: string, roles: Parameters<TestApi['token']>[0] = ['admin'], accept = '*/*') => {
  const { token } = await api.token(roles)
  return await api.call('GET', `/api/v1/series?${query}`, {
    token: null,
    headers: { Authorization: `Bearer ${token}`, Accept: accept },
  })
}
const range = () => `from=${NOW_S - 3600}&to=${NOW_S}`

describe('values', () => {
  test('are columns on one time axis, with unit, source and known share', async () => {
    const answer = await get(`kind=port&id=${ids.port}&line=in_octets&step=300&${range()}`)
    expect(answer.headers.get('content-type')).toBe('application/vnd.api+json')
    expect(answer.json).toEqual({
      meta: { kind: 'port', fn: 'avg', from: NOW_S - 3600, to: NOW_S, step: 300, level: 'samples' },
      data: {
        time: Array.from({ length: 12 }, (_, i) => NOW_S - 3600 + i * 300),
        series: [
          {
            id: ids.port,
            name: 'Gi0/1,"x"',
            line: 'in_octets',
            unit: 'octets/s',
            known: 1,
            values: [300, 600, 900, 1200, 1500, 1800, 2100, 2400, 2700, 3000, 3300, 0],
          },
        ],
      },
    })
  })
  test('of a bucket are the mean, lowest or highest of its samples', async () => {
    const of = async (fn: string) => {
      const { json } = await get(`kind=sensor&id=${ids.sensor}&step=1800&fn=${fn}&${range()}`)
      return (json as { data: { series: { unit: string; values: number[] }[] } }).data.series[0]
    }
    expect(await of('max')).toMatchObject({ unit: '°C', values: [7, 11] })
    expect(await of('min')).toMatchObject({ values: [1, 0] })
    expect((await of('avg'))?.values[0]).toBeCloseTo((1 + 2 + 3 + 4 + 5 + 7) / 6, 9)
  })
  test('are no more than max_points', async () => {
    for (const points of [2, 3, 7, 100]) {
      const { json } = await get(`kind=sensor&id=${ids.sensor}&max_points=${points}&${range()}`)
      expect((json as { data: { time: number[] } }).data.time.length).toBeLessThanOrEqual(points)
    }
  })
  test('of several ids, including one that has none', async () => {
    const { json } = await get(`kind=device&id=${ids.device},${ids.other}&line=uptime,requests&step=900&${range()}`)
    const { series } = (json as { data: { series: { id: number; line: string; known: number }[] } }).data
    expect(series.map(({ id, line, known }) => [id, line, known])).toEqual([
      [ids.device, 'uptime', 0],
      [ids.device, 'requests', 0],
      [ids.other, 'uptime', 0],
      [ids.other, 'requests', 0],
    ])
  })
  test('are CSV if the client accepts it', async () => {
    const answer = await get(
      `kind=port&id=${ids.port}&line=in_octets,out_octets&step=1800&${range()}`,
      ['admin'],
      'text/csv',
    )
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const quoted = `"${ids.port} Gi0/1,""x"" in_octets [octets/s]","${ids.port} Gi0/1,""x"" out_octets [octets/s]"`
    expect(answer.text).toBe(`time,${quoted}\r\n${NOW_S - 3600},1050,\r\n${NOW_S - 1800},2250,\r\n`)
  })
})

describe('refusals', () => {
  test.each([
    ['kind=nope&id=1', "'kind' is not one of"],
    ['kind=constructor&id=1', "'kind' is not one of"],
    ['kind=port', "'id' is not 1 to 100 numbers"],
    ['kind=port&id=x', "'id' contains something that is not an id"],
    [`kind=port&id=${Array.from({ length: 101 }, (_, i) => i + 1).join()}`, "'id' is not 1 to 100 numbers"],
    ['kind=port&id=1&line=drop%20table', "'line' is not one of"],
    ['kind=port&id=1&fn=sum', "'fn' is not one of"],
    ['kind=port&id=1&from=whenever', "'from' is not a time"],
    ['kind=port&id=1&step=-5', "'step' is not a number of seconds"],
    ['kind=port&id=1&max_points=1e9', "'max_points' is not from"],
  ])('%s', async (query, detail) => {
    const answer = await get(query)
    expect(answer.status).toBe(400)
    expect((answer.json as { errors: { detail: string }[] }).errors[0]?.detail).toStartWith(detail)
  })
  test('more values than one response may have', async () => {
    const many = Array.from({ length: 100 }, (_, i) => i + 1).join()
    const answer = await get(`kind=port&id=${many}&max_points=20000&step=1&from=-30d`)
    expect(answer.status).toBe(400)
  })
  test('more daily values than are read, which fewer lines, ids or days avoid', async () => {
    const rows = await api.store.sql<{ device_id: number }[]>`
      insert into devices (hostname) select 'daily' || n from generate_series(1, 100) n returning device_id`
    const many = rows.map(({ device_id }) => device_id)
    const read = (some: readonly number[], rest: string) => get(`kind=stats&id=${some.join()}&max_points=20&${rest}`)
    const answer = await read(many, 'from=-9y')
    expect(answer.status).toBe(400)
    expect((answer.json as { errors: { detail: string }[] }).errors[0]?.detail).toMatch(
      /^100 ids with \d+ lines have up to \d+ daily values in 328\d days, and at most 2000000 are read: request fewer/,
    )
    expect((await read(many, 'from=-9y&line=load1')).status).toBe(200)
    expect((await read(many.slice(0, 2), 'from=-9y')).status).toBe(200)
    expect((await read(many, 'from=-200d&line=load1')).status).toBe(200)
  })
  test('without a token', async () => {
    expect((await api.call('GET', '/api/v1/series?kind=port&id=1', { token: null })).status).toBe(401)
  })
})

describe('grants', () => {
  const asUser = async (query: string, grant: (userId: number) => Promise<unknown>) => {
    const { token, username } = await api.token(['user'])
    const [user] = await api.store.sql<{ user_id: number }[]>`select user_id from users where username = ${username}`
    await grant(user?.user_id ?? 0)
    api.services.auth.forget()
    const answer = await api.call('GET', `/api/v1/series?${query}&${range()}`, {
      token: null,
      headers: { Authorization: `Bearer ${token}` },
    })
    return answer.status
  }
  const { sql } = { sql: () => api.store.sql }
  const nothing = async () => undefined
  const device = (userId: number) =>
    sql()`insert into devices_perms (user_id, device_id) values (${userId}, ${ids.device})`
  const port = (userId: number) => sql()`insert into ports_perms (user_id, port_id) values (${userId}, ${ids.port})`

  test('a user sees what is granted, and nothing says whether other ids exist', async () => {
    expect(await asUser(`kind=port&id=${ids.port}`, nothing)).toBe(403)
    expect(await asUser('kind=port&id=2000000000', nothing)).toBe(403)
    expect(await asUser(`kind=port&id=${ids.port}`, port)).toBe(200)
    expect(await asUser(`kind=port&id=${ids.port}`, device)).toBe(200)
    expect(await asUser(`kind=sensor&id=${ids.sensor}`, port)).toBe(403)
    expect(await asUser(`kind=sensor&id=${ids.sensor}`, device)).toBe(200)
  })
  test('one id that is not granted causes a refusal', async () => {
    expect(await asUser(`kind=device&id=${ids.device}`, device)).toBe(200)
    expect(await asUser(`kind=device&id=${ids.device},${ids.other}`, device)).toBe(403)
  })
})
