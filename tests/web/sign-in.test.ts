import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { PASSWORD } from '../support/password.ts'
import { cookieOf, ORIGIN, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
beforeAll(async () => {
  web = await testWeb({ 'api.trusted_proxies': '10.0.0.1', 'auth.wrong_passwords': '5' })
})
afterAll(() => web.drop())

const to = (answer: Response) => answer.headers.get('location')

describe('signing in', () => {
  test('only the right password opens the pages', async () => {
    const { username } = await web.person(['admin'])
    const before = await web.send('/devices?state=down')
    expect([before.status, to(before)]).toEqual([303, `/sign-in?to=${encodeURIComponent('/devices?state=down')}`])
    const wrong = await web.signIn(username, 'wrong', { peer: '192.0.2.1' })
    expect([wrong.status, cookieOf(wrong)]).toEqual([401, ''])
    const right = await web.signIn(username)
    expect([right.status, to(right)]).toEqual([303, '/'])
    expect(right.headers.get('set-cookie')).toMatch(
      /^portlight=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
    )
    expect((await web.send('/', { cookie: cookieOf(right) })).status).toBe(200)
    expect((await web.send('/', { cookie: `${cookieOf(right)}x` })).status).toBe(303)
  })

  test('over TLS the cookie is Secure and bound to this host', async () => {
    const { username } = await web.person(['admin'])
    const headers = {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'nms.example.net',
      origin: 'https://nms.example.net',
    }
    const right = await web.signIn(username, PASSWORD, { peer: '10.0.0.1', headers })
    expect(right.headers.get('set-cookie')).toMatch(/^__Host-portlight=[\w-]+; Path=\/; .*; Secure$/)
    const plain = cookieOf(right).replace('__Host-', '')
    expect((await web.send('/', { cookie: cookieOf(right), peer: '10.0.0.1', headers })).status).toBe(200)
    expect((await web.send('/', { cookie: plain, peer: '10.0.0.1', headers })).status).toBe(303)
  })

  test('redirects to the page that was requested, but never to another host', async () => {
    const { username } = await web.person(['admin'])
    const send = (target: string) => web.post('/sign-in', { username, password: PASSWORD, to: target })
    expect(to(await send('/devices?q=a'))).toBe('/devices?q=a')
    for (const other of ['//evil.example', 'https://evil.example', '/\\evil.example', '/ x'])
      expect(to(await send(other))).toBe('/')
  })

  test('a form from another site is rejected', async () => {
    const { username } = await web.person(['admin'])
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await web.signIn(username, PASSWORD, { headers: { origin } })
      expect([answer.status, cookieOf(answer)]).toEqual([403, ''])
    }
  })

  test('wrong passwords are limited by address, and the page says how long to wait', async () => {
    const { username } = await web.person(['admin'])
    const tries = { peer: '192.0.2.77' }
    for (let i = 0; i < 5; i++) expect((await web.signIn(username, 'wrong', tries)).status).toBe(401)
    const held = await web.signIn(username, PASSWORD, tries)
    expect(held.status).toBe(429)
    expect(Number(held.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await held.text()).toContain('Wait ')
    expect((await web.signIn(username, PASSWORD, { peer: '192.0.2.78' })).status).toBe(303)
  })

  test('disabling a user ends access at once', async () => {
    const { username, cookie } = await web.signedIn(['global-read'])
    await web.api.services.users.setEnabled(username, false)
    expect((await web.send('/', { cookie })).status).toBe(303)
    expect((await web.signIn(username)).status).toBe(401)
  })

  test('signing out needs the form on the page, and ends the session', async () => {
    const { cookie, csrf } = await web.signedIn(['admin'])
    await web.post('/sign-out', { csrf: 'x' }, { cookie })
    expect((await web.send('/', { cookie })).status).toBe(200)
    const out = await web.post('/sign-out', { csrf }, { cookie })
    expect([to(out), out.headers.get('set-cookie')]).toEqual(['/sign-in', expect.stringContaining('Max-Age=0')])
    expect((await web.send('/', { cookie })).status).toBe(303)
  })

  test('sessions expire', async () => {
    const { cookie, userId } = await web.signedIn(['admin'])
    await web.api.store.sql`update sessions set seen_at = now() - interval '8 days' where user_id = ${userId}`
    web.api.services.sessions.forget()
    expect((await web.send('/', { cookie })).status).toBe(303)
  })
})

describe('the account', () => {
  test('a changed password ends all other sessions', async () => {
    const { username, cookie, csrf } = await web.signedIn(['admin'])
    const other = cookieOf(await web.signIn(username))
    const change = (before: string) =>
      web.post(
        '/account',
        { csrf, do: 'password', before, after: 'another password', again: 'another password' },
        { cookie },
      )
    expect((await change('wrong')).status).toBe(422)
    expect((await web.send('/', { cookie: other })).status).toBe(200)
    expect((await change(PASSWORD)).status).toBe(200)
    expect((await web.send('/', { cookie: other })).status).toBe(303)
    expect((await web.send('/', { cookie })).status).toBe(200)
    expect((await web.signIn(username, 'another password')).status).toBe(303)
  })

  test('sessions are listed and end one by one, those of others never', async () => {
    const mine = await web.signedIn(['admin'])
    const [own] = await web.api.services.sessions.list(
      (await web.api.services.sessions.find(mine.cookie.split('=')[1] ?? '', ''))?.actor ?? never(),
    )
    const theirs = await web.signedIn(['admin'])
    const end = (id: number) =>
      web.post('/account', { csrf: theirs.csrf, do: 'revoke', id: String(id) }, { cookie: theirs.cookie })
    expect((await end(own?.id ?? 0)).status).toBe(404)
    expect((await web.send('/', { cookie: mine.cookie })).status).toBe(200)
  })

  test('a change without the token of the session, or from another origin, does nothing', async () => {
    const { cookie, csrf, username } = await web.signedIn(['admin'])
    const form = { do: 'password', before: PASSWORD, after: 'another password', again: 'another password' }
    expect((await web.post('/account', form, { cookie })).status).toBe(403)
    expect(
      (await web.post('/account', { ...form, csrf }, { cookie, headers: { origin: 'https://evil.example' } })).status,
    ).toBe(403)
    expect((await web.signIn(username)).status).toBe(303)
  })

  test('a second factor is required, each code works once, and so does each recovery code', async () => {
    const { username, userId, cookie, csrf } = await web.signedIn(['admin'])
    const begun = await (await web.send('/account?factor=new', { cookie })).text()
    expect(begun).toContain('<svg class="qr"')
    const secret = /<code>([A-Z2-7]+)<\/code>/.exec(begun)?.[1] ?? ''
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const used = totp.generate()
    const confirmed = await web.post('/account', { csrf, do: 'factor-confirm', code: used }, { cookie })
    const recovery = /<pre[^>]*>([\w\s-]+)<\/pre>/.exec(await confirmed.text())?.[1]?.split('\n')[0] ?? ''
    expect(recovery).toMatch(/^(\w{4}-){3}\w{4}$/)

    const half = await web.signIn(username)
    expect(to(half)).toStartWith('/sign-in/code')
    const waiting = cookieOf(half)
    expect(to(await web.send('/', { cookie: waiting }))).toBe('/sign-in')
    expect((await web.send('/api/v1/system', { cookie: waiting })).status).toBe(404)
    const code = (value: string) => web.post('/sign-in/code', { code: value, to: '/devices' }, { cookie: waiting })
    // the code used for confirmation cannot be used again
    expect((await code(used)).status).toBe(401)
    expect((await code('000000')).status).toBe(401)
    await web.api.store.sql`update second_factors set last_step = 0 where user_id = ${userId}`
    const opened = await code(totp.generate())
    expect([opened.status, to(opened)]).toEqual([303, '/devices'])
    expect((await web.send('/', { cookie: cookieOf(opened) })).status).toBe(200)

    const again = cookieOf(await web.signIn(username))
    const recover = (at: string) => web.post('/sign-in/code', { code: recovery }, { cookie: at })
    expect((await recover(again)).status).toBe(303)
    expect((await recover(cookieOf(await web.signIn(username)))).status).toBe(401)
  })
})

describe('sessions in API v1', () => {
  test('can read v1 even if it is disabled for programs; tokens still cannot', async () => {
    const { cookie } = await web.signedIn(['admin'])
    expect((await web.send('/api/v1/system', { cookie })).status).toBe(200)
    expect((await web.send('/api/v1/system')).status).toBe(404)
    expect((await web.send('/api/v1/system', { cookie: 'portlight=x' })).status).toBe(404)
    const headers = { authorization: 'Bearer wrong' }
    expect((await web.send('/api/v1/system', { cookie, headers })).status).toBe(404)
    expect((await web.send('/api/v0/devices', { cookie })).status).toBe(401)
  })

  test('with v1 enabled, a wrong token is refused whatever the cookie', async () => {
    const open = await testWeb({ 'api.v1.enabled': 'true' })
    const { cookie } = await open.signedIn(['admin'])
    const status = async (headers: Readonly<Record<string, string>>) =>
      (await open.send('/api/v1/system', { cookie, headers })).status
    expect(await status({})).toBe(200)
    expect(await status({ authorization: 'Bearer wrong' })).toBe(401)
    expect((await open.send('/api/v1/system', { cookie: 'portlight=x' })).status).toBe(401)
    await open.drop()
  })
})

describe('an authenticating proxy', () => {
  test('identifies the user only with the setting, from a trusted address, and only an existing one', async () => {
    const proxied = await testWeb({ 'api.trusted_proxies': '10.0.0.1', 'auth.proxy_header': 'X-Remote-User' })
    const { username } = await proxied.person(['admin'])
    const ask = (peer: string, name: string, cookie?: string) =>
      proxied.send('/', { peer, headers: { 'x-remote-user': name }, ...(cookie !== undefined && { cookie }) })
    expect((await ask('192.0.2.9', username)).status).toBe(303)
    expect((await ask('10.0.0.1', 'nobody')).status).toBe(303)
    const entered = await ask('10.0.0.1', username)
    expect(entered.status).toBe(200)
    // without the proxy, a session that it started is not accepted
    expect((await proxied.send('/', { cookie: cookieOf(entered) })).status).toBe(303)
    expect((await ask('10.0.0.1', username, cookieOf(entered))).headers.get('set-cookie')).toBeNull()
    await proxied.drop()
    const { username: local } = await web.person(['admin'])
    expect((await web.send('/', { peer: '10.0.0.1', headers: { 'x-remote-user': local } })).status).toBe(303)
  })
})

test('responses forbid framing, inline scripts and other hosts', async () => {
  const answer = await web.send('/sign-in')
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  expect(await answer.text()).not.toContain(ORIGIN)
})

function never(): never {
  throw new Error('no session')
}
