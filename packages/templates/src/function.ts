import type { Budget } from './budget.ts'
import type { Value } from './value.ts'

/** What functions may use besides their arguments. */
export interface Tools {
  readonly budget: Budget
  /** Epoch ms. */
  readonly now: number
  /** The function among the arguments, whose place in them is null; null: none was given. */
  readonly apply: ((args: readonly Value[]) => Value) | null
  /** Address of a page of the program; null: it is unknown. */
  readonly pageUrl: (path: string) => string | null
}

/** A function of the language: how many arguments it takes, and what it does. */
export interface TemplateFunction {
  readonly least: number
  readonly most: number
  readonly run: (args: readonly Value[], tools: Tools) => Value
  /** One argument may be a function, `fn ($x) => ...`; of some also the name of one. */
  readonly takes?: 'function' | 'function or name'
}

/** Functions by lower-case name. Each works like the PHP function unless docs/reference/templates.md says otherwise. */
export type FunctionTable = Readonly<
  Record<
    string,
    readonly [least: number, most: number, run: TemplateFunction['run'], takes?: TemplateFunction['takes']]
  >
>

/** The functions of tables by name. */
export function byName(...tables: readonly FunctionTable[]): ReadonlyMap<string, TemplateFunction> {
  return new Map(
    tables.flatMap((table) =>
      Object.entries(table).map(
        ([name, [least, most, run, takes]]) => [name, { least, most, run, ...(takes && { takes }) }] as const,
      ),
    ),
  )
}
