import { type Expression, TemplateError } from './tree.ts'

/** Maximum nesting of brackets and blocks. */
const MAX_DEPTH = 50

/** Most operators, members or arguments in a row within one expression. */
export const MAX_ROW = 500

/** Reads an expression; handed to the parts of the grammar that contain expressions. */
export type Read = (reader: Reader) => Expression

/** A position in the text of a template. */
export class Reader {
  readonly text: string
  pos = 0
  #depth = 0
  /** Comments of PHP count as white space. */
  php = false
  /** Variables that have a value somewhere above, as far as can be told from the text. */
  readonly #bound: Set<string>
  /** Uses of others, which are a fault unless the variable gets a value further down, as in a loop. */
  readonly #unknown: { readonly name: string; readonly at: number; readonly message: string }[] = []

  constructor(text: string, variables: readonly string[]) {
    this.text = text
    this.#bound = new Set(variables)
  }

  /** The variable has a value from here on. */
  bind(name: string): void {
    this.#bound.add(name)
  }

  /** A variable is used at `at`. */
  use(name: string, at: number): void {
    if (this.#bound.has(name)) return
    const known = [...this.#bound].map((n) => `$${n}`).join(', ')
    this.#unknown.push({ name, at, message: `Unknown variable $${name}; known here: ${known}` })
  }

  /** Runs `read`, in which unknown variables are allowed, as in `isset()`. */
  leniently<T>(read: () => T): T {
    const before = this.unknownCount
    const result = read()
    this.forgetUnknown(before)
    return result
  }

  get unknownCount(): number {
    return this.#unknown.length
  }

  /** Allows the unknown variables that were found after there were `count`. */
  forgetUnknown(count: number): void {
    this.#unknown.length = count
  }

  /** Throws TemplateError for the first variable that never gets a value. */
  checkVariables(): void {
    const fault = this.#unknown.find(({ name }) => !this.#bound.has(name))
    if (fault !== undefined) this.fail(fault.message, fault.at)
  }

  get done(): boolean {
    return this.pos >= this.text.length
  }

  /** Consumes and returns what a sticky pattern matches here; null: it does not match. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.pos
    const match = pattern.exec(this.text)
    if (match !== null) this.pos += match[0].length
    return match
  }

  /** The same without consuming it. */
  peek(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.pos
    return pattern.exec(this.text)
  }

  skipSpace(): void {
    for (;;) {
      this.take(/\s+/y)
      if (!this.php) return
      const comment = this.take(/\/\/|#(?!\[)|\/\*/y)?.[0]
      if (comment === undefined) return
      // A comment of one line also ends where PHP does.
      if (comment === '/*') {
        const end = this.text.indexOf('*/', this.pos)
        if (end < 0) this.fail('Unterminated comment', this.pos - comment.length)
        this.pos = end + 2
      } else this.take(/(?:(?!\?>|@endphp)[^\n])*/y)
    }
  }

  /** Skips white space and consumes `mark`; returns false if it is not there. */
  eat(mark: string): boolean {
    this.skipSpace()
    if (!this.text.startsWith(mark, this.pos)) return false
    this.pos += mark.length
    return true
  }

  expect(mark: string, where: string): void {
    if (!this.eat(mark)) this.fail(`Expected ${mark} ${where}, found ${this.found()}`)
  }

  /** What the text has here, for error messages. */
  found(): string {
    this.skipSpace()
    if (this.done) return 'the end of the template'
    const [word] = this.peek(/\$?\w{1,30}|[\s\S]/y) ?? ['']
    return word
  }

  fail(message: string, at = this.pos): never {
    throw new TemplateError(message, at)
  }

  /** Runs `read` one level deeper. */
  nested<T>(read: () => T): T {
    if (++this.#depth > MAX_DEPTH) this.fail(`More than ${MAX_DEPTH} levels of nesting`)
    const result = read()
    this.#depth--
    return result
  }
}
