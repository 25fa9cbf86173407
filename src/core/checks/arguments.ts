/** Maximum size of a parameter text, bytes; below, the maximum number of arguments in it. */
const MAX_OCTETS = 4096
const MAX_ARGUMENTS = 100

export type SplitArguments =
  | { readonly kind: 'arguments'; readonly list: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string }

const refused = (reason: string): SplitArguments => ({ kind: 'refused', reason })

/**
 * Splits the parameters of a service into arguments, as a shell splits words: blanks separate, `'...'` is literal, a
 * backslash makes `"` and `\` literal within `"..."`, and any character elsewhere. Nothing is expanded: `$`, `*`, `;`,
 * `|` and backquotes are ordinary characters. Refused: an unclosed quote, a backslash at the end, control characters,
 * more than 4,096 bytes or 100 arguments.
 */
export function splitArguments(text: string): SplitArguments {
  if (Buffer.byteLength(text) > MAX_OCTETS) return refused(`parameters have more than ${MAX_OCTETS} bytes`)
  if ([...text].some((c) => (c < ' ' && c !== '\t') || c === '\u007f')) {
    return refused('parameters contain a line break or another control character')
  }
  const list: string[] = []
  let word: string | null = null
  let quote: '"' | "'" | null = null
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i)
    if (quote === "'") {
      if (c === "'") quote = null
      else word += c
    } else if (c === '\\' && (quote === null || text[i + 1] === '"' || text[i + 1] === '\\')) {
      i++
      if (i === text.length) return refused('parameters end in a backslash')
      word = (word ?? '') + text.charAt(i)
    } else if (quote === '"') {
      if (c === '"') quote = null
      else word += c
    } else if (c === '"' || c === "'") {
      quote = c
      word ??= ''
    } else if (c === ' ' || c === '\t') {
      if (word !== null) list.push(word)
      word = null
    } else word = (word ?? '') + c
  }
  if (quote !== null) return refused(`a ${quote} in the parameters is not closed`)
  if (word !== null) list.push(word)
  if (list.length > MAX_ARGUMENTS) return refused(`parameters have more than ${MAX_ARGUMENTS} arguments`)
  return { kind: 'arguments', list }
}

/** An argument in a form that can be pasted into a shell. */
export function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
}
