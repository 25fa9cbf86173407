import { describe, expect, test } from 'bun:test'
import { HAS_BROWSER, STEP_MS } from './browser.ts'
import { useSmallFleet } from './small-fleet.ts'

/** A shift of a hundredth of the window is what nobody sees; 0.1 is still called good (web.dev, CLS). */
const MOST = 0.01

/** How far the page has moved by itself since it was opened, as the browser counts it, and what moved most. */
const SHIFTS = `new Promise((done) => {
  const found = []
  new PerformanceObserver((list) => found.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true })
  // two frames later everything that is buffered has been reported
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done({
    sum: found.reduce((sum, { value, hadRecentInput }) => hadRecentInput ? sum : sum + value, 0),
    what: found.flatMap(({ sources }) => sources.map(({ node }) => node?.className ?? node?.nodeName ?? '')).slice(0, 5),
  }))))
})`

describe.skipIf(!HAS_BROWSER)('from the first paint on', () => {
  const at = useSmallFleet()

  test(
    'pages do not move, on a desk and on a phone, with and without the typeface in the cache',
    async () => {
      const { page, complaints } = await at.signedIn()
      const moved: unknown[] = []
      for (const viewport of [
        { width: 1440, height: 900 },
        { width: 390, height: 780 },
      ]) {
        await page.setViewportSize(viewport)
        for (const address of [
          ...[
            '/',
            '/devices',
            `/device/${at.deviceId}`,
            `/device/${at.deviceId}/ports`,
            `/device/${at.deviceId}/graphs`,
          ],
          ...[
            `/port/${at.portId}`,
            '/alerts',
            '/ports',
            '/health',
            '/logs',
            '/topology',
            `/bills/${at.billId}`,
            '/help',
          ],
        ]) {
          await page.goto(at.origin + address)
          await page.waitForLoadState('networkidle')
          const { sum, what } = await page.evaluate<{ sum: number; what: readonly string[] }>(SHIFTS)
          if (sum > MOST) moved.push([address, viewport.width, sum, what])
        }
      }
      expect(moved).toEqual([])
      expect(complaints).toEqual([])
    },
    6 * STEP_MS,
  )

  test(
    'the typeface is asked for with the page, once, from this server, and is what texts are set in',
    async () => {
      const { page } = await at.signedIn()
      await page.goto(`${at.origin}/devices`)
      const preloaded = await page.locator('link[rel=preload][as=font]').getAttribute('href')
      const asked: string[] = await page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => path.endsWith('.woff2'))",
      )
      expect(asked).toEqual([preloaded ?? 'none'])
      await page.evaluate('document.fonts.ready')
      expect(await page.evaluate(`document.fonts.check('13px "Inter Variable"')`)).toBe(true)
      // another file would be loaded for letters that the Latin one does not have
      expect(await page.evaluate('[...document.fonts].map(({ status }) => status)')).toEqual(['loaded'])
    },
    2 * STEP_MS,
  )
})
