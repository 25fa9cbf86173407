import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { HAS_BROWSER, STEP_MS, type Window } from './browser.ts'
import { type SmallFleet, useSmallFleet } from './small-fleet.ts'

/** Widths of a phone, a tablet and a desktop; height 900. */
const WIDTHS = [390, 1024, 1600] as const
/** The narrowest and widest windows that must show everything (WCAG 1.4.10, and a 4K screen). */
const EXTREMES = [320, 3840] as const
const AXE = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')
/** Rules that depend on colours. Themes differ only in colours, so the second one needs only these, at one width. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** Problems that axe-core finds on pages in both themes at three widths, and pages that are wider than their window. */
async function faultsOf({ page, context }: Window, origin: string, addresses: readonly string[]): Promise<string[]> {
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
      'axe finds nothing in both themes, and no page is wider than its window',
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
