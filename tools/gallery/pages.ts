/**
 * Draws the pictures of pages in docs/reference/pages.md and in the README, and stores beside them what tests compare
 * (docs/img/pages.json). Needs Chromium. Starts a demo of its own, which takes some minutes, and adds bills, groups, services
 * and a maintenance window to it.
 *
 * `bun tools/gallery/pages.ts`; with a demo that is running: `bun tools/gallery/pages.ts http://127.0.0.1:8000 PASSWORD
 * TOKEN`, the password of `admin`, and a token of that user.
 */
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { CHROMIUM } from './chromium.ts'
import { withDemo } from './demo-server.ts'
import { layoutOf, type PageLayout } from './layout.ts'
import { reduced } from './reduced.ts'
import { type DemoServer, eachShot, furnish } from './shots.ts'

const FOLDER = join(import.meta.dir, '../../docs/img')

async function drawn(server: DemoServer): Promise<void> {
  await furnish(server)
  const browser = await chromium.launch({ executablePath: CHROMIUM ?? 'chromium', args: ['--no-sandbox'] })
  const layouts: Record<string, PageLayout & { readonly sha256: string }> = {}
  await eachShot(browser, server, async ({ name }, page) => {
    const png = await reduced(await page.screenshot())
    await Bun.write(join(FOLDER, `pages-${name}.png`), png)
    const sha256 = new Bun.CryptoHasher('sha256').update(png).digest('hex')
    layouts[name] = { sha256, ...(await layoutOf(page)) }
    console.log(`pages-${name}.png ${Math.round(png.length / 1000)} kB`)
  })
  await browser.close()
  await Bun.write(join(FOLDER, 'pages.json'), `${JSON.stringify(layouts, null, 1)}\n`)
}

const [url, password, token] = process.argv.slice(2)
if (url === undefined) await withDemo(drawn)
else if (password === undefined || token === undefined)
  throw new Error('usage: bun tools/gallery/pages.ts [URL PASSWORD TOKEN]')
else await drawn({ url, password, token })
