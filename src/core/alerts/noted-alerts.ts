import { MAX_SHOWN_FAULTS } from './context.ts'

/** Limits for one transaction: alerts, rows of faults, and rules. */
export const CHANGES_AT_ONCE = 100
const ROWS_AT_ONCE = 2000
const RULES_A_CHANGE = 50
/** Number of transactions in one step, which run concurrently; few, so that new writes are evaluated soon. */
const TRANSACTIONS_AT_ONCE = 3
/** Noted devices by rule for the next transactions: rules with few devices first, and as many as fit. */
function nextChanges(pending: ReadonlyMap<number, ReadonlyMap<number, number>>): ReadonlyMap<number, number[]>[] {
  const transactions: Map<number, number[]>[] = []
  let [size, rows] = [0, 0]
  for (const [ruleId, noted] of [...pending].toSorted(([, a], [, b]) => a.size - b.size)) {
    let current = transactions.at(-1)
    if (current === undefined || current.size >= RULES_A_CHANGE || size >= CHANGES_AT_ONCE || rows >= ROWS_AT_ONCE) {
      if (transactions.length >= TRANSACTIONS_AT_ONCE) break
      current = new Map()
      transactions.push(current)
      size = 0
      rows = 0
    }
    const ids: number[] = []
    for (const [id, count] of noted) {
      rows += count
      if (ids.length > 0 && (size >= CHANGES_AT_ONCE || rows > ROWS_AT_ONCE)) break
      ids.push(id)
      size++
    }
    current.set(ruleId, ids)
  }
  return transactions
}

/** Assumed rows of faults of an alert that was noted because something is due: they were not counted. */
const DUE_ROWS = 40

/** Alerts that have to change: by rule, their devices with the number of fault rows to read. */
export function createNotedAlerts() {
  const pending = new Map<number, Map<number, number>>()

  function note(ruleId: number, changes: readonly { readonly device_id: number; readonly count: number }[]): void {
    if (changes.length === 0) return
    const noted = pending.get(ruleId) ?? new Map<number, number>()
    pending.set(ruleId, noted)
    for (const { device_id, count } of changes) noted.set(device_id, Math.min(count, MAX_SHOWN_FAULTS))
  }

  return {
    size: () => [...pending.values()].reduce((sum, { size }) => sum + size, 0),
    next: () => nextChanges(pending),

    note,

    /** Notes devices by rule for which something is due; returns how many. */
    noteDue(due: ReadonlyMap<number, readonly number[]>): number {
      let count = 0
      for (const [ruleId, ids] of due) {
        const changes = ids.map((device_id) => ({ device_id, count: DUE_ROWS }))
        note(ruleId, changes)
        count += ids.length
      }
      return count
    },

    /** These alerts were changed; those of rules that are not known any more are forgotten. */
    done(changed: ReadonlyMap<number, readonly number[]>, isKnown: (ruleId: number) => boolean): void {
      for (const [ruleId, deviceIds] of changed) {
        const left = pending.get(ruleId)
        if (left === undefined) continue
        for (const id of deviceIds) left.delete(id)
        if (left.size === 0 || !isKnown(ruleId)) pending.delete(ruleId)
      }
    },
  }
}
