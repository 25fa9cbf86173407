import { Marked, type Tokens } from 'marked'
import { Html } from '../jsx/jsx-runtime.ts'
import { linkOf } from './address.ts'
import { documents } from './documents.ts'

/** A heading of a page. */
export interface Heading {
  /** 1 to 6. */
  readonly level: number
  /** Anchor, as GitHub makes it. */
  readonly id: string
  /** Without markup. */
  readonly text: string
}

/** A page of the documentation as markup. */
export interface Document {
  readonly title: string
  readonly headings: readonly Heading[]
  readonly body: Html
}

/** Heading of a column with addresses to open. */
const OPEN = 'Open'

const opened = new Map<string, Document>()

/** A page by its path below `docs`, rendered when it is first opened; null: there is no such page. */
export function openDocument(path: string): Document | null {
  const known = opened.get(path)
  if (known !== undefined) return known
  const text = documents().text(path)
  if (text === null) return null
  const rendered = renderDocument(path, text)
  opened.set(path, rendered)
  return rendered
}

/** Renders the Markdown of a page; `path` is its path below `docs`, by which links are resolved. */
export function renderDocument(path: string, markdown: string): Document {
  const headings: Heading[] = []
  const anchors = new Set<string>()
  let tables = 0
  // in the first column of a table that says what to open, an address is one of our pages; elsewhere it is only shown as code
  let opens = false
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens)
        const text = plainText(inner)
        const id = anchorOf(text, anchors)
        headings.push({ level: depth, id, text })
        return `<h${depth} id="${Bun.escapeHTML(id)}">${inner}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const to = linkOf(path, href)
        const text = this.parser.parseInline(tokens)
        if (to === null) return `<span class="source" title="in the source tree">${text}</span>`
        return `<a href="${Bun.escapeHTML(to)}"${/^https?:/.test(to) ? ' rel="noreferrer"' : ''}>${text}</a>`
      },
      image({ href, text }: Tokens.Image) {
        const source = linkOf(path, href) ?? ''
        return `<img src="${Bun.escapeHTML(source)}" alt="${Bun.escapeHTML(text)}" loading="lazy">`
      },
      table(token: Tokens.Table) {
        tables++
        const cell = ({ tokens, text }: Tokens.TableCell, tag: 'th' | 'td', column: number) => {
          // an empty heading is none
          const own = text === '' ? 'td' : tag
          opens = column === 0 && token.header[0]?.text === OPEN
          const inner = this.parser.parseInline(tokens)
          opens = false
          return `<${own}>${inner}</${own}>`
        }
        const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells.map((one, column) => cell(one, tag, column)).join('')}</tr>`
        const named = token.header.some(({ text }) => text !== '')
        const head = named ? `<thead>${row(token.header, 'th')}</thead>` : ''
        // wide tables scroll by themselves, also with the keyboard
        return `<div class="wide" tabindex="0" role="region" aria-label="Table ${tables}"><table>${head}<tbody>${token.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>`
      },
      codespan({ text }: Tokens.Codespan) {
        const code = `<code>${Bun.escapeHTML(text)}</code>`
        return opens && /^\/(?!\/)/.test(text) ? `<a href="${Bun.escapeHTML(text)}">${code}</a>` : code
      },
      code({ text }: Tokens.Code) {
        return `<pre tabindex="0"><code>${Bun.escapeHTML(text)}</code></pre>\n`
      },
      // comments are for who writes the page, such as which program generated it
      html: ({ text }: Tokens.HTML | Tokens.Tag) => Bun.escapeHTML(withoutComments(text)),
    },
  })
  const body = new Html(marked.parse(markdown, { async: false }))
  return { title: headings.find(({ level }) => level === 1)?.text ?? path, headings, body }
}

/** HTML without its comments; one that does not end goes on to the end, as in browsers. */
const withoutComments = (html: string): string => html.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '')

/** What markup shows. */
export function plainText(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
}

function anchorOf(text: string, taken: Set<string>): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-')
  let id = name
  for (let i = 1; taken.has(id); i++) id = `${name}-${i}`
  taken.add(id)
  return id
}
