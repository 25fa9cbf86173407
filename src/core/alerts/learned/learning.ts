import { rate95AtEnd, totalAtEnd } from '../../bills/period-end.ts'
import { runningPeriods } from '../../bills/read-running.ts'
import type { Store } from '../../database/client.ts'
import { toStoreError } from '../../database/errors.ts'
import { type Condition, type Group, parseBuilder } from '../../rules/builder.ts'
import { compile, type RuleReader } from '../../rules/compile.ts'
import { BuilderError } from '../../rules/errors.ts'
import { perDayOf, usualOf } from '../../rules/over/learned.ts'
import { type Learns, learnsOf, withoutOver } from '../../rules/over/learns.ts'
import { type EngineRuleRow, engineRules } from '../read-engine-rules.ts'
import { type BaselineSubject, type Concerned, pastDays, pastHours } from './read-past.ts'
import { type Baseline, dropLearned, storeLearned, toLearn } from './write-learned.ts'

/** Things whose history is read together: 56 days of hours each. */
const AT_ONCE = 50
/** The same of bills: a month and a week of 5 minutes each. */
const BILLS_AT_ONCE = 10
/** Time for learning in one turn, ms. */
const BUDGET_MS = 10_000

/**
 * Learns what the enabled rules need to know from the past: what is usual at each hour of the week, and how values change.
 * As much as there is time for; the rest is learned in the next turns. A rule that cannot be run is passed over. Returns
 * the number of things. Throws StoreError.
 */
export async function learnForRules(store: Store, budgetMs = BUDGET_MS): Promise<number> {
  const until = performance.now() + budgetMs
  let learned = 0
  for (const row of await engineRules(store)) {
    if (row.disabled === 1) continue
    for (const [learns, concerned] of needsOf(row)) {
      const atOnce = learns.what === 'end' ? BILLS_AT_ONCE : AT_ONCE
      let some: number
      do {
        if (performance.now() > until) return learned
        some = await learnSome(store, concerned, learns, atOnce)
        learned += some
      } while (some === atOnce)
    }
  }
  await dropLearned(store)
  return learned
}

function needsOf(row: EngineRuleRow): (readonly [Learns, Concerned])[] {
  try {
    const group = parseBuilder(row.builder)
    const rule = { id: row.id, mapped: row.mapped, invertMap: row.invert_map === 1 }
    return learnsOf(group).map((learns) => [learns, concernedBy(group, learns, rule, null)] as const)
  } catch (error) {
    if (error instanceof BuilderError) return []
    throw error
  }
}

/** The things that a rule may ever concern. Throws BuilderError. */
export function concernedBy(
  group: Group,
  { table, id }: Learns,
  rule: Concerned['rule'],
  reader: RuleReader | null,
): Concerned {
  const exists: Condition = { kind: 'condition', field: `${table}.${id}`, operator: 'is_not_null', values: [] }
  const rest = withoutOver(group)
  const rules = rest === null ? [exists] : [rest, exists]
  const { parts, params } = compile({ kind: 'group', condition: 'AND', rules }, reader)
  return { from: parts.from, where: parts.where, params, rule }
}

async function learnSome(store: Store, concerned: Concerned, learns: Learns, atOnce: number): Promise<number> {
  const things = await toLearn(store, concerned, learns, atOnce).catch((error: unknown) => {
    // the rule's own fault, which is reported where it is evaluated
    if (/^(22|42|54|57014)/.test(toStoreError(error).code ?? '')) return []
    throw error
  })
  await storeLearned(store, learns, await baselinesOf(store, learns, things))
  return things.length
}

/** What the past says about these things. */
async function baselinesOf(store: Store, learns: Learns, things: readonly BaselineSubject[]): Promise<Baseline[]> {
  if (things.length === 0) return []
  const ids = things.map(({ id }) => id)
  if (learns.what === 'usual') {
    const hours = await pastHours(store, learns, ids)
    return things.map((thing) => ({ ...thing, what: 'usual', learned: usualOf(hours.get(thing.id) ?? []) }))
  }
  if (learns.what === 'end') return await endsOf(store, learns, things)
  const days = await pastDays(store, learns, ids)
  return things.map((thing) => ({ ...thing, what: 'trend', perDay: perDayOf(days.get(thing.id) ?? []) }))
}

/** What the current periods of bills will end with. A bill has ports of several devices, and is one of these things for each. */
async function endsOf(store: Store, { line }: Learns, things: readonly BaselineSubject[]): Promise<Baseline[]> {
  const bills = [...new Map(things.map((thing) => [thing.id, thing])).values()]
  const periods = await runningPeriods(
    store,
    bills.map(({ id }) => id),
    Date.now() / 1000,
  )
  return bills.flatMap((bill) => {
    const period = periods.get(bill.id)
    if (period === undefined) return []
    const atEnd = line === 'total_data' ? totalAtEnd(period) : rate95AtEnd(period)
    return [{ ...bill, what: 'end', atEnd, ends: period.ends }]
  })
}
