import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { serveApi } from '../../src/api/serve.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { HAS_BROWSER, STEP_MS, useBrowser } from '../web/browser.ts'

describe.skipIf(!HAS_BROWSER)('in a real browser', () => {
  let api: TestApi
  let server: ReturnType<typeof serveApi>
  const browser = useBrowser()
  beforeAll(async () => {
    api = await testApi()
    server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 })
  }, STEP_MS)
  afterAll(async () => {
    await server.stop()
    await api.drop()
  }, STEP_MS)

  test('the reference lists the groups of operations, and the content security policy blocks nothing', async () => {
    const origin = `http://127.0.0.1:${server.port}`
    const { page, complaints } = await browser.window(origin)
    await page.goto(`${origin}/docs`)
    await page.waitForSelector('[data-tag=devices]', { state: 'attached' })
    expect(await page.textContent('body')).toContain('Portlight API')
    await page.waitForSelector('[data-tag=bills]', { state: 'attached' })
    expect(complaints).toEqual([])
  }, 180_000)

  test('a link to an operation opens it with its parameters', async () => {
    const origin = `http://127.0.0.1:${server.port}`
    const { page } = await browser.window(origin)
    await page.goto(`${origin}/docs#/devices/list_devices`)
    await page.waitForSelector('[data-param-name=order]', { state: 'attached' })
    expect(await page.textContent('body')).toContain('/api/v0/devices')
  }, 180_000)
})
