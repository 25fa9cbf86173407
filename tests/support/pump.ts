import { readFileSync } from 'node:fs'

/** Matches an atom of a regular expression. */
const ATOM =
  /\\p\{\w+\}|\\[dDsSwWbB]|\\u[0-9a-f]{4}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<\w+>|[:=!]|<[=!])|[()|^$]|[?*+]\??|\{\d*,?\d*\}\??|./gisu
const CANDIDATES = ['a', '1', ' ', 'A', '.', '-', '/', ',', ':', '_', '(', ')', '[', '=', '\t', 'é', 'Z', '9', '\n']
/** Texts that no expression can match at its end. */
const SPOILERS = ['\n!', '\u0001']

/**
 * Texts made to cause backtracking in an expression: what comes before a piece of it, the piece repeated until the text
 * has `length` characters, and an end that cannot match. The pieces are one to three neighbouring atoms.
 */
export function* pumped(source: string, length: number): Generator<string> {
  const atoms = (source.match(ATOM) ?? []).flatMap((atom) => textFor(atom))
  const seen = new Set<string>()
  for (let from = 0; from < atoms.length; from++) {
    for (let size = 1; size <= 3 && from + size <= atoms.length; size++) {
      const piece = atoms.slice(from, from + size).join('')
      for (const before of new Set(['', atoms.slice(0, from).join('')])) {
        const key = `${before}\0${piece}`
        if (seen.has(key)) continue
        seen.add(key)
        const head = before + piece.repeat(Math.max(1, Math.floor((length - before.length - 2) / piece.length)))
        for (const spoiler of SPOILERS) yield head + spoiler
      }
    }
  }
}

/** Texts that match an atom; none for groups, alternatives, anchors and quantifiers. */
function textFor(atom: string): string[] {
  if (/^(?:\(|\)|\||\^|\$|[?*+]|\{\d|\\[bB]$)/.test(atom)) return []
  if (atom === '.') return ['x']
  if (!atom.startsWith('\\') && !atom.startsWith('[')) return [atom]
  const one = new RegExp(`^${atom}$`, /\\p/i.test(atom) ? 'u' : '')
  const found = CANDIDATES.find((candidate) => one.test(candidate)) ?? codes.find((candidate) => one.test(candidate))
  return found === undefined ? [] : [found]
}

const codes = Array.from({ length: 256 }, (_, i) => String.fromCharCode(i))

export interface Literal {
  readonly source: string
  readonly flags: string
  readonly line: number
}

/** The regular expression literals of a source file: what is between slashes where a value may begin. */
export function literalsOf(path: string): Literal[] {
  const found: Literal[] = []
  for (const [i, text] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (/^\s*(?:\/\/|\*|\/\*)/.test(text)) continue
    const literals = text.matchAll(
      /(?<=(?:^|[=(,:[!&|?{};]|return|=>)\s*)\/(?![/*])((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+)\/([dgimsuvy]*)/g,
    )
    for (const [, source = '', flags = ''] of literals) found.push({ source, flags, line: i + 1 })
  }
  return found
}
