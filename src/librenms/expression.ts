import { Pattern } from '@portlight/pattern/pattern.ts'
import type { FormPattern } from './form.ts'

/** Limit of an expression, in characters. */
const MAX_SOURCE = 4000

/**
 * A PCRE expression with delimiters and modifiers in our syntax, or why it cannot be run: our engine does not
 * backtrack, so look-ahead and back references are rejected.
 */
export function translated(expression: string): FormPattern | { readonly why: string } {
  const text = expression.trim()
  if (text.length < 2 || text.length > MAX_SOURCE) return { why: `${expression} is not a regular expression` }
  const open = text[0] as string
  const close = { '(': ')', '{': '}', '[': ']', '<': '>' }[open] ?? open
  const end = text.lastIndexOf(close)
  if (/[\w\\\s]/.test(open) || end <= 0) return { why: `${expression} has no delimiters` }
  const modifiers = text.slice(end + 1)
  if (/[^imsux]/.test(modifiers)) return { why: `${expression} has an unknown modifier` }
  if (modifiers.includes('x')) return { why: `${expression} has the modifier x, which is not supported` }
  const parts = withoutLookAhead(text.slice(1, end))
  const source = rewritten(parts.matched, modifiers)
  // the dot is translated here, because ours does not match a carriage return but PCRE's does
  const flags = `${modifiers.includes('i') ? 'i' : ''}${modifiers.includes('m') ? 'm' : ''}s`
  const [also, unless] = [parts.also, parts.unless].map((one) => (one === null ? null : rewritten(one, modifiers)))
  for (const one of [source, also, unless]) {
    const why = one == null ? null : new Pattern(one, flags).error()
    if (why !== null) return { why: `${expression}: ${why}` }
  }
  return { source, flags, ...(also != null && { also }), ...(unless != null && { unless }) }
}

/** An expression without look-ahead, with another that must match too, and one that must not; null: none. */
interface Parts {
  readonly matched: string
  readonly also: string | null
  readonly unless: string | null
}

/**
 * Replaces a look-ahead where that is equivalent: no `X` anywhere in a line (`^((?!X).)*$`); `X` or no `X` after a
 * beginning of fixed length (`^A(?=X)B`, `^A(?!X)B`), which becomes a second expression; `X` at the end (`A(?=X)`).
 */
function withoutLookAhead(source: string): Parts {
  const nowhere = /^\^\((?:\?:)?\(\?!(.+)\)\.\)([*+])\$$/.exec(source)
  if (nowhere !== null && groupEnd(source, source.indexOf('(?!')) === source.length - 5)
    return { matched: `^.${nowhere[2]}$`, also: null, unless: nowhere[1] ?? '' }
  const start = /\(\?[!=]/.exec(source)?.index ?? -1
  const end = start < 0 ? -1 : groupEnd(source, start)
  if (end < 0) return { matched: source, also: null, unless: null }
  const [before, inner, rest] = [source.slice(0, start), source.slice(start + 3, end), source.slice(end + 1)]
  const positive = source[start + 2] === '='
  if (positive && rest === '') return { matched: `${before}(?:${inner})`, also: null, unless: null }
  if (!/^\^[\w\s()-]*$/.test(before)) return { matched: source, also: null, unless: null }
  const second = `${before}(?:${inner})`
  return { matched: `${before}${rest}`, also: positive ? second : null, unless: positive ? null : second }
}

/** The position of the parenthesis that closes the one at `start`; -1: none. */
function groupEnd(source: string, start: number): number {
  let depth = 0
  let inClass = false
  for (let i = start; i < source.length; i++) {
    const c = source[i]
    if (c === '\\') i++
    else if (inClass) inClass = c !== ']'
    else if (c === '[') inClass = true
    else if (c === '(') depth++
    else if (c === ')' && --depth === 0) return i
  }
  return -1
}

function rewritten(source: string, modifiers: string): string {
  let out = ''
  let inClass = false
  for (let i = 0; i < source.length; i++) {
    const c = source[i] as string
    const next = source[i + 1] ?? ''
    if (c === '\\') {
      i++
      // an unnecessary escape
      if (/[ _:'"`~@#%&=;,<>!/-]/.test(next)) out += next === '-' && inClass ? '\\-' : next
      else if (next === 'R') out += '(?:\\r\\n|\\n|\\r)'
      else if (next === 'h') out += inClass ? ' \\t' : '[ \\t]'
      else if (next === 'Z') out += '(?:\\n?\\z)'
      else out += c + next
    } else if (inClass) {
      if (c === ']') inClass = false
      // an opening bracket within a class is an ordinary character
      out += c === '[' && next !== ':' ? '\\[' : c
    } else if (c === '[') {
      inClass = true
      out += c
      // a closing bracket in first position is an ordinary character
      if (next === '^') {
        out += next
        i++
      }
      if (source[i + 1] === ']') {
        out += '\\]'
        i++
      }
    } else if (c === '.') out += modifiers.includes('s') ? '.' : '[^\\n]'
    else if (c === '$' && !modifiers.includes('m')) out += '(?:\\n?\\z)'
    // a possessive quantifier, which can be dropped because our engine never backtracks
    else if (c === '+' && /[+*?}]/.test(source[i - 1] ?? '') && source[i - 2] !== '\\') out += ''
    else out += c
  }
  return out
}

/** The expression of a replacement; a text without delimiters matches itself. */
export function replacement(expression: string): FormPattern | { readonly why: string } {
  if (/^[\w\s]/.test(expression)) {
    return { source: expression.slice(0, MAX_SOURCE).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), flags: 's' }
  }
  return translated(expression)
}
