import { type Actor, scopeOf } from '../base/actor.ts'
import { isOpen } from '../base/alert-states.ts'
import { invalid, notFound } from '../base/errors.ts'
import type { Store } from '../database/client.ts'
import type { Fault } from './faults/fault.ts'
import {
  type AlertCounts,
  type AlertDetail,
  type AlertListQuery,
  type AlertNotification,
  addAlertNote,
  alertCounts,
  alertDetail,
  alertLogPage,
  alertNotifications,
  formerAlerts,
  type ListedAlert,
  type LogKey,
  listedAlerts,
  openByRule,
  type StoredFormer,
  type StoredLogRow,
} from './read-alert-list.ts'
import { rfc2822 } from './rfc2822.ts'
import { ruleExtra } from './rules/extra.ts'
import { type FaultGraph, faultGraph } from './sentences/fault-graph.ts'
import { type RowFact, rowFacts } from './sentences/row-facts.ts'
import { faultSentence, pastMessage, type SentenceRule, sentenceRule } from './sentences/sentence.ts'

export type { AlertDetail, AlertListQuery, AlertNotification, FaultGraph, RowFact }

/** An open alert; `what` says what is wrong in the first row, '': it is not stored. */
export interface OpenAlertRow extends Omit<ListedAlert, 'fault' | 'builder' | 'extra'> {
  readonly what: string
}

/** A change; `what` says what was wrong in the first row, '': it is not stored, or the change was an end. */
export interface AlertLogRow extends Omit<StoredLogRow, 'fault' | 'builder' | 'extra'> {
  readonly what: string
}

/** A former alert; `what` says what was wrong in the first row, in the past tense, '': it is not stored. */
export interface FormerAlert extends Omit<StoredFormer, 'fault'> {
  readonly what: string
}

/** An alert with its faults, its history and its notifications. */
export interface AlertInFull {
  readonly alert: AlertDetail
  readonly what: readonly {
    /** What is wrong, in a sentence. */
    readonly words: string
    readonly facts: readonly RowFact[]
  }[]
  /** Graphs of the values of the first faults, with their limits. */
  readonly graphs: readonly FaultGraph[]
  /** Earlier times at which the rule matched on the device, the latest first. */
  readonly former: readonly FormerAlert[]
  readonly past: readonly AlertLogRow[]
  readonly notifications: readonly AlertNotification[]
}

const MAX_PAST = 50
const MAX_NOTIFICATIONS = 50
const MAX_FORMER = 10
const MAX_GRAPHS = 3
const MAX_NOTE = 10_000
const MAX_KEY = 60
const EVERY = { state: null, severity: null, text: '', offset: 0 } as const
const ANY = { text: '', deviceId: null }

/** Alerts for display, limited to devices that the actor may see. */
export function createAlertList({ store }: { readonly store: Store }) {
  return {
    /** Number of open alerts that nobody has acknowledged. */
    async waiting(actor: Actor): Promise<number> {
      return (await alertCounts(store, scopeOf(actor), ANY)).waiting
    },

    /** Number of open alerts by rule. */
    async openByRule(actor: Actor): Promise<ReadonlyMap<number, number>> {
      return await openByRule(store, scopeOf(actor))
    },

    /** A page of open alerts, worst first, and their number by severity. */
    async open(
      actor: Actor,
      query: Omit<AlertListQuery, 'deviceId'> & Partial<Pick<AlertListQuery, 'deviceId'>>,
    ): Promise<{ rows: OpenAlertRow[]; counts: AlertCounts }> {
      const scope = scopeOf(actor)
      const wanted = { deviceId: null, ...query }
      const [rows, counts] = await Promise.all([listedAlerts(store, scope, wanted), alertCounts(store, scope, wanted)])
      const what = sentencesOf()
      return {
        rows: rows.map(({ fault, builder, extra, ...alert }) => ({
          ...alert,
          what: what({ fault, builder, extra, ...alert }),
        })),
        counts,
      }
    },

    /** The first open alerts of one device or all (null), worst first, and how many there are. */
    async first(
      actor: Actor,
      deviceId: number | null,
      limit: number,
    ): Promise<{ readonly rows: readonly OpenAlertRow[]; readonly total: number }> {
      const { rows, counts } = await this.open(actor, { ...EVERY, deviceId, limit })
      return { rows, total: counts.all }
    },

    /** A page of changes, latest first. `next`: where the next page begins; null: there is none. */
    async past(actor: Actor, before: string | null, limit: number) {
      const key = before === null ? null : keyOf(before)
      const rows = await alertLogPage(store, scopeOf(actor), { of: null, before: key, limit: limit + 1 })
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      return {
        rows: changesOf(shown),
        next: rows.length > limit && last !== undefined ? `${last.key}_${last.id}` : null,
      }
    },

    /** One alert. Throws `not_found`. */
    async find(actor: Actor, id: number): Promise<AlertInFull> {
      const scope = scopeOf(actor)
      const alert = await alertDetail(store, scope, id)
      if (alert === null) throw notFound(`Alert ${id} does not exist`)
      const of = { ruleId: alert.rule_id, deviceId: alert.device_id }
      const [past, notifications, former] = await Promise.all([
        alertLogPage(store, scope, { of, before: null, limit: MAX_PAST }),
        alertNotifications(store, id, MAX_NOTIFICATIONS),
        formerAlerts(store, scope, { ...of, limit: MAX_FORMER }),
      ])
      const rule = ruleOf(alert)
      const now = Date.now()
      const what = alert.rows.map((row) => ({
        words: sentence(rule, row, alert.device),
        facts: rowFacts(rule, row, now),
      }))
      return {
        alert,
        what,
        graphs: graphsOf(rule, alert.rows),
        past: changesOf(past),
        notifications,
        former: formerOf(former, rule, alert),
      }
    },

    /** What is known of a fault in scope: its values in words, the graph of its value, and the runbook of its rule. */
    async aboutFault(
      actor: Actor,
      { alert_id, device_id, row_now, row_began }: Pick<Fault, 'alert_id' | 'device_id' | 'row_now' | 'row_began'>,
    ): Promise<{
      readonly facts: readonly RowFact[]
      readonly graph: FaultGraph | null
      readonly runbook: string | null
    }> {
      const alert = await alertDetail(store, scopeOf(actor), alert_id)
      const kept = row_now ?? row_began
      if (alert === null || kept === null) return { facts: [], graph: null, runbook: alert?.runbook ?? null }
      const rule = ruleOf(alert)
      // columns of the device are kept only if the rule compares them
      const graph = faultGraph(rule, { device_id, ...kept })
      return { facts: rowFacts(rule, kept, Date.now()), graph, runbook: alert.runbook }
    },

    /** Adds a line to the note of an open alert. Throws `invalid`, `not_found`. */
    async addNote(actor: Actor, id: number, text: string): Promise<void> {
      if (text.trim() === '') throw invalid('The note is empty')
      const line = `${rfc2822(new Date())} - Note (${actor.username}) ${text.trim().slice(0, MAX_NOTE)}`
      if (!(await addAlertNote(store, scopeOf(actor), { id, line }))) throw notFound(`Alert ${id} is not open`)
    },
  }
}

export type AlertList = ReturnType<typeof createAlertList>

/** Different graphs of the first rows. */
function graphsOf(rule: SentenceRule, rows: AlertDetail['rows']): FaultGraph[] {
  const found = new Map<string, FaultGraph>()
  for (const row of rows) {
    if (found.size >= MAX_GRAPHS) break
    const graph = faultGraph(rule, row)
    if (graph !== null) found.set(`${graph.of} ${graph.id} ${graph.type} ${graph.only}`, graph)
  }
  return [...found.values()]
}

function keyOf(text: string): LogKey {
  const [, at, id] = /^(\d{1,16})_(\d{1,9})$/.exec(text.slice(0, MAX_KEY)) ?? []
  if (at === undefined) throw invalid('This page of the history does not exist')
  return { at: Number(at), id: Number(id) }
}

function changesOf(rows: readonly StoredLogRow[]): AlertLogRow[] {
  const what = sentencesOf()
  return rows.map(({ fault, builder, extra, ...row }) => ({
    ...row,
    what: isOpen(row.state) ? what({ fault, builder, extra, ...row }) : '',
  }))
}

function formerOf(
  rows: readonly StoredFormer[],
  rule: SentenceRule,
  { device }: Pick<AlertDetail, 'device'>,
): FormerAlert[] {
  return rows.map(({ fault, ...row }) => ({
    ...row,
    what: fault === null ? '' : pastMessage(sentence(rule, fault, device), device),
  }))
}

type Sentenced = Pick<ListedAlert, 'rule_id' | 'rule' | 'builder' | 'extra' | 'fault' | 'device'>

/** A rule's sentences; a page of alerts of one rule reads its condition once. */
function sentencesOf(): (alert: Sentenced) => string {
  const known = new Map<number, SentenceRule>()
  return (alert) => {
    if (alert.fault === null) return ''
    const rule = known.get(alert.rule_id) ?? ruleOf(alert)
    known.set(alert.rule_id, rule)
    return sentence(rule, alert.fault, alert.device)
  }
}

const ruleOf = ({ rule, builder, extra }: Pick<AlertDetail, 'rule' | 'builder' | 'extra'>): SentenceRule =>
  sentenceRule({ name: rule, builder, inverted: ruleExtra(extra).invert })

/** Without the time, which lists show next to it. */
const sentence = (rule: SentenceRule, row: Readonly<Record<string, unknown>>, device: string): string =>
  faultSentence(rule, row, { device, since: null, now: Date.now() })
