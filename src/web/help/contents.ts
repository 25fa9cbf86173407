import { marked, type Token, type Tokens } from 'marked'
import { linkOf } from './address.ts'
import { documents } from './documents.ts'
import { plainText } from './render.ts'

/** A task of the documentation's first page, with the pages that are about it. */
export interface Task {
  readonly name: string
  readonly pages: readonly { readonly label: string; readonly href: string }[]
}

let read: readonly Task[] | null = null

/** The tasks in the order of the first page. */
export function tasks(): readonly Task[] {
  read ??= tasksOf(documents().text('README.md') ?? '')
  return read
}

function tasksOf(markdown: string): readonly Task[] {
  const found: { name: string; pages: { label: string; href: string }[] }[] = []
  const tokens = marked.lexer(markdown)
  for (const token of tokens) {
    if (token.type === 'heading' && token.depth === 2) found.push({ name: plainText(token.text), pages: [] })
    const last = found.at(-1)
    if (last === undefined) continue
    for (const inner of linksIn(token)) {
      const href = linkOf('README.md', inner.href)
      if (href?.startsWith('/') === true) last.pages.push({ label: sentence(plainText(inner.text)), href })
    }
  }
  return found.filter(({ pages }) => pages.length > 0)
}

function linksIn(token: Token): readonly Tokens.Link[] {
  if (token.type === 'link') return [token as Tokens.Link]
  const inner = token as { readonly tokens?: readonly Token[]; readonly items?: readonly Token[] }
  return [...(inner.tokens ?? []), ...(inner.items ?? [])].flatMap(linksIn)
}

const sentence = (text: string) => {
  const one = text.replaceAll(/\s+/g, ' ').replaceAll('`', '')
  return `${one.slice(0, 1).toUpperCase()}${one.slice(1)}`
}
