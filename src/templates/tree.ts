import type { Value } from './value.ts'

/** Binary operators. */
export type Operator =
  | ('or' | 'xor' | 'and' | '??' | '||' | '&&')
  | ('==' | '!=' | '===' | '!==' | '<=>' | '<' | '<=' | '>' | '>=')
  | ('.' | '+' | '-' | '*' | '/' | '%')

export type CastType = 'int' | 'float' | 'string' | 'bool'

export type Expression =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'member'; readonly of: Expression; readonly key: Expression }
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
  /** Text with values in it. */
  | { readonly kind: 'joined'; readonly parts: readonly Expression[] }

/** A part of a template. `at`: its offset in the text. */
export type Part =
  | { readonly kind: 'text'; readonly at: number; readonly text: string }
  | { readonly kind: 'echo'; readonly at: number; readonly value: Expression; readonly raw: boolean }
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
  | {
      readonly kind: 'for'
      readonly at: number
      readonly name: string
      readonly from: Expression
      readonly condition: Expression
      /** The variable's next value. */
      readonly next: Expression
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
