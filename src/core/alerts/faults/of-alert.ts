import { isAcknowledged, isOpen } from '../../base/alert-states.ts'
import type { AlertStatus } from '../state.ts'
import type { EngineFault } from './evolve.ts'
import type { Severity } from './fault.ts'

/**
 * The faults of a stored alert. One that was imported, or written by an earlier version, may have none that are stored:
 * then a single one, with key '', stands for those that its next evaluation finds. `name`: of the rule.
 */
export function faultsOfAlert(
  stored: AlertStatus | null,
  faults: readonly EngineFault[],
  { name, severity }: { readonly name: string; readonly severity: Severity },
): readonly EngineFault[] {
  if (stored === null) return []
  const open = faults.some(({ state }) => state !== 0)
  if (isOpen(stored.state) === open) return faults
  // an earlier version that ran meanwhile ended the alert, and notified that
  if (open)
    return faults.map((fault) =>
      fault.state === 0
        ? fault
        : { ...fault, state: 0, endedAt: stored.changedAt, endedHow: 'recovered', mustNotify: false },
    )
  const told = stored.alerted !== 0
  const acknowledged = isAcknowledged(stored.state)
  const since = stored.beganAt ?? stored.changedAt
  return [
    ...faults,
    {
      id: null,
      key: '',
      subject: { kind: null, id: null },
      state: acknowledged ? 2 : 1,
      severity,
      message: name,
      beganAt: since,
      endedAt: null,
      endedHow: null,
      acknowledged: acknowledged
        ? { until: stored.untilClear ? 'clear' : 'worse', untilAt: null, count: null, severity }
        : null,
      mutedUntil: null,
      mustNotify: stored.open && !acknowledged,
      toldAt: told ? (stored.notifiedAt ?? stored.changedAt) : null,
      recoveryToldAt: null,
      begins: [Math.floor(since / 1000)],
      live: true,
    },
  ]
}
