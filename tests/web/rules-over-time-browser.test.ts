import { describe, expect, test } from 'bun:test'
import { HAS_BROWSER, STEP_MS } from './browser.ts'
import { useSmallFleet } from './small-fleet.ts'

describe.skipIf(!HAS_BROWSER)('rules over time in a real browser', () => {
  const at = useSmallFleet()

  test(
    'a condition is made to look at time by clicking, is tried, and is stored in data',
    async () => {
      const { page, complaints } = await at.signedIn()
      await page.goto(`${at.origin}/alerts/rules/new`)
      const field = page.locator('[data-builder] [aria-label=Field]')
      // a field without a history has no choice
      expect(await page.locator('[data-builder] [aria-label="Looks at time"]').count()).toBe(0)
      await field.fill('processors.processor_usage')
      await field.press('Tab')
      const choice = page.locator('[data-builder] [aria-label="Looks at time"]')
      await choice.selectOption('held')
      await page.fill('[data-builder] [aria-label=For]', '20m')
      await page.fill('[data-builder] [aria-label="Of the last"]', '30m')
      await page.selectOption('[data-builder] [aria-label=Comparison]', 'greater')
      await page.fill('[data-builder] [aria-label=Value]', '90')
      await page.waitForSelector('[data-trial]:has-text("for 20 minutes of the last 30 minutes")')
      await page.fill('[data-builder] [aria-label="Of the last"]', '30')
      await page.waitForSelector('[data-trial-fault]:has-text("a time from 1m to 1d")')
      await choice.selectOption('unusual')
      await page.waitForSelector('[data-trial-past]')
      if (process.env['SHOTS'] !== undefined)
        await page.screenshot({ path: `${process.env['SHOTS']}/unusual.png`, fullPage: true })
      await choice.selectOption('forecast')
      expect(await page.inputValue('[data-builder] [aria-label=Comparison]')).toBe('greater')
      expect(await page.locator('[data-builder] [aria-label=Comparison] option').count()).toBe(4)
      await page.waitForSelector('[data-trial]:has-text("in 7 days, if it goes on as in the last weeks")')
      if (process.env['SHOTS'] !== undefined) {
        await page.setViewportSize({ width: 375, height: 800 })
        await page.screenshot({ path: `${process.env['SHOTS']}/forecast-phone.png`, fullPage: true })
        await page.setViewportSize({ width: 1280, height: 800 })
      }
      await page.fill('#name', 'Busy in a week')
      await page.click('button[value=save]')
      await page.waitForSelector('text=The rule has been saved.')
      const [rule] = await at.api.store.sql<{ builder: string }[]>`
        select builder from alert_rules where name = 'Busy in a week'`
      expect(JSON.parse(rule?.builder ?? '{}')).toMatchObject({
        rules: [
          { field: 'processors.processor_usage', operator: 'greater', data: { over: { kind: 'forecast', of: '7d' } } },
        ],
      })
      // it is shown as it was stored, and becomes a comparison of the value now again
      expect(await choice.inputValue()).toBe('forecast')
      await choice.selectOption('')
      expect(await page.inputValue('#builder')).not.toContain('data')
      expect(complaints).toEqual([])
    },
    2 * STEP_MS,
  )

  test(
    'a group has no conditions over time, whoever asks for them',
    async () => {
      const { page } = await at.signedIn()
      await page.goto(`${at.origin}/groups/new`)
      await page.fill('#name', 'Busy')
      await page.selectOption('#type', 'dynamic')
      await page.fill('[data-builder] [aria-label=Field]', 'processors.processor_usage')
      await page.locator('[data-builder] [aria-label=Field]').press('Tab')
      expect(await page.locator('[data-builder] [aria-label="Looks at time"]').count()).toBe(0)
    },
    STEP_MS,
  )
})
