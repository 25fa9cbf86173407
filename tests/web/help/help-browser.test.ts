import { describe, expect, test } from 'bun:test'
import { HAS_BROWSER, STEP_MS } from '../browser.ts'
import { useSmallFleet } from '../small-fleet.ts'

/** Kinds of markers that the lists have, each once. */
const MARKERS = `(lists) => [...new Set(lists.map((one) => getComputedStyle(one).listStyleType))]`

describe.skipIf(!HAS_BROWSER)('the help in a browser', () => {
  const at = useSmallFleet()

  test(
    'lists of the text have bullets and numbers; the contents and what a search found have none',
    async () => {
      const { page } = await at.signedIn()
      const markers = async (address: string, selector: string) => {
        await page.goto(`${at.origin}${address}`)
        return await page.evaluate(`(${MARKERS})([...document.querySelectorAll('${selector}')])`)
      }
      expect(await markers('/help/how-to/upgrade', '.prose > ol')).toEqual(['decimal'])
      expect(await markers('/help/how-to/alerts', '.prose > ul')).toEqual(['disc'])
      expect(await markers('/help/how-to/alerts', '.on-page ul, .help-nav ul')).toEqual(['none'])
      expect(await markers('/help?q=alert', '.hits')).toEqual(['none'])
    },
    4 * STEP_MS,
  )
})
