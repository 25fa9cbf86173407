import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { HAS_BROWSER, STEP_MS, type Window } from './browser.ts'
import { type SmallFleet, useSmallFleet } from './small-fleet.ts'

/** Widths of a phone, a tablet and a desktop; height 900. */
const WIDTHS = [390, 1024, 1600] as const
/** The narrowest and widest windows that must show everything (WCAG 1.4.10, and a 4K screen). */
const EXTREMES = [320, 3840] as const
const AXE = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')
/** Rules that depend on colours. Themes differ only in colours, so the second one needs only these, at one width. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** How many times Tab is pressed on a page. */
const TABS = 10

/** What has the focus: a name for messages, whether it can be seen, and whether its focus can. */
const FOCUSED = `(() => {
  const one = document.activeElement
  if (one === null || one === document.body) return null
  const box = one.getBoundingClientRect()
  const style = getComputedStyle(one)
  const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
  return {
    name: one.tagName.toLowerCase() + ' ' + (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 30),
    at: [...document.querySelectorAll('*')].indexOf(one),
    seen: box.width > 0 && box.height > 0,
    ring: ring || style.boxShadow !== 'none',
    manyParts: one.matches('[type=date], [type=time], [type=datetime-local]'),
  }
})()`
interface Focused {
  readonly name: string
  readonly at: number
  readonly seen: boolean
  readonly ring: boolean
  /** Tab goes through the parts of a date. */
  readonly manyParts: boolean
}
/** Controls that the keyboard does not reach: taken out of the order, moved within it, or no control for the browser. */
const UNREACHED = `[...document.querySelectorAll('a, button, input, select, textarea, summary, [tabindex], [role=button], [data-do]')]
  .filter((one) => one.checkVisibility() && !one.matches(':disabled, [tabindex="-1"][role=option], main, h1, [type=hidden]'))
  .filter((one) => one.tabIndex !== 0 && !one.closest('dialog'))
  .map((one) => one.outerHTML.slice(0, 80))`

/** What is wrong on a page for whoever has no mouse: Tab begins at the link over the navigation, goes on, and is seen. */
async function keyboardFaults(page: Page): Promise<string[]> {
  const faults: string[] = (await page.evaluate<string[]>(UNREACHED)).map((one) => `not reached: ${one}`)
  const ways: Focused[] = []
  for (let i = 0; i < TABS; i++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<Focused | null>(FOCUSED)
    // behind the last control of a short page the browser's own follow
    if (focused === null) break
    ways.push(focused)
  }
  if (ways.length === 0) faults.push('Tab reaches nothing')
  for (const [i, { name, at, seen, ring, manyParts }] of ways.entries()) {
    if (!seen) faults.push(`${name} has the focus and is not seen`)
    if (!ring) faults.push(`${name} does not show that it has the focus`)
    if (at === ways[i - 1]?.at && !manyParts) faults.push(`${name} keeps the focus`)
  }
  return faults
}

/** Problems that axe-core finds on pages in both themes at three widths, and pages that are wider than their window. */
export async function faultsOf(
  { page, context }: Window,
  origin: string,
  addresses: readonly string[],
): Promise<string[]> {
  const faults: string[] = []
  const axe = async (label: string, rules: readonly string[] | null) => {
    const options = {
      // no selectors for the thousands of elements that pass
      resultTypes: ['violations'],
      ...(rules !== null && { runOnly: { type: 'rule', values: rules } }),
    }
    const found: readonly string[] = await page.evaluate(
      `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map((v) => v.id + ": " + v.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(", ")))`,
    )
    faults.push(...found.map((one) => `${label}: ${one}`))
  }
  const wider = async (label: string) => {
    const px = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
    if (px > 0) faults.push(`${label}: ${px} px wider`)
  }
  for (const address of addresses) {
    // shown only to visitors who are not signed in
    if (address === '/sign-in') await context.clearCookies()
    await page.setViewportSize({ width: WIDTHS[0], height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(origin + address)
    faults.push(...(await keyboardFaults(page)).map((one) => `${address} by keyboard: ${one}`))
    // injected through the debugger, to which the content security policy does not apply
    await page.evaluate(AXE)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      await wider(`${address} at ${width}`)
      await axe(`${address} at ${width}, light`, null)
    }
    await page.emulateMedia({ colorScheme: 'dark' })
    await axe(`${address}, dark`, COLOUR_RULES)
    for (const width of EXTREMES) {
      await page.setViewportSize({ width, height: 900 })
      await wider(`${address} at ${width}`)
    }
  }
  return faults
}

/**
 * Checks pages of the small fleet. They are split over several files, because files run in parallel. `prepare` stores
 * what else they show.
 */
export function testLooks(
  subject: string,
  addresses: (at: SmallFleet) => readonly string[],
  prepare: (at: SmallFleet) => Promise<unknown> = () => Promise.resolve(),
): void {
  describe.skipIf(!HAS_BROWSER)(`looks of pages for ${subject}`, () => {
    const at = useSmallFleet()

    test(
      'axe finds nothing in both themes, no page is wider than its window, and the keyboard reaches everything',
      async () => {
        await prepare(at)
        const window = await at.signedIn()
        expect(await faultsOf(window, at.origin, addresses(at))).toEqual([])
        expect(window.complaints.filter((text) => !text.includes('404'))).toEqual([])
      },
      6 * STEP_MS,
    )
  })
}
