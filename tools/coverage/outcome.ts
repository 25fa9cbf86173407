/** Why a value that a definition names is shown, or is not. The text is what reports and documentation say. */
export const RULES = {
  shown: 'shown',
  condition: 'the definition leaves the row out: a condition on its own or another value',
  unplausible: 'the definition leaves the value out: it is outside the range that it gives',
  noNumber: 'the value is empty or text, so there is nothing to draw',
  noClass: 'the row has no class: the agent names none that is a sensor class',
  noFactor: 'the row has no divisor or multiplier: the agent gives none',
  noSize: 'the size of the pool or disk is missing or 0, so no share of it can be given',
  sameObject: 'the same object is shown as another sensor',
  sameKey: 'another row has the same class, type and index',
  fallback: 'used only if entries before it find nothing, and they do',
  otherSource: 'processors, memory and storage come from one source, and another one has them',
  noProbe: 'the object that shows that an agent has this MIB is missing',
  noText: 'the text that the definition uses as index is missing',
  unexplained: 'no rule explains it',
} as const
export type Rule = keyof typeof RULES

/** What became of one instance of an object that a definition names. */
export interface Outcome {
  readonly device: string
  /** OS of the device. */
  readonly system: string
  /** Name of our definition, or of the system of a loaded one. */
  readonly definition: string
  readonly source: 'own' | 'loaded'
  readonly kind: 'sensors' | 'wireless' | 'processors' | 'mempools' | 'storage'
  /** OID of the instance. */
  readonly oid: string
  readonly rule: Rule
}

/** Number of outcomes by rule, and of those that no rule explains by definition. */
export interface Summary {
  readonly total: number
  readonly byRule: ReadonlyMap<Rule, number>
  readonly unexplained: readonly Outcome[]
  /**
   * Of the instances that the definition itself does not leave out, how many are shown, in percent; null if there are
   * none.
   */
  readonly shownPercent: number | null
}

/** Rules by which a definition says that a value is not to be shown, so that it is not expected. */
const LEFT_OUT: ReadonlySet<Rule> = new Set([
  'condition',
  'unplausible',
  'noNumber',
  'noClass',
  'noSize',
  'fallback',
  'otherSource',
  'sameObject',
  // the index that the definition gives is that of another row
  'sameKey',
  'noProbe',
])

export function summaryOf(outcomes: readonly Outcome[]): Summary {
  const byRule = new Map<Rule, number>()
  for (const { rule } of outcomes) byRule.set(rule, (byRule.get(rule) ?? 0) + 1)
  const expected = outcomes.filter(({ rule }) => !LEFT_OUT.has(rule)).length
  return {
    total: outcomes.length,
    byRule,
    unexplained: outcomes.filter(({ rule }) => rule === 'unexplained'),
    shownPercent: expected === 0 ? null : (100 * (byRule.get('shown') ?? 0)) / expected,
  }
}
