import { chromium } from 'playwright-core'
import { type BenchResult, result } from './result.ts'

const WARM = 3
const RUNS = 15
const GOAL_MS = 300

/** The page's own measurements of its loading, ms since the start of the navigation. */
const MEASURE = `new Promise((done) => {
  const look = () => {
    const [navigation] = performance.getEntriesByType('navigation')
    const painted = performance.getEntriesByName('first-contentful-paint')[0]
    if (navigation.loadEventEnd > 0 && painted) done([navigation.responseStart, painted.startTime, navigation.loadEventEnd])
    else requestAnimationFrame(look)
  }
  look()
})`

/**
 * The complete first view in a real browser: from the start of the navigation to the later of the first contentful
 * paint and the end of loading. Empty without a browser. Static files are in its cache, as on every visit but the
 * first.
 */
export async function firstViews(
  origin: string,
  cookie: string,
  pages: readonly (readonly [name: string, path: string])[],
): Promise<BenchResult[]> {
  const executablePath = Bun.which('chromium') ?? Bun.which('chromium-browser') ?? Bun.which('google-chrome')
  if (executablePath === null) return []
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] })
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: origin }])
    const page = await context.newPage()
    const out: BenchResult[] = []
    for (const [what, path] of pages) {
      const whole: number[] = []
      const painted: number[] = []
      for (let i = 0; i < WARM + RUNS; i++) {
        await page.goto(origin + path, { waitUntil: 'load' })
        const [, paint = 0, load = 0]: number[] = await page.evaluate(MEASURE)
        if (i < WARM) continue
        painted.push(paint)
        whole.push(Math.max(paint, load))
      }
      const median = (list: number[]) => list.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0
      const complete = median(whole)
      out.push(
        result(`web: first paint of ${what}, median`, median(painted), 'ms'),
        result(`web: complete first view of ${what}, median`, complete, 'ms', null, {
          text: `at most ${GOAL_MS} ms`,
          met: complete <= GOAL_MS,
        }),
      )
    }
    return out
  } finally {
    await browser.close()
  }
}
