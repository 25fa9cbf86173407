import { fieldWords } from '../../rules/fields/fields.ts'
import { partsOf } from '../../rules/in-words.ts'
import { RULE_TABLES } from '../../rules/read-tables.ts'
import type { FaultRow } from '../context.ts'
import { valueWords } from './generic.ts'
import { type SentenceRule, viewOf } from './row-view.ts'

/** A value of a matched row in words. */
export interface RowFact {
  /** `port: alias`. */
  readonly label: string
  readonly value: string
}

/** Maximum number of facts about a row. */
const MAX_FACTS = 60
/** Numbers of rows, OIDs and what else only programs use. */
const INTERNAL =
  /(^|: )(own number|number of|index|OID|icon|divisor|multiplier|factor of|how the value is stored|is being)/

/** What is known about a matched row: what the rule compares first, then the rest of its tables, without internal columns. */
export function rowFacts(rule: SentenceRule, row: FaultRow, now: number): RowFact[] {
  const view = viewOf(rule, row)
  const compared = view.held.map(({ field }) => field)
  const others = rule.tables
    .toReversed()
    .flatMap((table) => [...(RULE_TABLES.get(table)?.columns.keys() ?? [])].map((column) => `${table}.${column}`))
  const facts = new Map<string, string>()
  for (const field of [...compared, ...others]) {
    const name = field.replace(/^ports_live\./, 'ports.')
    const words = fieldWords(name)
    if (words === null || INTERNAL.test(words) || name.startsWith('macros.')) continue
    const [label, unit] = partsOf(name)
    const value = valueWords(view.value(name), unit, now)
    if (value !== '' && !facts.has(label) && facts.size < MAX_FACTS) facts.set(label, value)
  }
  return [...facts].map(([label, value]) => ({ label, value }))
}
