import type { Actor } from '../../base/actor.ts'
import { invalid } from '../../base/errors.ts'
import { requireGrants } from '../../base/grants-check.ts'
import { type Operation, problemsOf, type Segment } from '../operations/operation.ts'
import { listOperations, operationNamed } from '../operations/read.ts'
import { createOperationService, type OperationDeps } from '../operations/service.ts'
import type { AlertRuleRecord } from './read.ts'

/**
 * Who is notified of a rule's alerts. `keep`: as before, which for a new rule is `transports`: those of the rule, or the
 * default ones. `operation`: an operation that exists. `own`: a new one with these segments.
 */
export type RuleNotify =
  | { readonly kind: 'keep' | 'transports' | 'nobody' }
  | { readonly kind: 'operation'; readonly id: number }
  | { readonly kind: 'own'; readonly segments: readonly Segment[] }

/** What to store for it. */
export interface NotifyValues {
  readonly alert_operation_id: number | null
  readonly silenced: 0 | 1
  /** Stored with the rule, which then uses it; null: none. */
  readonly newOperation: Operation | null
  /** How long a step of the rule's operation takes from now on, seconds; null: unchanged. */
  readonly stepDurationS: number | null
}

/** Maximum number of names tried for a new operation. */
const MAX_NAMES = 1000

/**
 * Makes what is stored of a draft's receivers. `before`: the stored rule; null: a new one. Throws `invalid` for
 * operations and targets that do not exist, `forbidden` for a change to an operation that rules beyond the actor's grants
 * use.
 */
export function createNotifyValues(deps: OperationDeps) {
  const { store } = deps
  const operations = createOperationService(deps)

  async function requireOperation(id: number): Promise<void> {
    if ((await listOperations(store, id)).length === 0) throw invalid(`Invalid alert_operation_id: ${id}`)
  }

  /** The operation changes for all rules that use it. */
  async function requireChange(actor: Actor, id: number): Promise<void> {
    const [{ rules } = { rules: [] }] = await listOperations(store, id)
    if (rules.length > 0) await requireGrants(store, actor, { rules })
  }

  async function freeName(rule: string): Promise<string> {
    const base = `Rule ${rule}`.slice(0, 240)
    for (let n = 1; n <= MAX_NAMES; n++) {
      const name = n === 1 ? base : `${base} (${n})`
      if ((await operationNamed(store, name, null)) === null) return name
    }
    throw invalid(`There are ${MAX_NAMES} operations named ${base}: delete those that no rule uses`)
  }

  async function own(rule: string, segments: readonly Segment[], stepDurationS: number | null): Promise<Operation> {
    const operation: Operation = { name: await freeName(rule), stepDurationS, suppressed: false, segments }
    const problems = segments.length === 0 ? ['operations: name at least one segment'] : problemsOf(operation)
    if (problems.length > 0) throw invalid(problems.slice(0, 5).join('; '))
    await operations.requireTargets(segments)
    return operation
  }

  return async function notifyValues(
    actor: Actor,
    draft: { readonly name: string; readonly notify: RuleNotify; readonly stepDurationS: number | null },
    before: AlertRuleRecord | null,
  ): Promise<NotifyValues> {
    const { notify, stepDurationS } = draft
    const none: NotifyValues = { alert_operation_id: null, silenced: 0, newOperation: null, stepDurationS: null }
    if (notify.kind === 'own') return { ...none, newOperation: await own(draft.name, notify.segments, stepDurationS) }
    const kept = {
      alert_operation_id: before?.alert_operation_id ?? null,
      silenced: before?.silenced === 1 ? (1 as const) : (0 as const),
    }
    const chosen =
      notify.kind === 'keep'
        ? { ...none, ...kept }
        : notify.kind === 'operation'
          ? { ...none, alert_operation_id: notify.id }
          : { ...none, silenced: notify.kind === 'nobody' ? (1 as const) : (0 as const) }
    if (notify.kind === 'operation') await requireOperation(notify.id)
    if (stepDurationS === null) return chosen
    if (chosen.alert_operation_id === null)
      throw invalid('default_operation_step_duration is that of an operation, and the rule has none')
    await requireChange(actor, chosen.alert_operation_id)
    return { ...chosen, stepDurationS }
  }
}
