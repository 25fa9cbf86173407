import { afterEach, beforeEach, expect, test } from 'bun:test'
import { insertIdentityUser } from '../../src/core/access/read-identities.ts'
import { eventually } from '../support/eventually.ts'
import { type ForgedProvider, startForgedProvider } from '../support/forged-provider.ts'
import { CLIENT_ID } from '../support/identity-provider.ts'
import { type TestWeb, testWeb } from './support.ts'

// Sign-in with OpenID Connect at a provider that is broken, or that people use to be somebody else.

let provider: ForgedProvider
let web: TestWeb

const start = async (flags: Readonly<Record<string, string>> = {}): Promise<TestWeb> => {
  web = await testWeb({
    'auth.oidc.issuer': provider.issuer,
    'auth.oidc.client_id': CLIENT_ID,
    'auth.oidc.roles_claim': 'groups',
    'auth.oidc.roles': '{"noc": "admin", "staff": "global-read"}',
    'auth.wrong_passwords': '0',
    'outgoing.allow': '127.0.0.1',
    ...flags,
  })
  return web
}
beforeEach(async () => {
  provider = await startForgedProvider()
})
afterEach(async () => {
  await web.drop()
  await provider.stop()
})

/** What the browser has after it was sent to the provider: our cookie, and the way back with the answer. */
async function begin(): Promise<{ readonly back: string; readonly cookie: string }> {
  const begun = await web.send('/sign-in/oidc')
  const { pathname, search } = provider.visit(begun.headers.get('location') ?? '')
  return { back: pathname + search, cookie: begun.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}

async function arrive(claims: Readonly<Record<string, unknown>>): Promise<{ status: number; text: string }> {
  provider.claims = { groups: ['staff'], ...claims }
  const { back, cookie } = await begin()
  const answer = await web.send(back, { cookie })
  return { status: answer.status, text: await answer.text() }
}

const usernames = async () => (await web.api.services.users.list()).map(({ username }) => username)

test('an account without a usable subject is refused, and told why', async () => {
  await start()
  const before = await usernames()
  const long = Buffer.from(crypto.getRandomValues(new Uint8Array(9000))).toString('hex')
  for (const [i, sub] of ['', 'a\0b', 'a\nb', 'a\ud800', long].entries()) {
    const { status, text } = await arrive({ sub, preferred_username: `new${i}` })
    expect([sub.length, status, text]).toEqual([sub.length, 502, expect.stringContaining('no usable claim sub')])
  }
  expect(await usernames()).toEqual(before)
})

test('a person who signs in for the first time in two windows at once is one user in both', async () => {
  await start()
  const { sql } = web.api.store
  provider.claims = { sub: 'ada', preferred_username: 'ada', groups: ['staff'] }
  const { back, cookie } = await begin()
  const { promise: answer, resolve } = Promise.withResolvers<Response>()
  await sql.begin(async (other) => {
    // holds this sign-in after it has found no user of the account, and before it looks at the names of users
    await other`lock table second_factors in access exclusive mode`
    void web.send(back, { cookie }).then(resolve)
    await eventually(async () => {
      const waiting = await sql`
        select from pg_locks where relation = 'second_factors'::regclass and not granted`
      return waiting.length > 0 ? true : null
    })
    const user = { username: 'ada', password: null, realname: '', email: '', descr: '', roles: ['global-read'] }
    await insertIdentityUser(web.api.store, user, { issuer: provider.issuer, subject: 'ada' })
  })
  expect((await answer).status).toBe(303)
  expect((await usernames()).filter((name) => name === 'ada')).toEqual(['ada'])
})

test('the answer to another window does not spoil the sign-in begun last', async () => {
  await start()
  provider.claims = { sub: 'ada', preferred_username: 'ada', groups: ['staff'] }
  const first = await begin()
  const last = await begin()
  const lost = await web.send(first.back, { cookie: last.cookie })
  expect([lost.status, lost.headers.getSetCookie()]).toEqual([400, []])
  expect((await web.send(last.back, { cookie: last.cookie })).status).toBe(303)
})

test('the group that gives a role may be the last of thousands', async () => {
  await start()
  const others = Array.from({ length: 5000 }, (_, i) => `group-${i}`)
  expect((await arrive({ sub: 'ada', preferred_username: 'ada', groups: [...others, 'noc'] })).status).toBe(303)
  expect(await web.api.services.users.list()).toContainEqual(
    expect.objectContaining({ username: 'ada', roles: ['admin'] }),
  )
})

test('a name that is only similar to that of a user, or means another one, is nobody', async () => {
  await start({ 'auth.oidc.link_by': 'username' })
  const victim = `v${'x'.repeat(254)}`
  for (const username of ['ada', victim]) await web.api.services.users.create({ username, roles: ['admin'] })
  const [{ user_id } = { user_id: 0 }] = await web.api.services.users.list()
  const names = ['a\0da', 'ada\0', 'a\x1bda', 'ad\u200ba', `${victim}y`, `id=${user_id}`]
  for (const [i, name] of names.entries()) {
    const { status, text } = await arrive({ sub: `thief-${i}`, preferred_username: name })
    expect([name, status, text]).toEqual([name, 403, expect.stringContaining('cannot be a username here')])
  }
  const identities = await web.api.store.sql`select subject from user_identities`
  expect([...identities]).toEqual([])
  expect(web.api.services.users.create({ username: 'id=1', roles: [] })).rejects.toThrow('must not look like an id')
})

test('a mail address that is only similar to that of a user links nobody', async () => {
  await start({ 'auth.oidc.link_by': 'email_verified', 'auth.oidc.create_users': 'false' })
  await web.api.services.users.create({ username: 'ada', roles: ['admin'], email: 'ada@example.net' })
  for (const email of ['a\0da@example.net', 'ada@example.net\0']) {
    const { status } = await arrive({ sub: 'thief', preferred_username: 'thief', email, email_verified: true })
    expect([email, status]).toEqual([email, 403])
  }
  expect((await arrive({ sub: 'ada', email: 'ada@example.net', email_verified: true })).status).toBe(303)
})

test('the command that links an account is safe to type, whatever the subject is', async () => {
  await start()
  await web.api.services.users.create({ username: 'ada', roles: [] })
  const shown = async (sub: string) => {
    const { text } = await arrive({ sub, preferred_username: 'ada' })
    return /(portlight user link [^<]*)/.exec(text.replaceAll('&#x27;', "'").replaceAll('&#39;', "'"))?.[1]?.trim()
  }
  expect(await shown('x; reboot #$(id)')).toBe("portlight user link ada 'x; reboot #$(id)'")
  expect(await shown("it's `id`")).toBe("portlight user link ada 'it'\\''s `id`'")
  expect(await shown('-dGVzdA')).toBe('portlight user link -- ada -dGVzdA')
})

test('what the provider says of a person is kept in one line', async () => {
  await start()
  await arrive({ sub: 'ada', preferred_username: 'ada', name: 'Ada\r\n\x1b[31m', email: 'ada@example.net\r\nBcc: eve' })
  const [user] = (await web.api.services.users.list()).filter(({ username }) => username === 'ada')
  expect(user).toMatchObject({ realname: 'Ada [31m', email: 'ada@example.net Bcc: eve' })
})

test('an answer that is too long is named as the reason', async () => {
  await start()
  const groups = Array.from({ length: 100_000 }, (_, i) => `group-${i}`)
  const { status, text } = await arrive({ sub: 'ada', preferred_username: 'ada', groups })
  expect([status, text]).toEqual([502, expect.stringContaining('longer than 512 KiB')])
})

test('a provider that answers drop by drop is named as the reason, not the database', async () => {
  await start()
  provider.instead.set('/.well-known/openid-configuration', (_request, response) => {
    const timer = setInterval(() => response.write(' '), 100)
    response.on('close', () => clearInterval(timer))
  })
  const answer = await web.send('/sign-in/oidc')
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('(no answer in time)')])
}, 60_000)

test('a provider whose addresses have changed works again soon after a sign-in failed', async () => {
  await start()
  const claims = { sub: 'ada', preferred_username: 'ada' }
  expect((await arrive(claims)).status).toBe(303)
  // the same server under another name, as after a move
  const moved = await startForgedProvider()
  provider.metadata = { authorization_endpoint: `${moved.issuer}/authorize` }
  provider.instead.set('/keys', (_request, response) => response.writeHead(404).end())
  expect((await arrive(claims)).status).toBe(503)
  provider.instead.clear()
  const url = await eventually(async () => {
    const to = (await web.send('/sign-in/oidc')).headers.get('location') ?? ''
    return to.startsWith(moved.issuer) ? to : null
  })
  expect(url).toContain('/authorize?')
  await moved.stop()
}, 60_000)
