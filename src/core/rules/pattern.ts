import { BuilderError } from './errors.ts'

/**
 * A regular expression as rules are written, for PCRE or ICU, in the syntax of PostgreSQL (its documentation, section
 * 9.7.3, advanced regular expressions). Escapes that PostgreSQL reads differently, such as `\b`, are translated; its own
 * (`\y`, `\m`, `\M`) stay. Matching disregards case anyway. Throws BuilderError for what has no equivalent. Whether
 * the result is well-formed, PostgreSQL has to say (`brokenRule`).
 */
export function postgresPattern(source: string): string {
  return new Translation(source).result()
}

const HEX4 = (code: number) =>
  code > 0xff_ff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`

/** Escapes outside brackets. */
const OUTSIDE: Readonly<Record<string, string>> = {
  b: '\\y',
  B: '\\Y',
  h: '[[:blank:]]',
  H: '[^[:blank:]]',
  v: '[\\n\\v\\f\\r]',
  R: '(?:\\r\\n|[\\n\\v\\f\\r])',
  N: '[^\\n]',
  z: '\\Z',
}
/** Escapes inside brackets. */
const INSIDE: Readonly<Record<string, string>> = { h: '[:blank:]', v: '\\n\\v\\f\\r' }

const REFUSED: Readonly<Record<string, string>> = {
  K: '\\K',
  G: '\\G',
  X: '\\X',
  C: '\\C',
  V: '\\V',
  o: '\\o{}',
}

/** Classes of POSIX for properties of Unicode. */
const PROPERTIES: Readonly<Record<string, string>> = {
  L: 'alpha',
  Letter: 'alpha',
  Alphabetic: 'alpha',
  Lu: 'upper',
  Uppercase: 'upper',
  Ll: 'lower',
  Lowercase: 'lower',
  N: 'digit',
  Nd: 'digit',
  P: 'punct',
  Punctuation: 'punct',
  Z: 'space',
  Zs: 'blank',
}

/** Longest expression, UTF-16 units. */
const MAX_LENGTH = 5000

class Translation {
  private at = 0
  private out = ''
  private groups = 0
  private readonly names = new Map<string, number>()
  /** Options for the whole expression, which PostgreSQL takes only at its beginning. */
  private options = ''

  constructor(private readonly source: string) {}

  result(): string {
    if (this.source.length > MAX_LENGTH) this.refuse(`it has more than ${MAX_LENGTH} characters`)
    while (this.at < this.source.length) {
      const c = this.source.charAt(this.at)
      if (c === '\\') this.escape(false)
      else if (c === '[') this.bracket()
      else if (c === '(') this.group()
      else if (!this.quantifier()) {
        this.out += c
        this.at++
      }
    }
    return this.options === '' ? this.out : `(?${this.options})${this.out}`
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.source)
    if (match !== null) this.at += match[0].length
    return match
  }

  private refuse(what: string): never {
    const shown = this.source.length > 100 ? `${this.source.slice(0, 100)}...` : this.source
    throw new BuilderError(`The regular expression ${shown} cannot be used: ${what}`)
  }

  private quantifier(): boolean {
    const possessive = this.take(/(?:[*+?]|\{\d*,?\d*\})\+/y)
    if (possessive !== null) this.refuse(`the possessive quantifier ${possessive[0]} is not supported`)
    const upTo = this.take(/\{,(\d+)\}/y)
    if (upTo === null) return false
    this.out += `{0,${upTo[1]}}`
    return true
  }

  private escape(inside: boolean): void {
    const quoted = this.take(/\\Q([\s\S]*?)(?:\\E|$)/y)
    if (quoted !== null) {
      this.out += (quoted[1] ?? '').replaceAll(/[^\w\s]/g, '\\$&')
      return
    }
    const code = this.take(/\\x(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{1,2}))|\\u\{?([0-9a-fA-F]{4})\}?/y)
    if (code !== null) {
      const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16)
      if (point === 0 || point > 0x10_ff_ff) this.refuse(`${code[0]} is not a character`)
      this.out += HEX4(point)
      return
    }
    const property = this.take(/\\([pP])(?:\{(\^?)(\w+)\}|([A-Z]))/y)
    if (property !== null) {
      this.property(property, inside)
      return
    }
    const reference = inside ? null : this.take(/\\(?:g\{?(-?\d+|\w+)\}?|k(?:<(\w+)>|\{(\w+)\}|'(\w+)'))/y)
    if (reference !== null) {
      this.refer(reference[1] ?? reference[2] ?? reference[3] ?? reference[4] ?? '', reference[0])
      return
    }
    const letter = this.source.charAt(this.at + 1)
    if (letter === '') this.refuse('it ends in a backslash')
    if (Object.hasOwn(REFUSED, letter)) this.refuse(`${REFUSED[letter]} is not supported`)
    if (letter === 'E') this.at += 2
    else {
      const table = inside ? INSIDE : OUTSIDE
      if (inside && (letter === 'H' || letter === 'R' || letter === 'N'))
        this.refuse(`\\${letter} is not supported in brackets`)
      this.out += Object.hasOwn(table, letter) ? table[letter] : `\\${letter}`
      this.at += 2
    }
  }

  private property([whole, letter, caret, name = '', short]: RegExpExecArray, inside: boolean): void {
    const key = short ?? name
    const known = Object.hasOwn(PROPERTIES, key) ? PROPERTIES[key] : undefined
    const negated = (letter === 'P') !== (caret === '^')
    if (known === undefined || (inside && negated)) this.refuse(`${whole} is not supported`)
    this.out += inside ? `[:${known}:]` : `[${negated ? '^' : ''}[:${known}:]]`
  }

  /** A back reference by number, from here backwards, or by name. */
  private refer(name: string, whole: string): void {
    const number = /^-\d+$/.test(name)
      ? this.groups + 1 + Number(name)
      : /^\d+$/.test(name)
        ? Number(name)
        : (this.names.get(name) ?? 0)
    if (number < 1) this.refuse(`${whole} refers to no group`)
    this.out += `\\${number}`
  }

  private bracket(): void {
    // [[:<:]] and [[:>:]], and a ] that stands first, are the same in both.
    this.out += this.take(/\[\^?\]?/y)?.[0] ?? ''
    while (this.at < this.source.length) {
      const c = this.source.charAt(this.at)
      const posix = this.take(/\[[:.=][^\]]{0,20}[:.=]\]/y)
      if (posix !== null) this.out += posix[0]
      else if (c === '\\') this.escape(true)
      else {
        this.out += c
        this.at++
        if (c === ']') return
      }
    }
  }

  private group(): void {
    const named = this.take(/\(\?P?(?:<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/y)
    if (named !== null) {
      this.names.set(named[1] ?? named[2] ?? '', ++this.groups)
      this.out += '('
      return
    }
    const back = this.take(/\(\?P=(\w+)\)/y)
    if (back !== null) {
      this.refer(back[1] ?? '', back[0])
      return
    }
    const plain = this.take(/\(\?(?:[:=!#]|<[=!])/y)
    if (plain !== null) {
      this.out += plain[0]
      if (plain[0] === '(?#') this.out += this.take(/[^)]*/y)?.[0] ?? ''
      return
    }
    const flags = this.take(/\(\?([a-zA-Z]*)(-[a-zA-Z]+)?([):])/y)
    if (flags !== null) {
      this.flags(flags)
      return
    }
    if (this.source.startsWith('(?', this.at) || this.source.startsWith('(*', this.at))
      this.refuse(`${this.source.slice(this.at, this.at + 4)} is not supported`)
    this.groups++
    this.out += '('
    this.at++
  }

  /** `(?i)`, `(?i:...)` and the like. Case is disregarded, and `.` matches line breaks, in any case. */
  private flags([whole, on = '', off, end]: RegExpExecArray): void {
    if (off !== undefined || /[^imsxu]/.test(on)) this.refuse(`${whole} is not supported`)
    const options = (on.includes('m') ? 'n' : '') + (on.includes('x') ? 'x' : '')
    if (end === ':' && options !== '') this.refuse(`${whole} is not supported`)
    if (end === ':') this.out += '(?:'
    else if (options !== '' && (this.out !== '' || this.options !== ''))
      this.refuse(`${whole} is supported only at the beginning`)
    else this.options = options
  }
}
