import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { CDPSession } from 'playwright-core'
import { type ApiServer, serveApi } from '../../src/api/serve.ts'
import { pushMessage } from '../../src/core/alerts/push/message.ts'
import { pushKeys } from '../../src/core/alerts/push/push-subscriptions.ts'
import { createWeb } from '../../src/web/web.ts'
import { startBrowser } from '../core/alerts/push/browser.ts'
import { notification } from '../core/alerts/transports/support.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { PASSWORD } from '../support/password.ts'
import { STEP_MS, signIn, useBrowser } from './browser.ts'

/** A notification as the browser shows it. */
interface Shown {
  readonly title: string
  readonly body: string
  readonly tag: string
  readonly data: unknown
}

/** Id of the service worker's registration. */
function registrationId(session: CDPSession): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [first] = registrations
    if (first !== undefined) resolve(first.registrationId)
  })
  return promise
}

// the build without a window has no notifications
const chromium = Bun.which('chromium') ?? Bun.which('chromium-browser') ?? Bun.which('google-chrome')
if (chromium === null) console.warn('SKIPPED: notifications in a browser: no chromium found')

describe.skipIf(chromium === null)('notifications in a real browser', () => {
  const browser = useBrowser(chromium)
  let api: TestApi
  let server: ApiServer
  let origin: string

  beforeAll(async () => {
    api = await testApi()
    await api.services.users.create({ username: 'anna', password: PASSWORD, roles: ['user'] })
    server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 }, {}, undefined, createWeb(api.services))
    origin = `http://127.0.0.1:${server.port}`
  }, STEP_MS)
  afterAll(async () => {
    await server.stop()
    await api.drop()
  }, STEP_MS)

  test(
    'are turned on, shown by the service worker, replaced by the recovery, and turned off',
    async () => {
      const window = await browser.window(origin)
      const { page, context, complaints } = window
      await context.grantPermissions(['notifications'], { origin })
      const own = startBrowser('https://push.example.test/anna').subscription
      // a browser without the internet has no push service: this takes the place of its answer
      await page.addInitScript(`PushManager.prototype.subscribe = async (options) => {
        sessionStorage.setItem('key', String(new Uint8Array(options.applicationServerKey)))
        sessionStorage.setItem('endpoint', '${own.endpoint}')
        return { toJSON: () => (${JSON.stringify(own)}) }
      }
      PushManager.prototype.getSubscription = async () => {
        const endpoint = sessionStorage.getItem('endpoint')
        return endpoint === null ? null : { endpoint, options: { applicationServerKey: null }, unsubscribe: async () => true }
      }`)
      await signIn(window, origin, 'anna', PASSWORD)
      await page.goto(`${origin}/account`)
      await page.waitForSelector('[data-push-state]:has-text("This browser can show notifications")')
      await page.click('button:has-text("Turn on in this browser")')
      await page.waitForSelector('.note.ok:has-text("Notifications are on")')
      expect(await page.locator('button:text-is("Turn off")').count()).toBe(1)
      const { publicKey } = await pushKeys(api.store)
      const key = Uint8Array.fromBase64(publicKey, { alphabet: 'base64url' })
      expect(await page.evaluate<string | null>(`sessionStorage.getItem('key')`)).toBe(String(key))

      // the browser recognises itself in the list
      await page.waitForSelector('[data-push-state]:has-text("Notifications are on in this browser")')
      expect(await page.locator('button:has-text("Turn on in this browser")').isVisible()).toBe(false)

      const session = await context.newCDPSession(page)
      const found = registrationId(session)
      await session.send('ServiceWorker.enable')
      const id = await found
      const push = (data: string) =>
        session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: id, data })
      const all = () =>
        page.evaluate<readonly Shown[]>(`navigator.serviceWorker.ready
          .then((registration) => registration.getNotifications())
          .then((all) => all.map(({ title, body, tag, data }) => ({ title, body, tag, data })))`)
      // a worker that is just being stopped loses a message, so it is pushed until it is shown
      const shown = (title: string, data: string) =>
        eventually(async () => {
          await push(data)
          return (await all()).find((one) => one.title === title) ?? null
        })
      const down = { title: 'Alert: Gi0/1 is down', chat: 'since 14:02' }
      const first = await shown(down.title, pushMessage(notification(down)))
      expect(first).toMatchObject({ body: 'since 14:02', tag: 'alert-42', data: { path: '/alerts/42' } })
      const recovery = { kind: 'recovery', state: 0, title: 'Recovered', chat: '' } as const
      await shown(recovery.title, pushMessage(notification(recovery)))
      expect((await all()).map(({ title }) => title)).toEqual(['Recovered'])
      // something is shown whatever arrives
      await shown('Portlight', 'no JSON')

      await page.click('button:text-is("Turn off")')
      await page.waitForSelector('button:text-is("Turn off")', { state: 'detached' })
      expect(await api.store.sql`select 1 from push_subscriptions`).toHaveLength(0)
      await page.waitForSelector('button:has-text("Turn on in this browser")')
      expect(complaints).toEqual([])
    },
    4 * STEP_MS,
  )

  test(
    'the pages can be installed, and without scripts the account says why notifications are off',
    async () => {
      const get = async (path: string) => await fetch(origin + path)
      const manifest = (await (await get('/manifest.webmanifest')).json()) as { icons: { src: string }[] }
      for (const { src } of manifest.icons) expect((await get(src)).headers.get('content-type')).toBe('image/png')
      const worker = await get('/push-worker.js')
      expect(worker.headers.get('content-type')).toContain('javascript')
      expect(worker.headers.get('cache-control')).toBe('no-cache')
      const { page } = await browser.plain(origin, 'anna', PASSWORD)
      await page.goto(`${origin}/account`)
      expect(await page.locator('[data-push-state]').textContent()).toContain('need scripts')
      expect(await page.locator('button:has-text("Turn on in this browser")').isVisible()).toBe(false)
    },
    2 * STEP_MS,
  )
})
