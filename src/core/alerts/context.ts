import type { AlertState } from '../base/alert-states.ts'
import { calledDevice } from '../base/device-name.ts'
import type { NotificationKind } from './due.ts'
import type { FaultKind } from './faults/subject.ts'
import { instantText } from './instant.ts'
import type { SubjectDevice } from './read-subjects.ts'
import { counted } from './sentences/amounts.ts'

/** A matched row, without secrets. */
export type FaultRow = Readonly<Record<string, unknown>>

/** A fault in a notification. Times in epoch ms. */
export interface ShownFault {
  readonly key: string
  /** null: the device itself. */
  readonly kind: FaultKind | null
  readonly subject_id: number | null
  readonly severity: string
  /** What is wrong, in a sentence without times. */
  readonly message: string
  /** What is wrong and since when; of a fault that is over, what was wrong and for how long. */
  readonly sentence: string
  readonly began_at: number
  /** null: it is not over. */
  readonly ended_at: number | null
}

/** The rule of an alert, for notifications. */
export interface ContextRule {
  readonly id: number
  readonly name: string
  readonly severity: 'ok' | 'warning' | 'critical'
  /** Its condition as text. */
  readonly text: string
  readonly builder: string
  readonly proc: string | null
  readonly notes: string | null
  /** Address of the page that says what to do; null: none. */
  readonly runbook: string | null
}

/**
 * The data of a notification: the members of `$alert` in templates written for LibreNMS. A plain JSON object. Times are
 * text in local time unless stated otherwise; unknown values are null.
 */
export interface AlertContext extends Omit<SubjectDevice, 'purpose' | 'last_ping' | 'last_ping_timetaken' | 'parents'> {
  readonly project: null
  readonly uptime_short: string
  readonly uptime_long: string
  /** Purpose of the device. */
  readonly description: string | null
  /** The notes that users wrote when they acknowledged the alert. */
  readonly alert_notes: string
  readonly title: string
  /** What is or was wrong, `sw-3 Gi1/0/17 is down`, if the notification is about exactly one fault; null: about more. */
  readonly problem: string | null
  /** Duration of the problem so far, `2h 5m`. */
  readonly elapsed: string
  readonly id: number
  readonly uid: string
  readonly alert_id: number
  readonly rule_id: number
  /** At most MAX_SHOWN_FAULTS; each with its columns, what is wrong in `sentence`, and a summary in `string`. */
  readonly faults: readonly FaultRow[]
  /** Number of all faults, including those not shown. */
  readonly fault_count: number
  /** The faults of which the notification says that they began, and that they are over; at most MAX_SHOWN_FAULTS. */
  readonly began: readonly ShownFault[]
  readonly ended: readonly ShownFault[]
  /** Numbers of all of them. */
  readonly began_count: number
  readonly ended_count: number
  readonly state: AlertState
  readonly severity: string
  readonly rule: string
  readonly name: string
  readonly proc: string
  readonly rule_notes: string
  /** Address of the page that says what to do; null: none. */
  readonly runbook: string | null
  readonly timestamp: string
  /** Epoch ms of the change. */
  readonly time: number
  /** Name of the transport; filled in when the notification is stored. */
  readonly transport: string
  readonly contacts: Readonly<Record<string, string>>
  readonly builder: string
  readonly ping_timestamp: string | null
  readonly ping_loss: number | null
  readonly ping_min: number | null
  readonly ping_max: number | null
  readonly ping_avg: number | null
  readonly parent_id: number | null
  /** Number of devices that are unreachable because this one is down. */
  readonly behind: number
  readonly kind: NotificationKind
}

/** Maximum number of fault rows in a notification and in the log. */
export const MAX_SHOWN_FAULTS = 100

/** The change that a notification reports, for `alertContext`. */
export interface ContextEvent {
  readonly alertId: number
  /** Identifies this notification. */
  readonly uid: string
  readonly kind: NotificationKind
  readonly state: AlertState
  /** Epoch ms; null: unknown. */
  readonly beganAt: number | null
  readonly note: string
  readonly faults: readonly FaultRow[]
  readonly faultCount: number
  /** What is or was wrong, if the notification is about exactly one fault; null: it is about more. */
  readonly problem: string | null
  /** The faults that began and that are over. Default: none. */
  readonly began?: readonly ShownFault[]
  readonly ended?: readonly ShownFault[]
  /** Number of devices that are unreachable because this one is down. */
  readonly behind: number
  /** Epoch ms. */
  readonly now: number
}

/** Builds the context of a notification. */
export function alertContext(device: SubjectDevice, rule: ContextRule, event: ContextEvent): AlertContext {
  const { last_ping, last_ping_timetaken: rtt, parents, purpose, ...shown } = device
  return {
    ...shown,
    project: null,
    uptime_short: spanText(device.uptime, UNITS_SHORT),
    uptime_long: spanText(device.uptime, UNITS_LONG),
    description: purpose,
    alert_notes: event.note,
    title: titleOf(device, rule, event),
    problem: event.problem,
    elapsed: event.beganAt === null ? '' : spanText((event.now - event.beganAt) / 1000, UNITS_SHORT),
    id: event.alertId,
    uid: event.uid,
    alert_id: event.alertId,
    rule_id: rule.id,
    faults: event.faults.slice(0, MAX_SHOWN_FAULTS),
    fault_count: event.faultCount,
    began: event.began?.slice(0, MAX_SHOWN_FAULTS) ?? [],
    ended: event.ended?.slice(0, MAX_SHOWN_FAULTS) ?? [],
    began_count: event.began?.length ?? 0,
    ended_count: event.ended?.length ?? 0,
    state: event.state,
    severity: rule.severity,
    rule: rule.text,
    name: rule.name,
    proc: rule.proc ?? '',
    rule_notes: rule.notes ?? '',
    runbook: rule.runbook,
    timestamp: instantText(event.now),
    time: event.now,
    transport: '',
    contacts: {},
    builder: rule.builder,
    ping_timestamp: last_ping === null ? null : instantText(last_ping),
    ping_loss: last_ping === null ? null : device.status === 0 ? 100 : 0,
    ping_min: rtt,
    ping_max: rtt,
    ping_avg: rtt,
    parent_id: parents[0] ?? null,
    behind: event.behind,
    kind: event.kind,
  }
}

const HAPPENED: Readonly<Record<NotificationKind, string>> = {
  alert: 'Alert',
  repeat: 'Alert, still active',
  recovery: 'Recovered',
  ack: 'Acknowledged',
  worse: 'Got worse',
  better: 'Got better',
  changed: 'Changed',
  test: 'Test',
}

/** `Alert: sw-3 Gi1/0/17 is down`, `Alert: core-1 is down, 14 behind it`, `Got better: sw-3: Port down, 2 over, 3 left`. */
function titleOf(device: SubjectDevice, { name }: ContextRule, event: ContextEvent): string {
  const { kind, behind, problem, faultCount, began = [], ended = [], state } = event
  const open = state === 0 ? 0 : faultCount
  const counts =
    problem === null
      ? [
          began.length > 0 ? counted(began.length, 'fault') : '',
          ended.length > 0 ? `${ended.length} over` : '',
          began.length + ended.length === 0 && open > 1 ? counted(open, 'fault') : '',
        ]
      : []
  const rest =
    ended.length > 0 && open > 0 ? `${open} left` : began.length > 0 && open > began.length ? `${open} in all` : ''
  const what = problem ?? `${calledDevice(device)}: ${name}`
  return [`${HAPPENED[kind]}: ${what}`, ...counts, rest, behind === 0 ? '' : `${behind} behind it`]
    .filter((part) => part !== '')
    .join(', ')
}

/** Columns that name the object; a summary shows them in addition to those that the rule compares. */
export const NAMES =
  /^(ifName|ifAlias|ifDescr|sensor_descr|processor_descr|mempool_descr|storage_descr|supply_descr|service_type|service_desc|bill_name|bgpPeerIdentifier|bgpPeerDescr|msg|message|label|program)$/

/** A fault row with a summary in `string`: its naming columns and those that the rule compares. */
export function summarised(row: FaultRow, compared: readonly string[]): FaultRow {
  const columns = new Set(compared.map((field) => field.split('.')[1] ?? ''))
  const parts = Object.entries(row).flatMap(([name, value]) =>
    value !== null && value !== '' && (NAMES.test(name) || columns.has(name)) ? [`${name} = ${shortText(value)}`] : [],
  )
  return { ...row, string: parts.slice(0, MAX_PARTS).join('; ') }
}

const MAX_PARTS = 20
const MAX_PART = 200
const shortText = (value: unknown) =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, MAX_PART)

const UNITS_SHORT = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const
const UNITS_LONG = [
  [' days', 86_400],
  [' hours', 3600],
  [' minutes', 60],
  [' seconds', 1],
] as const

/** A duration in its units, `3d 4h 5m 6s` or `3 days 4 hours 5 minutes 6 seconds`; '' for unknown. */
function spanText(seconds: number | null, units: readonly (readonly [name: string, size: number])[]): string {
  if (seconds === null) return ''
  let rest = Math.max(0, Math.floor(seconds))
  const parts: string[] = []
  for (const [name, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count}${count === 1 ? name.replace(/^( .*)s$/, '$1') : name}`)
  }
  return parts.join(' ') || `0${units.at(-1)?.[0] ?? ''}`
}
