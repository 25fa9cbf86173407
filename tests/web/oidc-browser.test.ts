import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { portlight } from '../cli/support.ts'
import { startTestServer, type TestServer } from '../e2e/server.ts'
import { CLIENT_ID, CLIENT_SECRET, type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { HAS_BROWSER, STEP_MS, useBrowser, type Window } from './browser.ts'

// Sign-in with OpenID Connect in a real browser, against the real server and a real provider.

describe.skipIf(!HAS_BROWSER)('signing in with a provider in a real browser', () => {
  const browser = useBrowser()
  let server: TestServer
  let provider: IdentityProvider

  beforeAll(async () => {
    server = await startTestServer([])
    // on a different site than the server, as usual for providers
    provider = await startIdentityProvider(server.url, 'localhost')
    provider.people.set('grace', { preferred_username: 'grace', name: 'Grace', groups: ['noc'] })
    provider.people.set('mallory', { preferred_username: 'mallory', groups: ['visitors'] })
    const values = {
      'outgoing.allow': '127.0.0.1,::1',
      'auth.oidc.client_id': CLIENT_ID,
      'auth.oidc.client_secret': CLIENT_SECRET,
      'auth.oidc.label': 'Sign in with Example SSO',
      'auth.oidc.roles_claim': 'groups',
      'auth.oidc.roles': '{"noc": "admin"}',
      'auth.oidc.issuer': provider.issuer,
    }
    for (const [name, value] of Object.entries(values)) await set(name, value)
  }, 4 * STEP_MS)
  afterAll(async () => {
    await provider?.stop()
    await server?.stop()
  }, STEP_MS)

  async function set(name: string, value: string): Promise<void> {
    const { code, err } = await portlight(['config', 'set', name, value, '--data-dir', server.dataDir])
    expect({ name, code, err: code === 0 ? '' : err }).toEqual({ name, code: 0, err: '' })
  }

  /** Opens the sign-in page once the server has loaded the settings, and goes to the provider. */
  async function toProvider({ page }: Window): Promise<void> {
    await page.goto(`${server.url}/devices`)
    while ((await page.$('a:has-text("Example SSO")')) === null) await page.reload()
    await page.click('a:has-text("Example SSO")')
    await page.waitForURL(`${provider.issuer}/interaction/**`)
  }

  async function enter({ page }: Window, sub: string): Promise<void> {
    await page.fill('input[name=login]', sub)
    await page.fill('input[name=password]', 'any')
    await page.click('button[type=submit]')
  }

  test(
    'the button leads to the requested page, with the role of the group; signing out ends both sessions',
    async () => {
      const window = await browser.window(server.url)
      const { page } = window
      await toProvider(window)
      await enter(window, 'grace')
      await page.waitForURL(`${server.url}/devices`)
      await page.goto(`${server.url}/account`)
      await page.waitForSelector('.head:has-text("grace"):has-text("admin")')
      const cookies = (await window.context.cookies()).filter(({ name }) => name.startsWith('portlight'))
      expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
        { name: 'portlight', httpOnly: true, sameSite: 'Lax' },
      ])

      await page.click('details.menu summary')
      await page.click('form[action="/sign-out"] button')
      // the provider asks whether to end its session as well
      await page.waitForURL(`${provider.issuer}/session/end**`)
      await page.click('button[name=logout]')
      await page.waitForURL((url) => url.href.startsWith(`${server.url}/sign-in`))
      await page.goto(`${server.url}/devices`)
      await page.waitForSelector('a:has-text("Example SSO")')
      await toProvider(window)
      await page.waitForSelector('input[name=login]')
    },
    4 * STEP_MS,
  )

  test(
    'a user without a role gets an explanation, and can choose another account',
    async () => {
      const window = await browser.window(server.url)
      const { page } = window
      await toProvider(window)
      await enter(window, 'mallory')
      await page.waitForSelector('#problem:has-text("has no role here")')
      expect(page.url()).toStartWith(server.url)
      await page.click('a:has-text("Example SSO")')
      await page.waitForSelector('input[name=login]')
      await enter(window, 'grace')
      await page.waitForSelector('nav.side', { state: 'attached' })
    },
    4 * STEP_MS,
  )

  test(
    'passwords are refused until a command on the server allows them again',
    async () => {
      await set('auth.oidc.only', 'true')
      const { page } = await browser.window(server.url)
      await page.goto(`${server.url}/sign-in`)
      while ((await page.$('#p')) !== null) await page.reload()
      await page.waitForSelector('code:has-text("auth.oidc.only false")')
      await set('auth.oidc.only', 'false')
      while ((await page.$('#p')) === null) await page.reload()
    },
    4 * STEP_MS,
  )
})
