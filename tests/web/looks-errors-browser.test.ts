import { describe, expect, test } from 'bun:test'
import { eventually } from '../support/eventually.ts'
import { HAS_BROWSER, STEP_MS } from './browser.ts'
import { faultsOf } from './looks.ts'
import { useSmallFleet } from './small-fleet.ts'

// The pages of errors, as the server makes them, looked at as every other page is: axe, phone and keyboard.

describe.skipIf(!HAS_BROWSER)('looks of the pages of errors', () => {
  const at = useSmallFleet()

  test(
    'axe finds nothing in both themes, no page is wider than its window, and the keyboard reaches everything',
    async () => {
      const window = await at.signedIn()
      const { page, context } = window
      const { sql } = at.api.store
      const shown = new Map<string, { readonly status: number; readonly body: string }>()
      const keep = async (as: string, answered: ReturnType<typeof context.request.get>) => {
        const answer = await answered
        shown.set(as, { status: answer.status(), body: await answer.text() })
      }
      const get = (path: string) => context.request.get(at.origin + path, { headers: { accept: 'text/html' } })
      await keep('/shown/404', get(`/nothing-here/${'and-a-rather-long-address/'.repeat(8)}`))
      await keep('/shown/404-device', get('/device/999999'))
      const form = { csrf: 'wrong', do: 'save' }
      await keep('/shown/403', context.request.post(`${at.origin}/account`, { form }))
      await sql.unsafe('alter table users rename to users_gone')
      await keep('/shown/500', get('/settings/users'))
      await sql.unsafe('alter table users_gone rename to users')
      await sql.end({ timeout: 1 })
      // sessions are trusted for a second
      await eventually(async () => ((await get('/help')).status() === 503 ? true : null))
      await keep('/shown/503', get('/devices'))
      expect([...shown.values()].map(({ status }) => status)).toEqual([404, 404, 403, 500, 503])
      for (const [path, { status, body }] of shown)
        await page.route(at.origin + path, (route) =>
          route.fulfill({ status, body, contentType: 'text/html; charset=utf-8' }),
        )
      expect(await faultsOf(window, at.origin, [...shown.keys()])).toEqual([])
    },
    6 * STEP_MS,
  )
})
