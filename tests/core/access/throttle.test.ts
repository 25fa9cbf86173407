import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../../src/config/settings.ts'
import { clientKey, createSignInThrottle } from '../../../src/core/access/sign-in/throttle.ts'
import { createPasswordCheck } from '../../../src/core/access/users/passwords.ts'
import { type Answer, type TestApi, testApi } from '../../support/api.ts'

setDefaultTimeout(60_000)

describe('the limit of wrong attempts', () => {
  const clock = () => {
    let ms = 1_000_000
    return { now: () => ms, pass: (seconds: number) => (ms += seconds * 1000) }
  }
  const takes = (count: number, take: () => boolean) => Array.from({ length: count }, take).filter(Boolean).length

  test('allows a burst, then one at a time; refused attempts do not count', () => {
    const { now, pass } = clock()
    const limit = createSignInThrottle(() => 6, now)
    expect(takes(1000, () => limit.take('a'))).toBe(6)
    expect(limit.waitS('a')).toBe(10)
    pass(9.9)
    expect(limit.take('a')).toBe(false)
    pass(0.2)
    expect([limit.take('a'), limit.take('a')]).toEqual([true, false])
    pass(60)
    expect(takes(1000, () => limit.take('a'))).toBe(6)
    expect(limit.take('b')).toBe(true)
  })

  test('does not count correct attempts, and 0 is no limit', () => {
    const { now } = clock()
    const limit = createSignInThrottle(() => 3, now)
    const right = () => {
      const taken = limit.take('a')
      limit.giveBack('a')
      return taken
    }
    expect(takes(100, right)).toBe(100)
    expect(takes(100, () => createSignInThrottle(() => 0, now).take('a'))).toBe(100)
  })

  test('allows a bounded number from an attacker with any number of addresses', () => {
    const { now, pass } = clock()
    const limit = createSignInThrottle(() => 6, now)
    let n = 0
    expect(takes(50_000, () => limit.take(`attacker ${n++}`))).toBe(10_000 + 6)
    pass(61)
    expect(takes(6, () => limit.take('somebody'))).toBe(6)
  })

  test('counts the addresses of an IPv6 /64 together', () => {
    expect(clientKey('2001:db8:1:2::1')).toBe(clientKey('2001:db8:1:2:ffff:eeee:dddd:cccc'))
    expect(clientKey('2001:db8:1:2::1')).not.toBe(clientKey('2001:db8:1:3::1'))
    expect(clientKey('fe80::1%eth0')).toBe(clientKey('fe80::2%eth0'))
    expect(clientKey('192.0.2.1')).not.toBe(clientKey('192.0.2.2'))
    expect(clientKey('x'.repeat(100_000)).length).toBeLessThanOrEqual(64)
  })
})

describe('wrong tokens', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi({ 'auth.wrong_tokens': '5', 'api.trusted_proxies': '127.0.0.1', 'api.v1.enabled': 'true' })
  })
  afterAll(() => api.drop())

  let guess = 0
  const from = (address: string, token = `wrong ${guess++}`) =>
    api.call('GET', '/api/v0/ping', { token, headers: { 'X-Forwarded-For': address } })
  const flood = (count: number, address: (n: number) => string) =>
    Promise.all(Array.from({ length: count }, (_, n) => from(address(n))))
  const statuses = (answers: readonly Answer[]) => Object.groupBy(answers, ({ status }) => String(status))

  test('in a flood some are answered at once, ten are delayed, and the others get 429', async () => {
    const { 401: refused = [], 429: turnedAway = [], ...others } = statuses(await flood(40, () => '192.0.2.1'))
    expect([refused.length, turnedAway.length, Object.keys(others)]).toEqual([15, 25, []])
    expect(turnedAway[0]?.text).toBe('{"message":"Too Many Attempts."}')
    expect(Number(turnedAway[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused[14]?.text).toBe('{"message":"Unauthenticated."}')
    expect(refused[14]?.headers.get('retry-after')).toBeNull()
    // one request at a time still gets a 401
    expect((await from('192.0.2.1')).status).toBe(401)
  })

  test('a valid token from the same address is accepted, whether or not it was used before', async () => {
    const [known, fresh] = [await api.token(['admin']), await api.token(['admin'])]
    expect((await from('192.0.2.2', known.token)).status).toBe(200)
    const answers = flood(60, () => '192.0.2.2')
    const good = await Promise.all([known, fresh, known, fresh].map(({ token }) => from('192.0.2.2', token)))
    expect(good.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(statuses(await answers)['429']?.length).toBeGreaterThan(0)
    expect((await from('192.0.2.2', (await api.token(['admin'])).token)).status).toBe(200)
  })

  test('other addresses are not affected, except those of the same IPv6 network', async () => {
    await flood(20, () => '192.0.2.3')
    expect(statuses(await flood(20, (n) => `198.51.100.${n}`))).toHaveProperty('401.length', 20)
    expect(statuses(await flood(40, (n) => `2001:db8:0:1::${n.toString(16)}`))).toHaveProperty('429.length', 25)
    expect(statuses(await flood(40, (n) => `2001:db8:1:${n.toString(16)}::1`))).toHaveProperty('401.length', 40)
  })

  test('v1 responds in its own form', async () => {
    const headers = { 'X-Forwarded-For': '192.0.2.4' }
    const call = (_: unknown, n: number) =>
      api.call('GET', '/api/v1/system', { token: null, headers: { ...headers, Authorization: `Bearer w${n}` } })
    const { 429: turnedAway = [] } = statuses(await Promise.all(Array.from({ length: 40 }, call)))
    expect(turnedAway).toHaveLength(25)
    expect(turnedAway[0]?.json).toMatchObject({ errors: [{ status: '429', title: 'Too Many Requests' }] })
    expect(turnedAway[0]?.headers.get('retry-after')).not.toBeNull()
  })

  test('requests without a token do not count', async () => {
    const call = () => api.call('GET', '/api/v0/ping', { token: null, headers: { 'X-Forwarded-For': '192.0.2.5' } })
    const answers = await Promise.all(Array.from({ length: 100 }, call))
    expect(statuses(answers)).toHaveProperty('401.length', 100)
  })
})

describe('wrong passwords', () => {
  let api: TestApi
  let ms = 1_000_000
  let check: ReturnType<typeof createPasswordCheck>
  beforeAll(async () => {
    api = await testApi()
    const settings = createSettings({ flags: { 'auth.wrong_passwords': '2' } })
    check = createPasswordCheck({ store: api.store, settings, now: () => ms })
    await api.services.users.create({ username: 'erin', password: 'correct horse', roles: ['user'] })
    await api.services.users.create({ username: 'frank', password: 'battery staple', roles: ['user'] })
  })
  afterAll(() => api.drop())

  const erin = (address: string, password = 'wrong') =>
    check('erin', password, address).catch((error: { code: string }) => error.code)

  test('are limited by address, for a limited time', async () => {
    expect([await erin('192.0.2.1'), await erin('192.0.2.1')]).toEqual([false, false])
    expect(await erin('192.0.2.1')).toBe('throttled')
    expect(await erin('192.0.2.1', 'correct horse')).toBe('throttled')
    expect(await erin('192.0.2.2', 'correct horse')).toBe(true)
    ms += 30_000
    expect(await erin('192.0.2.1', 'correct horse')).toBe(true)
    ms += 600_000
  })

  test('are limited by user name to three times as many, and then slow down, which locks nobody out', async () => {
    for (let n = 0; n < 6; n++) expect(await erin(`198.51.100.${n}`)).toBe(false)
    // an address that has guessed wrong waits; any other may try, one at a time for a name
    expect(await erin('198.51.100.3')).toBe('throttled')
    const guesses = await Promise.all([20, 21, 22, 23, 24].map((n) => erin(`198.51.100.${n}`)))
    expect(Object.groupBy(guesses, String)).toEqual({ false: [false], throttled: Array(4).fill('throttled') })
    expect(await check('ERIN', 'correct horse', '198.51.100.10')).toBe(true)
    expect(await erin('198.51.100.3', 'correct horse')).toBe('throttled')
    expect(await erin('192.0.2.2', 'correct horse')).toBe(true)
    expect(await check('frank', 'battery staple', '198.51.100.11')).toBe(true)
    ms += 600_000
  })

  test('do not lock a user out where a session is open, even after a restart', async () => {
    const { sessions } = api.services
    await sessions.signIn('frank', 'battery staple', { address: '2001:db8:1:2::1', agent: '' })
    const settings = createSettings({ flags: { 'auth.wrong_passwords': '2' } })
    const restarted = createPasswordCheck({ store: api.store, settings, now: () => ms })
    const frank = (address: string, password: string) =>
      restarted('frank', password, address).catch((error: { code: string }) => error.code)
    for (let n = 0; n < 4; n++) await frank('2001:db8:1:2::bad', 'wrong')
    expect(await frank('2001:db8:1:2::bad', 'wrong')).toBe('throttled')
    for (let n = 0; n < 6; n++) await frank(`203.0.113.${n}`, 'wrong')
    ms += 30_000
    expect(await frank('2001:db8:1:2::7', 'battery staple')).toBe(true)
    ms += 600_000
  })

  test('of one user do not lock out another user at the same address', async () => {
    expect([await erin('192.0.2.2'), await erin('192.0.2.2'), await erin('192.0.2.2')]).toEqual([
      false,
      false,
      'throttled',
    ])
    await check('frank', 'battery staple', '192.0.2.2')
    for (let n = 0; n < 3; n++) await check('nobody', 'x', '192.0.2.2').catch(() => null)
    expect(await check('nobody', 'x', '192.0.2.2').catch((e: { code: string }) => e.code)).toBe('throttled')
    expect(await check('frank', 'battery staple', '192.0.2.2')).toBe(true)
    ms += 600_000
  })

  test('correct passwords and cheap refusals do not count', async () => {
    for (let n = 0; n < 20; n++) expect(await erin('192.0.2.7', 'correct horse')).toBe(true)
    expect(await erin('192.0.2.8', 'x'.repeat(5000))).toBe(false)
  })

  test('concurrent attempts count before they are known to be wrong', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => erin('203.0.113.1')))
    expect(answers.filter((answer) => answer === false)).toHaveLength(2)
  })
})
