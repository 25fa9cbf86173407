import { describe, expect, test } from 'bun:test'
import { HAS_BROWSER, STEP_MS } from './browser.ts'
import { faultsOf } from './looks.ts'
import { useSmallFleet } from './small-fleet.ts'

describe.skipIf(!HAS_BROWSER)('looks of pages for administration', () => {
  const at = useSmallFleet()

  test(
    'axe finds nothing in both themes, and no page is wider than its window',
    async () => {
      const window = await at.signedIn()
      const faults = await faultsOf(window, at.origin, [
        '/pollers',
        '/pollers/groups',
        '/maintenance',
        '/settings',
        '/settings?q=alert',
        '/settings/users',
        '/settings/users?user=admin',
        '/settings/roles',
        '/settings/audit',
        '/api-access',
        '/account',
        '/account?factor=new',
        '/sign-in',
      ])
      expect(faults).toEqual([])
      expect(window.complaints.filter((text) => !text.includes('404'))).toEqual([])
    },
    6 * STEP_MS,
  )
})
