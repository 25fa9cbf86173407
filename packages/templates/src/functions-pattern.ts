import { MAX_MATCHED, Pattern } from '@portlight/pattern/pattern.ts'
import type { FunctionTable, Tools } from './function.ts'
import { whole } from './numbers.ts'
import { TemplateError } from './tree.ts'
import { listOf, textOf, type Value } from './value.ts'

/** The expression of `/.../flags`, with a delimiter of any kind. Throws TemplateError. */
function patternOf(value: Value, text: string, { budget }: Tools): Pattern {
  const source = textOf(value)
  if (text.length > MAX_MATCHED) throw new TemplateError(`A regular expression reads at most ${MAX_MATCHED} characters`)
  // a match takes time in proportion to both
  budget.spend(text.length + source.length)
  const [, open = '', rest = ''] = /^\s*([^\w\s\\])([\s\S]*)$/.exec(source) ?? []
  const close = { '(': ')', '[': ']', '{': '}', '<': '>' }[open] ?? open
  const end = rest.lastIndexOf(close)
  const flags = rest.slice(end + 1)
  if (open === '' || end < 0 || !/^[imsuxU]*$/.test(flags))
    throw new TemplateError(`${source} is not a regular expression with delimiters, such as /^ge-/i`)
  if (/[xU]/.test(flags)) throw new TemplateError(`The flag in ${source} is not supported; i, m, s and u are`)
  const pattern = new Pattern(rest.slice(0, end), flags.replace('u', ''))
  const error = pattern.error()
  if (error !== null) throw new TemplateError(`The regular expression ${source} cannot be used: ${error}`)
  return pattern
}

/** Functions of regular expressions, which take time in proportion to the text. */
export const PATTERN_FUNCTIONS: FunctionTable = {
  preg_match: [
    2,
    2,
    ([pattern = null, text = null], tools) => (patternOf(pattern, textOf(text), tools).test(textOf(text)) ? 1 : 0),
  ],
  preg_replace: [
    3,
    3,
    ([pattern = null, by = null, text = null], tools) => {
      const source = textOf(text)
      // `\1` and `$1` insert a group.
      const replacement = textOf(by).replaceAll(/\\(\d)/g, '$$$1')
      tools.budget.text(source.length + (source.length + 1) * replacement.length)
      const result = patternOf(pattern, source, tools).replace(source, replacement)
      tools.budget.text(result.length)
      return result
    },
  ],
  preg_quote: [1, 2, ([text = null]) => textOf(text).replaceAll(/[.\\+*?[^\]$(){}=!<>|:\-#/]/g, '\\$&')],
  preg_split: [
    2,
    3,
    ([pattern = null, text = null, limit = -1], tools) => {
      const parts = splitBy(patternOf(pattern, textOf(text), tools), textOf(text), whole(limit), tools)
      return listOf(parts)
    },
  ],
}

function splitBy(pattern: Pattern, text: string, limit: number, tools: Tools): string[] {
  const parts: string[] = []
  let rest = text
  while (limit < 1 || parts.length < limit - 1) {
    tools.budget.spend(1 + rest.length)
    const match = pattern.exec(rest)
    const at = match === null || match.text === '' ? -1 : rest.indexOf(match.text)
    if (match === null || at < 0) break
    parts.push(rest.slice(0, at))
    rest = rest.slice(at + match.text.length)
  }
  return [...parts, rest]
}
