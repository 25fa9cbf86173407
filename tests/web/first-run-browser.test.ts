import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
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
      await page.waitForSelector('a.name:has-text("small-50")')
      await click('button:has-text("Add all that were found")')
      await page.waitForSelector(`[data-outcome]:has-text("${DEVICES} added")`)
      const addedMs = performance.now()
      await click('nav.side a[href="/devices"]')
      const rows = page.locator('tbody tr', { has: page.locator('svg.m-ok') })
      await until(60, 'all devices are up and polled', async () => {
        if ((await rows.count()) === DEVICES) return true
        await page.reload()
        return false
      })
      const [added, watched] = [addedMs, performance.now()].map((at) => ((at - startMs) / 1000).toFixed(1))
      console.log(`${DEVICES} devices: clicks ${clicks}, seconds ${added} until added, ${watched} until all are up`)
      expect(clicks).toBe(3)
      expect(complaints).toEqual([])
    },
    6 * STEP_MS,
  )
})
