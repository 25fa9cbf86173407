import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { CHROMIUM } from '../../tools/gallery/chromium.ts'
import { withDemo } from '../../tools/gallery/demo-server.ts'
import { differences, layoutOf, type PageLayout } from '../../tools/gallery/layout.ts'
import { eachShot, furnish, openShot } from '../../tools/gallery/shots.ts'
import { HAS_BROWSER, STEP_MS } from '../web/browser.ts'

// The pictures of the documentation show the pages as they are. What is compared is what the pages themselves say and where
// their parts stand, not pixels: values, times and the machine's fonts differ.

const IMAGES = join(import.meta.dir, '../../docs/img')
const stored = (await Bun.file(join(IMAGES, 'pages.json')).json()) as Readonly<
  Record<string, PageLayout & { readonly sha256: string }>
>
const REDRAW = 'bun tools/gallery/pages.ts draws the pictures again'

test('each picture is the one that was drawn with what is stored of it', async () => {
  const pictures = await Array.fromAsync(new Bun.Glob('pages-*.png').scan(IMAGES))
  expect(pictures.map((file) => file.slice('pages-'.length, -'.png'.length)).sort()).toEqual(Object.keys(stored).sort())
  for (const [name, { sha256 }] of Object.entries(stored)) {
    const octets = await Bun.file(join(IMAGES, `pages-${name}.png`)).bytes()
    expect(new Bun.CryptoHasher('sha256').update(octets).digest('hex'), `${name}: ${REDRAW}`).toBe(sha256)
  }
})

describe('differences', () => {
  const page = stored['devices']
  if (page === undefined) throw new Error('there is no picture of the devices')
  const words = [...page.words]
  const first = words[0] ?? ''

  test.each([
    ['nothing', page, 0],
    ['a title', { ...page, title: `${page.title}s` }, 1],
    ['an entry of the navigation', { ...page, navigation: page.navigation.slice(1) }, 1],
    ['a renamed heading', { ...page, words: words.with(0, `${first} renamed`) }, 1],
    ['one heading more', { ...page, words: [...words, 'Near a limit'] }, 0],
    ['a card of what is wrong in the place of another', { ...page, words: [...words.slice(1), 'Near a limit'] }, 0],
    ['half of the headings', { ...page, words: words.slice(words.length / 2) }, 1],
    ['rounding', { ...page, parts: page.parts.map(([part, left, width]) => [part, left + 2, width] as const) }, 0],
    [
      'a wider navigation',
      { ...page, parts: page.parts.map(([part, left, width]) => [part, left + 60, width] as const) },
      1,
    ],
  ])('%s', (_, now, want) => {
    expect(differences(page, now, false)).toHaveLength(want)
  })
})

/** How often a page that differs is looked at again. */
const AGAIN = 12

test.skipIf(!HAS_BROWSER)(
  'the pages of a new demo look like their pictures',
  async () => {
    const found: string[] = []
    const drawn: string[] = []
    await withDemo(async (server) => {
      await furnish(server)
      const browser = await chromium.launch({
        executablePath: CHROMIUM ?? '',
        args: ['--no-sandbox', '--disable-gpu'],
        timeout: STEP_MS,
      })
      try {
        await eachShot(browser, server, async (shot, page) => {
          const { name, varies } = shot
          drawn.push(name)
          const then = stored[name]
          const compared = async () =>
            then === undefined ? ['no picture'] : differences(then, await layoutOf(page), varies === true)
          let all = await compared()
          // what happens on the demo comes and goes
          for (let again = 0; all.length > 0 && again < AGAIN; again++) {
            await Bun.sleep(5000)
            await openShot(page, server, shot)
            all = await compared()
          }
          found.push(...all.map((what) => `${name}: ${what}; ${REDRAW}`))
        })
      } finally {
        await browser.close()
      }
    })
    expect(found).toEqual([])
    expect(drawn.sort()).toEqual(Object.keys(stored).sort())
  },
  20 * STEP_MS,
)
