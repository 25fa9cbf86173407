import { Pattern } from '@portlight/pattern/pattern.ts'

/** Flags of PHP's patterns that have the same meaning here. */
const FLAGS = /^[imsuU]*$/
const MAX_LENGTH = 1000

/**
 * A regular expression as LibreNMS's settings have it, in PHP's delimiters (`/^ap-/i`), or without any: then case does
 * not count. See `Pattern` for the syntax.
 */
export function phpPattern(text: string): Pattern {
  const [, , source, flags] = delimited(text) ?? []
  if (source === undefined || flags === undefined) return new Pattern(text)
  return new Pattern(source, flags.replaceAll(/[uU]/g, ''))
}

/** Why the text is not such an expression; null: it is. */
export function phpPatternError(text: string): string | null {
  if (text.trim() === '') return 'it is empty, which would match everything'
  if (text.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`
  return phpPattern(text).error()
}

function delimited(text: string): readonly string[] | null {
  const open = text[0] ?? ''
  // a bracket is more often the beginning of a group than a delimiter
  if (!/^[/#~!@%|,;]$/.test(open)) return null
  const end = text.lastIndexOf(open)
  const flags = text.slice(end + 1)
  return end > 0 && FLAGS.test(flags) ? [text, open, text.slice(1, end), flags] : null
}
