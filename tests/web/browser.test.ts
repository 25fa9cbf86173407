import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { serveApi } from '../../src/api/serve.ts'
import { SYSTEM } from '../../src/domain/actor.ts'
import { writeSamples } from '../../src/store/series/write.ts'
import { createWeb } from '../../src/web/web.ts'
import { raiseAlert, storeRule } from '../support/alerts.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { batch, makeDevice, portSamples } from '../support/samples.ts'
import { HAS_BROWSER, STEP_MS, useBrowser, type Window } from './browser.ts'

const PORTS = 12
const STEPS = 48
const STEP_S = 1800

describe.skipIf(!HAS_BROWSER)('in a real browser', () => {
  const browser = useBrowser()
  let api: TestApi
  let server: ReturnType<typeof serveApi>
  let origin: string
  let password: string
  let deviceId: number
  let portId: number
  let alertId: number
  let serviceId: number
  let billId: number

  beforeAll(async () => {
    api = await testApi()
    password = (await api.services.users.createFirstAdmin()) ?? ''
    if (password === '') {
      password = 'a password for the browser'
      await api.services.users.create({ username: 'admin', password, roles: ['admin'] })
    }
    ;({ deviceId, portId } = await filled())
    const { ruleId } = await storeRule(api.store)
    alertId = await raiseAlert(api.store, { deviceId, ruleId, faults: [{ hostname: 'switch-1', status: 0 }] })
    server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 }, {}, undefined, createWeb(api.services))
    origin = `http://127.0.0.1:${server.port}`
  }, STEP_MS)
  afterAll(async () => {
    await server.stop()
    await api.drop()
  }, STEP_MS)

  /** A device with ports and a day of samples. */
  async function filled() {
    const made = await makeDevice(api.store, PORTS)
    const nowMs = Date.now()
    const [first = 0] = made.portIds
    for (let step = STEPS; step > 0; step--) {
      const time = nowMs - step * STEP_S * 1000
      const samples = made.portIds.map((port, i) => ({
        portId: port,
        time,
        periodMs: STEP_S * 1000,
        deltas: { in_octets: 1e9 * (i + 1) + step * 1e7, out_octets: 5e8 },
      }))
      await writeSamples(api.store, batch({ ports: portSamples(samples) }))
    }
    await api.store
      .sql`update devices set status = 1, display = 'switch-1', last_polled = now() where device_id = ${made.deviceId}`
    await api.store
      .sql`update ports set "ifOperStatus" = 'up', "ifAdminStatus" = 'up', "ifType" = 'ethernetCsmacd', "ifSpeed" = 1000000000 where device_id = ${made.deviceId}`
    serviceId = await api.services.hostServices.add(SYSTEM, made.deviceId, {
      ...{ type: 'https', param: '-u /health', name: 'web', ip: undefined, desc: undefined, ignore: 0, disabled: 0 },
    })
    billId = await api.services.bills.save(SYSTEM, {
      billId: null,
      ports: [first],
      values: {
        ...{ bill_name: 'Transit', bill_type: 'cdr', bill_cdr: 1e9, bill_day: 1, bill_custid: '', bill_ref: '' },
        bill_notes: '',
      },
    })
    return { deviceId: made.deviceId, portId: first }
  }

  const signedIn = (theme: 'light' | 'dark' = 'light'): Promise<Window> =>
    browser.signedIn(origin, 'admin', password, theme)

  test(
    'from sign-in over the list and a device to a port whose chart is drawn and zooms, and out again',
    async () => {
      const { page, complaints } = await signedIn()
      await page.click('nav.side a[href="/devices"]')
      await page.click('text=switch-1')
      await page.waitForSelector('h1:has-text("switch-1")')
      expect(await page.locator('.front a').count()).toBe(PORTS)
      await page.click('.front a >> nth=0')
      const chart = page.locator('[data-island=chart]').first()
      await chart.locator('.chart-box[data-ready] canvas').waitFor()
      expect(Number(await chart.getAttribute('data-points'))).toBeGreaterThan(STEPS)
      expect(await chart.locator('tbody td').first().textContent()).toMatch(/^[\d.]+ [kMG]?bit\/s$/)

      const before = page.url()
      const box = await chart.locator('.u-over').boundingBox()
      if (box === null) throw new Error('the chart has no place')
      await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 5 })
      await page.mouse.up()
      await page.waitForURL(/from=\d+&to=\d+/)
      await page.goBack()
      await page.waitForURL(before)

      await page.click('summary.who')
      await page.click('text=Sign out')
      await page.waitForURL(/\/sign-in$/)
      await page.goto(`${origin}/devices`)
      await page.waitForURL(/\/sign-in\?to=/)
      expect(complaints).toEqual([])
    },
    4 * STEP_MS,
  )

  test(
    'the palette finds a port by keyboard alone',
    async () => {
      await api.store.sql`update ports set "ifAlias" = 'uplink to the needle' where port_id = ${portId}`
      const { page, complaints } = await signedIn()
      await page.keyboard.press('/')
      await page.keyboard.type('needle')
      await page.waitForSelector('.palette [role=option] mark, .palette [role=option] .sub')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${origin}/port/${portId}`)
      expect(complaints).toEqual([])
    },
    2 * STEP_MS,
  )

  test(
    'a log counts what arrives, takes it by a click, and by itself when it is followed; markup stays text',
    async () => {
      const markup = '<img src=x onerror=alert(1)><u>'
      const arrive = (text: string) =>
        api.store
          .sql`insert into syslog (device_id, priority, program, msg) values (${deviceId}, 'err', ${markup}, ${text})`
      await arrive(`${markup} first`)
      const { page, complaints } = await signedIn()
      await page.goto(`${origin}/logs/syslog`)
      await page.waitForSelector('td .msg:has-text("first")')
      await arrive(`${markup} second`)
      await page.click('.log-new button:has-text("1 new")')
      expect(await page.locator('td .msg').first().textContent()).toBe(`${markup} second`)
      await page.click('[data-do=tail]')
      await page.waitForURL(/tail=1/)
      await page.locator('h1').click()
      await arrive(`${markup} third`)
      await page.waitForSelector('td .msg:has-text("third")')
      expect(await page.locator('td img, td u').count()).toBe(0)
      expect(complaints).toEqual([])
    },
    2 * STEP_MS,
  )

  test(
    'a service and a bill are made by their forms',
    async () => {
      const { page, complaints } = await signedIn()
      await page.goto(`${origin}/services/new`)
      await page.fill('#device', String(deviceId))
      await page.selectOption('#type', 'tcp')
      await page.fill('#param', '-p 22')
      await page.fill('#name', 'login')
      await page.click('main button:has-text("Add")')
      await page.waitForSelector('h1:has-text("login")')
      await page.click('summary:has-text("Delete")')
      await page.click('.ask-sheet button')
      await page.waitForURL(`${origin}/services`)

      await page.goto(`${origin}/bills/new`)
      await page.fill('#name', 'Peering')
      await page.fill('#limit', '2 G')
      await page.fill('input[name=find]', 'switch-1')
      await page.click('button:has-text("Find ports")')
      await page.locator('.picker input[type=checkbox]').first().check()
      await page.click('button[value=add]')
      await page.waitForSelector('h1:has-text("Peering")')
      expect(await page.locator('.picker input:checked').count()).toBe(1)
      expect(complaints).toEqual([])
    },
    2 * STEP_MS,
  )

  test(
    'the rule of a group is built by clicks, shows what it matches, and the group has it',
    async () => {
      await api.store.sql`update devices set os = 'junos' where device_id = ${deviceId}`
      const { page, complaints } = await signedIn()
      await page.goto(`${origin}/groups/new`)
      expect(await page.locator('[data-builder]').isVisible()).toBe(false)
      await page.fill('#name', 'Junipers')
      await page.selectOption('#type', 'dynamic')
      await page.fill('[data-builder] [aria-label=Value]', 'junos')
      await page.waitForSelector('[data-trial-count]:has-text("1 device")')
      await page.click('[data-builder] button:has-text("Condition")')
      await page.locator('[data-builder] [aria-label=Field]').nth(1).fill('devices.hardware')
      await page.locator('[data-builder] [aria-label=Value]').nth(1).fill('no such thing')
      await page.waitForSelector('[data-trial-count]:has-text("nothing")')
      await page.locator('[data-builder] [aria-label="Remove the condition"]').nth(1).click()
      await page.waitForSelector('[data-trial-count]:has-text("1 device")')
      await page.click('button[value=add]')
      await page.waitForSelector('h1:has-text("Junipers")')
      await page.waitForSelector('ul.rows a:has-text("switch-1")')
      expect(complaints).toEqual([])
    },
    2 * STEP_MS,
  )

  test(
    'devices are chosen and put under maintenance, and deleted only with their number',
    async () => {
      await api.store.sql`insert into devices (hostname, status, disabled) values ('spare-1', 1, 1), ('spare-2', 1, 1)`
      const { page, complaints } = await signedIn()
      await page.goto(`${origin}/devices?q=spare`)
      await page.click('button[data-choose]')
      await page.click('summary:has-text("Maintenance")')
      await page.fill('#bulk-notes', 'cabling')
      await page.keyboard.press('Enter')
      await page.waitForSelector('.note:has-text("Choose what is done")')
      expect(await api.services.maintenance.list()).toEqual([])
      await page.click('button[data-choose]')
      await page.click('summary:has-text("Maintenance")')
      await page.click('button[value=maintenance]')
      await page.waitForSelector('.note.ok:has-text("2 devices are under maintenance")')
      await page.goto(`${origin}/devices?q=spare&view=tiles`)
      for (const [number, says] of [
        ['1', '2 devices are chosen'],
        ['2', '2 devices were deleted'],
      ] as const) {
        await page.click('button[data-choose]')
        await page.click('summary:has-text("Delete")')
        await page.fill('#bulk-confirm', number)
        await page.click('button[value=delete]')
        await page.waitForSelector(`.note:has-text("${says}")`)
      }
      expect(await api.store.sql`select from devices where hostname like 'spare-%'`).toHaveLength(0)
      // refused forms are answered with 422
      expect(complaints.filter((text) => !text.includes('422'))).toEqual([])
    },
    3 * STEP_MS,
  )

  test(
    'the theme is kept, and rendered by the server',
    async () => {
      const { page } = await signedIn()
      await page.click('[data-do=theme]')
      await page.reload()
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    },
    2 * STEP_MS,
  )

  test(
    'without script a page can be read, filtered and sorted, and charts are pictures',
    async () => {
      const { context } = await signedIn()
      const state = await context.storageState()
      const plain = await context.browser()?.newContext({ javaScriptEnabled: false, storageState: state })
      if (plain === undefined) throw new Error('no browser')
      const page = await plain.newPage()
      await page.goto(`${origin}/devices`)
      await page.click('th a:has-text("Name")')
      await page.waitForURL(/sort=name/)
      await page.goto(`${origin}/port/${portId}`)
      const picture = page.locator('.chart-box img').first()
      await picture.waitFor()
      expect(await picture.evaluate((image) => ('naturalWidth' in image ? image.naturalWidth : 0))).toBeGreaterThan(100)
      await plain.close()
    },
    2 * STEP_MS,
  )

  const axe = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')
  const addresses = () => [
    '/',
    '/devices',
    '/devices?view=tiles',
    `/device/${deviceId}`,
    `/device/${deviceId}/ports`,
    `/device/${deviceId}/graphs`,
    `/device/${deviceId}/logs`,
    `/device/${deviceId}/logs?log=syslog`,
    '/logs',
    '/bills',
    '/bills/new',
    `/bills/${billId}`,
    '/groups',
    '/groups/new',
    '/groups/ports/new',
    '/pollers/groups',
    '/services',
    '/services/new',
    `/services/${serviceId}`,
    '/logs/syslog?level=4&q=x',
    `/port/${portId}`,
    '/search?q=switch',
    '/ports',
    '/health',
    '/routing',
    '/wireless',
    '/topology',
    '/topology?view=table',
    '/locations',
    '/account?factor=new',
    '/alerts',
    '/alerts/history',
    `/alerts/${alertId}`,
    '/alerts/rules',
    '/alerts/rules/new?preset=port-errors',
    '/alerts/templates?new',
    '/alerts/transports',
    '/alerts/transports?new=mail',
    '/devices/new',
    `/device/${deviceId}/capture`,
    `/device/${deviceId}/edit`,
    '/settings',
    '/settings?q=alert',
    '/settings/users',
    '/settings/users?user=admin',
    '/settings/roles',
    '/settings/audit',
    '/api-access',
    '/about',
    '/pollers',
    '/maintenance',
    '/nothing-here',
    '/sign-in',
  ]
  test.each(['light', 'dark'] as const)(
    'axe finds nothing in the %s theme, and no page is wider than its window',
    async (theme) => {
      const { page, context, complaints } = await signedIn(theme)
      const faults: string[] = []
      for (const width of [390, 1024, 1600]) {
        await page.setViewportSize({ width, height: 900 })
        for (const address of addresses()) {
          if (address === '/sign-in') await context.clearCookies()
          await page.goto(origin + address)
          const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
          if (wider !== 0) faults.push(`${address} at ${width}: ${wider} px wider`)
          // into the page's world by the debugger, which the policy does not hinder
          await page.evaluate(axe)
          const found: readonly string[] = await page.evaluate(
            'axe.run().then(({ violations }) => violations.map((v) => v.id + ": " + v.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(", ")))',
          )
          faults.push(...found.map((one) => `${address} at ${width}: ${one}`))
        }
        await page.goto(`${origin}/sign-in`)
        await page.fill('#u', 'admin')
        await page.fill('#p', password)
        await page.click('button[type=submit]')
        await page.waitForSelector('nav.bar5', { state: 'attached' })
      }
      expect(faults).toEqual([])
      expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
    },
    6 * STEP_MS,
  )
})
