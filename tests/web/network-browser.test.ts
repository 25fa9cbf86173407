import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { serveApi } from '../../src/api/serve.ts'
import { createWeb } from '../../src/web/web.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { type MadeNetwork, makeNetwork } from '../support/network.ts'
import { HAS_BROWSER, STEP_MS, useBrowser, type Window } from './browser.ts'

const DEVICES = 60

describe.skipIf(!HAS_BROWSER)('the network in a real browser', () => {
  const browser = useBrowser()
  let api: TestApi
  let server: ReturnType<typeof serveApi>
  let origin: string
  let made: MadeNetwork
  const password = 'a password for the browser'

  beforeAll(async () => {
    api = await testApi()
    await api.services.users.create({ username: 'looker', password, roles: ['admin'] })
    made = await makeNetwork(api.store, DEVICES)
    server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 }, {}, undefined, createWeb(api.services))
    origin = `http://127.0.0.1:${server.port}`
  }, STEP_MS)
  afterAll(async () => {
    await server.stop()
    await api.drop()
  }, STEP_MS)

  const signedIn = (): Promise<Window> => browser.signedIn(origin, 'looker', password)

  // first, because a map is kept for a while
  test(
    'the names and models on the map stay within their boxes, however wide their letters are',
    async () => {
      const { sql } = api.store
      const shown = [
        ['WWWWWWWWWWWWWWWWWWWW', 'WS-C3850-48XS-F-EMMMMMMM'],
        ['コアスイッチ東京第一データセンター三階', 'コアスイッチ東京第一データセンター'],
        ['illi.illi.illi.illi.illi.illi.illi.example', 'ＭＭＭＭＭＭＭＭＭＭ'],
        ['core-router-frankfurt-2.example.net', 'Catalyst 9300-48UXM-A'],
      ] as const
      const [first = 0] = made.deviceIds
      const before = await sql`select device_id, display, hardware from devices where device_id < ${first + 4}`
      for (const [i, [display, hardware]] of shown.entries())
        await sql`update devices set display = ${display}, hardware = ${hardware} where device_id = ${first + i}`
      const { page } = await signedIn()
      await page.goto(`${origin}/topology`)
      await page.locator('.map[data-ready]').waitFor()
      const beyond: string[] = await page.evaluate(
        `[...document.querySelectorAll('.map [data-device]')].flatMap((one) => {
          const box = one.querySelector('rect').getBBox()
          return [...one.querySelectorAll('text')]
            .filter((text) => text.getBBox().x + text.getBBox().width > box.width - 4)
            .map((text) => text.textContent)
        })`,
      )
      expect(beyond).toEqual([])
      const names = await page.locator('.map .nt').allTextContents()
      expect(names).toContain('core-router-fra…')
      // as much as fits, not a fixed number of characters
      expect(names.find((name) => name.startsWith('illi'))?.length).toBeGreaterThan(20)
      for (const { device_id, display, hardware } of before)
        await sql`update devices set display = ${display}, hardware = ${hardware} where device_id = ${device_id}`
    },
    2 * STEP_MS,
  )

  test(
    'the map is dragged, zoomed and searched, and links to a device and to a port',
    async () => {
      const { page, complaints } = await signedIn()
      await page.goto(`${origin}/topology`)
      const map = page.locator('.map[data-ready]')
      await map.waitFor()
      expect(await map.locator('[data-device]').count()).toBe(DEVICES)
      expect(await map.locator('.e.dead').count()).toBe(1)
      const placeOf = () =>
        map
          .locator('svg')
          .first()
          .evaluate((svg) => String(svg.getAttribute('style')))

      const before = await placeOf()
      const box = await map.boundingBox()
      if (box === null) throw new Error('the map has no place')
      await page.mouse.move(box.x + 20, box.y + box.height - 20)
      await page.mouse.down()
      await page.mouse.move(box.x + 120, box.y + box.height - 60, { steps: 4 })
      await page.mouse.up()
      const dragged = await placeOf()
      expect(dragged).not.toBe(before)
      expect(page.url()).toBe(`${origin}/topology`)

      await page.click('[data-map-zoom] [data-by="1.25"]')
      expect(await placeOf()).not.toBe(dragged)
      await page.fill('[data-map-find]', 'sw-17')
      expect(await map.locator('.hit').count()).toBe(1)
      await map.locator('.hit rect').click()
      await page.waitForURL(/\/device\/1016$/)

      await page.goto(`${origin}/topology`)
      await map.waitFor()
      await map.locator(`a[href="/port/${made.downPort}"]`).focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(`${origin}/port/${made.downPort}`)
      expect(complaints).toEqual([])
    },
    3 * STEP_MS,
  )

  test(
    'ports are filtered, sorted and paged, and the URL keeps that',
    async () => {
      const { page, complaints } = await signedIn()
      await page.goto(`${origin}/ports`)
      const marks = () =>
        page
          .locator('tbody tr td:first-child svg')
          .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
      expect((await marks())[0]).toBe('Errors')
      await page.click('.seg a:has-text("Errors")')
      await page.waitForURL(/state=errors/)
      expect(new Set(await marks())).toEqual(new Set(['Errors']))
      await page.click('.seg a:has-text("All")')
      await page.click('a[rel=next]')
      await page.waitForURL(/page=2/)
      expect(await page.locator('.pager').textContent()).toContain('101 to 200')
      await page.fill('input[name=q]', 'user 16-3')
      await page.press('input[name=q]', 'Enter')
      await page.waitForURL(/q=user\+16-3/)
      expect(await page.locator('tbody tr').first().textContent()).toContain('sw-17')
      await page.click('th a:has-text("Used")')
      await page.waitForURL(/sort=used/)
      expect(page.url()).toContain('q=user')
      expect(complaints).toEqual([])
    },
    3 * STEP_MS,
  )

  test(
    'without scripts the map can be read, and its links are a table',
    async () => {
      const { context } = await signedIn()
      const state = await context.storageState()
      const plain = await context.browser()?.newContext({ javaScriptEnabled: false, storageState: state })
      if (plain === undefined) throw new Error('no browser')
      const page = await plain.newPage()
      await page.goto(`${origin}/topology`)
      expect(await page.locator('.map [data-device]').count()).toBe(DEVICES)
      await page.click('.seg a:has-text("Table")')
      await page.waitForURL(/view=table/)
      expect(await page.locator('tbody tr').count()).toBe(made.links)
      expect(await page.locator('tbody tr').first().locator('svg').first().getAttribute('aria-label')).toBe('Down')
      await plain.close()
    },
    2 * STEP_MS,
  )
})
