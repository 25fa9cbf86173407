import { type AlertState, isOpen } from '../base/alert-states.ts'
import { calledDevice } from '../base/device-name.ts'
import type { Reachability } from '../dependencies/reachability.ts'
import { type AlertContext, alertContext, type ContextEvent, type ContextRule, type FaultRow } from './context.ts'
import { describedFaults, toldFaults } from './described.ts'
import { type Circumstances, decide, decided, type NotificationKind } from './due.ts'
import type { EngineRule } from './engine-rule.ts'
import {
  type DueNotification,
  dueNotification,
  type FaultCircumstances,
  isKnown,
  isReminded,
  reminderHold,
} from './faults/due-notification.ts'
import { type EngineFault, evolved, withdrawn, withoutPassedAcknowledgements } from './faults/evolve.ts'
import { faultsOfAlert } from './faults/of-alert.ts'
import { faultWrites, refreshedRows } from './faults/writes.ts'
import { notAhead } from './not-ahead.ts'
import { turn as operationTurn, type Recipients, type Runs, storedRuns } from './operations/plan.ts'
import type { AlertRow, AlertSubject } from './read-subjects.ts'
import { faultSentence, MAX_SENTENCE } from './sentences/sentence.ts'
import { type AlertStatus, ended, type FoundFaults, nextStatus, type Transition } from './state.ts'
import type { DeviceFaults } from './write-evaluation.ts'
import type { AlertWrite } from './write-transitions.ts'

/** The circumstances at one time, common to all alerts of a rule. */
export interface Moment extends Pick<Circumstances, 'now' | 'toleranceS' | 'damping'> {
  /** Behaviour of the maintenance windows that devices, and single ports and sensors, are in, by their ids. */
  readonly maintenance: ReadonlyMap<number, 1 | 2 | 3>
  readonly partMaintenance: Readonly<Record<'port' | 'sensor', ReadonlyMap<number, 1 | 2 | 3>>>
  /** How long a step of an operation takes if it does not say so, seconds. */
  readonly stepDurationS: number
  /** Which devices are unreachable. */
  readonly reachability: Reachability
}

/**
 * What to store for a rule's alert on a device and its faults. `faults`: those found, null for none, undefined if the
 * rule was not evaluated (then only due notifications are decided). Null: nothing to store.
 *
 * The alert's states follow from the set of its faults alone, as in LibreNMS; what is notified follows from each fault.
 */
export function alertWrite(
  rule: EngineRule,
  given: AlertSubject,
  faults: DeviceFaults | null | undefined,
  moment: Moment,
): AlertWrite | null {
  const { now } = moment
  const subject = notAhead(given, now)
  const { device, alert } = subject
  const stored = alert === null ? null : statusOf(alert)
  const maintenance = moment.maintenance.get(device.device_id) ?? null
  // an acknowledgement is notified first; the faults count right after it
  const unsent = stored?.state === 2 && stored.open
  const turn = evaluated(rule, subject, stored, maintenance === 1 || unsent ? undefined : faults, now)
  if (turn === null) return null
  const circumstances: FaultCircumstances = {
    ...moment,
    extra: rule.extra,
    maintenance,
    parentsDown: moment.reachability.unreachable.has(device.device_id),
    openUntil: moment.reachability.openUntil(device.device_id),
    partMaintenance: ({ subject: { kind, id } }) =>
      (id !== null && (kind === 'port' || kind === 'sensor') ? moment.partMaintenance[kind].get(id) : null) ?? null,
  }
  const rollUp = rolledUp(turn, circumstances)
  const before = faultsOfAlert(stored, subject.faults, rule)
  const places = new Map((turn.looked ? (faults?.keys ?? []) : []).map((key, i) => [key, i]))
  const rowOf = (key: string): FaultRow | null => faults?.rows[places.get(key) ?? -1] ?? null
  const messageOf = (key: string) => {
    const row = rowOf(key)
    const name = calledDevice(device)
    if (row === null) return `${name}: ${rule.name}`.slice(0, MAX_SENTENCE).toWellFormed()
    return faultSentence(rule.sentence, row, { device: name, since: null, now })
  }
  const { faults: evolving, ended: acknowledged } = evolvedFaultsOf(rule, subject, {
    stored,
    before,
    turn,
    found: faults,
    messageOf,
    moment,
  })
  const { due, to, runs } = addressed(rule, evolving, dueNow(evolving, stored, turn.after, circumstances), {
    runs: storedRuns(alert?.steps),
    stepDurationS: moment.stepDurationS,
    circumstances,
  })
  const differs = unsent && faults !== undefined && (faults?.digest ?? null) !== stored.digest
  const nextAt = earlier(rollUp.nextAt, differs ? now : due.nextAt)
  const after = { ...rollUp.alert, notified: due.notified, notifiedAt: due.notifiedAt }
  const keptOf = (key: string) => {
    const row = rowOf(key)
    return row === null ? null : rule.kept(row)
  }
  const writes = faultWrites(due.faults, { stored: given.faults, before, ended: acknowledged, rowOf: keptOf })
  const same =
    subject === given &&
    turn.change === 'none' &&
    due.kind === null &&
    writes.length === 0 &&
    after.open === stored?.open &&
    after.alerted === stored?.alerted &&
    nextAt === alert?.next_at &&
    Bun.deepEquals(runs, storedRuns(alert?.steps)) &&
    due.held === alert?.held
  if (same) return null
  const since = (faults?.keys ?? []).map((key) => after.faults[key])
  const shown = describedFaults(rule, faults?.rows ?? [], { device, since, now })
  const kind = due.kind
  const told = toldFaults(rule, due, { device, rows: faults?.rows ?? [], rowOf, now })
  return {
    deviceId: device.device_id,
    ...after,
    nextAt,
    held: due.held,
    steps: runs,
    shown,
    log: turn.change === 'state' ? { contacts: {}, ...differenceOf(turn) } : null,
    faultWrites: [...writes, ...refreshedRows(due.faults, writes, keptOf, messageOf)],
    notification:
      kind === null
        ? null
        : {
            kind,
            to,
            context: context(rule, subject, {
              kind,
              state: stateOf(kind, after.state),
              beganAt: after.beganAt,
              faults: [],
              faultCount: faults?.count ?? Object.keys(after.faults).length,
              ...told,
              behind: moment.reachability.behind(device.device_id),
              now,
            }),
          },
  }
}

/** A transition, and whether the faults of the evaluation were looked at. */
type Turn = Transition & { readonly looked: boolean }

/** The transition that results from an evaluation; null: nothing changes and nothing is due. */
function evaluated(
  rule: EngineRule,
  { applies, unread, faults: known }: AlertSubject,
  stored: AlertStatus | null,
  faults: DeviceFaults | null | undefined,
  now: number,
): Turn | null {
  const same = (after: AlertStatus): Turn => ({ after, change: 'none', added: [], removed: [], looked: false })
  if (stored !== null && isOpen(stored.state) && !applies) {
    return { ...same(ended(stored, now)), change: 'state', removed: Object.keys(stored.faults) }
  }
  if (!applies) {
    const waits = stored?.open === true || known.some(({ mustNotify }) => mustNotify)
    return stored === null || !waits ? null : same({ ...stored, open: false, alerted: 0 })
  }
  if (faults === undefined) return stored === null ? null : same(stored)
  // the device is not read, so its polled data is stale and must not end or change an alert
  if (unread && rule.wakers.polled && stored !== null && isOpen(stored.state)) return same(stored)
  const found: FoundFaults | null = faults
  const turn = nextStatus(stored, found, now, { inverted: rule.inverted })
  return turn.change === 'none' && stored === null ? null : { ...turn, looked: true }
}

/** The alert as LibreNMS would have it: a change counts as notified as soon as it may be, whatever its faults say. */
function rolledUp({ after }: Turn, c: Circumstances): { readonly alert: AlertStatus; readonly nextAt: number | null } {
  // reminders are those of the faults
  const once: Circumstances = { ...c, extra: { ...c.extra, interval: 0 } }
  const { alert, nextAt } = decided(after, decide(after, once), once)
  return { alert, nextAt }
}

interface Evolving {
  readonly stored: AlertStatus | null
  readonly before: readonly EngineFault[]
  readonly turn: Turn
  readonly found: DeviceFaults | null | undefined
  readonly messageOf: (key: string) => string
  readonly moment: Moment
}

function evolvedFaultsOf(
  rule: EngineRule,
  { applies }: AlertSubject,
  { stored, before, turn, found, messageOf, moment }: Evolving,
): ReturnType<typeof withoutPassedAcknowledgements> {
  const { damping, now } = moment
  if (!applies) return { faults: withdrawn(before, now), ended: [] }
  const after = turn.looked
    ? evolved(
        before,
        {
          keys: found?.keys ?? [],
          cut: found !== null && found !== undefined && found.count > found.keys.length,
          describe: (key) => ({ subject: rule.subjectOf(key), message: messageOf(key) }),
        },
        {
          now,
          severity: rule.severity,
          flapWindowS: damping.count > 0 ? damping.windowS : null,
          adopt: stored !== null && isOpen(stored.state) && stored.digest === null,
        },
      )
    : before
  const reopened = stored?.state === 2 && turn.after.state !== 2
  return withoutPassedAcknowledgements(after, { now, reopened })
}

/** What is notified about the faults; that the alert was acknowledged comes first. */
function dueNow(
  faults: readonly EngineFault[],
  stored: AlertStatus | null,
  alert: AlertStatus,
  c: FaultCircumstances,
): DueNotification {
  const told = { notified: stored?.notified ?? 0, notifiedAt: stored?.notifiedAt ?? null }
  const due = dueNotification(faults, told, c)
  const { acknowledgement, mute } = c.extra
  if (alert.state !== 2 || !alert.open || !acknowledgement || mute || !faults.some(isKnown)) return due
  const nextAt = due.kind === null ? due.nextAt : c.now
  return { ...told, notifiedAt: c.now, kind: 'ack', began: [], ended: [], faults, nextAt, held: due.held }
}

interface Addressing {
  readonly runs: Runs | null
  readonly stepDurationS: number
  readonly circumstances: FaultCircumstances
}

/** What is notified, and to whom: the rule's operation decides, and adds its steps. Without one, to the rule's transports. */
function addressed(
  { operation }: EngineRule,
  before: readonly EngineFault[],
  due: DueNotification,
  { runs, stepDurationS, circumstances }: Addressing,
): { readonly due: DueNotification; readonly to: Recipients | null; readonly runs: Runs | null } {
  if (operation === null) return { due, to: null, runs: null }
  const { now } = circumstances
  const hold = reminderHold(due.faults, circumstances)
  const { kind, nextAt, waits, ...to } = operationTurn(operation.planFor(stepDurationS), {
    runs,
    kind: due.kind,
    known: before.some(isKnown),
    active: due.faults.some((fault) => isReminded(fault, now)),
    waitUntil: hold?.at ?? null,
    now,
  })
  const isStep = due.kind === null && kind !== null
  return {
    due: {
      ...due,
      kind,
      notified: due.notified + (isStep && kind === 'repeat' ? 1 : 0),
      notifiedAt: isStep ? now : due.notifiedAt,
      nextAt: earlier(due.nextAt, nextAt),
      held: due.held ?? (waits ? (hold?.why ?? null) : null),
    },
    to,
    runs: to.runs,
  }
}

/** The state that a notification reports. */
function stateOf(kind: NotificationKind, state: AlertState): AlertState {
  if (kind === 'repeat' || kind === 'test') return state === 0 || state === 2 ? 1 : state
  return ({ alert: 1, ack: 2, worse: 3, better: 4, changed: 5, recovery: 0 } as const)[kind]
}

const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

function differenceOf({ added, removed }: Transition) {
  return { added: added.length, removed: removed.length }
}

function context(
  rule: EngineRule,
  { device, alert }: AlertSubject,
  event: Omit<ContextEvent, 'alertId' | 'uid' | 'note'>,
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
