import type { Store, Tx } from '../database/client.ts'
import { toStoreError } from '../database/errors.ts'

/** The statements and parameters of a compiled rule (src/core/rules). */
export interface RuleQuery {
  readonly faults: { readonly all: string; readonly some: string }
  readonly members: string
  readonly params: readonly string[]
  readonly patterns: readonly string[]
}

/** A row that a rule matched. */
export interface RuleFault {
  readonly device_id: number
  /** Primary keys of the matched rows, by column: equal keys mean the same fault. */
  readonly key: Readonly<Record<string, number | string | null>>
  /** All columns of the matched rows, without secrets of devices. */
  readonly fault: Readonly<Record<string, unknown>>
}

/** Result of running a rule. `truncated`: there are more rows than the limit. `broken`: why it cannot be run. */
export type RuleOutcome =
  | { readonly kind: 'rows'; readonly rows: readonly RuleFault[]; readonly truncated: boolean }
  | { readonly kind: 'broken'; readonly reason: 'timeout' | 'invalid'; readonly message: string }

/** Limits of one run. */
export interface RuleLimits {
  /** Statement timeout in ms; default 10,000. */
  readonly timeoutMs?: number
  /** Maximum number of rows; default 10,000. */
  readonly rows?: number
}

/**
 * Faults by device, of some devices or of all (null), in one statement. Throws StoreError when the database is
 * unavailable.
 */
export async function ruleFaults(
  store: Store,
  rule: RuleQuery,
  deviceIds: readonly number[] | null,
  { timeoutMs = 10_000, rows: maxRows = 10_000 }: RuleLimits = {},
): Promise<RuleOutcome> {
  const text = deviceIds === null ? rule.faults.all : rule.faults.some
  const devices = deviceIds === null ? [] : [`{${deviceIds.join()}}`]
  const params = [...rule.params, ...devices, String(Math.trunc(maxRows) + 1)]
  return await bounded(store, timeoutMs, async (tx) => {
    const rows = await tx.unsafe<RuleFault[]>(text, params)
    return { kind: 'rows', rows: rows.slice(0, maxRows), truncated: rows.length > maxRows }
  })
}

/** Why a rule cannot be run, for the log; null: it can. Checks its regular expressions and its query plan. */
export async function brokenRule(store: Store, rule: RuleQuery): Promise<string | null> {
  const outcome = await bounded(store, 10_000, async (tx) => {
    for (const pattern of rule.patterns) await tx`select '' ~* ${pattern}`
    await tx.unsafe(`explain ${rule.members}`, [...rule.params])
    await tx.unsafe(`explain ${rule.faults.all}`, [...rule.params, null])
    return { kind: 'rows', rows: [], truncated: false }
  })
  return outcome.kind === 'broken' ? outcome.message : null
}

/**
 * Runs a rule's statements read-only and with a time limit. Errors of the rule itself are an outcome, not an
 * exception.
 */
async function bounded(store: Store, timeoutMs: number, work: (tx: Tx) => Promise<RuleOutcome>): Promise<RuleOutcome> {
  try {
    return await store.sql.begin('read only', async (tx) => {
      await tx`select set_config('statement_timeout', ${String(Math.trunc(timeoutMs))}, true)`
      return await work(tx)
    })
  } catch (error) {
    const known = toStoreError(error)
    if (known.code === '57014') return { kind: 'broken', reason: 'timeout', message: known.message }
    // Data exceptions (invalid regular expression, number out of range), syntax errors and access rule violations.
    if (known.code !== null && /^(22|42)/.test(known.code)) {
      return { kind: 'broken', reason: 'invalid', message: known.message }
    }
    throw known
  }
}
