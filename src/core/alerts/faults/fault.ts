import { invalid } from '../../base/errors.ts'
import type { FaultKind } from './subject.ts'

/** 1 active, 2 acknowledged, 0 over. */
export type FaultState = 0 | 1 | 2

/** Names of the states, in the order of their numbers. */
export const FAULT_STATES: readonly [string, string, string] = ['over', 'active', 'acknowledged']

export type Severity = 'ok' | 'warning' | 'critical'

/** `clear`: until the fault is over. `worse`: until its alert gets more severe or more faults. `time`: a time. */
export type AcknowledgedUntil = 'clear' | 'worse' | 'time'

/** A matched row, bounded, without hidden columns. */
export type KeptRow = Readonly<Record<string, unknown>>

/** An acknowledgement of a fault that holds, or held when the fault ended. */
export interface Acknowledgement {
  /** null: not known, as after an import. */
  readonly by: string | null
  readonly at: Date
  readonly note: string
  readonly until: AcknowledgedUntil
  /** Only for `time`. */
  readonly untilAt: Date | null
}

/** One thing that a rule found wrong on a device, from its beginning to its end. */
export interface Fault {
  readonly id: number
  readonly rule_id: number
  readonly rule: string
  readonly alert_id: number
  readonly device_id: number
  readonly hostname: string
  /** Its name in sentences: see calledDevice. */
  readonly device: string
  /** What identifies the thing for the rule; '' if the rule finds at most one fault on a device. */
  readonly key: string
  /** null: the device itself. */
  readonly kind: FaultKind | null
  /** Its id, for example the port_id; null: the device itself, or not known. */
  readonly subject_id: number | null
  readonly state: FaultState
  readonly severity: Severity
  /** What is wrong, in a sentence. */
  readonly message: string
  readonly began_at: Date
  /** null: it is not over. */
  readonly ended_at: Date | null
  /** `recovered`: the rule no longer finds it. `gone`: the rule no longer applies to the device. */
  readonly ended_how: 'recovered' | 'gone' | null
  /** null: not known, because of an import or of more faults than rows are kept. */
  readonly row_began: KeptRow | null
  readonly row_now: KeptRow | null
  /** null: it is not acknowledged. */
  readonly acknowledgement: Acknowledgement | null
  /** null: it is not muted. UNTIL_CLEAR: until it is over. */
  readonly muted_until: Date | null
  /** null: nobody. */
  readonly assigned_to: { readonly user_id: number; readonly username: string } | null
  /** When its beginning and its recovery were notified; null: they were not. */
  readonly told_at: Date | null
  readonly recovery_told_at: Date | null
}

/** What happened to a fault. */
export type HistoryKind =
  | 'began'
  | 'told'
  | 'acknowledged'
  | 'acknowledgement ended'
  | 'unacknowledged'
  | 'assigned'
  | 'muted'
  | 'unmuted'
  | 'note'
  | 'ended'
  | 'recovery told'

export interface HistoryEntry {
  readonly at: Date
  readonly what: HistoryKind
  /** null: the program. */
  readonly by: string | null
  readonly note: string
}

/** `muted_until` of a fault that is muted until it is over. */
export const UNTIL_CLEAR = new Date('9999-12-31T00:00:00Z')

/** Filter of faults; empty: all. */
export interface FaultFilter {
  readonly states?: readonly FaultState[]
  readonly severity?: Severity
  readonly ruleId?: number
  readonly deviceId?: number
  readonly alertId?: number
  readonly kind?: FaultKind
  readonly subjectId?: number
  readonly assignedTo?: number
  /** Faults that were not over at this time, epoch ms. */
  readonly since?: number
  /** Faults that had begun at this time, epoch ms. */
  readonly until?: number
}

/** Until when an acknowledgement or a mute lasts. */
export type Until = 'clear' | 'worse' | Date

/** Bounds of what people store. */
export const FAULT_BOUNDS = {
  /** Characters of a note. */
  note: 10_000,
  /** Entries in the history of a fault. */
  history: 1000,
  /** Faults in a page of a list. */
  page: 1000,
  /** Faults changed at once. */
  bulk: 1000,
  /** Days until when an acknowledgement or a mute may last. */
  days: 3650,
} as const

/** As it is stored: `untilAt` in epoch ms, for a time. null: as before. */
export const lasting = (
  until: Until | null,
): { readonly until: AcknowledgedUntil | null; readonly untilAt: number | null } =>
  until instanceof Date ? { until: 'time', untilAt: until.getTime() } : { until, untilAt: null }

/** Throws `invalid` for a time that is over or too far away. */
export function checkTime(at: Date, now: Date): void {
  const ms = at.getTime()
  if (!(ms > now.getTime())) throw invalid('The time until which it lasts is over, or is no time')
  if (ms > now.getTime() + FAULT_BOUNDS.days * 86_400_000)
    throw invalid(`It may last ${FAULT_BOUNDS.days} days at most; until it is over: clear`)
}
