import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { mint } from '../../support/api.ts'
import { PASSWORD } from '../../support/password.ts'
import { cookieOf, type Person, type TestWeb, testWeb } from '../../web/support.ts'

setDefaultTimeout(120_000)

const PROXY = '192.0.2.200'
let web: TestWeb
let admin: Person
beforeAll(async () => {
  web = await testWeb({
    nets: '10.0.0.0/8',
    'auth.proxy_header': 'X-User',
    'api.trusted_proxies': PROXY,
    'api.v1.enabled': 'true',
  })
  admin = await web.signedIn(['admin'])
})
afterAll(() => web.drop())

const act = (person: Person, form: Readonly<Record<string, string>>, path = '/settings/users') =>
  web.post(path, { csrf: person.csrf, ...form }, { cookie: person.cookie })
const open = async (
  path: string,
  cookie: string,
  headers: Readonly<Record<string, string>> = {},
  peer = '127.0.0.1',
) => {
  const answer = await web.send(path, { cookie, headers, peer })
  return { status: answer.status, text: await answer.text() }
}
const audited = async (text: string) => {
  const rows = await web.api.services.admin.changes(SYSTEM, null)
  return rows.filter(({ message }) => message.includes(text)).map(({ username }) => username)
}

/** Gives a person a confirmed second factor, as if the first code had been entered. */
async function addFactor({ userId, username }: { readonly userId: number; readonly username: string }) {
  await web.api.services.sessions.factors.begin(userId, username)
  await web.api.store.sql`update second_factors set confirmed_at = now() where user_id = ${userId}`
}

test('a lost second factor is shown, and removed by an administrator only', async () => {
  const lost = await web.person(['user'])
  const other = await web.signedIn(['user'])
  await addFactor(lost)
  expect((await web.api.services.users.find(lost.username)).second_factor).toBe(true)
  const half = await web.signIn(lost.username)
  expect(half.headers.get('location')).toContain('/sign-in/code')
  const form = { do: 'remove-factor', user: lost.username }
  expect((await act(other, form)).status).toBe(404)
  expect((await open(`/settings/users?user=${lost.username}`, admin.cookie)).text).toContain('remove-factor')
  expect((await act(admin, form)).status).toBe(303)
  expect((await web.signIn(lost.username)).headers.get('location')).toBe('/')
  expect((await web.api.services.users.find(lost.username)).second_factor).toBe(false)
  expect(await audited(`User ${lost.username}: second factor removed`)).toEqual([admin.username])
})

test('a disabled user has no session, and none after being enabled again', async () => {
  const person = await web.signedIn(['user'])
  expect((await open('/account', person.cookie)).status).toBe(200)
  const events = await web.send('/api/v1/events', { cookie: person.cookie })
  expect(events.status).toBe(200)
  await act(admin, { do: 'disable', user: person.username })
  await act(admin, { do: 'enable', user: person.username })
  expect((await open('/account', person.cookie)).status).toBe(303)
  expect((await open('/api/v1/system', person.cookie)).status).toBe(401)
  await events.body?.cancel()
})

describe('two users of one name', () => {
  const name = `twin${mint()}`
  const ids = { local: 0, ldap: 0 }
  beforeAll(async () => {
    ids.local = await web.api.services.users.create({ username: name, password: PASSWORD, roles: ['user'] })
    const [row] = await web.api.store.sql<{ id: number }[]>`
      insert into users (username, auth_type, realname, email, descr) values (${name.toUpperCase()}, 'ldap', '', '', '')
      returning user_id as id`
    ids.ldap = row?.id ?? 0
  })

  test('are refused by name, with their ids, and reached by id', async () => {
    const { users, tokens, admin: desk } = web.api.services
    const both = { code: 'conflict', message: expect.stringMatching(new RegExp(`id ${ids.local} .*id ${ids.ldap} `)) }
    const calls: Readonly<Record<string, (ref: string) => Promise<unknown>>> = {
      token: (username) => tokens.create({ username, description: 'x', dialect: null }),
      tokens: (ref) => tokens.list(ref),
      password: (ref) => desk.setPassword(SYSTEM, ref, 'another long password'),
      roles: (ref) => desk.setRoles(SYSTEM, ref, ['global-read']),
      notes: (ref) => desk.setScheduleNotes(SYSTEM, ref, true),
      factor: (ref) => desk.removeFactor(SYSTEM, ref),
      grant: (ref) => desk.grantAll(SYSTEM, ref, {}),
      revoke: (ref) => desk.revokeAll(SYSTEM, ref, {}),
      grants: (ref) => users.grants(ref),
      link: (ref) => desk.link(SYSTEM, ref, `subject ${mint()}`, 'https://id.example.net'),
      unlink: (ref) => desk.unlink(SYSTEM, ref),
      enable: (ref) => desk.setEnabled(SYSTEM, ref, true),
    }
    for (const call of Object.values(calls)) await expect(call(name)).rejects.toMatchObject(both)
    await expect(desk.deleteUser(SYSTEM, name)).rejects.toMatchObject(both)
    for (const [what, call] of Object.entries(calls)) {
      for (const ref of [String(ids.ldap), `id=${ids.ldap}`]) {
        // the directory keeps this one's password
        if (what === 'password')
          await expect(call(ref)).rejects.toMatchObject({ message: expect.stringContaining('LDAP directory') })
        else await call(ref)
      }
    }
    const rows = (await users.list()).filter(({ username }) => username.toLowerCase() === name)
    expect(rows.map(({ user_id, roles }) => [user_id, roles])).toEqual([
      [ids.local, ['user']],
      [ids.ldap, ['global-read']],
    ])
    await expect(users.find('999999')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('sign in as the one whose password it is', async () => {
    const session = cookieOf(await web.signIn(name))
    const found = await web.api.services.sessions.find(session.split('=')[1] ?? '', '127.0.0.1')
    expect(found?.actor.userId).toBe(ids.local)
    await web.api.services.admin.setEnabled(SYSTEM, `id=${ids.local}`, false)
    expect((await web.signIn(name)).status).toBe(401)
    expect((await open('/settings/users', admin.cookie)).text).toContain('ldap')
  })
})

test('a session of the proxy is good only through the proxy, for pages, API and streams', async () => {
  const { username } = await web.person(['user'])
  const other = await web.person(['user'])
  const headers = { 'X-User': username }
  const entry = await web.send('/account', { headers, peer: PROXY })
  const cookie = cookieOf(entry)
  expect([entry.status, cookie]).toEqual([200, expect.stringContaining('portlight=')])
  for (const path of ['/api/v1/system', '/api/v1/events']) {
    const through = await web.send(path, { cookie, headers, peer: PROXY })
    expect([path, through.status]).toEqual([path, 200])
    await through.body?.cancel()
    const others = { 'X-User': other.username }
    for (const [given, peer] of [
      [{}, '127.0.0.1'],
      [headers, '127.0.0.1'],
      [{}, PROXY],
      [others, PROXY],
    ] as const) {
      const direct = await web.send(path, { cookie, headers: { ...given }, peer })
      expect([path, given, peer, direct.status]).toEqual([path, given, peer, 401])
    }
  }
})

test('an administrator views the pages as a user, who is marked, and changes nothing', async () => {
  const [seen, hidden] = [`seen${mint()}.example.net`, `hidden${mint()}.example.net`]
  const add = async (hostname: string) => {
    const { json } = await web.api.call('POST', '/api/v0/devices', {
      body: { hostname, force_add: true, snmp_disable: true },
    })
    return (json as { devices: { device_id: number }[] }).devices[0]?.device_id ?? 0
  }
  const [mine, foreign] = [await add(seen), await add(hidden)]
  const person = await web.person(['user'])
  await act(admin, { do: 'grant', user: person.username, kind: 'deviceIds', ref: seen })
  const page = await open(`/settings/users?user=${person.username}`, admin.cookie)
  expect(page.text).toContain('sees 1 device')
  expect(page.text).toContain(`<option value="${hidden}">device</option>`)
  const begun = await act(admin, { do: 'view-as', user: person.username })
  const cookie = `${admin.cookie}; ${cookieOf(begun)}`
  const list = await open('/devices', cookie)
  expect(list.text).toContain(`Viewing as ${person.username}`)
  expect([list.text.includes(seen), list.text.includes(hidden)]).toEqual([true, false])
  expect((await open(`/device/${mine}`, cookie)).status).toBe(200)
  expect((await open(`/device/${foreign}`, cookie)).status).toBe(404)
  expect((await open('/settings', cookie)).status).toBe(404)
  expect((await open('/account?factor=new', cookie)).status).toBe(403)
  const refused = await web.post('/api-access', { csrf: admin.csrf, do: 'create', description: 'x' }, { cookie })
  expect(refused.status).toBe(403)
  // only an administrator's session takes the cookie
  const other = await web.signedIn(['user'])
  const stolen = await open('/devices', `${other.cookie}; ${cookieOf(begun)}`)
  expect([stolen.text.includes(seen), stolen.text.includes('Viewing as')]).toEqual([false, false])
  const ended = await web.post('/view-as/end', { csrf: admin.csrf }, { cookie })
  expect(ended.headers.get('set-cookie')).toContain('Max-Age=0')
  const leaving = await web.signedIn(['admin'])
  const out = await web.post('/sign-out', { csrf: leaving.csrf }, { cookie: leaving.cookie })
  expect(out.headers.get('set-cookie')).toMatch(/-view-as=;/)
  expect(await audited(`User ${person.username}: pages viewed as this user`)).toEqual([admin.username])
})

describe('stored credentials', () => {
  let token = ''
  let id = 0
  const patch = (field: string, data: unknown, by = token) =>
    web.api.call('PATCH', `/api/v0/devices/${id}`, { body: { field, data }, token: by })
  beforeAll(async () => {
    const { users } = web.api.services
    const body = { hostname: '10.0.0.1', force_add: true, snmpver: 'v2c', community: 'the secret community' }
    const { json } = await web.api.call('POST', '/api/v0/devices', { body })
    id = (json as { devices: { device_id: number }[] }).devices[0]?.device_id ?? 0
    await users.defineRole('operator', ['device.update', 'device.create', 'device.viewany'])
    const made = await web.api.token([])
    token = made.token
    await users.setRoles(made.username, ['operator'])
    await users.grant(made.username, { deviceIds: [id] })
    web.api.network.names.set('inside.example.net', '10.9.9.9')
    web.api.network.names.set('evil.example.net', '203.0.113.66')
    web.api.network.names.set('half.example.net', '10.9.9.10 2001:db8::66')
  })

  test('of a device do not follow it to an address outside nets', async () => {
    expect((await patch('notes', 'x')).status).toBe(200)
    for (const [field, value] of [
      ['overwrite_ip', '203.0.113.66'],
      ['overwrite_ip', 'evil.example.net'],
      ['overwrite_ip', '2001:db8::66'],
      ['overwrite_ip', '::ffff:203.0.113.66'],
      // its IPv6 address would be asked as soon as the transport is udp6
      ['overwrite_ip', 'half.example.net'],
      ['ip', '203.0.113.66'],
    ] as const)
      expect([field, value, (await patch(field, value)).status]).toEqual([field, value, 403])
    const rename = (name: string) => web.api.call('PATCH', `/api/v0/devices/${id}/rename/${name}`, { token })
    expect((await rename('evil.example.net')).status).toBe(403)
    // what a name leads to can change after it was checked
    expect((await patch('overwrite_ip', 'inside.example.net')).status).toBe(403)
    expect((await rename('inside.example.net')).status).toBe(200)
    const held = () => web.api.store.sql`select hostname, overwrite_ip from devices where device_id = ${id}`
    expect(await held()).toMatchObject([{ hostname: 'inside.example.net', overwrite_ip: '10.9.9.9' }])
    expect((await patch('overwrite_ip', '')).status).toBe(403)
    expect((await patch('overwrite_ip', '10.9.9.11')).status).toBe(200)
    expect((await patch('port', 1161)).status).toBe(200)
    await web.api.call('PATCH', `/api/v0/devices/${id}`, { body: { field: 'overwrite_ip', data: '203.0.113.1' } })
    // the same host, at which somebody else may listen on another port
    for (const [field, value] of [
      ['port', 1234],
      ['transport', 'tcp'],
      // at another site somebody else may have the same address
      ['poller_group', 7],
    ] as const)
      expect([field, (await patch(field, value)).status]).toEqual([field, 403])
    const own = { field: ['community', 'port'], data: ['own', 1234] }
    expect((await web.api.call('PATCH', `/api/v0/devices/${id}`, { body: own, token })).status).toBe(200)
  })

  test('of the settings are not tried at a new device outside nets', async () => {
    const { network } = web.api
    const add = (hostname: string, more: object = {}) =>
      web.api.call('POST', '/api/v0/devices', { body: { hostname, ...more }, token })
    network.probed.length = 0
    expect((await add('203.0.113.67')).status).toBe(403)
    expect(network.probed).toEqual([])
    await add('203.0.113.68', { community: 'own' })
    expect(network.probed.map(({ community }) => community)).toEqual(['own', 'own'].slice(0, network.probed.length))
    expect(network.probed.length).toBeGreaterThan(0)
    network.probed.length = 0
    await add('10.0.0.99')
    expect(network.probed.some(({ community }) => community === 'public')).toBe(true)
  })

  test('of the settings go to the address that was checked, wherever the name of a new device leads later', async () => {
    const { network, store } = web.api
    network.names.set('dyn.example.net', '10.9.9.20')
    network.agents.set('10.9.9.20', {
      knows: ({ community }) => ['public', 'own'].includes(community ?? ''),
      sysName: 'dyn',
    })
    const stored = async (body: object, by: string | null) => {
      const options = by === null ? {} : { token: by }
      expect(
        (await web.api.call('POST', '/api/v0/devices', { body: { hostname: 'dyn.example.net', ...body }, ...options }))
          .status,
      ).toBe(200)
      const [row] = await store.sql`delete from devices where hostname = 'dyn.example.net' returning overwrite_ip`
      return row?.['overwrite_ip']
    }
    expect(await stored({}, token)).toBe('10.9.9.20')
    expect(await stored({ community: 'own' }, token)).toBeNull()
    expect(await stored({}, null)).toBeNull()
  })
})

test('the audit says who changed groups, bills and services, and who acknowledged', async () => {
  const { services } = web.api
  const { token, username } = await web.api.token(['admin'])
  const send = (method: string, path: string, body: unknown) => web.api.call(method, `/api/v0${path}`, { body, token })
  const group = `audited ${mint()}`
  await send('POST', '/devicegroups', { name: group, type: 'static', devices: [] })
  await send('PATCH', `/devicegroups/${encodeURIComponent(group)}`, { desc: 'changed' })
  await send('DELETE', `/devicegroups/${encodeURIComponent(group)}`, undefined)
  await send('POST', '/port_groups', { name: group })
  const bill = { bill_type: 'quota', bill_quota: 1, bill_day: 1, bill_custid: '', bill_ref: '', bill_notes: '' }
  await send('POST', '/bills', { bill_name: group, ...bill, ports: [] })
  await services.pollers.addGroup({ ...SYSTEM, username }, group, '')
  for (const text of [
    `Device group ${group} added`,
    `Device group ${group} changed: desc`,
    `Device group ${group} deleted`,
    `Port group ${group} added`,
    `Poller group ${group} added`,
    group,
  ])
    expect([text, (await audited(text)).includes(username)]).toEqual([text, true])
  const rows = await services.admin.changes(SYSTEM, null)
  expect(rows.some((row) => row.kind === 'bill' && row.username === username)).toBe(true)
})
