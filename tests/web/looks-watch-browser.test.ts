import { describe, expect, test } from 'bun:test'
import { HAS_BROWSER, STEP_MS } from './browser.ts'
import { faultsOf } from './looks.ts'
import { useSmallFleet } from './small-fleet.ts'

describe.skipIf(!HAS_BROWSER)('looks of pages for watching', () => {
  const at = useSmallFleet()

  test(
    'axe finds nothing in both themes, and no page is wider than its window',
    async () => {
      const window = await at.signedIn()
      const faults = await faultsOf(window, at.origin, [
        '/',
        '/devices',
        '/devices?view=tiles',
        '/devices?q=nothing',
        `/device/${at.deviceId}`,
        `/device/${at.deviceId}/ports`,
        `/device/${at.deviceId}/graphs`,
        `/device/${at.deviceId}/logs`,
        `/device/${at.deviceId}/logs?log=syslog`,
        `/device/${at.deviceId}/capture`,
        `/port/${at.portId}`,
        '/search?q=switch',
        '/ports',
        '/health',
        '/routing',
        '/wireless',
        '/topology',
        '/topology?view=table',
        '/locations',
        '/logs',
        '/logs/syslog?level=4&q=x',
        '/alerts',
        '/alerts/history',
        `/alerts/${at.alertId}`,
        '/about',
        '/nothing-here',
      ])
      expect(faults).toEqual([])
      expect(window.complaints.filter((text) => !text.includes('404'))).toEqual([])
    },
    6 * STEP_MS,
  )
})
