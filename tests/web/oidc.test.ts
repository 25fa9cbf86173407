import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mint } from '../support/api.ts'
import { CLIENT_ID, CLIENT_SECRET, type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { PASSWORD } from '../support/password.ts'
import { cookieOf, ORIGIN, type TestWeb, testWeb } from './support.ts'

// Sign-in with OpenID Connect against a real provider.

let provider: IdentityProvider
let web: TestWeb

const flagsFor = (issuer: string) => ({
  'auth.oidc.issuer': issuer,
  'auth.oidc.client_id': CLIENT_ID,
  'auth.oidc.client_secret': CLIENT_SECRET,
  'auth.oidc.roles_claim': 'groups',
  'auth.oidc.roles': '{"noc": "admin", "staff": ["global-read"], "odd": "no-such-role"}',
  'outgoing.allow': '127.0.0.1',
})

beforeAll(async () => {
  provider = await startIdentityProvider(ORIGIN)
  web = await testWeb(flagsFor(provider.issuer))
})
afterAll(async () => {
  await web.drop()
  await provider.stop()
})
afterEach(() => {
  provider.tamper = null
})

const to = (answer: Response) => answer.headers.get('location') ?? ''
const cookies = (answer: Response) => answer.headers.getSetCookie()
const flowOf = (answer: Response) =>
  cookies(answer)
    .find((line) => line.includes('-oidc='))
    ?.split(';')[0] ?? ''
const sessionOf = (answer: Response) =>
  cookies(answer)
    .find((line) => line.startsWith('portlight='))
    ?.split(';')[0] ?? ''

/** A new person at the provider. */
function someone(claims: Readonly<Record<string, unknown>> = {}): string {
  const sub = `sub-${mint()}`
  provider.people.set(sub, { preferred_username: `name-${sub}`, groups: ['noc'], ...claims })
  return sub
}

interface Way {
  readonly target?: string
  readonly of?: TestWeb
  readonly at?: IdentityProvider
  /** Changes the URL that the provider redirects back to. */
  readonly change?: (url: URL) => void
  readonly cookie?: (flow: string) => string
}

/** The whole flow: from the button to the response of our callback. */
async function arrive(
  sub: string,
  { target = '/', of = web, at = provider, change, cookie = (flow) => flow }: Way = {},
) {
  const begun = await of.send(`/sign-in/oidc?to=${encodeURIComponent(target)}`)
  expect([begun.status, to(begun).startsWith(at.issuer)]).toEqual([303, true])
  const back = await at.visit(to(begun), sub)
  change?.(back)
  const path = back.pathname + back.search
  const kept = cookie(flowOf(begun))
  return { answer: await of.send(path, kept === '' ? {} : { cookie: kept }), path, kept }
}

const usernames = async (sub: string) =>
  (await web.api.services.users.list()).filter((u) => u.username === `name-${sub}`)

describe('signing in with a provider', () => {
  test('the button leads to the provider, with PKCE, state and nonce', async () => {
    const page = await (await web.send('/sign-in?to=/devices')).text()
    expect(page).toContain('href="/sign-in/oidc?to=%2Fdevices"')
    const begun = await web.send('/sign-in/oidc?to=/devices')
    const query = new URL(to(begun)).searchParams
    expect(query.get('redirect_uri')).toBe(`${ORIGIN}/sign-in/oidc/callback`)
    expect(query.get('code_challenge_method')).toBe('S256')
    for (const name of ['code_challenge', 'state', 'nonce']) expect(query.get(name)?.length).toBeGreaterThan(20)
    expect(cookies(begun)).toEqual([
      expect.stringMatching(/^portlight-oidc=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=900$/),
    ])
    expect(to(begun)).not.toContain(flowOf(begun).split('.')[2] ?? 'verifier')
  })

  test('a new person gets a user with the roles of the groups, and a session like any other', async () => {
    const sub = someone({ groups: ['staff', 'odd', 'toString'], name: 'Ada', email: 'ada@example.net' })
    const { answer } = await arrive(sub, { target: '/devices?state=down' })
    expect([answer.status, to(answer)]).toEqual([303, '/devices?state=down'])
    expect(cookies(answer)).toContainEqual(expect.stringMatching(/^portlight-oidc=; .*Max-Age=0$/))
    expect((await web.send('/devices', { cookie: sessionOf(answer) })).status).toBe(200)
    expect(await usernames(sub)).toMatchObject([{ roles: ['global-read'], realname: 'Ada', email: 'ada@example.net' }])
    const account = await (await web.send('/account', { cookie: sessionOf(answer) })).text()
    expect(account).toContain('this session')
    expect(account).not.toContain('Change password')
    const log = await web.api.store.sql`select result from authlog where "user" = ${`name-${sub}`}`
    expect(log).toMatchObject([{ result: 'Signed in by OpenID Connect' }])
  })

  test('roles follow the groups at every sign-in, and a user who lost every role is locked out', async () => {
    await web.person(['admin'])
    const sub = someone({ groups: ['noc'] })
    const first = await arrive(sub)
    expect(await usernames(sub)).toMatchObject([{ roles: ['admin'] }])
    provider.people.set(sub, { preferred_username: 'renamed', groups: ['staff'] })
    await arrive(sub)
    expect(await usernames(sub)).toMatchObject([{ roles: ['global-read'] }])
    provider.people.set(sub, { groups: ['others'] })
    const last = await arrive(sub)
    expect([last.answer.status, sessionOf(last.answer)]).toEqual([403, ''])
    expect(await last.answer.text()).toContain('has no role here')
    expect((await web.send('/', { cookie: sessionOf(first.answer) })).status).toBe(303)
    const changes = await web.api.store
      .sql`select message from eventlog where reference = ${`name-${sub}`} order by event_id`
    expect(changes.map(({ message }) => message)).toEqual([
      `User name-${sub} added with admin for ${sub} of ${provider.issuer}`,
      `User name-${sub}: roles changed from admin to global-read by the provider`,
      `User name-${sub}: roles changed from global-read to none by the provider`,
    ])
  })

  test('a person without a role does not become a user; the button then asks for another account', async () => {
    const sub = someone({ groups: [] })
    const { answer } = await arrive(sub)
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('/sign-in/oidc?to=%2F&amp;other=1')
    expect(await usernames(sub)).toEqual([])
    expect(new URL(to(await web.send('/sign-in/oidc?other=1'))).searchParams.get('prompt')).toBe('login')
  })

  test('a local user of the same name is not taken over', async () => {
    const { username } = await web.person(['admin'])
    const sub = someone({ preferred_username: username.toUpperCase() })
    const { answer } = await arrive(sub)
    expect([answer.status, sessionOf(answer)]).toEqual([403, ''])
    expect(await answer.text()).toContain(`portlight user link ${username} ${sub}`)
    await web.api.services.users.link(username, sub)
    expect((await arrive(sub)).answer.status).toBe(303)
    expect((await web.signIn(username)).status).toBe(303)
  })

  test('a disabled user cannot sign in', async () => {
    const sub = someone()
    await arrive(sub)
    await web.api.services.users.setEnabled(`name-${sub}`, false)
    const { answer } = await arrive(sub)
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('is disabled here')])
  })

  test('nobody is redirected to another host', async () => {
    for (const target of ['//evil.example', 'https://evil.example/', '/\\evil.example', '/a b']) {
      const { answer } = await arrive(someone(), { target })
      expect([target, to(answer)]).toEqual([target, '/'])
    }
    // not even with a forged cookie
    const evil = Buffer.from('//evil.example').toString('base64url')
    const { answer } = await arrive(someone(), { cookie: (flow) => flow.replace(/\.[^.]*$/, `.${evil}`) })
    expect([answer.status, to(answer)]).toEqual([303, '/'])
  })

  test('signing out ends the session here and leads to the provider', async () => {
    const { answer } = await arrive(someone())
    const cookie = sessionOf(answer)
    const csrf = /name="csrf" content="(\w+)"/.exec(await (await web.send('/account', { cookie })).text())?.[1] ?? ''
    const out = await web.post('/sign-out', { csrf }, { cookie })
    const page = await out.text()
    expect(out.status).toBe(200)
    expect(page).toContain(`http-equiv="refresh" content="0; url=${provider.issuer}/session/end?`)
    expect(page).toContain('id_token_hint=')
    expect(page).toContain(encodeURIComponent(`${ORIGIN}/sign-in`))
    expect((await web.send('/', { cookie })).status).toBe(303)
  })
})

describe('rejected responses', () => {
  const refused = async (way: Way, status: number, says: string) => {
    const { answer } = await arrive(someone(), way)
    expect([answer.status, sessionOf(answer), await answer.text()]).toEqual([status, '', expect.stringContaining(says)])
  }
  const tampered = (change: (claims: Record<string, unknown>) => void, says: string) => {
    provider.tamper = change
    return refused({}, 502, says)
  }
  const nowS = () => Math.floor(Date.now() / 1000)

  test('another state', () =>
    refused({ change: (url) => url.searchParams.set('state', 'x'.repeat(43)) }, 400, 'has expired'))
  test('another browser', () => refused({ cookie: () => '' }, 400, 'Begin again'))
  test('a sign-in that was started too long ago', () =>
    refused(
      { cookie: (flow) => flow.replace(/\.(\d{13})\./, (_, ms) => `.${Number(ms) - 901_000}.`) },
      400,
      'has expired',
    ))
  test('another nonce', () => tampered((claims) => Object.assign(claims, { nonce: 'another' }), 'nonce'))
  test('no nonce', () => tampered((claims) => Object.assign(claims, { nonce: undefined }), 'not accepted'))
  test('another audience', () => tampered((claims) => Object.assign(claims, { aud: 'another' }), 'aud'))
  test('another issuer', () => tampered((claims) => Object.assign(claims, { iss: 'https://evil.example' }), 'iss'))
  test('an expired token', () => tampered((claims) => Object.assign(claims, { exp: nowS() - 60 }), 'TIMESTAMP'))
  test('a wrong client secret', async () => {
    const other = await testWeb({ ...flagsFor(provider.issuer), 'auth.oidc.client_secret': 'wrong' })
    const { answer } = await arrive(someone(), { of: other })
    expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('auth.oidc.client_secret')])
    await other.drop()
  })

  test('clocks may differ by less than 30 seconds', async () => {
    provider.tamper = (claims) => Object.assign(claims, { exp: nowS() - 10, iat: nowS() + 10 })
    expect((await arrive(someone())).answer.status).toBe(303)
  })

  test('a code that was used before', async () => {
    const { answer, path, kept } = await arrive(someone())
    expect(answer.status).toBe(303)
    const again = await web.send(path, { cookie: kept })
    expect([again.status, sessionOf(again)]).toEqual([400, ''])
    expect(await again.text()).toContain('was used before')
  })

  test('an error from the provider', async () => {
    const begun = await web.send('/sign-in/oidc')
    const state = new URL(to(begun)).searchParams.get('state') ?? ''
    const answer = await web.send(
      `/sign-in/oidc/callback?error=access_denied&error_description=%3Cb%3E&state=${state}&iss=${provider.issuer}`,
      { cookie: flowOf(begun) },
    )
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('(access_denied)')])
  })

  test('a failure is in the authentication log, without secrets', async () => {
    await tampered((claims) => Object.assign(claims, { aud: 'another' }), 'aud')
    const rows = await web.api.store.sql`select result from authlog where result like 'OpenID Connect refused%'`
    expect(rows.map(({ result }) => String(result))).toContainEqual(expect.stringContaining('aud'))
  })

  test('too many failures from one address', async () => {
    const limited = await testWeb({ ...flagsFor(provider.issuer), 'auth.wrong_passwords': '2' })
    provider.tamper = (claims) => Object.assign(claims, { aud: 'another' })
    const tries: number[] = []
    for (let i = 0; i < 3; i++) tries.push((await arrive(someone(), { of: limited })).answer.status)
    expect(tries).toEqual([502, 502, 429])
    await limited.drop()
  })
})

describe('keys', () => {
  test('new keys of the provider work at once, unpublished ones never', async () => {
    const own = await startIdentityProvider(ORIGIN)
    const of = await testWeb(flagsFor(own.issuer))
    own.people.set('one', { preferred_username: 'one', groups: ['noc'] })
    expect((await arrive('one', { of, at: own })).answer.status).toBe(303)
    own.rotate()
    expect((await arrive('one', { of, at: own })).answer.status).toBe(303)
    expect(own.asked.get('/.well-known/openid-configuration')).toBe(1)
    own.forge()
    expect((await arrive('one', { of, at: own })).answer.status).toBe(502)
    await of.drop()
    await own.stop()
  })
})

describe('settings', () => {
  const withSettings = async (flags: Readonly<Record<string, string>>, work: (of: TestWeb) => Promise<void>) => {
    const of = await testWeb({ ...flagsFor(provider.issuer), ...flags })
    try {
      await work(of)
    } finally {
      await of.drop()
    }
  }

  test('when off, there is no button and no way in', async () => {
    await withSettings({ 'auth.oidc.issuer': '' }, async (of) => {
      expect(await (await of.send('/sign-in')).text()).not.toContain('/sign-in/oidc')
      expect((await of.send('/sign-in/oidc')).status).toBe(404)
    })
  })

  test('the page says that the provider is down, and passwords still work', async () => {
    const gone = await startIdentityProvider(ORIGIN)
    await gone.stop()
    await withSettings({ 'auth.oidc.issuer': gone.issuer }, async (of) => {
      const answer = await of.send('/sign-in/oidc')
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
      const page = await answer.text()
      expect(page).toContain('cannot be reached (ECONNREFUSED)')
      expect(page).toContain('name="password"')
      const { username } = await of.person(['admin'])
      expect((await of.signIn(username)).status).toBe(303)
    })
  })

  test('a provider at an address that is not allowed is not contacted', async () => {
    await withSettings({ 'outgoing.allow': '' }, async (of) => {
      const before = provider.asked.get('/.well-known/openid-configuration') ?? 0
      const answer = await of.send('/sign-in/oidc')
      expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('outgoing.allow')])
      expect(provider.asked.get('/.well-known/openid-configuration') ?? 0).toBe(before)
    })
  })

  test('only: passwords are refused, with or without the form', async () => {
    await withSettings({ 'auth.oidc.only': 'true' }, async (of) => {
      const page = await (await of.send('/sign-in')).text()
      expect(page).not.toContain('name="password"')
      expect(page).toContain('portlight config set auth.oidc.only false')
      const { username } = await of.person(['admin'])
      const answer = await of.signIn(username, PASSWORD)
      expect([answer.status, cookieOf(answer)]).toEqual([403, ''])
      expect((await arrive(someone(), { of })).answer.status).toBe(303)
    })
  })

  test('link_by username takes over the user of that name, once', async () => {
    await withSettings({ 'auth.oidc.link_by': 'username', 'auth.oidc.create_users': 'false' }, async (of) => {
      const { username } = await of.person(['user'])
      expect((await arrive(someone({ preferred_username: username }), { of })).answer.status).toBe(303)
      expect((await arrive(someone({ preferred_username: username }), { of })).answer.status).toBe(403)
      expect((await arrive(someone(), { of })).answer.status).toBe(403)
    })
  })

  test('link_by email_verified needs an address that the provider has verified, and that one user has', async () => {
    await withSettings({ 'auth.oidc.link_by': 'email_verified', 'auth.oidc.create_users': 'false' }, async (of) => {
      for (const username of ['eve', 'twin1', 'twin2'])
        await of.api.services.users.create({ username, roles: [], email: `${username.replace(/\d/, '')}@Example.net` })
      const by = async (claims: object) => (await arrive(someone({ ...claims }), { of })).answer.status
      expect(await by({ email: 'eve@example.net' })).toBe(403)
      expect(await by({ email: 'eve@example.net', email_verified: false })).toBe(403)
      expect(await by({ email: 'twin@example.net', email_verified: true })).toBe(403)
      expect(await by({ email: '', email_verified: true })).toBe(403)
      expect(await by({ email: 'eve@example.net', email_verified: true })).toBe(303)
    })
  })

  test('without a roles claim the provider grants a role once, and changes none', async () => {
    await withSettings({ 'auth.oidc.roles_claim': '', 'auth.oidc.default_role': 'user' }, async (of) => {
      const sub = someone()
      expect((await arrive(sub, { of })).answer.status).toBe(303)
      await of.api.services.users.setRoles(`name-${sub}`, ['global-read'])
      expect((await arrive(sub, { of })).answer.status).toBe(303)
      expect(await of.api.services.users.list()).toContainEqual(
        expect.objectContaining({ username: `name-${sub}`, roles: ['global-read'] }),
      )
    })
  })

  test('the last administrator stays one', async () => {
    await withSettings({}, async (of) => {
      await of.api.store.sql`delete from users`
      const sub = someone({ groups: ['noc'] })
      await arrive(sub, { of })
      provider.people.set(sub, { groups: ['staff'] })
      expect((await arrive(sub, { of })).answer.status).toBe(303)
      expect(await of.api.services.users.list()).toMatchObject([{ roles: ['admin'] }])
    })
  })

  test('the secret is never shown', async () => {
    const { cookie } = await web.signedIn(['admin'])
    expect(await (await web.send('/settings?section=Sign-in', { cookie })).text()).not.toContain(CLIENT_SECRET)
    expect(JSON.stringify(web.api.services.settings.list())).not.toContain(CLIENT_SECRET)
  })
})
