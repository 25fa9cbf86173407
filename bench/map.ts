import { chromium } from 'playwright-core'
import type { Store } from '../src/core/database/client.ts'
import { layoutOf } from '../src/core/lists/topology-layout.ts'
import { makeNetwork } from '../tests/support/network.ts'
import { withDatabase } from './database.ts'
import { type BenchResult, formatResult, result } from './result.ts'
import { PASSWORD, withPages } from './web-server.ts'

/** The map of 500 devices (`--devices N`) in Chromium: response, first picture, and frames while it is dragged. */
const at = process.argv.indexOf('--devices')
const DEVICES = at < 0 ? 500 : Number(process.argv[at + 1])
const RUNS = 5

export async function run(): Promise<BenchResult[]> {
  const executablePath = Bun.which('chromium') ?? Bun.which('chromium-browser')
  if (executablePath === null) throw new Error('chromium is not installed')
  return await withDatabase(8, async (store) => {
    const made = await makeNetwork(store, DEVICES)
    return [
      ...(await layoutTime(store, made.deviceIds)),
      ...(await withPages(store, (origin) => inBrowser(origin, executablePath))),
    ]
  })
}

async function layoutTime({ sql }: Store, ids: readonly number[]): Promise<BenchResult[]> {
  const rows = await sql<{ a: number; b: number }[]>`select local_device_id as a, remote_device_id as b from links`
  const edges = rows.map(({ a, b }) => [a, b] as const)
  const beganMs = performance.now()
  for (let i = 0; i < 20; i++) layoutOf(ids, edges)
  return [result(`map: layout of ${ids.length} devices`, (performance.now() - beganMs) / 20, 'ms')]
}

async function inBrowser(origin: string, executablePath: string): Promise<BenchResult[]> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
    await page.goto(`${origin}/sign-in`)
    await page.fill('#u', 'admin')
    await page.fill('#p', PASSWORD)
    await page.click('button[type=submit]')
    await page.waitForSelector('nav.side')
    const [bytes, first, ttfb, frames]: [number[], number[], number[], number[]] = [[], [], [], []]
    for (let i = 0; i < RUNS; i++) {
      await page.goto(`${origin}/topology`)
      await page.waitForSelector('.map[data-ready]')
      const seen: { paint: number; answer: number; size: number } = await page.evaluate(
        `new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
          const [one] = performance.getEntriesByType('navigation')
          done({ paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now(), answer: one.responseStart - one.requestStart, size: one.encodedBodySize })
        })))`,
      )
      first.push(seen.paint)
      ttfb.push(seen.answer)
      bytes.push(seen.size)
      const box = await page.locator('.map').boundingBox()
      if (box === null) throw new Error('the map is not visible')
      await page.evaluate(
        'window.times = []; (function tick(t) { window.times.push(t); window.raf = requestAnimationFrame(tick) })(performance.now())',
      )
      await page.mouse.move(box.x + 30, box.y + 30)
      await page.mouse.down()
      for (let step = 0; step < 60; step++) await page.mouse.move(box.x + 30 + step * 6, box.y + 30 + step * 3)
      await page.mouse.up()
      const times: number[] = await page.evaluate('cancelAnimationFrame(window.raf), window.times')
      frames.push(...times.slice(2).map((t, n) => t - (times[n + 1] ?? t)))
    }
    const middle = (values: number[], share = 0.5) =>
      values.sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
    return [
      result(`map: ${DEVICES} devices, time to first octet, median`, middle(ttfb), 'ms'),
      result(`map: ${DEVICES} devices, size as sent`, middle(bytes) / 1000, 'kB'),
      result(`map: ${DEVICES} devices, first picture, median`, middle(first), 'ms'),
      result(`map: ${DEVICES} devices, frame while dragged, median`, middle(frames), 'ms'),
      result(`map: ${DEVICES} devices, frame while dragged, 95th`, middle(frames, 0.95), 'ms'),
    ]
  } finally {
    await browser.close()
  }
}

if (import.meta.main) for (const one of await run()) console.log(formatResult(one))
