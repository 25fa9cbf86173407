import { TemplateError } from './tree.ts'

/** Maximum nesting of brackets and blocks. */
const MAX_DEPTH = 50

/** A position in the text of a template. */
export class Reader {
  readonly text: string
  pos = 0
  #depth = 0
  /** Variables that exist here. */
  readonly scope: string[]

  constructor(text: string, variables: readonly string[]) {
    this.text = text
    this.scope = [...variables]
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
    this.take(/\s+/y)
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
