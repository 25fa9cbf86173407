import { grouped } from './decimals.ts'
import { escapeHtml, urlEncoded } from './escapes.ts'
import type { FunctionTable, Tools } from './function.ts'
import { decoded } from './html.ts'
import { whole } from './numbers.ts'
import { formatted } from './sprintf.ts'
import { TemplateError } from './tree.ts'
import { isItems, listOf, numberOf, textOf, type Value } from './value.ts'

const MANY = Number.POSITIVE_INFINITY
const BLANKS = ' \t\n\r\0\v'

/** A function that takes one text. */
const ofText = (run: (text: string) => Value) =>
  [1, 1, ([value = null]: readonly Value[]) => run(textOf(value))] as const

/** Functions of texts. Lengths and positions are UTF-16 units. */
export const TEXT_FUNCTIONS: FunctionTable = {
  strtoupper: ofText((text) => text.toUpperCase()),
  strtolower: ofText((text) => text.toLowerCase()),
  mb_strtoupper: ofText((text) => text.toUpperCase()),
  mb_strtolower: ofText((text) => text.toLowerCase()),
  ucfirst: ofText((text) => text.slice(0, 1).toUpperCase() + text.slice(1)),
  lcfirst: ofText((text) => text.slice(0, 1).toLowerCase() + text.slice(1)),
  ucwords: ofText((text) => text.replaceAll(/(^|[\s])(\S)/g, (_, space: string, c: string) => space + c.toUpperCase())),
  strlen: ofText((text) => text.length),
  mb_strlen: ofText((text) => text.length),
  strrev: ofText((text) => [...text].reverse().join('')),
  nl2br: ofText((text) => text.replaceAll(/\r\n|\n|\r/g, '<br />$&')),
  htmlspecialchars: [1, 2, ([value = null]) => escapeHtml(textOf(value))],
  htmlentities: [1, 2, ([value = null]) => escapeHtml(textOf(value))],
  e: ofText(escapeHtml),
  strip_tags: ofText(withoutTags),
  addslashes: ofText((text) => text.replaceAll(/['"\\]/g, '\\$&')),
  urlencode: ofText((text) => urlEncoded(text).replaceAll('%20', '+').replaceAll('~', '%7E')),
  rawurlencode: ofText(urlEncoded),
  trim: [1, 2, ([value = null, marks = BLANKS]) => trimmed(textOf(value), textOf(marks), 'both')],
  ltrim: [1, 2, ([value = null, marks = BLANKS]) => trimmed(textOf(value), textOf(marks), 'left')],
  rtrim: [1, 2, ([value = null, marks = BLANKS]) => trimmed(textOf(value), textOf(marks), 'right')],
  substr: [2, 3, part],
  mb_substr: [2, 3, part],
  str_contains: [2, 2, ([text = null, part = null]) => textOf(text).includes(textOf(part))],
  str_starts_with: [2, 2, ([text = null, part = null]) => textOf(text).startsWith(textOf(part))],
  str_ends_with: [2, 2, ([text = null, part = null]) => textOf(text).endsWith(textOf(part))],
  strpos: [2, 3, ([text = null, part = null, from = 0]) => found(textOf(text).indexOf(textOf(part), whole(from)))],
  stripos: [
    2,
    3,
    ([text = null, part = null, from = 0]) =>
      found(textOf(text).toLowerCase().indexOf(textOf(part).toLowerCase(), whole(from))),
  ],
  strrpos: [2, 2, ([text = null, part = null]) => found(textOf(text).lastIndexOf(textOf(part)))],
  strstr: [2, 2, ([text = null, part = null]) => from(textOf(text), textOf(text).indexOf(textOf(part)))],
  substr_count: [2, 2, ([text = null, part = null]) => occurrences(textOf(text), textOf(part))],
  strcmp: [2, 2, ([a = null, b = null]) => order(textOf(a), textOf(b))],
  strcasecmp: [2, 2, ([a = null, b = null]) => order(textOf(a).toLowerCase(), textOf(b).toLowerCase())],
  str_replace: [3, 3, ([search = null, by = null, text = null], tools) => replaced(search, by, textOf(text), tools)],
  str_repeat: [
    2,
    2,
    ([text = null, times = null], { budget }) => {
      const count = Math.max(0, whole(times))
      budget.text(textOf(text).length * count)
      return textOf(text).repeat(count)
    },
  ],
  str_pad: [2, 4, padded],
  wordwrap: [1, 4, wrapped],
  sprintf: [1, MANY, ([format = null, ...args], tools) => formatted(textOf(format), args, tools.budget)],
  vsprintf: [
    2,
    2,
    ([format = null, args = null], tools) =>
      formatted(textOf(format), isItems(args) ? [...args.values()] : [args], tools.budget),
  ],
  number_format: [
    1,
    4,
    ([n = null, digits = 0, point = '.', thousands = ',']) =>
      grouped(numberOf(n), whole(digits), textOf(point), textOf(thousands)),
  ],
  strtr: [2, 3, translated],
  str_split: [1, 2, ([text = null, size = 1], { budget }) => pieces(textOf(text), whole(size), budget)],
  str_word_count: ofText((text) => text.match(/[A-Za-z'-]+/g)?.length ?? 0),
  html_entity_decode: [1, 2, ([text = null]) => decoded(textOf(text))],
  htmlspecialchars_decode: [1, 2, ([text = null]) => decoded(textOf(text))],
  ctype_digit: ofText((text) => /^\d+$/.test(text)),
  ctype_alpha: ofText((text) => /^[A-Za-z]+$/.test(text)),
  dechex: [1, 1, ([n = null]) => Math.abs(whole(n)).toString(16)],
  hexdec: ofText((text) => Number.parseInt(text.slice(0, 13), 16) || 0),
}

function pieces(text: string, size: number, budget: Tools['budget']): Value {
  if (size < 1) throw new TemplateError('str_split() needs a size of at least 1')
  const count = Math.max(1, Math.ceil(text.length / size))
  budget.spend(count)
  return listOf(Array.from({ length: count }, (_, i) => text.slice(i * size, (i + 1) * size)))
}

/** `strtr`: characters by characters, or texts by texts, in one pass in which the longest match counts. */
function translated([value = null, from = null, to = null]: readonly Value[], { budget }: Tools): string {
  const text = textOf(value)
  const pairs = isItems(from)
    ? [...from].map(([search, by]) => [search, textOf(by)] as const)
    : [...textOf(from)].flatMap((c, i) => {
        const by = textOf(to)[i]
        return by === undefined ? [] : [[c, by] as const]
      })
  const byLength = pairs.filter(([search]) => search !== '').sort(([a], [b]) => b.length - a.length)
  let result = ''
  for (let at = 0; at < text.length; ) {
    budget.spend(1 + byLength.length / 10)
    const pair = byLength.find(([search]) => text.startsWith(search, at))
    result += pair?.[1] ?? text.charAt(at)
    at += pair?.[0].length ?? 1
    budget.longest(result.length)
  }
  return result
}

const found = (index: number): Value => (index < 0 ? false : index)
const from = (text: string, index: number): Value => (index < 0 ? false : text.slice(index))
const order = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

function withoutTags(text: string): string {
  let rest = ''
  let pos = 0
  for (;;) {
    const open = text.indexOf('<', pos)
    const close = open < 0 ? -1 : text.indexOf('>', open)
    if (close < 0) return rest + text.slice(pos)
    rest += text.slice(pos, open)
    pos = close + 1
  }
}

function trimmed(text: string, marks: string, side: 'both' | 'left' | 'right'): string {
  const set = new Set(marks)
  let start = 0
  let end = text.length
  if (side !== 'right') while (start < end && set.has(text.charAt(start))) start++
  if (side !== 'left') while (end > start && set.has(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

function part([value = null, start = null, length = null]: readonly Value[]): string {
  const text = textOf(value)
  const first = whole(start) < 0 ? Math.max(0, text.length + whole(start)) : whole(start)
  if (length === null) return text.slice(first)
  const end = whole(length) < 0 ? text.length + whole(length) : first + whole(length)
  return text.slice(first, Math.max(first, end))
}

function occurrences(text: string, part: string): number {
  if (part === '') return 0
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++
  return count
}

/** Given lists, replaces each text of the first with the one at the same position in the second. */
function replaced(search: Value, by: Value, text: string, { budget }: Tools): string {
  const searches = isItems(search) ? [...search.values()].map(textOf) : [textOf(search)]
  const places = isItems(by) ? [...by.values()].map(textOf) : null
  let result = text
  for (const [i, each] of searches.entries()) {
    if (each === '') continue
    const replacement = places === null ? textOf(by) : (places[i] ?? '')
    budget.text(result.length)
    const count = occurrences(result, each)
    budget.text(result.length + count * (replacement.length - each.length))
    // each takes far longer than copying a character
    budget.spend(count)
    result = result.replaceAll(each, () => replacement)
  }
  return result
}

function padded([value = null, length = null, by = ' ', side = 'right']: readonly Value[], { budget }: Tools): string {
  const text = textOf(value)
  const pad = textOf(by)
  const total = Math.max(whole(length), text.length)
  budget.text(total)
  if (pad === '') return text
  if (side === 'left' || side === 0) return text.padStart(total, pad)
  if (side === 'both' || side === 2)
    return text.padStart(text.length + Math.floor((total - text.length) / 2), pad).padEnd(total, pad)
  return text.padEnd(total, pad)
}

/** Breaks lines between words. Words that are too long are cut only if the fourth argument is true. */
function wrapped([value = null, width = 75, by = '\n', cut = false]: readonly Value[], { budget }: Tools): string {
  const most = whole(width)
  if (most < 1) throw new TemplateError('wordwrap() needs a width of at least 1')
  const lines: string[] = []
  let line: string | null = null
  for (let word of textOf(value).split(' ')) {
    if (line !== null && line.length + 1 + word.length <= most) {
      line += ` ${word}`
      continue
    }
    if (line !== null) lines.push(line)
    while (cut === true && word.length > most) {
      lines.push(word.slice(0, most))
      word = word.slice(most)
      budget.spend()
    }
    line = word
  }
  if (line !== null) lines.push(line)
  budget.text(textOf(value).length + lines.length * textOf(by).length)
  return lines.join(textOf(by))
}
