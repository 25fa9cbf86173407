import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type ApiServer, serveApi } from '../../src/api/serve.ts'
import { followLive } from '../../src/app/live.ts'
import { writeStatus } from '../../src/core/availability/write.ts'
import { createLog } from '../../src/observe/log.ts'
import { createWeb } from '../../src/web/web.ts'
import { storeRule } from '../support/alerts.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { PASSWORD } from '../support/password.ts'
import { HAS_BROWSER, STEP_MS, signIn, useBrowser } from './browser.ts'

describe.skipIf(!HAS_BROWSER)('open pages', () => {
  const browser = useBrowser()
  let api: TestApi
  let server: ApiServer
  let following: { stop(): Promise<void> }
  let origin: string
  const ids = { up: 0, down: 0 }
  let moment = Date.now()

  beforeAll(async () => {
    // the API is disabled for programs
    api = await testApi()
    await api.services.users.create({ username: 'viewer', password: PASSWORD, roles: ['admin'] })
    const rows = await api.store.sql<{ device_id: number }[]>`
      insert into devices (hostname, status, status_reason) values ('core1', 1, ''), ('core2', 0, 'snmp') returning device_id`
    ids.up = rows[0]?.device_id ?? 0
    ids.down = rows[1]?.device_id ?? 0
    server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 }, {}, undefined, createWeb(api.services))
    following = followLive(api.store, api.services.live, createLog('silent'))
    origin = `http://127.0.0.1:${server.port}`
  }, STEP_MS)
  afterAll(async () => {
    await following.stop()
    await server.stop()
    await api.drop()
  }, STEP_MS)

  async function setStatus(deviceId: number, up: boolean): Promise<void> {
    moment += 1000
    await writeStatus(api.store, { deviceId, up, reason: up ? '' : 'icmp', at: moment })
  }

  const liveWindow = async (path: string) => {
    const window = await browser.window(origin)
    await signIn(window, origin, 'viewer', PASSWORD)
    await window.page.goto(origin + path)
    await window.page.waitForSelector('[data-island=live][data-state=on]')
    return window
  }

  test(
    'show a device going down in its row and in the navigation, without moving anything',
    async () => {
      const { page, complaints } = await liveWindow('/devices')
      const names = () => page.locator('tbody tr a.name').allTextContents()
      expect(await names()).toEqual(['core2', 'core1'])
      await page.evaluate('window.same = true')
      await setStatus(ids.up, false)
      await page.waitForSelector(`tr[data-live="device:${ids.up}"] svg[aria-label="Down"]`, { state: 'attached' })
      await page.waitForSelector('nav.side a[href="/devices"] .count:text-is("2")')
      expect(await names()).toEqual(['core2', 'core1'])
      await setStatus(ids.down, true)
      await page.waitForSelector(`tr[data-live="device:${ids.down}"] svg[aria-label="Up"]`, { state: 'attached' })
      await page.waitForSelector('.moved:has-text("1 change in this list")')
      expect(await names()).toEqual(['core2', 'core1'])
      expect(await page.evaluate('window.same')).toBe(true)
      await page.click('.moved button')
      await page.waitForSelector('.moved', { state: 'detached' })
      await page.waitForSelector('tbody tr')
      expect(await names()).toEqual(['core1', 'core2'])
      await setStatus(ids.up, true)
      expect(complaints).toEqual([])
    },
    3 * STEP_MS,
  )

  test(
    'show alerts opening, changing and closing',
    async () => {
      const { sql } = api.store
      const { ruleId, name } = await storeRule(api.store)
      const { page, complaints } = await liveWindow('/alerts')
      expect(await page.locator('h1').textContent()).toBe('No alerts')
      const [row] = await sql<{ id: number }[]>`
        insert into alerts (device_id, rule_id, state) values (${ids.up}, ${ruleId}, 1) returning id`
      await page.waitForSelector('h1:text-is("1 alert needs attention")')
      await page.waitForSelector('nav.side a[href="/alerts"] .count:text-is("1")')
      await page.click('.moved button')
      await page.waitForSelector(`tr[data-live="alert:${row?.id}"] a.name:text-is("core1: ${name}")`)
      await page.waitForSelector('[data-island=live][data-state=on]')
      await sql`update alerts set state = 2 where id = ${row?.id ?? 0}`
      await page.waitForSelector(`tr[data-live="alert:${row?.id}"] .pill.ack`)
      await page.waitForSelector('h1:text-is("All alerts are acknowledged")')
      await sql`update alerts set state = 0 where id = ${row?.id ?? 0}`
      await page.waitForSelector(`tr.gone[data-live="alert:${row?.id}"]`)
      expect(complaints).toEqual([])
    },
    3 * STEP_MS,
  )

  test(
    'close the stream when the session ends, and do not reconnect',
    async () => {
      const { page } = await liveWindow('/devices')
      const session = (await page.context().cookies()).find(({ name }) => name === 'portlight')
      let asked = 0
      page.on('request', (request) => {
        if (request.url().endsWith('/api/v1/events')) asked++
      })
      await api.services.sessions.signOut(session?.value ?? '')
      await page.waitForSelector('[data-island=live][data-state=off]')
      await page.waitForTimeout(3000)
      expect(asked).toBe(0)
    },
    2 * STEP_MS,
  )

  test(
    'say that they are no longer live when the server is gone, and recover with it',
    async () => {
      const own = serveApi(api.services, { hostname: '127.0.0.1', port: 0 }, {}, undefined, createWeb(api.services))
      const { port } = own
      const window = await browser.window(`http://127.0.0.1:${port}`)
      await signIn(window, `http://127.0.0.1:${port}`, 'viewer', PASSWORD)
      const sign = window.page.locator('[data-island=live]')
      await window.page.waitForSelector('[data-island=live][data-state=on]')
      expect((await sign.textContent())?.trim()).toBe('Live')
      await own.stop()
      await window.page.waitForSelector('[data-island=live][data-state=off]')
      expect(await sign.textContent()).toMatch(/^Not live since \d\d:\d\d$/)
      expect(await sign.getAttribute('title')).toContain('out of date')
      const again = serveApi(api.services, { hostname: '127.0.0.1', port }, {}, undefined, createWeb(api.services))
      await window.page.waitForSelector('[data-island=live][data-state=on]')
      expect((await sign.textContent())?.trim()).toBe('Live')
      await again.stop()
    },
    3 * STEP_MS,
  )

  test(
    'say that they are no longer live when the server accepts connections and answers nothing',
    async () => {
      const window = await browser.window(origin)
      await signIn(window, origin, 'viewer', PASSWORD)
      await window.page.route('**/healthz', () => undefined)
      await window.page.clock.install()
      await window.page.goto(`${origin}/devices`)
      await window.page.waitForSelector('[data-island=live][data-state=on]')
      await window.page.route('**/api/v1/events', () => undefined)
      // the next question to the server
      await window.page.clock.runFor(20_000)
      await window.page.waitForSelector('[data-island=live][data-state=off]')
      expect(await window.page.locator('[data-island=live]').textContent()).toMatch(/^Not live since/)
    },
    2 * STEP_MS,
  )

  test(
    'show times in the zone of the server, whatever the zone of the browser',
    async () => {
      const window = await browser.window(origin, 'light', 'Pacific/Auckland')
      await signIn(window, origin, 'viewer', PASSWORD)
      await api.store
        .sql`insert into eventlog (device_id, message, type, severity) values (${ids.up}, 'something', 'test', 2)`
      await window.page.goto(`${origin}/logs`)
      const time = window.page.locator('tbody tr time').first()
      const at = new Date((await time.getAttribute('datetime')) ?? '')
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
      await window.page.waitForSelector(`tbody tr time[title*="${zone}"]`)
      const parts = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
      expect(await time.textContent()).toBe(parts.format(at))
    },
    2 * STEP_MS,
  )
})
