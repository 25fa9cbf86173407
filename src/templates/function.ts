import type { Budget } from './budget.ts'
import type { Value } from './value.ts'

/** What functions may use besides their arguments. */
export interface Tools {
  readonly budget: Budget
  /** Epoch ms. */
  readonly now: number
}

/** A function of the language: how many arguments it takes, and what it does. */
export interface TemplateFunction {
  readonly least: number
  readonly most: number
  readonly run: (args: readonly Value[], tools: Tools) => Value
}

/** Functions by lower-case name. Each works like the PHP function unless docs/reference/templates.md says otherwise. */
export type FunctionTable = Readonly<
  Record<string, readonly [least: number, most: number, run: TemplateFunction['run']]>
>
