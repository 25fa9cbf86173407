import { grouped, rounded } from '@portlight/templates/decimals.ts'
import { escapeHtml, urlEncoded } from '@portlight/templates/escapes.ts'

/** Limit of a filtered text, in characters. */
const MAX_TEXT = 4096

const FILTER = /\|(\w+)(?:\(((?:'[^']*'|"[^"]*"|[^()'"])*)\))?/g

/** The text after a chain of filters, `|trim|replace('a','b')`. Unknown filters change nothing. */
export function filtered(value: string, filters: string): string {
  let text = value
  for (const [, name = '', list = ''] of filters.matchAll(FILTER)) {
    const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined
    if (filter !== undefined) text = filter(text, argumentsOf(list)).slice(0, MAX_TEXT)
  }
  return text
}

function argumentsOf(list: string): string[] {
  return [...list.matchAll(/'([^']*)'|"([^"]*)"|([^,'"\s]+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
}

type Filter = (text: string, args: readonly string[]) => string

const numeric = (text: string | undefined): number => Number(text) || 0

const FILTERS: Readonly<Record<string, Filter>> = {
  trim: (text, [characters = '']) => (characters === '' ? text.trim() : trimmed(text, characters)),
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  title: (text) => text.toLowerCase().replace(/(^|\s)(\S)/g, (_, a: string, b: string) => a + b.toUpperCase()),
  capitalize: (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase(),
  length: (text) => String(text.length),
  replace: (text, [from = '', to = '']) => (from === '' ? text : text.replaceAll(from, () => to)),
  slice: (text, [start, length]) =>
    text.slice(numeric(start)).slice(0, length === undefined ? undefined : numeric(length)),
  default: (text, [other = '']) => (text === '' ? other : text),
  abs: (text) => String(Math.abs(numeric(text))),
  round: (text, [digits]) => String(rounded(numeric(text), Math.trunc(numeric(digits)))),
  number_format: (text, [digits, point = '.', thousands = ',']) =>
    grouped(numeric(text), Math.trunc(numeric(digits)), point, thousands),
  url_encode: (text) => urlEncoded(text),
  escape: (text, [kind = 'html']) => (kind === 'url' ? urlEncoded(text) : kind === 'html' ? escapeHtml(text) : text),
  striptags: withoutTags,
  nl2br: (text) => text.replace(/\r\n|\n|\r/g, '<br />$&'),
  json_encode: jsonText,
}

function trimmed(text: string, characters: string): string {
  let [from, to] = [0, text.length]
  while (from < to && characters.includes(text[from] ?? '')) from++
  while (to > from && characters.includes(text[to - 1] ?? '')) to--
  return text.slice(from, to)
}

/**
 * The text without tags. A `<` before white space is not a tag, and one that is never closed takes the rest of the
 * text.
 */
function withoutTags(text: string): string {
  return text.replace(/<(?!\s)[^<>]*(?:>|$)/g, '')
}

/** A JSON string in ASCII, with slashes escaped. */
function jsonText(text: string): string {
  const code = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(text.toWellFormed())
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, code)
}
