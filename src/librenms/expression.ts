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
  const { matched, unless } = withoutLookAhead(text.slice(1, end))
  const source = rewritten(matched, modifiers)
  // the dot is translated here, because ours does not match a carriage return but PCRE's does
  const flags = `${modifiers.includes('i') ? 'i' : ''}${modifiers.includes('m') ? 'm' : ''}s`
  const never = unless === null ? null : rewritten(unless, modifiers)
  const why = new Pattern(source, flags).error() ?? (never === null ? null : new Pattern(never, flags).error())
  if (why !== null) return { why: `${expression}: ${why}` }
  return never === null ? { source, flags } : { source, flags, unless: never }
}

/**
 * Turns a negative look-ahead into a second expression that must not match, in the two forms where that is equivalent:
 * no `X` anywhere in a line (`^((?!X).)*$`), and no `X` after a beginning of fixed length (`^A(?!X)B`).
 */
function withoutLookAhead(source: string): { readonly matched: string; readonly unless: string | null } {
  const nowhere = /^\^\((?:\?:)?\(\?!([^()]+)\)\.\)\*\$$/.exec(source)
  if (nowhere !== null) return { matched: '^.*$', unless: nowhere[1] ?? '' }
  const after = /^\^([\w\s()-]*)\(\?!([^()]+)\)(.*)$/s.exec(source)
  if (after === null) return { matched: source, unless: null }
  const [, before = '', not = '', rest = ''] = after
  return { matched: `^${before}${rest}`, unless: `^${before}${not}` }
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
