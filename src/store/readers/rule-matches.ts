import type { Sql, Store } from '../client.ts'
import { guarded, toStoreError } from '../errors.ts'

/** What a compiled rule (src/domain/builder) has for the database. */
export interface RuleQuery {
  readonly faults: { readonly all: string; readonly some: string }
  readonly members: string
  readonly params: readonly string[]
  readonly patterns: readonly string[]
}

/** A row that a rule matched. */
export interface RuleFault {
  readonly device_id: number
  /** Primary keys of the rows that matched, by column: equal keys are the same fault. */
  readonly key: Readonly<Record<string, number | string | null>>
  /** All their columns; secrets of devices are left out. */
  readonly fault: Readonly<Record<string, unknown>>
}

/** What running a rule gave. `cut`: there are more rows than were asked for. `broken`: why it cannot be run. */
export type RuleOutcome =
  | { readonly kind: 'rows'; readonly rows: readonly RuleFault[]; readonly cut: boolean }
  | { readonly kind: 'broken'; readonly reason: 'timeout' | 'invalid'; readonly message: string }

/** Bounds of one run. */
export interface RuleLimits {
  /** Milliseconds until the database gives up; default 10,000. */
  readonly timeoutMs?: number
  /** Most rows; default 10,000. */
  readonly rows?: number
}

/** Faults of some devices, or of all (null) in one statement, by device. Throws StoreError when the database is away. */
export async function ruleFaults(
  store: Store,
  rule: RuleQuery,
  deviceIds: readonly number[] | null,
  { timeoutMs = 10_000, rows: most = 10_000 }: RuleLimits = {},
): Promise<RuleOutcome> {
  const text = `${deviceIds === null ? rule.faults.all : rule.faults.some} limit ${Math.trunc(most) + 1}`
  const params = deviceIds === null ? [...rule.params] : [...rule.params, `{${deviceIds.join()}}`]
  return await bounded(store, timeoutMs, async (tx) => {
    const rows = await tx.unsafe<RuleFault[]>(text, params)
    return { kind: 'rows', rows: rows.slice(0, most), cut: rows.length > most }
  })
}

/** Why a rule cannot be run, in words for the log; null: it can. Checks its regular expressions and its plan. */
export async function brokenRule(store: Store, rule: RuleQuery): Promise<string | null> {
  const outcome = await bounded(store, 10_000, async (tx) => {
    for (const pattern of rule.patterns) await tx`select '' ~* ${pattern}`
    await tx.unsafe(`explain ${rule.members}`, [...rule.params])
    await tx.unsafe(`explain ${rule.faults.all}`, [...rule.params])
    return { kind: 'rows', rows: [], cut: false }
  })
  return outcome.kind === 'broken' ? outcome.message : null
}

/** Runs statements of a rule within their time, changing nothing. What the rule itself is guilty of is an outcome. */
async function bounded(
  store: Store,
  timeoutMs: number,
  work: (tx: Parameters<Parameters<Sql['begin']>[1]>[0]) => Promise<RuleOutcome>,
): Promise<RuleOutcome> {
  try {
    return await guarded(() =>
      store.sql.begin('read only', async (tx) => {
        await tx`select set_config('statement_timeout', ${String(Math.trunc(timeoutMs))}, true)`
        return await work(tx)
      }),
    )
  } catch (error) {
    const known = toStoreError(error)
    if (known.code === '57014') return { kind: 'broken', reason: 'timeout', message: known.message }
    // Data exceptions (a bad regular expression, a number out of range) and statements that have no meaning.
    if (known.code !== null && /^(22|42)/.test(known.code)) {
      return { kind: 'broken', reason: 'invalid', message: known.message }
    }
    throw known
  }
}
