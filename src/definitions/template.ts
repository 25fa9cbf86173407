import { converted } from '../lib/conversions.ts'

/**
 * Templates of health definitions: text with placeholders in braces, `Fan {index.0} {fanState|states}`. A placeholder
 * is a name, followed by filters separated by bars. Names: a column of the row, a scalar, `join.column`, `n` (position
 * of the row, from 1), `value` (the value sent by the agent), `index` and its sub-identifiers: `index.0`, `index.-1`
 * (the last), `index.1-` (from the second on).
 */
export interface Template {
  readonly text: string
  readonly parts: readonly (string | Place)[]
}

/** The content of a pair of braces. */
export interface Place {
  readonly name: string
  readonly filters: readonly string[]
}

/** Looks up a placeholder's name; undefined if the agent did not report it. */
export type TemplateLookup = (name: string) => string | undefined

export type Maps = Readonly<Record<string, Readonly<Record<string, string>>>>

const PLACE = /\{([^{}]*)\}/g
const ARITHMETIC = /^([+*/-])(\d+(?:\.\d+)?)$/

/** Built-in filters. */
const FILTERS: Readonly<Record<string, (text: string) => string | undefined>> = {
  trim: (text) => text.trim(),
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  /** Sub-identifiers as characters, with or without a leading length (RFC 2578 §7.7). */
  text: indexText,
  /** Microwatts as dBm with two decimals, like the limits that agents send; empty for no light. */
  uw_to_dbm(text) {
    const dbm = converted('uw_to_dbm', Number(text))
    return dbm === null ? undefined : String(Math.round(dbm * 100) / 100)
  },
  /** Empty for 0, which agents send to indicate that there is no such limit. */
  nonzero: (text) => (Number(text) === 0 ? undefined : text),
  /** The first number in the text. */
  number: (text) => /-?\d+(?:\.\d+)?/.exec(text)?.[0],
}

export function parsePlace(text: string): Place {
  const [name = '', ...filters] = text.split('|').map((part) => part.trim())
  return { name, filters }
}

/** Splits a text at its placeholders. The caller checks their names. */
export function parseTemplate(text: string): Template {
  const parts: (string | Place)[] = []
  let from = 0
  for (const match of text.matchAll(PLACE)) {
    if (match.index > from) parts.push(text.slice(from, match.index))
    parts.push(parsePlace(match[1] ?? ''))
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push(text.slice(from))
  return { text, parts }
}

export function placesOf(template: Template): readonly Place[] {
  return template.parts.filter((part) => typeof part !== 'string')
}

/** True for a known filter: built in, arithmetic (`+1`, `-1`, `*2`, `/10`), or one of the definition's maps. */
export function isFilter(filter: string, maps: Maps): boolean {
  return filter in FILTERS || ARITHMETIC.test(filter) || filter in maps
}

/**
 * The text of a placeholder; undefined if the agent did not report it, or a map has no entry for it. `_` in a map
 * matches everything else.
 */
export function placeText(place: Place, lookup: TemplateLookup, maps: Maps): string | undefined {
  let text = lookup(place.name)
  for (const filter of place.filters) {
    if (text === undefined) {
      text = maps[filter]?.['_']
      continue
    }
    const map = maps[filter]
    const sum = ARITHMETIC.exec(filter)
    if (map !== undefined) text = map[text] ?? map['_']
    else if (sum !== null) text = calculate(Number(text), sum[1] ?? '', Number(sum[2]))
    else text = FILTERS[filter]?.(text)
  }
  return text
}

/**
 * The filled template, with white space collapsed unless it is a single placeholder. Null if it has placeholders and
 * all of them are empty.
 */
export function fill(template: Template, lookup: TemplateLookup, maps: Maps): string | null {
  let said = false
  let places = false
  let text = ''
  for (const part of template.parts) {
    if (typeof part === 'string') {
      text += part
      continue
    }
    places = true
    const filled = placeText(part, lookup, maps) ?? ''
    if (filled !== '') said = true
    text += filled
  }
  if (places && !said) return null
  // A name that comes entirely from the agent is left unchanged.
  return template.parts.length === 1 ? text.trim() : text.replace(/\s+/g, ' ').trim()
}

function calculate(value: number, operator: string, operand: number): string | undefined {
  if (!Number.isFinite(value)) return undefined
  switch (operator) {
    case '+':
      return String(value + operand)
    case '-':
      return String(value - operand)
    case '*':
      return String(value * operand)
    default:
      return operand === 0 ? undefined : String(value / operand)
  }
}

function indexText(text: string): string | undefined {
  const ids = text.split('.').map(Number)
  const characters = ids[0] === ids.length - 1 ? ids.slice(1) : ids
  if (characters.some((id) => !(id >= 0 && id < 256))) return undefined
  return String.fromCharCode(...characters.filter((id) => id >= 32))
}
