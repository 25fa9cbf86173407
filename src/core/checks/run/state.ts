import type { CheckStatus } from './result.ts'

/** What is known of a service between its checks. */
export interface ServiceState {
  /** The hard state, which alerts and clients see. */
  readonly status: CheckStatus
  /** Epoch seconds of its last change. */
  readonly changed: number
  /** Message of the check that set the state. */
  readonly message: string
  /** Consecutive failed checks that have not changed the state yet; 0: none. */
  readonly attempt: number
  /** False: the state was not set by a check. */
  readonly checked: boolean
}

export interface Settled {
  readonly state: ServiceState
  /** The state before; null: it did not change. */
  readonly changedFrom: CheckStatus | null
}

/**
 * The state after a check. A service that is ok changes its state after `attempts` consecutive failed checks, and is
 * checked more often until then. A service that is not ok, or was never checked, takes every result at once. These are
 * the soft and hard states of Nagios.
 */
export function settle(
  before: ServiceState,
  result: { readonly status: CheckStatus; readonly message: string },
  { attempts, atS }: { readonly attempts: number; readonly atS: number },
): Settled {
  const { status, message } = result
  const attempt = before.attempt + 1
  if (before.checked && before.status === 0 && status !== 0 && attempt < attempts) {
    return { state: { ...before, attempt }, changedFrom: null }
  }
  const same = before.checked && before.status === status
  return {
    state: { status, message, attempt: 0, checked: true, changed: same ? before.changed : atS },
    changedFrom: same ? null : before.status,
  }
}
