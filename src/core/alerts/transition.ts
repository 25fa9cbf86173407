import { isOpen } from '../base/alert-states.ts'
import type { Standing } from '../dependencies/standing.ts'
import { type AlertContext, alertContext, type ContextRule } from './context.ts'
import { describedFaults } from './described.ts'
import { type Circumstances, decide, decided } from './due.ts'
import type { EngineRule } from './engine-rule.ts'
import { type AlertStatus, ended, type FoundFaults, nextStatus, type Transition } from './state.ts'
import type { DeviceFaults } from './write-evaluation.ts'
import type { AlertRow, AlertSubject, AlertWrite } from './write-transitions.ts'

/** The circumstances at one time, common to all alerts of a rule. */
export interface Moment extends Pick<Circumstances, 'now' | 'toleranceS' | 'damping'> {
  /** Behaviour of the maintenance windows that devices are in, by device_id. */
  readonly maintenance: ReadonlyMap<number, 1 | 2 | 3>
  /** Which devices are unreachable. */
  readonly standing: Standing
}

/**
 * What to store for a rule's alert on a device. `faults`: those found, null for none, undefined if the rule was not
 * evaluated (then only due notifications are decided). Null: nothing to store.
 */
export function alertWrite(
  rule: EngineRule,
  subject: AlertSubject,
  faults: DeviceFaults | null | undefined,
  moment: Moment,
): AlertWrite | null {
  const { now } = moment
  const { device, alert } = subject
  const stored = alert === null ? null : statusOf(alert)
  const maintenance = moment.maintenance.get(device.device_id) ?? null
  // an acknowledgement is notified first; the faults count at the next evaluation
  const unsent = stored?.state === 2 && stored.open
  const turn = evaluated(rule, subject, stored, maintenance === 1 || unsent ? undefined : faults, now)
  if (turn === null) return null
  const circumstances: Circumstances = {
    ...moment,
    extra: rule.extra,
    maintenance,
    parentsDown: moment.standing.unreachable.has(device.device_id),
    openUntil: moment.standing.openUntil(device.device_id),
  }
  const decision = decide(turn.after, circumstances)
  const { alert: after, nextAt, held } = decided(turn.after, decision, circumstances)
  const waits = decision.do === 'hold' || decision.do === 'rest'
  if (turn.change === 'none' && waits && nextAt === alert?.next_at && held === alert.held) return null
  const since = (faults?.keys ?? []).map((key) => after.faults[key])
  const described = describedFaults(rule, faults?.rows ?? [], { device, since, now })
  const kind = decision.do === 'send' ? decision.kind : null
  return {
    deviceId: device.device_id,
    ...after,
    nextAt,
    held,
    shown: described.rows,
    log: turn.change === 'state' ? { contacts: {}, ...differenceOf(turn) } : null,
    notification:
      kind === null
        ? null
        : {
            kind,
            context: context(rule, subject, {
              kind,
              state: after.state,
              beganAt: after.beganAt,
              faults: [],
              problem: faults?.count === 1 ? described.problem : null,
              faultCount: faults?.count ?? Object.keys(after.faults).length,
              behind: moment.standing.behind(device.device_id),
              now,
            }),
          },
  }
}

/** The transition that results from an evaluation; null: nothing changes and nothing is due. */
function evaluated(
  rule: EngineRule,
  { applies, unread }: AlertSubject,
  stored: AlertStatus | null,
  faults: DeviceFaults | null | undefined,
  now: number,
): Transition | null {
  const same = (after: AlertStatus): Transition => ({ after, change: 'none', added: [], removed: [] })
  if (stored !== null && isOpen(stored.state) && !applies) {
    return { ...same(ended(stored, now)), change: 'state', removed: Object.keys(stored.faults) }
  }
  if (faults === undefined) return stored === null ? null : same(stored)
  if (!applies) return null
  // the device is not read, so its polled data is stale and must not end or change an alert
  if (unread && rule.wakers.polled && stored !== null && isOpen(stored.state)) return same(stored)
  const found: FoundFaults | null = faults
  const turn = nextStatus(stored, found, now, { inverted: rule.inverted })
  return turn.change === 'none' && stored === null ? null : turn
}

function differenceOf({ added, removed }: Transition) {
  return { added: added.length, removed: removed.length }
}

function context(
  rule: EngineRule,
  { device, alert }: AlertSubject,
  event: Pick<
    Parameters<typeof alertContext>[2],
    'kind' | 'state' | 'beganAt' | 'faults' | 'problem' | 'faultCount' | 'behind' | 'now'
  >,
): AlertContext {
  const shown: ContextRule = rule
  return alertContext(device, shown, {
    ...event,
    alertId: alert?.id ?? 0,
    uid: Bun.randomUUIDv7(),
    note: alert?.note ?? '',
  })
}

/** The engine's view of a stored alert. */
export function statusOf(row: AlertRow): AlertStatus {
  return {
    state: row.state,
    open: row.open === 1,
    alerted: row.alerted,
    digest: row.digest,
    faults: row.faults,
    changedAt: row.changed_at,
    beganAt: row.began_at,
    begins: row.begins,
    notified: row.notified,
    notifiedAt: row.notified_at,
    untilClear: untilClear(row.info),
  }
}

/** Member until_clear of `info`; without it, an acknowledgement lasts until the alert clears. */
function untilClear(info: string): boolean {
  if (info === '') return true
  try {
    const members: unknown = JSON.parse(info)
    const value =
      typeof members === 'object' && members !== null && 'until_clear' in members ? members.until_clear : true
    return value !== false && value !== 0 && value !== '0' && value !== ''
  } catch {
    return true
  }
}
