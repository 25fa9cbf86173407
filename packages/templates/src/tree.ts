import type { Value } from './value.ts'

/** Binary operators. */
export type Operator =
  | ('or' | 'xor' | 'and' | '??' | '||' | '&&' | '|' | '^' | '&')
  | ('==' | '!=' | '===' | '!==' | '<=>' | '<' | '<=' | '>' | '>=' | '<<' | '>>')
  | ('.' | '+' | '-' | '*' | '/' | '%' | '**')

/** What an assignment changes: a variable, or a member of its value. A null key appends (`$list[] = 1`). */
export interface Place {
  readonly name: string
  readonly keys: readonly (Expression | null)[]
}

export type CastType = 'int' | 'float' | 'string' | 'bool'

export type Expression =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'variable'; readonly name: string }
  /** `key` null: `[]`, which only an assignment may have. */
  | { readonly kind: 'member'; readonly of: Expression; readonly key: Expression | null }
  | { readonly kind: 'binary'; readonly op: Operator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'not' | 'negative'; readonly of: Expression }
  | { readonly kind: 'cast'; readonly to: CastType; readonly of: Expression }
  /** `then` null: `condition ?: otherwise`. */
  | {
      readonly kind: 'ternary'
      readonly condition: Expression
      readonly then: Expression | null
      readonly otherwise: Expression
    }
  | {
      readonly kind: 'list'
      readonly items: readonly { readonly key: Expression | null; readonly value: Expression }[]
    }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  /** `$list->count()`. */
  | { readonly kind: 'method'; readonly of: Expression; readonly name: string; readonly args: readonly Expression[] }
  /** `sort($list)` and others that change their first argument. */
  | { readonly kind: 'changing'; readonly name: string; readonly place: Place; readonly args: readonly Expression[] }
  /** `fn ($a, $b) => body`; only as an argument. */
  | { readonly kind: 'function'; readonly params: readonly string[]; readonly body: Expression }
  /** `op` null: the value as it is. `before`: the result is the value before the change, as of `$i++`. */
  | {
      readonly kind: 'assign'
      readonly place: Place
      readonly op: Operator | null
      readonly value: Expression
      readonly before: boolean
    }
  /** `[$a, $b] = value`, `list($a, $b) = value`. A key that is null counts from 0; a place that is null is skipped. */
  | {
      readonly kind: 'unpack'
      readonly places: readonly { readonly key: Expression | null; readonly place: Place | null }[]
      readonly value: Expression
    }
  /** `match (subject) { 1, 2 => 'a', default => 'b' }`. `when` null: default. */
  | {
      readonly kind: 'match'
      readonly subject: Expression
      readonly arms: readonly { readonly when: readonly Expression[] | null; readonly value: Expression }[]
    }
  /** Text with values in it. */
  | { readonly kind: 'joined'; readonly parts: readonly Expression[] }

/** A part of a template. `at`: its offset in the text. */
export type Part =
  | { readonly kind: 'text'; readonly at: number; readonly text: string }
  | { readonly kind: 'echo'; readonly at: number; readonly value: Expression; readonly raw: boolean }
  /** An expression without output. */
  | { readonly kind: 'do'; readonly at: number; readonly expression: Expression }
  /** The URL of a graph; `tag`: as an image where the output is HTML. */
  | { readonly kind: 'graph'; readonly at: number; readonly members: Expression; readonly tag: boolean }
  /** The first branch whose condition holds; null: always. */
  | {
      readonly kind: 'if'
      readonly at: number
      readonly branches: readonly { readonly condition: Expression | null; readonly body: readonly Part[] }[]
    }
  | {
      readonly kind: 'foreach'
      readonly at: number
      readonly list: Expression
      readonly key: string | null
      readonly value: string
      readonly body: readonly Part[]
      readonly otherwise: readonly Part[]
    }
  /** @for and @while. `first`: before the first round; `next`: after each; `test` false: the first round is unconditional. */
  | {
      readonly kind: 'while'
      readonly at: number
      readonly first: readonly Expression[]
      readonly condition: Expression
      readonly next: readonly Expression[]
      readonly test: boolean
      readonly body: readonly Part[]
    }
  /** `value` null: @default. */
  | {
      readonly kind: 'switch'
      readonly at: number
      readonly subject: Expression
      readonly cases: readonly { readonly value: Expression | null; readonly body: readonly Part[] }[]
    }
  | { readonly kind: 'leave'; readonly at: number; readonly how: 'break' | 'continue'; readonly condition: Expression }

/** A parsed template. */
export interface Template {
  readonly kind: 'template'
  readonly text: string
  readonly parts: readonly Part[]
}

/** Why a template cannot be read or rendered. Line and column begin at 1; a column is a UTF-16 unit. */
export interface TemplateFault {
  readonly kind: 'fault'
  readonly line: number
  readonly column: number
  readonly message: string
}

/** Thrown inside this folder, caught by `parseTemplate` and `renderTemplate`. */
export class TemplateError extends Error {
  /** Offset in the text; null: not known here. */
  readonly at: number | null
  constructor(message: string, at: number | null = null) {
    super(message)
    this.at = at
  }
}

export function faultAt(text: string, at: number, message: string): TemplateFault {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return { kind: 'fault', line, column: at - (before.lastIndexOf('\n') + 1) + 1, message }
}
