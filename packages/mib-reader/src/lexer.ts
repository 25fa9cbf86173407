/** Limit of a module, in characters; the largest published one has 4 million. */
export const MAX_MODULE_CHARS = 16_000_000

/** Kinds of tokens; `mark` is punctuation. */
export type TokenKind = 'name' | 'number' | 'text' | 'mark' | 'end'

const TAB = 9
const SPACE = 32
const QUOTE = 34
const APOSTROPHE = 39
const MINUS = 45
const DOT = 46
const ZERO = 48
const NINE = 57
const COLON = 58
const EQUALS = 61

/**
 * Tokens of an SMI module (RFC 1155, RFC 2578), one at a time. Comments end at the end of the line, as in net-snmp: a
 * second `--` within the line is decoration far more often than the end of a comment. Never throws; a string without
 * closing quote extends to the end.
 */
export class Lexer {
  kind: TokenKind = 'end'
  /** The characters of a name, number or mark; for a string what is between its quotes, at most 4,096 characters. */
  value = ''
  private at = 0

  constructor(private readonly source: string) {}

  /** Position in the source, for detecting that nothing was consumed. */
  get position(): number {
    return this.at
  }

  /** Moves to the next token; false at the end. */
  next(): boolean {
    const { source } = this
    const start = this.skipBlanks()
    if (start >= source.length) return this.take('end', '', start)
    const c = source.charCodeAt(start)
    if (isLetter(c)) return this.name(start)
    if (isDigit(c)) return this.number(start)
    if (c === QUOTE) return this.text(start)
    if (c === MINUS && isDigit(source.charCodeAt(start + 1))) return this.number(start)
    if (c === APOSTROPHE) return this.octets(start)
    if (c === COLON && source.charCodeAt(start + 1) === COLON && source.charCodeAt(start + 2) === EQUALS)
      return this.take('mark', '::=', start + 3)
    if (c === DOT && source.charCodeAt(start + 1) === DOT) return this.take('mark', '..', start + 2)
    return this.take('mark', source[start] ?? '', start + 1)
  }

  private take(kind: TokenKind, value: string, end: number): boolean {
    this.kind = kind
    this.value = value
    this.at = end
    return kind !== 'end'
  }

  private skipBlanks(): number {
    const { source } = this
    let at = this.at
    for (;;) {
      const c = source.charCodeAt(at)
      if (c === SPACE || (c >= TAB && c <= 13) || c === 0xa0 || c === 0xfeff || c === 0) at++
      else if (c === MINUS && source.charCodeAt(at + 1) === MINUS) {
        const end = source.indexOf('\n', at)
        at = end < 0 ? source.length : end + 1
      } else return at
    }
  }

  private name(start: number): boolean {
    const { source } = this
    let end = start + 1
    for (;;) {
      const c = source.charCodeAt(end)
      if (isLetter(c) || isDigit(c)) end++
      // two hyphens begin a comment, even within a name
      else if (c === MINUS && source.charCodeAt(end + 1) !== MINUS) end++
      else break
    }
    return this.take('name', source.slice(start, end), end)
  }

  private number(start: number): boolean {
    let end = start + 1
    while (isDigit(this.source.charCodeAt(end))) end++
    // in some modules names begin with a digit, such as 3comModule
    const c = this.source.charCodeAt(end)
    if (isLetter(c) && this.source.charCodeAt(start) !== MINUS) {
      this.name(start)
      return true
    }
    return this.take('number', this.source.slice(start, end), end)
  }

  private text(start: number): boolean {
    const end = this.source.indexOf('"', start + 1)
    const close = end < 0 ? this.source.length : end
    return this.take('text', this.source.slice(start + 1, Math.min(close, start + 4097)), close + 1)
  }

  /** `'0a'H` or `'0101'B`. */
  private octets(start: number): boolean {
    const line = this.source.indexOf('\n', start)
    const end = this.source.indexOf("'", start + 1)
    if (end < 0 || (line >= 0 && end > line)) return this.take('mark', "'", start + 1)
    const suffix = this.source[end + 1] ?? ''
    const known = /[hHbB]/.test(suffix)
    return this.take('number', this.source.slice(start, end + 1), end + (known ? 2 : 1))
  }
}

function isLetter(c: number): boolean {
  return (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95
}

function isDigit(c: number): boolean {
  return c >= ZERO && c <= NINE
}
