import { afterAll, afterEach, beforeAll } from 'bun:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { CHROMIUM } from '../../tools/gallery/chromium.ts'

if (CHROMIUM === null) console.warn('SKIPPED: pages in a browser: no chromium found')

/** Whether a browser is available. */
export const HAS_BROWSER = CHROMIUM !== null

/** Time limit for one step on a busy machine. */
export const STEP_MS = 60_000

/**
 * Features of Chromium that no test needs. The pop-ups of its address bar are pages of their own, which cost a second of
 * CPU time for each window; the others are those that Playwright switches off, whose list this one replaces.
 */
const NO_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

/** A separate window and the errors that occurred in it. */
export interface Window {
  readonly page: Page
  readonly context: BrowserContext
  /** Script errors, blocked resources, and requests to other hosts. */
  readonly complaints: string[]
}

/** A real browser for a test file. `window` opens a window without cookies, which is closed after the test. */
export function useBrowser(executable: string | null = CHROMIUM): {
  /** `zone`: the time zone of the browser. */
  window(origin: string, theme?: 'light' | 'dark', zone?: string): Promise<Window>
  signedIn(origin: string, username: string, password: string, theme?: 'light' | 'dark'): Promise<Window>
  /** The same in a browser without scripts. */
  plain(origin: string, username: string, password: string): Promise<Window>
} {
  let browser: Browser | undefined
  const contexts: BrowserContext[] = []
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: executable ?? '',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        `--disable-features=${NO_FEATURES.join(',')}`,
      ],
      timeout: STEP_MS,
    })
  }, STEP_MS)
  // a window that stays open goes on to follow the server
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
  }, STEP_MS)
  afterAll(() => browser?.close(), STEP_MS)
  async function open(
    origin: string,
    theme: 'light' | 'dark' = 'light',
    zone?: string,
    javaScriptEnabled = true,
  ): Promise<Window> {
    if (browser === undefined) throw new Error('the browser has not started')
    const context = await browser.newContext({
      colorScheme: theme,
      viewport: { width: 1440, height: 900 },
      javaScriptEnabled,
      ...(zone !== undefined && { timezoneId: zone }),
    })
    context.setDefaultTimeout(STEP_MS)
    contexts.push(context)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) complaints.push(`request to ${request.url()}`)
    })
    return { page, context, complaints }
  }
  return {
    window: open,
    async signedIn(origin, username, password, theme) {
      const window = await open(origin, theme)
      await signIn(window, origin, username, password)
      return window
    },
    async plain(origin, username, password) {
      const window = await open(origin, 'light', undefined, false)
      await signIn(window, origin, username, password)
      return window
    },
  }
}

/** Signs in. */
export async function signIn({ page }: Window, origin: string, username: string, password: string): Promise<void> {
  await page.goto(`${origin}/sign-in`)
  await page.fill('#u', username)
  await page.fill('#p', password)
  await page.click('button[type=submit]')
  await page.waitForSelector('nav.side', { state: 'attached' })
}
