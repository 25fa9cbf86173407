import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { pushMessage } from '../../../../src/core/alerts/push/message.ts'
import { createPushSubscriptions, pushKeys } from '../../../../src/core/alerts/push/push-subscriptions.ts'
import { createPushService } from '../../../../src/core/alerts/push/service.ts'
import { readSubscription } from '../../../../src/core/alerts/push/subscription.ts'
import { listBrowsers, putBrowser } from '../../../../src/core/alerts/push/write-subscriptions.ts'
import { createDeliver } from '../../../../src/core/alerts/transports/deliver.ts'
import type { Exchange } from '../../../../src/core/alerts/transports/exchange.ts'
import type { Delivery } from '../../../../src/core/alerts/transports/notification.ts'
import { type Actor, SYSTEM } from '../../../../src/core/base/actor.ts'
import { createLog } from '../../../../src/observe/log.ts'
import { temporaryFolder } from '../../../cli/support.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { makeCertificate } from '../transports/certificate.ts'
import { huge, never, notification, settingsWith } from '../transports/support.ts'
import { startBrowser, vapidClaims } from './browser.ts'

setDefaultTimeout(120_000)

const HOST = 'push.example.test'
const log = createLog('silent')
const folder = temporaryFolder()

interface Pushed {
  readonly path: string
  readonly headers: Headers
  readonly body: Uint8Array
}

let database: TestDatabase
/** A push service: stores what arrives, and answers by path. */
let service: ReturnType<typeof Bun.serve>
const pushed: Pushed[] = []
const answers = new Map<string, () => Response>()
let child: ReturnType<typeof startChild>

function startChild() {
  const process_ = Bun.spawn([process.execPath, join(import.meta.dir, 'push-child.ts'), database.url], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder.path, 'cert.pem') },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = process_.stdout.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  return {
    async send(users: readonly string[], changes: object = {}, others: object = {}) {
      process_.stdin.write(`${JSON.stringify({ settings: { users, ...others }, changes })}\n`)
      await process_.stdin.flush()
      while (!rest.includes('\n')) {
        const { value, done } = await lines.read()
        if (done) throw new Error('the sender ended')
        rest += value
      }
      const [line = '', ...more] = rest.split('\n')
      rest = more.join('\n')
      return JSON.parse(line) as { delivery: Delivery; exchanges: Exchange[] }
    },
    async end() {
      process_.stdin.end()
      await process_.exited
    },
  }
}

beforeAll(async () => {
  database = await testDatabase()
  const { key, cert } = makeCertificate(folder.path, HOST)
  service = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: { key, cert },
    async fetch(request) {
      const { pathname } = new URL(request.url)
      pushed.push({ path: pathname, headers: request.headers, body: await request.bytes() })
      return answers.get(pathname)?.() ?? new Response(null, { status: 201 })
    },
  })
  child = startChild()
})
afterAll(async () => {
  await child?.end()
  await service?.stop(true)
  await database?.drop()
  folder.remove()
})

beforeEach(async () => {
  pushed.length = 0
  answers.clear()
  const { sql } = database.store
  await sql`delete from users`
  await sql`insert into users (user_id, username, auth_type, enabled) overriding system value
    values (1, 'Anna', 'local', 1), (2, 'ben', 'local', 1), (3, 'gone', 'local', 0)`
})

const at = (path: string) => `https://${HOST}:${service.port}${path}`
async function withBrowser(user: number, path: string) {
  const browser = startBrowser(at(path))
  await putBrowser(database.store, user, browser.subscription, 'Firefox', 20)
  return browser
}

describe('delivery', () => {
  test('the message reaches the browsers of the users, encrypted for each and signed by this installation', async () => {
    const [phone, laptop, other] = [
      await withBrowser(1, '/phone'),
      await withBrowser(1, '/laptop'),
      await withBrowser(2, '/ben'),
    ]
    const { delivery, exchanges } = await child.send(['anna'], { key: 'k-1' }, { ttl: 600 })
    expect(delivery).toEqual({ kind: 'delivered' })
    expect(pushed.map(({ path }) => path).toSorted()).toEqual(['/laptop', '/phone'])
    const [first] = pushed.filter(({ path }) => path === '/phone')
    expect(first?.headers.get('ttl')).toBe('600')
    expect(first?.headers.get('urgency')).toBe('high')
    expect(first?.headers.get('content-encoding')).toBe('aes128gcm')
    expect(first?.body.length).toBeLessThanOrEqual(4096)
    const message = JSON.parse(phone.decrypt(first?.body ?? new Uint8Array()))
    expect(message).toEqual({
      title: notification().title,
      body: expect.stringContaining('Gi0/1'),
      tag: 'alert-42',
      path: '/alerts/42',
      level: 'critical',
      time: notification().time,
    })
    expect(() => laptop.decrypt(first?.body ?? new Uint8Array())).toThrow()
    expect(() => other.decrypt(first?.body ?? new Uint8Array())).toThrow()
    const { publicKey } = await pushKeys(database.store)
    const claims = vapidClaims(first?.headers.get('authorization') ?? '', publicKey)
    expect(claims).toMatchObject({ aud: `https://${HOST}:${service.port}`, sub: 'mailto:noc@example.net' })
    expect(Number(claims?.['exp']) * 1000 - Date.now()).toBeLessThan(24 * 3_600_000)
    // neither the address of the browser nor its keys are shown
    const shown = JSON.stringify(exchanges)
    expect(shown).toContain(`POST https://${HOST}`)
    for (const secret of ['/phone', '/laptop', phone.subscription.keys.auth, phone.subscription.keys.p256dh])
      expect(shown).not.toContain(secret)
    const [row] = await listBrowsers(database.store, 1)
    expect(row?.sent_at).not.toBeNull()
  })

  test('a repeated attempt does not reach a browser twice', async () => {
    await withBrowser(1, '/a')
    await withBrowser(1, '/b')
    answers.set('/b', () => new Response(null, { status: 503, headers: { 'Retry-After': '5' } }))
    expect((await child.send(['anna'], { key: 'k-2' })).delivery).toEqual({
      kind: 'retry',
      reason: '1 of 2 browsers: the receiver answered 503',
      afterMs: 5000,
    })
    answers.clear()
    expect((await child.send(['anna'], { key: 'k-2' })).delivery).toEqual({ kind: 'delivered' })
    expect(pushed.map(({ path }) => path).toSorted()).toEqual(['/a', '/b', '/b'])
  })

  test.each([404, 410])('a browser that the push service no longer knows (%d) is forgotten', async (status) => {
    await withBrowser(1, '/old')
    await withBrowser(1, '/new')
    answers.set('/old', () => new Response(null, { status }))
    expect((await child.send(['anna'], { key: `k-${status}` })).delivery).toEqual({ kind: 'delivered' })
    expect(await listBrowsers(database.store, 1)).toHaveLength(1)
    answers.set('/new', () => new Response(null, { status }))
    expect((await child.send(['anna'], { key: `k-${status}-2` })).delivery).toMatchObject({
      kind: 'refused',
      reason: '1 of 1 browsers: the browser no longer takes notifications',
    })
    expect(await listBrowsers(database.store, 1)).toEqual([])
  })

  test('who cannot be reached is said', async () => {
    await withBrowser(3, '/disabled')
    expect((await child.send(['anna'])).delivery).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('Account'),
    })
    expect((await child.send(['nobody', 'gone'])).delivery).toEqual({
      kind: 'refused',
      reason: 'no user who may sign in is called nobody, gone',
    })
    expect((await child.send([])).delivery).toEqual({ kind: 'refused', reason: 'users is missing' })
    expect(pushed).toEqual([])
  })

  test('a browser with keys that are none does not keep a message from the others', async () => {
    await withBrowser(2, '/ben')
    const { auth } = startBrowser(at('/bad')).subscription.keys
    const keys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth }
    await putBrowser(database.store, 1, { endpoint: at('/bad'), keys }, '', 20)
    expect((await child.send(['anna'])).delivery).toEqual({
      kind: 'refused',
      reason: expect.stringContaining('1 of 1 browsers: nothing can be encrypted'),
    })
    expect((await child.send(['anna', 'ben'])).delivery).toEqual({ kind: 'delivered' })
    expect(pushed.map(({ path }) => path)).toEqual(['/ben'])
  })

  test('a browser in a private network is refused, although transports may send there', async () => {
    const settings = settingsWith()
    expect(settings.get('outgoing.private')).toBe(true)
    const deliver = createDeliver({ settings, log, push: createPushSubscriptions(database.store) })
    await putBrowser(database.store, 1, startBrowser('https://10.1.2.3/push').subscription, '', 20)
    expect(await deliver({ kind: 'webpush', settings: { users: 'anna' } }, notification(), never)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('(private)'),
    })
  })
})

describe('subscriptions', () => {
  const actor = (userId: number | null): Actor => ({ ...SYSTEM, userId, username: userId === 1 ? 'Anna' : 'ben' })
  const pushService = () => createPushService({ store: database.store, settings: settingsWith(), log })
  const jsonOf = (path: string) => JSON.stringify(startBrowser(`https://push.example.net${path}`).subscription)

  test('a user adds, sees and removes only own browsers', async () => {
    const service_ = pushService()
    const id = await service_.add(actor(1), jsonOf('/1'), 'x'.repeat(1000))
    expect(await service_.list(actor(1))).toMatchObject([{ id, sent_at: null }])
    expect((await service_.list(actor(1)))[0]?.agent).toHaveLength(300)
    expect(await service_.list(actor(2))).toEqual([])
    await expect(service_.remove(actor(2), id)).rejects.toMatchObject({ code: 'not_found' })
    await service_.remove(actor(1), id)
    expect(await service_.list(actor(1))).toEqual([])
    await expect(service_.list(actor(null))).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('a browser belongs to the user who turned it on last', async () => {
    const service_ = pushService()
    const json = jsonOf('/shared')
    await service_.add(actor(1), json, '')
    await service_.add(actor(2), json, '')
    expect(await service_.list(actor(1))).toEqual([])
    expect(await service_.list(actor(2))).toHaveLength(1)
  })

  test('of too many browsers the oldest are forgotten', async () => {
    const service_ = pushService()
    const ids: number[] = []
    for (let i = 0; i < 22; i++) ids.push(await service_.add(actor(1), jsonOf(`/${i}`), ''))
    expect((await service_.list(actor(1))).map(({ id }) => id)).toEqual(ids.slice(2).toReversed())
  })

  test('the key pair stays the same, and endpoints are not stored in readable columns', async () => {
    const first = await pushKeys(database.store)
    expect(await pushKeys(database.store)).toEqual(first)
    expect(await pushService().publicKey()).toBe(first.publicKey)
    expect(Uint8Array.fromBase64(first.publicKey, { alphabet: 'base64url' })).toHaveLength(65)
  })

  test.each([
    ['', 'https URL'],
    ['null', 'https URL'],
    ['[]', 'https URL'],
    ['x'.repeat(9000), 'too long'],
    [JSON.stringify({ endpoint: 'http://push.example.net/' }), 'https URL'],
    [JSON.stringify({ endpoint: `https://push.example.net/${'x'.repeat(2100)}` }), 'https URL'],
    [JSON.stringify({ endpoint: 'https://push.example.net/' }), 'keys'],
    // 65 octets of the right form, but not a point of the curve
    [
      JSON.stringify({
        endpoint: 'https://push.example.net/',
        keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'AAAAAAAAAAAAAAAAAAAAAA' },
      }),
      'keys',
    ],
    [JSON.stringify({ endpoint: 'https://push.example.net/', keys: { p256dh: 'AAAA', auth: 'AAAA' } }), 'keys'],
  ])('a subscription of %s is refused', async (text, why) => {
    await expect(pushService().add(actor(1), text, '')).rejects.toMatchObject({ message: expect.stringContaining(why) })
  })

  test('whatever a browser sends, the outcome is a subscription or a reason', () => {
    const { keys } = startBrowser('https://push.example.net/').subscription
    const endpoint = fc.oneof(fc.webUrl(), fc.string(), fc.constant('https://u:p@push.example.net/'))
    const key = fc.oneof(fc.string(), fc.base64String(), fc.constant(keys.p256dh), fc.constant(keys.auth))
    const given = fc.oneof(
      fc.json(),
      fc.record({ endpoint, keys: fc.record({ p256dh: key, auth: key }) }).map((v) => JSON.stringify(v)),
    )
    fc.assert(
      fc.property(given, (text) => {
        const found = readSubscription(text)
        if (typeof found === 'string') return found.length > 0
        const again = readSubscription(JSON.stringify(found))
        expect(again).toEqual(found)
        return new URL(found.endpoint).protocol === 'https:' && new URL(found.endpoint).password === ''
      }),
      { numRuns: 2000 },
    )
  })
})

describe('messages', () => {
  test('any text fits what a push service accepts', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 3000 })
    fc.assert(
      fc.property(text, text, (title, chat) => {
        const json = pushMessage(notification({ title, chat }))
        const { title: shown } = JSON.parse(json) as { title: string }
        return Buffer.byteLength(json) <= 3992 && shown !== ''
      }),
      { numRuns: 300 },
    )
    for (const chat of ['\u0001', '漢', '"', '😀', '\ud83d'].map((unit) => unit.repeat(50_000)))
      expect(Buffer.byteLength(pushMessage(huge({ title: chat, chat })))).toBeLessThanOrEqual(3992)
  })

  test('a recovery takes the place of its problem; a test opens the account', () => {
    const tagOf = (changes: object) => JSON.parse(pushMessage(notification(changes))) as { tag: string; path: string }
    expect(tagOf({ kind: 'recovery', state: 0 }).tag).toBe(tagOf({}).tag)
    expect(tagOf({ kind: 'test', key: 'x' })).toMatchObject({ tag: 'test-x', path: '/account' })
  })
})
