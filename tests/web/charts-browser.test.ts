import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type ApiServer, serveApi } from '../../src/api/serve.ts'
import { followLive } from '../../src/app/live.ts'
import { writeSamples } from '../../src/core/series/write.ts'
import { createLog } from '../../src/observe/log.ts'
import { createWeb } from '../../src/web/web.ts'
import { raiseAlert, storeRule } from '../support/alerts.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { PASSWORD } from '../support/password.ts'
import { batch, makeDevice, portSamples } from '../support/samples.ts'
import { HAS_BROWSER, STEP_MS, signIn, useBrowser } from './browser.ts'

const STEP_S = 1800
const DAY_S = 86_400

describe.skipIf(!HAS_BROWSER)('charts', () => {
  const browser = useBrowser()
  let api: TestApi
  let server: ApiServer
  let following: { stop(): Promise<void> }
  let origin: string
  let device: Awaited<ReturnType<typeof makeDevice>>
  let portId: number
  let alertId: number
  let newDeviceId: number

  beforeAll(async () => {
    api = await testApi()
    await api.services.users.create({ username: 'viewer', password: PASSWORD, roles: ['admin'] })
    device = await makeDevice(api.store, 2)
    ;[portId = 0] = device.portIds
    const { sql } = api.store
    const nowMs = Math.floor(Date.now() / 1000) * 1000
    // eight days, so that last week can be compared; an hour is missing
    for (let ageS = 8 * DAY_S; ageS > 0; ageS -= STEP_S) {
      if (ageS <= 8 * 3600 && ageS > 6 * 3600) continue
      await sample(nowMs - ageS * 1000, 1e9 + ageS * 100)
    }
    await sql`update devices set status = 1, display = 'switch-1', last_polled = now(), last_discovered = now(),
      inserted = now() - interval '9 days' where device_id = ${device.deviceId}`
    await sql`update ports set "ifOperStatus" = 'up', "ifAdminStatus" = 'up', "ifType" = 'ethernetCsmacd',
      "ifSpeed" = 10000000 where device_id = ${device.deviceId}`
    await sql`update sensors set sensor_limit = 45, sensor_limit_warn = 40, sensor_current = 31,
      "entPhysicalIndex_measured" = 'ports', "entPhysicalIndex" = '1' where sensor_id = ${device.sensorId}`
    await sql`insert into device_outages (device_id, going_down, up_again)
      values (${device.deviceId}, ${nowMs / 1000 - 8 * 3600}, ${nowMs / 1000 - 6 * 3600})`
    const { ruleId } = await storeRule(api.store)
    const at = new Date(nowMs - 8 * 3_600_000).toISOString()
    alertId = await raiseAlert(api.store, { deviceId: device.deviceId, ruleId, at, faults: [] })
    const [made] = await sql<{ id: number }[]>`
      insert into devices (hostname, status, status_reason, inserted) values ('new-1', 1, '', now()) returning device_id as id`
    newDeviceId = made?.id ?? 0
    await sql`insert into ports (device_id, "ifIndex", "ifName") values (${newDeviceId}, 1, 'Gi0/1')`
    server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 }, {}, undefined, createWeb(api.services))
    following = followLive(api.store, api.services.live, createLog('silent'))
    origin = `http://127.0.0.1:${server.port}`
  }, STEP_MS)
  afterAll(async () => {
    await following.stop()
    await server.stop()
    await api.drop()
  }, STEP_MS)

  /** A poll of the device: one port and a sensor. */
  async function sample(time: number, octets: number): Promise<void> {
    const deltas = { in_octets: octets, out_octets: octets / 2, in_pkts: octets / 500, out_pkts: octets / 1000 }
    await writeSamples(
      api.store,
      batch({
        ports: portSamples([{ portId, time, periodMs: STEP_S * 1000, deltas }]),
        sensors: [{ id: device.sensorId, time, value: 30 + (time % 7) }],
        devices: [
          { deviceId: device.deviceId, time, uptimeS: 1000, answered: true, tookMs: 10, requests: 1, timeouts: 0 },
        ],
      }),
      // samples a week old are no longer accepted
      time,
    )
  }

  const open = async (path: string) => {
    const window = await browser.window(origin)
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
    await signIn(window, origin, 'viewer', PASSWORD)
    await window.page.goto(origin + path)
    return window
  }
  const drawn = (page: Page, at = 0) => {
    const chart = page.locator('[data-island=chart]').nth(at)
    return { chart, ready: chart.locator('.chart-box[data-ready=true] canvas').waitFor() }
  }
  const middleOf = async (page: Page, at: number, share: number) => {
    const box = await page.locator('[data-island=chart] .u-over').nth(at).boundingBox()
    if (box === null) throw new Error('the chart has no place')
    return { x: box.x + box.width * share, y: box.y + box.height / 2 }
  }

  test(
    'zoom all charts in by dragging, and out again; the crosshair is shared',
    async () => {
      const { page, complaints } = await open(`/port/${portId}`)
      await drawn(page, 0).ready
      await drawn(page, 1).ready
      const { chart } = drawn(page, 0)
      const wide = Number(await chart.getAttribute('data-to')) - Number(await chart.getAttribute('data-from'))
      expect(wide).toBe(DAY_S)

      const over = await middleOf(page, 0, 0.3)
      await page.mouse.move(over.x, over.y)
      await page.locator('[data-island=chart] .tip').nth(0).waitFor()
      await page.locator('[data-island=chart] .tip').nth(1).waitFor()
      const [first, second] = await page.locator('[data-island=chart] .tip > b').allTextContents()
      expect(first).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
      expect(second?.slice(0, 13)).toBe(first?.slice(0, 13) ?? '')

      const to = await middleOf(page, 0, 0.6)
      await page.mouse.down()
      await page.mouse.move(to.x, to.y, { steps: 5 })
      await page.mouse.up()
      await page.waitForURL(/from=\d+&to=\d+/)
      for (const at of [0, 1]) {
        const { chart: one } = drawn(page, at)
        await eventually(async () => {
          const span = Number(await one.getAttribute('data-to')) - Number(await one.getAttribute('data-from'))
          return span < DAY_S / 2 || null
        })
      }
      await page.click('[data-back]')
      await page.waitForURL(`${origin}/port/${portId}`)
      expect(complaints).toEqual([])
    },
    3 * STEP_MS,
  )

  test(
    'compare with last week, mark the alert, and link to it',
    async () => {
      const { page, complaints } = await open(`/port/${portId}`)
      const { chart, ready } = drawn(page)
      await ready
      expect(await chart.getAttribute('data-compared')).toBe('false')
      await page.click('[data-past]')
      await page.waitForSelector('[data-island=chart][data-compared=true]')
      expect(new URL(page.url()).searchParams.get('compare')).toBe('week')
      const place = await middleOf(page, 0, 0.9)
      await page.mouse.move(place.x, place.y)
      await chart.locator('.tip em:has-text("was")').first().waitFor()
      await page.click('[data-past]')
      await page.waitForSelector('[data-island=chart][data-compared=false]')

      const mark = chart.locator(`.chart-marks a[href="/alerts/${alertId}"]`)
      expect(await mark.getAttribute('title')).toContain('Alert began')
      await mark.click()
      await page.waitForURL(`${origin}/alerts/${alertId}`)
      expect(complaints).toEqual([])
    },
    3 * STEP_MS,
  )

  test(
    'copy addresses that answer and SQL that runs',
    async () => {
      const { page, context } = await open(`/port/${portId}`)
      await drawn(page).ready
      const copied = async (what: string) => {
        await page.locator('[data-copy-menu] summary').first().click()
        await page.locator(`[data-copy-as=${what}]`).first().click()
        await page.locator('.toast:has-text("Copied.")').last().waitFor()
        await page.locator('.toast button').last().click()
        return String(await page.evaluate('navigator.clipboard.readText()'))
      }
      const query = await copied('sql')
      expect(query).toContain('grafana.port_rates')
      const rows = await api.store.sql.unsafe(query)
      expect(rows.length).toBeGreaterThan(20)
      expect(Object.keys(rows[0] ?? {})).toEqual(['time', 'in_bits_per_s', 'out_bits_per_s'])
      const { token } = await api.token(['admin'])
      const json = await fetch(await copied('json'), { headers: { 'X-Auth-Token': token } })
      expect([json.status, json.headers.get('content-type')]).toEqual([200, expect.stringContaining('json')])
      // the address of the image works in the browser that copied it
      const image = await page.goto(await copied('png'))
      expect([image?.status(), image?.headers()['content-type']]).toEqual([200, 'image/png'])
      await context.close()
    },
    3 * STEP_MS,
  )

  test(
    'show sensor limits, also on the port that they belong to; a gap stays a gap',
    async () => {
      const { page, complaints } = await open(`/device/${device.deviceId}/health`)
      const limited = page.locator('[data-island=chart][data-limits="high,high warning"]')
      await limited
        .first()
        .scrollIntoViewIfNeeded({ timeout: STEP_MS })
        .catch(() => undefined)
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      await limited.first().waitFor()
      await page.goto(`${origin}/port/${portId}`)
      await page.waitForSelector('.card:has(h2:text-is("Inlet")) li:has-text("31 °C")')
      const answer = await page.evaluate(`fetch('/graph/port/${portId}/port_bits?output=chart').then((a) => a.json())`)
      const { series, outages } = answer as { series: { values: unknown[] }[]; outages: unknown[] }
      expect(series[0]?.values).toContain(null)
      expect(outages).toHaveLength(1)
      expect(complaints).toEqual([])
    },
    3 * STEP_MS,
  )

  test(
    'add a new sample in place, without redrawing',
    async () => {
      const { page } = await open(`/port/${portId}`)
      await page.waitForSelector('[data-island=live][data-state=on]')
      const { chart, ready } = drawn(page)
      await ready
      const before = Number(await chart.getAttribute('data-points'))
      await chart.locator('canvas').evaluate((canvas) => canvas.setAttribute('data-same', ''))
      const at = Date.now()
      await sample(at, 3e9)
      api.services.live.polled([{ device_id: device.deviceId, at, answered: true, duration: 0.01, uptime: 1000 }])
      await eventually(async () => Number(await chart.getAttribute('data-points')) > before || null)
      expect(await chart.locator('canvas[data-same]').count()).toBe(1)
    },
    3 * STEP_MS,
  )

  test(
    'say when the first poll is due if there is no data yet, and show no broken image',
    async () => {
      for (const script of [true, false]) {
        const { page, context, complaints } = await open('/devices')
        const state = await context.storageState()
        const plain = await context.browser()?.newContext({ javaScriptEnabled: script, storageState: state })
        if (plain === undefined) throw new Error('no browser')
        const view = await plain.newPage()
        const broken: string[] = []
        view.on('response', (answer) => {
          if (answer.status() >= 400) broken.push(`${answer.status()} ${answer.url()}`)
        })
        for (const path of ['', '/graphs', '/health']) {
          await view.goto(`${origin}/device/${newDeviceId}${path}`)
          await view.waitForLoadState('networkidle')
          if (path === '') expect(await view.locator('main').textContent()).toContain('The first poll is at')
        }
        expect(broken).toEqual([])
        expect(complaints).toEqual([])
        await plain.close()
        await page.close()
      }
    },
    3 * STEP_MS,
  )

  test(
    'are images without scripts',
    async () => {
      const { context } = await open('/devices')
      const plain = await context.browser()?.newContext({
        javaScriptEnabled: false,
        storageState: await context.storageState(),
      })
      if (plain === undefined) throw new Error('no browser')
      const page = await plain.newPage()
      for (const path of [`/device/${device.deviceId}`, `/device/${device.deviceId}/health`, `/port/${portId}`]) {
        await page.goto(origin + path)
        const picture = page.locator('.chart-box img').first()
        await picture.scrollIntoViewIfNeeded()
        await eventually(() =>
          picture.evaluate((image) => ('naturalWidth' in image && Number(image.naturalWidth) > 100) || null),
        )
      }
      await plain.close()
    },
    3 * STEP_MS,
  )
})
