import { describe, expect, test } from 'bun:test'
import { HAS_BROWSER, STEP_MS } from './browser.ts'
import { faultsOf } from './looks.ts'
import { useSmallFleet } from './small-fleet.ts'

describe.skipIf(!HAS_BROWSER)('looks of pages for changing', () => {
  const at = useSmallFleet()

  test(
    'axe finds nothing in both themes, and no page is wider than its window',
    async () => {
      const window = await at.signedIn()
      const faults = await faultsOf(window, at.origin, [
        '/bills',
        '/bills/new',
        `/bills/${at.billId}`,
        '/groups',
        '/groups/new',
        '/groups/ports/new',
        '/services',
        '/services/new',
        `/services/${at.serviceId}`,
        '/alerts/rules',
        '/alerts/rules/new?preset=port-errors',
        '/alerts/templates?new',
        '/alerts/transports',
        '/alerts/transports?new=mail',
        '/devices/new',
        `/device/${at.deviceId}/edit`,
      ])
      expect(faults).toEqual([])
      expect(window.complaints.filter((text) => !text.includes('404'))).toEqual([])
    },
    6 * STEP_MS,
  )
})
