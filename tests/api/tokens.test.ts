import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { type TestApi, testApi } from '../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

const ping = async (headers: Record<string, string>, query = '') =>
  (await api.call('GET', `/api/v0/ping${query}`, { token: null, headers })).status

describe('places of a token', () => {
  test('header, query, body, bearer and basic are accepted', async () => {
    const { token } = await api.token(['admin'])
    expect(await ping({ 'x-auth-token': token })).toBe(200)
    expect(await ping({}, `?api_token=${token}`)).toBe(200)
    expect(await ping({ Authorization: `Bearer ${token}` })).toBe(200)
    expect(await ping({ Authorization: `Basic ${btoa(`anybody:${token}`)}` })).toBe(200)
    const answer = await api.call('POST', '/api/v0/devices', { token: null, body: { api_token: token, x: 1 } })
    expect(answer.status).toBe(400) // past authentication
  })

  test('after a wrong X-Auth-Token a valid bearer token is not tried, after an empty one it is', async () => {
    const { token } = await api.token(['admin'])
    expect(await ping({ 'X-Auth-Token': 'wrong', Authorization: `Bearer ${token}` })).toBe(401)
    expect(await ping({ 'X-Auth-Token': '', Authorization: `Bearer ${token}` })).toBe(200)
  })

  test.each(['', 'x'.repeat(5000), "' or 1=1 --", 'null', '%00'])('%p is no token', async (token) => {
    expect(await ping({ 'X-Auth-Token': token })).toBe(401)
  })
})

describe('tokens', () => {
  test('have 32 lower-case hex digits and are stored only as a hash', async () => {
    const { token } = await api.token(['admin'])
    expect(token).toMatch(/^[0-9a-f]{32}$/)
    const rows = await api.store.sql<{ token_hash: string }[]>`select token_hash from api_tokens`
    const stored = rows.map((row) => row.token_hash)
    expect(stored).toContain(new Bun.CryptoHasher('sha256').update(token).digest('hex'))
    expect(stored).not.toContain(token)
  })

  test('are invalid as soon as they are revoked or disabled', async () => {
    const { token, username } = await api.token(['admin'])
    const [record] = await api.services.tokens.list(username)
    expect(await ping({ 'x-auth-token': token })).toBe(200)
    await api.services.tokens.setDisabled(record?.id ?? 0, true)
    expect(await ping({ 'x-auth-token': token })).toBe(401)
    await api.services.tokens.setDisabled(record?.id ?? 0, false)
    expect(await ping({ 'x-auth-token': token })).toBe(200)
    await api.services.tokens.revoke(record?.id ?? 0)
    expect(await ping({ 'x-auth-token': token })).toBe(401)
  })

  test('of a disabled user get 401, unless the setting says otherwise', async () => {
    const { token, username } = await api.token(['admin'])
    await api.services.users.setEnabled(username, false)
    expect(await ping({ 'x-auth-token': token })).toBe(401)
    api.settings.applyStored(new Map([['auth_requires_enabled', false]]))
    expect(await ping({ 'x-auth-token': token })).toBe(200)
    api.settings.applyStored(new Map())
  })

  test('a list shows when a token was last used, but not the token', async () => {
    const { token, username } = await api.token(['user'])
    await ping({ 'x-auth-token': token })
    const deadline = Date.now() + 30_000
    let [record] = await api.services.tokens.list(username)
    while (record?.last_used_at === null && Date.now() < deadline) {
      await Bun.sleep(10)
      ;[record] = await api.services.tokens.list(username)
    }
    expect(record?.last_used_at).toBeInstanceOf(Date)
    expect(JSON.stringify(record)).not.toContain(token)
  })

  test('an unknown user, a long description and an unknown id are rejected', async () => {
    const make = (username: string, description: string) =>
      api.services.tokens.create({ username, description, dialect: null })
    await expect(make('nobody', '')).rejects.toMatchObject({ code: 'not_found' })
    const { username } = await api.token(['user'])
    await expect(make(username, 'x'.repeat(256))).rejects.toMatchObject({ code: 'invalid' })
    await expect(api.services.tokens.revoke(2_000_000_000)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('users', () => {
  test('the first administrator is created once, and the password works', async () => {
    const fresh = await testApi()
    try {
      await fresh.store.sql`delete from users`
      const made = await Promise.all([1, 2, 3].map(() => fresh.services.users.createFirstAdmin()))
      const passwords = made.filter((p) => p !== null)
      expect(passwords).toHaveLength(1)
      expect(await fresh.services.users.checkPassword('admin', passwords[0] ?? '', '192.0.2.1')).toBe(true)
      expect(await fresh.services.users.list()).toMatchObject([{ username: 'admin', roles: ['admin'], enabled: 1 }])
    } finally {
      await fresh.drop()
    }
  })

  test('passwords are argon2id hashes; wrong ones and unknown users do not pass', async () => {
    const { users } = api.services
    await users.create({ username: 'carol', password: 'correct horse', roles: ['user'] })
    const [row] = await api.store.sql<{ password: string }[]>`select password from users where username = 'carol'`
    expect(row?.password).toStartWith('$argon2id$')
    expect(await users.checkPassword('Carol', 'correct horse', '192.0.2.1')).toBe(true)
    expect(await users.checkPassword('carol', 'wrong', '192.0.2.1')).toBe(false)
    expect(await users.checkPassword('nobody', 'correct horse', '192.0.2.1')).toBe(false)
    await users.setPassword('carol', 'another one')
    expect(await users.checkPassword('carol', 'another one', '192.0.2.1')).toBe(true)
    await users.setEnabled('carol', false)
    expect(await users.checkPassword('carol', 'another one', '192.0.2.1')).toBe(false)
  })

  test('a name in use (in any letter case), an unknown role and a short password are rejected', async () => {
    const { users } = api.services
    await users.create({ username: 'dave', roles: ['user'] })
    await expect(users.create({ username: 'DAVE', roles: ['user'] })).rejects.toMatchObject({ code: 'conflict' })
    await expect(users.create({ username: 'e', password: 'short', roles: [] })).rejects.toMatchObject({
      code: 'invalid',
    })
    await expect(users.create({ username: 'with space', roles: [] })).rejects.toMatchObject({ code: 'invalid' })
    await expect(users.setRoles('dave', ['root' as 'user'])).rejects.toMatchObject({ code: 'invalid' })
    await expect(users.delete(SYSTEM, 'nobody')).rejects.toMatchObject({ code: 'not_found' })
    await expect(users.grant('dave', { deviceIds: [2_000_000_000] })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('removing a user removes its tokens', async () => {
    const { token, username } = await api.token(['admin'])
    expect(await ping({ 'x-auth-token': token })).toBe(200)
    await api.services.users.delete(SYSTEM, username)
    expect(await ping({ 'x-auth-token': token })).toBe(401)
  })

  test('a change of roles takes effect at once', async () => {
    const { token, username } = await api.token([])
    const list = async () => (await api.call('GET', '/api/v0/devices', { token })).status
    expect(await list()).toBe(403)
    await api.services.users.setRoles(username, ['global-read'])
    expect(await list()).toBe(200)
  })
})

describe('settings', () => {
  test('are checked, stored, announced and removed', async () => {
    const { settings } = api.services
    const notified: string[] = []
    const listening = await api.store.sql.listen('portlight_settings', (name) => notified.push(name))
    await settings.set('poller.interval', '60')
    expect(await settings.stored()).toEqual(new Map([['poller.interval', 60]]))
    api.settings.applyStored(await settings.stored())
    expect(settings.get('poller.interval')).toMatchObject({ value: 60, origin: 'stored', scope: 'live' })
    expect(await settings.unset('poller.interval')).toBe(true)
    expect(await settings.unset('poller.interval')).toBe(false)
    api.settings.applyStored(await settings.stored())
    expect(settings.get('poller.interval').origin).toBe('default')
    const deadline = Date.now() + 30_000
    while (notified.length < 3 && Date.now() < deadline) await Bun.sleep(5)
    expect(notified).toEqual(['poller.interval', 'poller.interval', 'poller.interval'])
    await listening.unlisten()
  })

  test('unknown names and invalid values are rejected', async () => {
    await expect(api.services.settings.set('poller.intervall', '60')).rejects.toMatchObject({ code: 'not_found' })
    await expect(api.services.settings.set('poller.interval', '1')).rejects.toMatchObject({
      code: 'invalid',
      message: 'poller.interval: expected an integer from 5 to 86400',
    })
  })

  test('secrets are masked in lists', () => {
    const shown = api.services.settings.list().find((s) => s.name === 'snmp.community')
    expect(JSON.stringify(shown?.value)).not.toContain('public')
  })
})
