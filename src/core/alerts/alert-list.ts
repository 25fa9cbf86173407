import { type Actor, scopeOf } from '../base/actor.ts'
import { invalid, notFound } from '../base/errors.ts'
import type { Store } from '../database/client.ts'
import { compile } from '../rules/compile.ts'
import { BuilderError } from '../rules/errors.ts'
import { summarised } from './context.ts'
import {
  type AlertCounts,
  type AlertDetail,
  type AlertListQuery,
  type AlertLogRow,
  type AlertNotification,
  addAlertNote,
  alertCounts,
  alertDetail,
  alertLogPage,
  alertNotifications,
  type ListedAlert,
  type LogKey,
  listedAlerts,
  openByRule,
} from './read-alert-list.ts'
import { rfc2822 } from './rfc2822.ts'

export type { AlertDetail, AlertListQuery, AlertLogRow, AlertNotification }

/** An open alert; `what` describes the faults, '': not stored. */
export interface OpenAlertRow extends Omit<ListedAlert, 'fault' | 'builder'> {
  readonly what: string
}

/** An alert with its faults, its history and its notifications. */
export interface AlertInFull {
  readonly alert: AlertDetail
  readonly what: readonly { readonly words: string; readonly row: Readonly<Record<string, unknown>> }[]
  readonly past: readonly AlertLogRow[]
  readonly notifications: readonly AlertNotification[]
}

const MAX_PAST = 50
const MAX_NOTIFICATIONS = 50
const MAX_NOTE = 10_000
const MAX_KEY = 60

/** Alerts for display, limited to devices that the actor may see. */
export function createAlertList({ store }: { readonly store: Store }) {
  return {
    /** Number of open alerts that nobody has acknowledged. */
    async waiting(actor: Actor): Promise<number> {
      return (await alertCounts(store, scopeOf(actor), '')).waiting
    },

    /** Number of open alerts by rule. */
    async openByRule(actor: Actor): Promise<ReadonlyMap<number, number>> {
      return await openByRule(store, scopeOf(actor))
    },

    /** A page of open alerts, worst first, and their number by severity. */
    async open(actor: Actor, query: AlertListQuery): Promise<{ rows: OpenAlertRow[]; counts: AlertCounts }> {
      const scope = scopeOf(actor)
      const [rows, counts] = await Promise.all([
        listedAlerts(store, scope, query),
        alertCounts(store, scope, query.text),
      ])
      return { rows: rows.map(inWords), counts }
    },

    /** A page of changes, latest first. `next`: where the next page begins; null: there is none. */
    async past(actor: Actor, before: string | null, limit: number) {
      const key = before === null ? null : keyOf(before)
      const rows = await alertLogPage(store, scopeOf(actor), { of: null, before: key, limit: limit + 1 })
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      return { rows: shown, next: rows.length > limit && last !== undefined ? `${last.key}_${last.id}` : null }
    },

    /** One alert. Throws `not_found`. */
    async find(actor: Actor, id: number): Promise<AlertInFull> {
      const scope = scopeOf(actor)
      const alert = await alertDetail(store, scope, id)
      if (alert === null) throw notFound(`Alert ${id} does not exist`)
      const of = { ruleId: alert.rule_id, deviceId: alert.device_id }
      const [past, notifications] = await Promise.all([
        alertLogPage(store, scope, { of, before: null, limit: MAX_PAST }),
        alertNotifications(store, id, MAX_NOTIFICATIONS),
      ])
      const compared = comparedBy(alert.builder)
      const what = alert.rows.map((row) => ({ words: words(row, compared), row }))
      return { alert, what, past, notifications }
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

function keyOf(text: string): LogKey {
  const [, at, id] = /^(\d{1,16})_(\d{1,9})$/.exec(text.slice(0, MAX_KEY)) ?? []
  if (at === undefined) throw invalid('This page of the history does not exist')
  return { at: Number(at), id: Number(id) }
}

function inWords({ fault, builder, ...alert }: ListedAlert): OpenAlertRow {
  return { ...alert, what: fault === null ? '' : words(fault, comparedBy(builder)) }
}

const words = (row: Readonly<Record<string, unknown>>, compared: readonly string[]): string =>
  String(summarised(row, compared)['string'])

/** Columns that a rule compares; none if the rule no longer compiles. */
function comparedBy(builder: string): readonly string[] {
  try {
    return compile(builder).parts.compared
  } catch (error) {
    if (error instanceof BuilderError) return []
    throw error
  }
}
