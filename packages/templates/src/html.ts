/** Tags that mark a template as HTML. */
const HTML =
  /<(?:!doctype|html|body|div|span|p|br|hr|table|tr|td|th|ul|ol|li|h[1-6]|b|i|u|em|strong|a|img|font|pre|code|style)(?:\s[^<>]*)?\/?>/i

/** Whether a template's text is HTML. */
export const isHtml = (text: string) => HTML.test(text)

/** Tags after which a new line starts. */
const BREAKS = /^\/?(?:br|hr|p|div|table|tr|ul|ol|li|h[1-6]|pre|blockquote)$/i
/** Elements whose content is not shown. */
const HIDDEN = /^(?:style|script|head|title)$/i

/** Approximate visible text of HTML: without tags, one line per paragraph and table row. */
export function textOfHtml(html: string): string {
  const pieces: string[] = []
  let pos = 0
  for (;;) {
    const open = html.indexOf('<', pos)
    const close = open < 0 ? -1 : html.indexOf('>', open)
    if (close < 0) break
    pieces.push(html.slice(pos, open).replaceAll(/\s+/g, ' '))
    pos = close + 1
    const name = /^\/?[a-z][a-z\d]*/i.exec(html.slice(open + 1, open + 20))?.[0] ?? ''
    if (BREAKS.test(name)) pieces.push('\n')
    else if (/^\/t[dh]$/i.test(name)) pieces.push(' ')
    else if (HIDDEN.test(name)) {
      const end = html.indexOf(`</${name}`, pos)
      if (end >= 0) pos = end
    }
  }
  pieces.push(html.slice(pos).replaceAll(/\s+/g, ' '))
  const lines = pieces
    .join('')
    .split('\n')
    .map((line) => line.replaceAll(/ {2,}/g, ' ').trim())
  return decoded(lines.filter((line, i) => line !== '' || (lines[i - 1] ?? '') !== '').join('\n')).trim()
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const MAX_CODE_POINT = 0x10_ff_ff

/** The text with the entities of HTML as characters. */
export function decoded(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|([a-z]{2,6}));/g,
    (all, code: string | undefined, name: string | undefined) => {
      if (code === undefined) return ENTITIES[name ?? ''] ?? all
      return Number(code) > MAX_CODE_POINT ? all : String.fromCodePoint(Number(code))
    },
  )
}
