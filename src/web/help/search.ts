import { marked } from 'marked'
import MiniSearch from 'minisearch'
import { createYielder } from '../../lib/yield-thread.ts'
import { addressOf } from './address.ts'
import { type Documents, documents } from './documents.ts'
import { plainText, renderDocument } from './render.ts'
import { isAboutFault, termOf } from './words.ts'

/** A part of a page that matches a search. */
export interface HelpHit {
  /** Address with anchor. */
  readonly href: string
  /** Title of the page. */
  readonly page: string
  /** Heading of the part; null: the beginning of the page. */
  readonly heading: string | null
  /** Text around the first word that was found. */
  readonly excerpt: string
}

/** A part of a page, from a heading to the next. */
interface Part extends Omit<HelpHit, 'excerpt'> {
  readonly id: number
  readonly title: string
  /** Words that people look for it with and that its text does not have, from `<!-- search: ... -->`. */
  readonly keywords: string
  readonly text: string
  /** Of the path: `how-to`, `reference`. */
  readonly section: string
}

export interface HelpSearch {
  /** Parts that match a text, best first; at most one of each page. */
  find(text: string, limit: number): readonly HelpHit[]
}

/** Pages that say how to do something come before those that list everything. */
const WEIGHTS: Readonly<Record<string, number>> = {
  tutorial: 1.5,
  'how-to': 1.5,
  stories: 0.6,
  runbooks: 0.8,
  reference: 0.7,
  explanation: 0.6,
  adr: 0.4,
  project: 0.3,
}
/** Pages for those who change or try the program, or watch it rather than the network. */
const ABOUT_PORTLIGHT = /^how-to\/(?:add-an?-(?!vendor)|release|monitor-portlight|demo)/
/** Answers in the words of whoever asks. */
const ANSWERS = 'how-to/faq'
const ANSWERS_WEIGHT = 1.8
/** Pages that begin with what is wrong, and their weight for a question that names a fault. */
const FOR_FAULTS = /^how-to\/(?:troubleshooting|faq)$/
const FAULT_WEIGHT = 2
/** Characters of a search that count. */
const MAX_TEXT = 200
const EXCERPT = 180
/** How much more a part counts whose heading, page and keywords have all the words that were asked for; with half of them, a quarter of it. */
const COVERED = 1.5
/** The same for the share of the heading's words that were asked for: a heading that is the question itself comes first. */
const FILLED = 0.5
/** Words that are shorter are not looked for with another letter: too many words are alike. */
const FUZZY_LENGTH = 6
const WORD = /[\p{L}\p{N}_]+/gu

let loading: Promise<HelpSearch> | null = null

/** The search over the documentation. The index is made at the first use, in slices. */
export function helpSearch(): Promise<HelpSearch> {
  loading ??= createSearch(documents()).catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

async function createSearch(all: Documents): Promise<HelpSearch> {
  const parts: Part[] = []
  const pause = createYielder()
  const index = new MiniSearch<Part>({
    fields: ['title', 'page', 'keywords', 'text'],
    storeFields: ['id'],
    processTerm: termOf,
  })
  for (const path of all.pages) {
    const own = partsOf(path, all.text(path) ?? '', parts.length)
    for (const part of own) {
      parts.push(part)
      index.add(part)
      await pause()
    }
  }
  return {
    find(text, limit) {
      const asked = text.slice(0, MAX_TEXT)
      const isFault = isAboutFault(asked)
      const terms = termsOf(asked)
      // a misspelt word is looked for as one that is alike, and a word that is there as itself
      const isUnknown = (term: string) =>
        term.length >= FUZZY_LENGTH && index.search(term, { prefix: true, processTerm: (own) => own }).length === 0
      const unknown = new Set([...terms].filter(isUnknown))
      const scored = index.search(asked, {
        boost: { title: 3, keywords: 3, page: 2 },
        prefix: (term) => term.length > 3,
        fuzzy: (term) => (unknown.has(term) ? 0.2 : false),
        combineWith: 'OR',
        boostDocument: (id) => weightOf(parts[Number(id)], isFault),
      })
      const found = scored
        .map(({ id, terms: own, score }) => ({ id, terms: own, score: score * fit(parts[Number(id)], terms) }))
        .sort((a, b) => b.score - a.score)
      const pages = new Set<string>()
      const hits: HelpHit[] = []
      for (const { id, terms: own } of found) {
        const part = parts[Number(id)]
        if (part === undefined || pages.has(part.page)) continue
        pages.add(part.page)
        hits.push({
          href: part.href,
          page: part.page,
          heading: part.heading,
          excerpt: excerptOf(part.text, own),
        })
        if (hits.length >= limit) break
      }
      return hits
    },
  }
}

const termsOf = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(WORD)].map(([word]) => termOf(word)).filter((term) => term !== null))

/** How well what a part is about fits the words that were asked for, from 1. */
function fit(part: Part | undefined, asked: ReadonlySet<string>): number {
  if (part === undefined || asked.size === 0) return 1
  const title = termsOf(`${part.title} ${part.keywords}`)
  const about = title.union(termsOf(part.page))
  const covered = asked.intersection(about).size / asked.size
  const own = termsOf(part.title)
  const filled = own.size === 0 ? 0 : asked.intersection(own).size / own.size
  return 1 + COVERED * covered * covered + FILLED * filled
}

function weightOf(part: Part | undefined, isFault: boolean): number {
  if (part === undefined) return 0
  if (isFault && FOR_FAULTS.test(part.section)) return FAULT_WEIGHT
  if (part.section === ANSWERS) return ANSWERS_WEIGHT
  return ABOUT_PORTLIGHT.test(part.section) ? 0.5 : (WEIGHTS[part.section.split('/')[0] ?? ''] ?? 1)
}

function partsOf(path: string, markdown: string, first: number): readonly Part[] {
  const { title, headings, body } = renderDocument(path, markdown)
  const address = addressOf(path)
  const keywords = keywordsOf(markdown)
  const texts = body.text.split(/(?=<h[1-6] id=")/)
  // what precedes the first heading is empty in our pages
  return texts
    .filter((text) => text.startsWith('<h'))
    .map((text, i) => {
      const heading = headings[i]
      const isFirst = heading === undefined || heading.level === 1
      return {
        id: first + i,
        href: isFirst ? address : `${address}#${heading.id}`,
        page: title,
        heading: isFirst ? null : heading.text,
        title: isFirst ? title : heading.text,
        keywords: keywords[i] ?? '',
        text: plainText(
          text.replace(/^<h[1-6] [^\n]*<\/h[1-6]>/, '').replaceAll(/<\/(?:p|li|tr|td|th|pre|h\d)>/g, ' $&'),
        )
          .replaceAll(/\s+/g, ' ')
          .trim(),
        section: path.replace(/\.md$/, ''),
      }
    })
}

/** Keywords of each part of a page, in the order of its headings. */
function keywordsOf(markdown: string): readonly string[] {
  const found: string[] = []
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading') found.push('')
    const words = token.type === 'html' ? /^<!-- search: ([^<>]*) -->/.exec(token.raw)?.[1] : undefined
    if (words !== undefined && found.length > 0) found.push(`${found.pop() ?? ''} ${words}`)
  }
  return found
}

function excerptOf(text: string, terms: readonly string[]): string {
  const wanted = new Set(terms)
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!wanted.has(termOf(word) ?? '')) continue
    return index < EXCERPT / 2 ? cut(text, 0) : `…${cut(text, text.indexOf(' ', index - EXCERPT / 3) + 1)}`
  }
  return cut(text, 0)
}

function cut(text: string, from: number): string {
  if (text.length - from <= EXCERPT) return text.slice(from)
  const end = text.lastIndexOf(' ', from + EXCERPT)
  return `${text.slice(from, end > from ? end : from + EXCERPT)}…`
}
