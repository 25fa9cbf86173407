import { describe, expect, test } from 'bun:test'
import { HAS_BROWSER, STEP_MS } from './browser.ts'
import { PORTS, STEPS, useSmallFleet } from './small-fleet.ts'

describe.skipIf(!HAS_BROWSER)('in a real browser', () => {
  const at = useSmallFleet()

  test(
    'sign in, open the list, a device and a port, whose chart is drawn and zooms, and sign out',
    async () => {
      const { page, complaints } = await at.signedIn()
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
      await page.goto(`${at.origin}/devices`)
      await page.waitForURL(/\/sign-in\?to=/)
      expect(complaints).toEqual([])
    },
    4 * STEP_MS,
  )

  test(
    'the command palette finds a port using only the keyboard',
    async () => {
      await at.api.store.sql`update ports set "ifAlias" = 'uplink to the needle' where port_id = ${at.portId}`
      const { page, complaints } = await at.signedIn()
      await page.keyboard.press('/')
      await page.keyboard.type('needle')
      await page.waitForSelector('.palette [role=option] mark, .palette [role=option] .sub')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${at.origin}/port/${at.portId}`)
      expect(complaints).toEqual([])
    },
    2 * STEP_MS,
  )

  test(
    'a log counts new rows and shows them on a click, or at once when followed; markup stays text',
    async () => {
      const markup = '<img src=x onerror=alert(1)><u>'
      const arrive = (text: string) =>
        at.api.store
          .sql`insert into syslog (device_id, priority, program, msg) values (${at.deviceId}, 'err', ${markup}, ${text})`
      await arrive(`${markup} first`)
      const { page, complaints } = await at.signedIn()
      await page.goto(`${at.origin}/logs/syslog`)
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
    'keyboard shortcuts are listed, select rows and acknowledge, and can be switched off',
    async () => {
      const { page, complaints } = await at.signedIn()
      await page.goto(`${at.origin}/alerts`)
      await page.keyboard.press('j')
      await page.keyboard.press('x')
      expect(await page.locator('tr.cur input[type=checkbox]').isChecked()).toBe(true)
      await page.keyboard.press('e')
      await page.waitForURL(`${at.origin}/alerts/${at.alertId}#act`)
      await page.keyboard.press('e')
      await page.waitForSelector('#act textarea:focus')
      await page.locator('h1').click()
      await page.keyboard.press('?')
      await page.waitForSelector('dialog.keys[open]')
      await page.uncheck('dialog.keys input[type=checkbox]')
      await page.keyboard.press('Escape')
      await page.keyboard.press('/')
      await page.keyboard.press('Control+k')
      await page.waitForSelector('dialog.palette[open]')
      expect(await page.locator('dialog.palette input').inputValue()).toBe('')
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      expect(await page.locator('dialog[open]').count()).toBe(0)
      await page.click('summary.who')
      await page.click('.sheet button:has-text("Keyboard shortcuts")')
      await page.check('dialog.keys input[type=checkbox]')
      await page.click('dialog.keys button:has-text("Close")')
      await page.locator('h1').click()
      await page.keyboard.press('?')
      await page.waitForSelector('dialog.keys[open]')
      expect(complaints).toEqual([])
    },
    2 * STEP_MS,
  )

  test(
    'on a phone the current tab is visible, and columns hidden in a narrow window can be shown',
    async () => {
      const { page } = await at.signedIn()
      await page.setViewportSize({ width: 390, height: 800 })
      await page.goto(`${at.origin}/device/${at.deviceId}/edit`)
      const place = page.locator('nav.tabs a[aria-current]')
      await page.waitForFunction("document.querySelector('nav.tabs').scrollLeft > 0")
      const box = await place.boundingBox()
      expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= 390).toBe(true)
      await page.setViewportSize({ width: 1200, height: 800 })
      await page.goto(`${at.origin}/devices`)
      expect(await page.locator('th:has-text("Ping")').isVisible()).toBe(false)
      await page.goto(`${at.origin}/devices?cols=ping`)
      expect(await page.locator('th:has-text("Ping")').isVisible()).toBe(true)
    },
    2 * STEP_MS,
  )

  test(
    'the theme is kept, and rendered by the server',
    async () => {
      const { page } = await at.signedIn()
      await page.click('[data-do=theme]')
      await page.reload()
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    },
    2 * STEP_MS,
  )

  test(
    'without scripts a page can be read, filtered and sorted, and charts are images',
    async () => {
      const { context } = await at.signedIn()
      const state = await context.storageState()
      const plain = await context.browser()?.newContext({ javaScriptEnabled: false, storageState: state })
      if (plain === undefined) throw new Error('no browser')
      const page = await plain.newPage()
      await page.goto(`${at.origin}/devices`)
      await page.click('th a:has-text("Name")')
      await page.waitForURL(/sort=name/)
      await page.goto(`${at.origin}/port/${at.portId}`)
      const picture = page.locator('.chart-box img').first()
      await picture.waitFor()
      expect(await picture.evaluate((image) => ('naturalWidth' in image ? image.naturalWidth : 0))).toBeGreaterThan(100)
      await plain.close()
    },
    2 * STEP_MS,
  )
})
