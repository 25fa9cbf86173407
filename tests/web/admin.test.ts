import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { fillDevice } from '../support/fill.ts'
import { cookieOf, type Person, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
let admin: Person
let user: Person
let deviceId: number
beforeAll(async () => {
  web = await testWeb()
  const { ids } = await fillDevice(web.api.store, 40_000, 'edited')
  deviceId = ids.get('devices') ?? 0
  admin = await web.signedIn(['admin'])
  user = await web.signedIn(['user'])
})
afterAll(() => web.drop())

const send = (path: string, person: Person, form: Readonly<Record<string, string>>) =>
  web.post(path, { csrf: person.csrf, ...form }, { cookie: person.cookie })
const read = async (path: string, person: Person = admin) =>
  await (await web.send(path, { cookie: person.cookie })).text()

describe('settings', () => {
  test('are stored, shown with their source, recorded with who changed them, and reset', async () => {
    const changed = await send('/settings', admin, { do: 'set', name: 'poller.interval', value: '77' })
    expect(changed.status).toBe(303)
    const shown = await read('/settings?q=poller.interval')
    expect(shown).toContain('value="77"')
    expect(shown).toContain(`by ${admin.username}`)
    expect(await read('/settings/audit')).toContain('Setting poller.interval changed from 300 to 77')
    await send('/settings', admin, { do: 'unset', name: 'poller.interval' })
    expect((await web.api.services.settings.stored()).has('poller.interval')).toBe(false)
  })

  test('reject invalid values with an explanation, and keep the input', async () => {
    const refused = await send('/settings', admin, { do: 'set', name: 'poller.interval', value: 'soon' })
    const text = await refused.text()
    expect(refused.status).toBe(422)
    expect(text).toContain('Allowed: an integer from 5 to 86400')
    expect(text).toContain('value="soon"')
  })

  test('refer to devices that exist', async () => {
    const name = 'dependencies.attached'
    await web.api.store.sql`insert into devices (hostname) values ('attached-1')`
    const stored = async () => (await web.api.services.settings.stored()).get(name)
    for (const [value, absent] of [
      ['attached-1, nowhere-1, nowhere-2@3', 'nowhere-1, nowhere-2'],
      ['["999999"]', '999999'],
    ] as const) {
      const refused = await send('/settings', admin, { do: 'set', name, value })
      expect([refused.status, await refused.text()]).toEqual([
        422,
        expect.stringContaining(`there is no device ${absent}; give hostnames or ids`),
      ])
    }
    expect(await stored()).toBeUndefined()
    await send('/settings', admin, { do: 'set', name, value: 'ATTACHED-1@2' })
    expect(await stored()).toEqual(['ATTACHED-1@2'])
    await send('/settings', admin, { do: 'set', name, value: '' })
    await send('/settings', admin, { do: 'unset', name })
    await web.api.store.sql`delete from devices where hostname = 'attached-1'`
  })

  test('that are secret are neither shown nor recorded; an empty field leaves them unchanged', async () => {
    await send('/settings', admin, { do: 'set', name: 'snmp.community', value: 'hush-hush', secret: '1' })
    await send('/settings', admin, { do: 'set', name: 'snmp.community', value: '', secret: '1' })
    expect((await web.api.services.settings.stored()).get('snmp.community')).toEqual(['hush-hush'])
    for (const path of ['/settings?section=SNMP', '/settings/audit'])
      expect(await read(path)).not.toContain('hush-hush')
  })

  test('needed before the database is open cannot be stored', async () => {
    const refused = await send('/settings', admin, { do: 'set', name: 'port', value: '9000' })
    expect(refused.status).toBe(422)
    expect((await web.api.services.settings.stored()).has('port')).toBe(false)
  })
})

test('the password of a user that signs in elsewhere is refused, with where it is kept', async () => {
  const { admin: administration, users } = web.api.services
  for (const [method, keeper] of [
    ['ldap', 'the LDAP directory'],
    ['active_directory', 'Active Directory'],
    ['own-thing', 'sign-in method own-thing'],
  ] as const) {
    const name = `from-${method}`
    const id = await users.create({ username: name, password: null, roles: [] })
    await web.api.store.sql`update users set auth_type = ${method} where user_id = ${id}`
    await expect(administration.setPassword(SYSTEM, name, 'a long password')).rejects.toMatchObject({
      code: 'conflict',
      message: `The password of ${name} is kept by ${keeper}, not here: change it there`,
    })
    const [row] = await web.api.store.sql<
      { password: string | null }[]
    >`select password from users where user_id = ${id}`
    expect(row?.password).toBeNull()
    await web.api.store.sql`delete from users where user_id = ${id}`
  }
})

test('a location is added on the page, with or without coordinates, by who may', async () => {
  const { sql } = web.api.store
  const stored = async () =>
    (
      await sql<{ location: string; lat: number | null; lng: number | null; fixed: number }[]>`
      select location, lat::float8 as lat, lng::float8 as lng, fixed_coordinates as fixed from locations
      where location like 'Added %' order by id`
    ).map(({ location, lat, lng, fixed }) => [location, lat, lng, fixed])
  expect(await read('/locations')).toContain('Add a location')
  const add = async (form: Readonly<Record<string, string>>, person = admin) =>
    await send('/locations', person, { do: 'add', ...form })
  expect((await add({ name: 'Added <a>' })).status).toBe(303)
  expect((await add({ name: ' Added b ', lat: '-33.868', lng: '151.207' })).status).toBe(303)
  for (const [form, words] of [
    [{ name: ' ' }, 'Name: enter 1 to 255 characters'],
    [{ name: 'Added c', lat: '91', lng: '1' }, 'Latitude: enter degrees'],
    [{ name: 'Added c', lat: '1', lng: 'east' }, 'Longitude: enter degrees'],
    [{ name: 'Added c', lat: '1' }, 'Enter both latitude and longitude'],
    [{ name: 'added B' }, 'already exists'],
  ] as const) {
    const text = await (await add(form)).text()
    expect(text).toContain(words)
    expect(text).toContain('<details class="menu" open')
  }
  expect((await add({ name: 'Added d' }, user)).status).toBe(404)
  expect(await stored()).toEqual([
    ['Added <a>', null, null, 0],
    ['Added b', -33.868, 151.207, 1],
  ])
  await sql`delete from locations where location like 'Added %'`
})

describe('API tokens', () => {
  let owner: Person
  beforeAll(async () => {
    owner = await web.signedIn(['user'])
  })
  const tokens = (person: Person) => web.api.services.tokens.list(person.username)

  test('are created read-only with an expiry date, changed to write without one, and only by their user', async () => {
    const made = await send('/api-access', owner, {
      ...{ do: 'create', description: 'a reader', scope: 'read', expires: '2099-12-31', dialect: '' },
    })
    const token = /id="token">(\w{32})</.exec(await made.text())?.[1] ?? ''
    const [record] = await tokens(owner)
    expect(record).toMatchObject({ scope: 'read', expires_at: new Date(2100, 0, 1) })
    const headers = { 'X-Auth-Token': token, 'content-type': 'application/json' }
    const add = () => web.send('/api/v0/devices', { method: 'POST', headers, body: '{}' })
    expect((await web.send('/api/v0/devices', { headers })).status).toBe(200)
    expect(await (await add()).text()).toBe('{"message":"This action is unauthorized."}')

    const id = String(record?.id)
    const page = await read(`/api-access?id=${id}`, owner)
    expect(page).toContain('Change a reader')
    expect(page).toMatch(/id="expires"[^>]*value="2099-12-31"/)
    const other = await web.signedIn(['user'])
    expect((await send('/api-access', other, { do: 'change', id, scope: 'write' })).status).toBe(404)
    expect((await send('/api-access', owner, { do: 'change', id, scope: 'write', expires: '' })).status).toBe(303)
    expect((await tokens(owner))[0]).toMatchObject({ scope: 'write', expires_at: null })
    expect(await read('/settings/audit')).toContain('Scope: write (was read); Expires: ')
  })

  test('need no description, and get the dialect of the program that will use them', async () => {
    const person = await web.signedIn(['user'])
    const made = await send('/api-access', person, { do: 'create', program: 'ansible' })
    expect(await made.text()).toContain('It answers in dialect librenms.')
    await send('/api-access', person, { do: 'create', program: 'own', description: 'mine' })
    await send('/api-access', person, { do: 'create', program: 'terraform', dialect: 'documented', description: 'odd' })
    await send('/api-access', person, { do: 'create', program: 'nonsense', description: 'unknown' })
    expect(await tokens(person)).toMatchObject([
      { description: '', dialect: 'librenms' },
      { description: 'mine', dialect: null },
      { description: 'odd', dialect: 'documented' },
      { description: 'unknown', dialect: null },
    ])
    expect(await read('/api-access', person)).toContain('Ansible: inventory and modules for LibreNMS')
  })

  test('are rejected with an expiry in the past or an invalid date, and the input is kept', async () => {
    for (const expires of ['2001-01-01', '2099-02-31']) {
      const refused = await send('/api-access', owner, { do: 'create', description: 'late', expires })
      expect(refused.status).toBe(422)
      expect(await refused.text()).toContain('value="late"')
    }
    await web.api.services.tokens.create({
      ...{ username: owner.username, description: 'gone by', dialect: null, expiresAt: new Date(Date.now() - 1000) },
    })
    expect(await read('/api-access', owner)).toContain('expired: requests get 401')
  })
})

describe('users', () => {
  test('are added, get roles and grants, are disabled and deleted', async () => {
    const form = { do: 'add', username: 'carol', password: 'long enough here', 'role-user': '1' }
    expect((await send('/settings/users', admin, form)).status).toBe(303)
    await send('/settings/users', admin, { do: 'grant', user: 'carol', kind: 'deviceIds', ref: String(deviceId) })
    expect((await web.api.services.users.grants('carol')).map(({ kind }) => kind)).toEqual(['device'])
    expect(await read('/settings/users?user=carol')).toContain('edited')
    await send('/settings/users', admin, { do: 'roles', user: 'carol', 'role-global-read': '1' })
    await send('/settings/users', admin, { do: 'disable', user: 'carol' })
    const carol = (await web.api.services.users.list()).find(({ username }) => username === 'carol')
    expect(carol).toMatchObject({ enabled: 0, roles: ['global-read'] })
    const kept = await send('/settings/users', admin, { do: 'delete', user: 'carol', confirm: 'caro' })
    expect(kept.status).toBe(422)
    await send('/settings/users', admin, { do: 'delete', user: 'carol', confirm: 'carol' })
    expect((await web.api.services.users.list()).some(({ username }) => username === 'carol')).toBe(false)
    expect(await read('/settings/audit')).toContain('User carol: deleted')
  })

  test('a new password ends all sessions and is not recorded', async () => {
    const person = await web.signedIn(['user'])
    const form = { do: 'password', user: person.username, password: 'another password', again: 'another password' }
    expect((await send('/settings/users', admin, form)).status).toBe(303)
    expect((await web.send('/account', { cookie: person.cookie })).status).toBe(303)
    expect((await web.signIn(person.username, 'another password')).status).toBe(303)
    expect(await read('/settings/audit')).not.toContain('another password')
  })

  test('one of several sessions is ended, the others continue', async () => {
    const person = await web.signedIn(['user'])
    const other = cookieOf(await web.signIn(person.username))
    const ids = [...(await read(`/settings/users?user=${person.username}`)).matchAll(/name="id" value="(\d+)"/g)]
    expect(ids).toHaveLength(2)
    const { sessions } = await web.api.services.admin.user(SYSTEM, person.username)
    const oldest = sessions.toSorted((a, b) => a.id - b.id)[0]
    const form = { do: 'session', user: person.username, id: String(oldest?.id) }
    expect((await send('/settings/users', admin, form)).status).toBe(303)
    expect((await web.send('/account', { cookie: person.cookie })).headers.get('location')).toContain('/sign-in')
    expect((await web.send('/account', { cookie: other })).status).toBe(200)
    expect((await send('/settings/users', admin, form)).status).toBe(404)
    // that session belongs to another user
    const foreign = { ...form, user: user.username, id: String(sessions.find((one) => one !== oldest)?.id) }
    expect((await send('/settings/users', admin, foreign)).status).toBe(404)
    expect((await web.send('/account', { cookie: other })).status).toBe(200)
    expect(await read('/settings/audit')).toContain(`session ${oldest?.id} ended`)
  })

  test('a role with permissions is created and deleted', async () => {
    await send('/settings/roles', admin, { do: 'define', role: 'helpdesk', 'may-device.update': '1' })
    expect(await web.api.services.users.roles()).toContainEqual({
      name: 'helpdesk',
      permissions: ['device.update'],
      users: 0,
    })
    await send('/settings/roles', admin, { do: 'delete', role: 'helpdesk' })
    expect((await web.api.services.users.roles()).some(({ name }) => name === 'helpdesk')).toBe(false)
  })

  test.each([
    ['/settings', { do: 'set', name: 'poller.interval', value: '60' }],
    ['/settings/users', { do: 'add', username: 'mallory', 'role-admin': '1' }],
    ['/settings/roles', { do: 'define', role: 'mallory' }],
    ['/devices/new', { do: 'add', hostname: '127.0.0.1', force: '1', way: 'v2c', community: 'x' }],
    ['/maintenance', { do: 'delete', id: '1' }],
  ])('%s is closed to a user', async (path, form) => {
    expect((await send(path, user, form)).status).toBe(404)
  })
})

describe('tokens', () => {
  test('are shown once, belong to whoever created them, and stop working when revoked', async () => {
    const made = await send('/api-access', user, { do: 'create', description: 'a script', user: admin.username })
    const token = /id="token">(\w{32})</.exec(await made.text())?.[1] ?? ''
    expect(token).toHaveLength(32)
    expect(await read('/api-access', user)).not.toContain(token)
    const [record] = await web.api.services.tokens.list(user.username)
    expect(record).toMatchObject({ description: 'a script', username: user.username })
    const call = () => web.send('/api/v0/devices', { headers: { 'X-Auth-Token': token, accept: 'application/json' } })
    expect((await call()).status).toBe(200)
    const other = await web.signedIn(['user'])
    expect((await send('/api-access', other, { do: 'revoke', id: String(record?.id) })).status).toBe(404)
    expect((await call()).status).toBe(200)
    expect((await send('/api-access', user, { do: 'revoke', id: String(record?.id) })).status).toBe(303)
    expect((await call()).status).toBe(401)
  })
})

describe('a device', () => {
  test('is edited, and its secrets are never in the page', async () => {
    const path = `/device/${deviceId}/edit`
    await send(path, admin, { do: 'snmp', way: 'v2c', port: '1161', community: 'very-private', transport: 'udp' })
    const record = await web.api.services.devices.get(
      { ...(await actor()), roles: new Set(['admin']) },
      String(deviceId),
    )
    expect(record).toMatchObject({ community: 'very-private', port: 1161, snmpver: 'v2c' })
    await send(path, admin, { do: 'snmp', way: 'v2c', port: '1161', community: '', transport: 'udp' })
    await send(path, admin, { do: 'watching', interval: '30', ignore: '1' })
    const text = await read(path)
    expect(text).not.toContain('very-private')
    expect(text).toContain('value="30"')
    const [row] = await web.api.store.sql`
      select community, poll_interval, ignore from devices where device_id = ${deviceId}`
    expect(row).toEqual({ community: 'very-private', poll_interval: 30, ignore: 1 })
  })

  test('accepts answers from anywhere if its form says so', async () => {
    const path = `/device/${deviceId}/edit`
    const box = /<input[^>]*name="snmp_any_source"[^>]*>/
    expect(box.exec(await read(path))?.[0]).not.toContain('checked')
    const form = { do: 'snmp', way: 'v2c', port: '1161', community: '', transport: 'udp' }
    await send(path, admin, { ...form, snmp_any_source: '1' })
    expect(box.exec(await read(path))?.[0]).toContain('checked')
    await send(path, admin, form)
    expect(box.exec(await read(path))?.[0]).not.toContain('checked')
  })

  test('has modules of its own', async () => {
    const path = `/device/${deviceId}/edit`
    await web.api.store.sql`
      insert into device_modules (device_id, module, rows, requests, took_ms, note)
      values (${deviceId}, 'bgp', 1, 1, 1, '') on conflict do nothing`
    await send(path, admin, { do: 'modules', 'poll-bgp': '0', 'discover-bgp': '' })
    const attributes = () => web.api.store.sql`
      select attrib_value from devices_attribs where device_id = ${deviceId} and attrib_type = 'poll_bgp'`
    expect([...(await attributes())]).toEqual([{ attrib_value: '0' }])
    await send(path, admin, { do: 'modules', 'poll-bgp': '', 'discover-bgp': '' })
    expect([...(await attributes())]).toEqual([])
  })

  test('is only deleted when its name is entered', async () => {
    const { ids } = await fillDevice(web.api.store, 50_000, 'doomed')
    const id = ids.get('devices')
    const path = `/device/${id}/edit`
    expect((await send(path, admin, { do: 'delete', confirm: 'doom' })).status).toBe(422)
    const [row] = await web.api.store.sql<
      { hostname: string }[]
    >`select hostname from devices where device_id = ${id ?? 0}`
    expect((await send(path, user, { do: 'delete', confirm: row?.hostname ?? '' })).status).toBe(404)
    expect((await send(path, admin, { do: 'delete', confirm: row?.hostname ?? '' })).headers.get('location')).toBe(
      '/devices',
    )
    expect((await web.send(path, { cookie: admin.cookie })).status).toBe(404)
  })

  async function actor() {
    const session = await web.api.services.sessions.find(admin.cookie.split('=')[1] ?? '', '127.0.0.1')
    if (session === null) throw new Error('no session')
    return session.actor
  }
})

test('a recurring maintenance window is listed with its next occurrences, and can be ended', async () => {
  const form = { do: 'add', kind: 'device', ref: String(deviceId), title: 'Night works', duration: '1:00' }
  const until = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
  expect((await send('/maintenance', admin, { ...form, every: 'daily', until })).status).toBe(303)
  const text = await read('/maintenance')
  expect(text.split('Night works').length).toBeGreaterThan(4)
  expect(text).toContain('Open now: Night works')
  const windows = await web.api.services.maintenance.list()
  const window = windows.find(({ title }) => title === 'Night works')
  await send('/maintenance', admin, { do: 'end', id: String(window?.schedule_id) })
  expect(await read('/maintenance')).toContain('No window is open now')
  const audit = await read('/settings/audit')
  expect(audit).toMatch(/Maintenance Night works: added for device /)
  expect(audit).toContain('Maintenance Night works: ended')
})

test('a maintenance window of a single port shows on the port, and a port that is not there is refused', async () => {
  const [port] = await web.api.store.sql<{ id: number; name: string }[]>`
    select port_id as id, "ifName" as name from ports where device_id = ${deviceId} and deleted = 0 order by 1 limit 1`
  const id = port?.id ?? 0
  expect(await read(`/port/${id}`)).toContain(`/maintenance?kind=port&amp;ref=${id}#title`)
  expect(await read(`/maintenance?kind=port&ref=${id}`)).toMatch(/<option value="port" selected/)
  const form = { do: 'add', kind: 'port', ref: String(id), title: 'New cable', duration: '1:00' }
  expect((await send('/maintenance', admin, form)).status).toBe(303)
  const [window] = (await web.api.services.maintenance.list()).filter(({ title }) => title === 'New cable')
  expect(window?.target).toStartWith('port ')
  expect(await read(`/port/${id}`)).toContain('title="New cable: ')
  expect((await send('/maintenance', user, form)).status).toBe(404)
  const refused = await send('/maintenance', admin, { ...form, ref: '999999' })
  expect([refused.status, await refused.text()]).toEqual([
    422,
    expect.stringContaining('There is no single port 999999'),
  ])
  await send('/maintenance', admin, { do: 'end', id: String(window?.schedule_id) })
})

describe('a maintenance window', () => {
  const stored = async (title: string) => {
    const found = (await web.api.services.maintenance.list()).find((window) => window.title === title)
    if (found === undefined) throw new Error(`no window ${title}`)
    return found
  }
  const formOf = async (id: number) => {
    const page = await read(`/maintenance?id=${id}`)
    const fields = [...page.matchAll(/<input class="inp" id="(\w+)"[^>]*? value="([^"]*)"/g)]
    const chosen = [...page.matchAll(/<select class="inp" id="(\w+)".*?<option value="(\w*)" selected/g)]
    return Object.fromEntries([...fields, ...chosen].map(([, name = '', value = '']) => [name, value]))
  }

  test.each([
    { title: 'Once only', start: '2031-03-05T22:10', duration: '30:05' },
    {
      title: 'In Tokyo',
      start: '2031-03-05T23:30',
      duration: '1:15',
      every: 'weekly',
      days: '3',
      until: '2031-05-28',
      zone: 'Asia/Tokyo',
    },
    { title: 'Of each month', start: '2031-01-31T03:00', duration: '4:00', every: 'monthly', until: '2031-12-31' },
  ])('saved without changes stays as it was: $title', async (window) => {
    await send('/maintenance', admin, {
      do: 'add',
      kind: 'device',
      ref: String(deviceId),
      behavior: '2',
      notes: 'x',
      ...window,
    })
    const before = await stored(window.title)
    const id = String(before.schedule_id)
    const saved = await send('/maintenance', admin, { ...(await formOf(before.schedule_id)), do: 'save', id })
    expect(saved.status).toBe(303)
    expect(await stored(window.title)).toEqual(before)
  })

  test('gets another time and effect, keeps its targets, and rejects invalid input with an explanation', async () => {
    const before = await stored('In Tokyo')
    const form = { ...(await formOf(before.schedule_id)), do: 'save', id: String(before.schedule_id) }
    const refused = await send('/maintenance', admin, { ...form, duration: '200:00' })
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain('value="200:00"')
    await send('/maintenance', admin, { ...form, title: 'Back home', every: '', duration: '0:45', behavior: '1' })
    const after = await stored('Back home')
    expect(after).toMatchObject({ recurring: 0, repeat: null, zone: null, behavior: 1, target: before.target })
    expect(after.end.getTime() - after.start.getTime()).toBe(45 * 60_000)
    expect((await send('/maintenance', admin, { ...form, id: '999999' })).status).toBe(404)
    expect((await send('/maintenance', user, form)).status).toBe(404)
  })
})
