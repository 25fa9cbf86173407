import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { findSnmpd, type Snmpd, startSnmpd } from '../../packages/snmp/tests/support/snmpd.ts'
import { portlight } from '../cli/support.ts'
import { startTestServer, type TestServer, until } from '../e2e/server.ts'
import { HAS_BROWSER, STEP_MS, useBrowser, type Window } from './browser.ts'

// The administration pages, against a real server and Debian's snmpd.

const path = findSnmpd()
const PASSWORD = 'a password for the browser'

describe.skipIf(path === null || !HAS_BROWSER)('administration in a real browser', () => {
  const browser = useBrowser()
  let agent: Snmpd
  let server: TestServer

  beforeAll(async () => {
    agent = await startSnmpd(path ?? '', () => '')
    server = await startTestServer(['--set', 'poller.interval=5'])
    const made = await portlight(
      ['user', 'add', 'boss', '--role', 'admin', '--password-stdin', '--data-dir', server.dataDir],
      { input: PASSWORD },
    )
    expect(made.code).toBe(0)
  }, 3 * STEP_MS)
  afterAll(async () => {
    await server?.stop()
    await agent?.stop()
  }, STEP_MS)

  const signedIn = (): Promise<Window> => browser.signedIn(server.url, 'boss', PASSWORD)

  test(
    'changes made by commands are in the audit, without secrets',
    async () => {
      const by = ['--data-dir', server.dataDir]
      const steps: readonly (readonly [readonly string[], string])[] = [
        [['user', 'add', 'temp', '--no-password'], 'User temp added with user'],
        [['user', 'role', 'temp', 'global-read'], 'User temp: roles changed from user to global-read'],
        [['role', 'set', 'helpers', 'device.update'], 'Role helpers may now device.update'],
        [['config', 'set', 'snmp.community', 'not-for-the-log'], 'Setting snmp.community changed to a new value'],
        [['config', 'unset', 'snmp.community'], 'Setting snmp.community back to its default'],
        [['token', 'create', '--user', 'temp', '--scope', 'read', '--description', 'backup'], 'of temp made: backup'],
        [['user', 'schedule-notes', 'temp', 'on'], 'User temp: notes of maintenance windows are also added'],
        [['user', 'delete', 'temp', '--yes'], 'User temp: deleted'],
      ]
      for (const [args] of steps)
        expect({ args, code: (await portlight([...args, ...by])).code }).toEqual({ args, code: 0 })
      const { page, complaints } = await signedIn()
      await page.goto(`${server.url}/settings/audit`)
      for (const [, says] of steps)
        await page.waitForSelector(`tr:has-text("${says}"):has(td:text-is("the command line"))`)
      expect(await page.content()).not.toContain('not-for-the-log')
      expect(complaints).toEqual([])
    },
    4 * STEP_MS,
  )

  test(
    'a wrong community gives advice; the right one leads to the device, whose chart then gets data',
    async () => {
      const { page, complaints } = await signedIn()
      await page.goto(`${server.url}/devices/new`)
      await page.fill('#hostname', '127.0.0.1')
      await page.selectOption('#way', 'v2c')
      await page.fill('#community', 'not-this-one')
      await page.click('summary:has-text("More")')
      await page.fill('#port', String(agent.port))
      await page.check('input[name=only]')
      await page.click('button:has-text("Add device")')
      await page.waitForSelector('.advice li')
      expect(await page.textContent('.probe')).toContain('SNMP v2c with the given community')
      expect(await page.content()).not.toContain('not-this-one')

      await page.fill('#community', 'public')
      await page.click('button:has-text("Add device")')
      await page.waitForURL(/\/device\/\d+$/)
      const id = Number(/\d+$/.exec(page.url())?.[0])
      await page.waitForSelector('nav.tabs a:has-text("Ports")')
      await until(120, 'two samples of a port', async () => {
        const store = await server.store()
        const rows = await store.sql`select from ts.port_samples s join ports p using (port_id)
          where p.device_id = ${id} and s.in_octets is not null limit 2`
        return rows.length === 2
      })
      const [port] = await (await server.store()).sql<{ port_id: number }[]>`
        select port_id from ports where device_id = ${id} order by "ifIndex" limit 1`
      await page.goto(`${server.url}/port/${port?.port_id}`)
      const chart = page.locator('[data-island=chart]').first()
      await chart.locator('.chart-box[data-ready] canvas').waitFor()
      expect(await chart.locator('tbody td').first().textContent()).toMatch(/\d/)
      // images of graphs without samples
      expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
    },
    6 * STEP_MS,
  )

  test(
    'a token created here works in the command shown with it, and a setting is changed',
    async () => {
      const { page, complaints } = await signedIn()
      await page.click('nav.side a[href="/api-access"]')
      await page.fill('#description', 'a script')
      await page.click('button:has-text("Create token")')
      await page.waitForSelector('#token')
      const line = (await page.textContent('#curl')) ?? ''
      const [, header = '', token = '', address = ''] = /-H '([\w-]+): (\w+)' (\S+)/.exec(line) ?? []
      const answer = await fetch(address, { headers: { [header]: token } })
      expect([answer.status, Object(await answer.json()).status]).toEqual([200, 'ok'])
      await page.goto(`${server.url}/settings?q=discovery.interval`)
      await page.fill('#f-discovery-interval', '7200')
      await page.click('button[aria-label="Save discovery.interval"]')
      await page.waitForURL(/section=Discovery/)
      expect(await page.inputValue('#f-discovery-interval')).toBe('7200')
      expect(await page.textContent('[id="discovery.interval"]')).toContain('stored here by boss')
      expect(complaints).toEqual([])
    },
    3 * STEP_MS,
  )
})
