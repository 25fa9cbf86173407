import type { Page } from 'playwright-core'

/** What a picture shows that does not change with time: the words of the page itself, and where its parts stand. */
export interface PageLayout {
  /** Of the window, without the number of alerts before it, with digits as 0. */
  readonly title: string
  /** Entries of the navigation that can be seen, in order. */
  readonly navigation: readonly string[]
  /** Headings of cards and tables, tabs, buttons: those that can be seen, in order. */
  readonly words: readonly string[]
  /** Left edge and width of the parts, CSS pixels, in order. */
  readonly parts: readonly (readonly [part: string, left: number, width: number])[]
}

const READ = `(() => {
  const seen = (one) => {
    const { top, bottom, width } = one.getBoundingClientRect()
    return one.checkVisibility() && width > 1 && bottom > 0 && top < innerHeight
  }
  const text = (one) => [...one.childNodes].filter((node) => !node.classList?.contains('dot')).map((node) => node.textContent).join('').replaceAll(/\\s+/g, ' ').trim().replaceAll(/\\d+/g, '0')
  const all = (selector) => [...document.querySelectorAll(selector)].filter(seen)
  return {
    title: document.title.replace(/^\\(\\d+\\) /, '').replaceAll(/\\d+/g, '0'),
    navigation: all('nav.side .lbl, nav.side h2, nav.bar5 a').map(text),
    words: all('main .card > header > h2, main th, nav.tabs a, main .head .btn, main .title .btn')
      .map(text).filter((word) => word !== ''),
    parts: all('nav.side, nav.bar5, header.top, .find, main, main .head, main .title, main .filters, main .range, main .card, main .chart-box, dialog[open]')
      .map((one) => {
        const { left, width } = one.getBoundingClientRect()
        return [one.tagName.toLowerCase() + (one.classList[0] === undefined ? '' : '.' + one.classList[0]), Math.round(left), Math.round(width)]
      }),
  }
})()`

export const layoutOf = (page: Page): Promise<PageLayout> => page.evaluate<PageLayout>(READ)

/** A pixel is what rounding does; a word of another length in a row moves its neighbours by some more. */
const NEAR_PX = 24
/** Share of parts and words by which two pictures of a page may differ: what happens on the demo is not always the same. */
const MAY_DIFFER = 0.2

/** Cards that are there only while something is wrong. */
const PASSING: ReadonlySet<string> = new Set(['Near a limit', 'Beyond or near a limit'])

/**
 * How a page differs from its picture, in words; empty: it does not. `varies`: its title and headings depend on what
 * happened.
 */
export function differences(then: PageLayout, now: PageLayout, varies: boolean): readonly string[] {
  const found: string[] = []
  if (!varies && then.title !== now.title) found.push(`the title was “${then.title}” and is “${now.title}”`)
  const [gone = [], come = []] = [missing(then.words, now.words), missing(now.words, then.words)].map((words) =>
    words.filter((word) => !PASSING.has(word)),
  )
  if (then.navigation.join() !== now.navigation.join())
    found.push(`the navigation was ${then.navigation.join(', ')} and is ${now.navigation.join(', ')}`)
  // a card that comes or goes is what happens; one for another is a renamed one
  const isRenamed = gone.length > 0 && come.length > 0
  if (!varies && (isRenamed || gone.length + come.length > MAY_DIFFER * then.words.length))
    found.push(`words that are gone: ${gone.join(', ') || 'none'}; that are new: ${come.join(', ') || 'none'}`)
  const moved = then.parts.filter(
    ([part, left, width]) =>
      !now.parts.some(
        ([other, x, w]) => other === part && Math.abs(x - left) <= NEAR_PX && Math.abs(w - width) <= NEAR_PX,
      ),
  )
  if (moved.length > MAY_DIFFER * then.parts.length)
    found.push(`parts that are elsewhere: ${moved.map((part) => part.join(' ')).join(', ')}`)
  return found
}

/** Those of the first list, as often as they occur, that the second does not have. */
function missing(from: readonly string[], to: readonly string[]): readonly string[] {
  const left = [...to]
  return from.filter((word) => {
    const at = left.indexOf(word)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
