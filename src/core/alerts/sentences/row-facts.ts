import { fieldWords } from '../../rules/fields/fields.ts'
import { codesOf, partsOf } from '../../rules/in-words.ts'
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
  /(^|: )(own number|number of|index|OID|icon|divisor|multiplier|factor of|how the value is stored|is being|values of the last result)/

/** What is known about a matched row: what the rule compares first, then the rest of its tables, without internal columns. */
export function rowFacts(rule: SentenceRule, row: FaultRow, now: number): RowFact[] {
  const view = viewOf(rule, row)
  const compared = new Set(view.held.map(({ field }) => field))
  const own = rule.tables.findLast((table) => table !== 'ports_live' && RULE_TABLES.has(table)) ?? 'devices'
  const others = rule.tables
    .toReversed()
    .flatMap((table) => [...(RULE_TABLES.get(table)?.columns.keys() ?? [])].map((column) => `${table}.${column}`))
  const facts = new Map<string, string>()
  for (const field of [...compared, ...others]) {
    const name = field.replace(/^ports_live\./, 'ports.')
    const words = fieldWords(name)
    if (words === null || INTERNAL.test(words) || name.startsWith('macros.')) continue
    const [known, unit] = partsOf(name)
    const label = labelOf(known, name.startsWith(`${own}.`))
    const isFlag = words.endsWith(': 1 or 0')
    const plain = valueWords(view.value(name), unit, now)
    // what is not ignored, not disabled and not deleted is how things are
    if (isFlag && plain === '0' && !compared.has(name)) continue
    const value = isFlag && /^[01]$/.test(plain) ? (plain === '1' ? 'yes' : 'no') : (codesOf(known).get(plain) ?? plain)
    if (value !== '' && !facts.has(label) && facts.size < MAX_FACTS) facts.set(label, value)
  }
  return [...facts].map(([label, value]) => ({ label, value }))
}

/** `Operational state` for `port: operational state, such as up or down`; of another table, with what it is about. */
function labelOf(words: string, isOwn: boolean): string {
  const label = words
    .replace(/, such as .*$/, '')
    .replace(/ \(.*\)$/, '')
    .replace(/(: [^:]*)(: .*)$/, '$1')
  const text = isOwn ? label.replace(/^[^:]{1,60}: /, '').replace(/: .*$/, '') : label
  return text.charAt(0).toUpperCase() + text.slice(1)
}
