import { describe, expect, test } from 'bun:test'
import { HAS_BROWSER, STEP_MS } from './browser.ts'
import { useSmallFleet } from './small-fleet.ts'

describe.skipIf(!HAS_BROWSER)('forms in a real browser', () => {
  const at = useSmallFleet()

  test(
    'a service and a bill are created with their forms',
    async () => {
      const { page, complaints } = await at.signedIn()
      await page.goto(`${at.origin}/services/new`)
      await page.fill('#device', String(at.deviceId))
      await page.selectOption('#type', 'tcp')
      await page.fill('#param', '-p 22')
      await page.fill('#name', 'login')
      await page.click('main button:has-text("Add")')
      await page.waitForSelector('h1:has-text("login")')
      await page.click('summary:has-text("Delete")')
      await page.click('.ask-sheet button')
      await page.waitForURL(`${at.origin}/services`)

      await page.goto(`${at.origin}/bills/new`)
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
    'a list of devices is taken from a file, checked and added, with a result for each line',
    async () => {
      const { page, complaints } = await at.signedIn()
      await page.goto(`${at.origin}/devices/new`)
      await page.click('a:has-text("add several")')
      const list = 'hostname,community\nbad name!,x\nlisted-1.example.net,x\n'
      await page.setInputFiles('#file', { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(list) })
      await page.waitForFunction('document.querySelector("#list").value.includes("listed-1")')
      await page.click('button[value=check]')
      await page.waitForSelector('[data-outcome]:has-text("1 to add, 0 monitored already, 1 with an error")')
      await page.waitForSelector('.probe li:has-text("Line 2: bad name!")')
      await page.click('summary:has-text("More")')
      await page.check('input[name=force]')
      await page.click('button[value=add]')
      await page.waitForSelector('[data-outcome]:has-text("1 added, 0 already monitored, 1 not added")')
      await page.click('.probe a:has-text("Line 3: listed-1.example.net")')
      await page.waitForURL(/\/device\/\d+$/)
      expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
    },
    2 * STEP_MS,
  )

  test(
    "a group's rule is built by clicking, shows what it matches, and is stored",
    async () => {
      await at.api.store.sql`update devices set os = 'junos' where device_id = ${at.deviceId}`
      const { page, complaints } = await at.signedIn()
      await page.goto(`${at.origin}/groups/new`)
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
    'devices are selected and put under maintenance, and deleted only after their number is entered',
    async () => {
      await at.api.store
        .sql`insert into devices (hostname, status, disabled) values ('spare-1', 1, 1), ('spare-2', 1, 1)`
      const { page, complaints } = await at.signedIn()
      await page.goto(`${at.origin}/devices?q=spare`)
      await page.click('button[data-choose]')
      await page.click('summary:has-text("Maintenance")')
      await page.fill('#bulk-notes', 'cabling')
      await page.keyboard.press('Enter')
      await page.waitForSelector('.note:has-text("Choose an action")')
      expect(await at.api.services.maintenance.list()).toEqual([])
      await page.click('button[data-choose]')
      await page.click('summary:has-text("Maintenance")')
      await page.click('button[value=maintenance]')
      await page.waitForSelector('.note.ok:has-text("2 devices are under maintenance")')
      await page.goto(`${at.origin}/devices?q=spare&view=tiles`)
      for (const [number, says] of [
        ['1', '2 devices are selected'],
        ['2', '2 devices were deleted'],
      ] as const) {
        await page.click('button[data-choose]')
        await page.click('summary:has-text("Delete")')
        await page.fill('#bulk-confirm', number)
        await page.click('button[value=delete]')
        await page.waitForSelector(`.note:has-text("${says}")`)
      }
      expect(await at.api.store.sql`select from devices where hostname like 'spare-%'`).toHaveLength(0)
      // rejected forms are answered with 422
      expect(complaints.filter((text) => !text.includes('422'))).toEqual([])
    },
    3 * STEP_MS,
  )
})
