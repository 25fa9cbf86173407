import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mint, type TestApi, testApi } from '../support/api.ts'
import { type Seeded, seed } from './fixtures.ts'
import { member, message } from './tables/row.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

const sink = async (body: unknown) => await api.call('POST', '/api/v0/syslogsink', { body })
const kept = async ({ deviceId }: Seeded) =>
  member(await api.call('GET', `/api/v0/logs/syslog/${deviceId}?limit=2000`), 'logs') as { msg: string }[]

test('senders are identified by hostname, sysName, address, port address, and aliases', async () => {
  const device = await seed(api)
  const [row] = await api.store.sql<{ ip: string; sysName: string; port: string }[]>`
    select host(d.ip) as ip, d."sysName", a.ipv4_address as port
    from devices d join ports p using (device_id) join ipv4_addresses a using (port_id)
    where d.device_id = ${device.deviceId}`
  const alias = `NAT${mint()}`
  api.settings.applyStored(new Map([['syslog_xlate', { [alias]: device.hostname }]]))
  const hosts = [device.hostname, row?.sysName.toUpperCase(), row?.ip, `::ffff:${row?.ip}`, row?.port, alias]
  const sent = hosts.map((host, i) => ({ host, msg: `m${i}`, program: 'p' }))
  expect(message(await sink(sent))).toBe('Syslog received: 6')
  expect((await kept(device)).map((entry) => entry.msg).toSorted()).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5'])
})

test('messages matching the setting are dropped but counted', async () => {
  const device = await seed(api)
  const { hostname: host } = device
  expect(
    message(
      await sink([
        { host, msg: 'last message repeated 3 times' },
        { host, msg: 'kept', program: 'p' },
      ]),
    ),
  ).toBe('Syslog received: 2')
  expect((await kept(device)).map((entry) => entry.msg)).toEqual(['kept'])
})

test("the program is extracted from the text in the operating system's format", async () => {
  const device = await seed(api)
  const { hostname: host } = device
  await sink([
    { host, msg: 'sshd[1]: hi' },
    { host, msg: 'no program' },
  ])
  expect(await kept(device)).toMatchObject([
    { program: 'SSHD', msg: 'hi' },
    { program: 'NO PROGRAM', msg: null },
  ])
})

test('a thousand messages are one statement', async () => {
  const device = await seed(api)
  const sent = Array.from({ length: 1000 }, (_, i) => ({
    host: device.hostname,
    msg: `message ${i} \u{1f600} \ud800`,
    program: 'p',
    '@timestamp': new Date(1_790_000_000_000 + i * 1000).toISOString(),
  }))
  expect(message(await sink(sent))).toBe('Syslog received: 1000')
  const rows = await api.store.sql<{ xmin: string }[]>`
    select distinct xmin::text from syslog where device_id = ${device.deviceId}`
  expect(rows).toHaveLength(1)
  expect(await kept(device)).toHaveLength(1000)
})

test('a role that may change devices adds messages only for granted devices', async () => {
  const [mine, other] = [await seed(api), await seed(api)]
  const { token, username } = await api.token(['user'])
  await api.services.users.grant(username, { deviceIds: [mine.deviceId] })
  await api.store.sql`
    with r as (insert into roles (name) values ('collectors') returning id),
      p as (insert into permissions (name) values ('device.update') returning id),
      l as (insert into role_has_permissions (role_id, permission_id) select r.id, p.id from r, p)
    insert into model_has_roles (role_id, model_id)
    select r.id, u.user_id from r, users u where u.username = ${username}`
  api.services.auth.forget()
  const body = [mine, other].map(({ hostname: host }) => ({ host, msg: 'm', program: 'p' }))
  const answer = await api.call('POST', '/api/v0/syslogsink', { body, token })
  expect(message(answer)).toBe('Syslog received: 2')
  expect([(await kept(mine)).length, (await kept(other)).length]).toEqual([1, 0])
})
