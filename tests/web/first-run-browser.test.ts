import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { type Served, startServe, temporaryFolder } from '../cli/support.ts'
import { until } from '../e2e/server.ts'
import { copyMigrated } from '../support/database.ts'
import { type SmallAgents, startSmallAgents } from '../support/small-agents.ts'
import { HAS_BROWSER, STEP_MS, signIn, useBrowser } from './browser.ts'

const DEVICES = 50
const COMMUNITY = 'a laboratory'

/** The program on an empty database, as a person meets it at the first start. */
describe.skipIf(!HAS_BROWSER)('the first run in a real browser', () => {
  const browser = useBrowser()
  const folder = temporaryFolder()
  let agents: SmallAgents
  let server: Served
  let password = ''

  beforeAll(async () => {
    agents = await startSmallAgents('127.77.0', DEVICES, COMMUNITY)
    const dataDir = join(folder.path, 'data')
    mkdirSync(dataDir, { mode: 0o755 })
    await copyMigrated(dataDir)
    const settings = ['--set', `snmp.port=${agents.port}`, '--set', 'poller.interval=5', '--set', 'poller.workers=1']
    server = await startServe(dataDir, join(folder.path, 'log'), settings)
    password = /password (\S+)/.exec(server.greeting)?.[1] ?? ''
  }, 2 * STEP_MS)
  afterAll(async () => {
    server?.process.kill('SIGTERM')
    await server?.process.exited
    agents?.stop()
    folder.remove()
  }, STEP_MS)

  test(
    'from an empty database to 50 devices that are watched, with three clicks',
    async () => {
      const window = await browser.window(server.url)
      const { page, complaints } = window
      await signIn(window, server.url, 'admin', password)
      let clicks = 0
      const click = async (selector: string) => {
        await page.click(selector)
        clicks++
      }
      await page.waitForSelector('h2:has-text("Which networks are yours?")')
      // suggestions are not ticked: nothing is asked that nobody chose
      expect(await page.locator('input[type=checkbox]:checked').count()).toBe(0)
      await page.fill('#networks', '127.77.0.0/26')
      await page.fill('#community', COMMUNITY)
      const startMs = performance.now()
      await click('button:has-text("Find devices")')
      await page.waitForURL(/\/scans\/\d+$/)
      // the list fills by itself
      await page.waitForSelector('[data-fresh=scan] .pill:has-text("Done")')
      await page.waitForSelector('a.name:has-text("small-77-50")')
      await click('button:has-text("Add all that were found")')
      await page.waitForSelector(`[data-outcome]:has-text("${DEVICES} added")`)
      const addedMs = performance.now()
      // the other twelve addresses only answer ping, which makes them no devices
      await page.waitForSelector('[data-fresh=scan]:has-text("0 waiting")')
      await click('nav.side a[href="/devices"]')
      await page.waitForSelector('h1:has-text("Devices")')
      await until(60, 'all devices are discovered and polled', async () => (await polledOf(page)) === DEVICES)
      const [added, watched] = [addedMs, performance.now()].map((at) => ((at - startMs) / 1000).toFixed(1))
      console.log(
        `${DEVICES} devices: clicks ${clicks}, seconds ${added} until added, ${watched} until all are discovered and polled`,
      )
      expect(clicks).toBe(3)
      expect(complaints).toEqual([])
    },
    6 * STEP_MS,
  )

  test(
    'works without scripts: plain forms, and the page of the scan is reloaded',
    async () => {
      const more = await startSmallAgents('127.78.0', 3, COMMUNITY, agents.port)
      try {
        const { page } = await browser.plain(server.url, 'admin', password)
        await page.goto(`${server.url}/first-run`)
        await page.fill('#networks', 'no network')
        await page.click('button:has-text("Find devices")')
        await page.waitForSelector('.note.bad:has-text("no is not a network")')
        expect(await page.inputValue('#networks')).toBe('no network')
        await page.fill('#networks', '127.78.0.1 127.78.0.2/31')
        await page.click('button:has-text("Find devices")')
        await page.waitForURL(/\/scans\/\d+$/)
        await until(30, 'the scan is over', async () => {
          await page.reload()
          return (await page.locator('[data-fresh=scan] .pill:has-text("Done")').count()) === 1
        })
        await page.click('button:has-text("Add all that were found")')
        await page.waitForSelector('.note:has-text("3 added")')
        expect(await page.locator('.probe a[href^="/device/"]').count()).toBe(3)
      } finally {
        more.stop()
      }
    },
    4 * STEP_MS,
  )
})

/** Devices of the list whose uptime is known, from its CSV. */
async function polledOf(page: Page): Promise<number> {
  const csv = String(await page.evaluate("fetch('/devices?format=csv').then((answer) => answer.text())"))
  const [head = '', ...lines] = csv.trim().split('\r\n')
  expect(head).toEndWith('"Uptime (s)"')
  return lines.filter((line) => Number(line.slice(line.lastIndexOf(',') + 1)) > 0).length
}
