import { durationS } from '../../../core/alerts/rules/duration.ts'
import type { RuleExtra } from '../../../core/alerts/rules/extra.ts'
import type { RuleDraft } from '../../../core/alerts/rules/values.ts'
import { type AlertFilter, type AlertOrder, alertColumn } from '../../../core/alerts/service.ts'
import type { TemplateDraft } from '../../../core/alerts/templates/service.ts'
import { invalid, unusable } from '../../../core/base/errors.ts'
import { members } from '../../body.ts'
import { rowId } from '../lookup.ts'
import { notifyOf } from './operations.ts'

type Body = Readonly<Record<string, unknown>>

const SEVERITIES = ['ok', 'warning', 'critical'] as const
type Severity = (typeof SEVERITIES)[number]
const MAX_NAME = 255
const MAX_INTEGER = 2_147_483_647

/** Text; numbers count as text. Absent and null: null. */
function text(body: Body, name: string): string | null {
  const value = body[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.toWellFormed() : null
}

/** A flag: true, 1 or any text except 0, false and off. */
export function flag(value: unknown, absent = false): boolean {
  if (value === undefined || value === null) return absent
  if (typeof value === 'string') return !['', '0', 'false', 'off', 'no'].includes(value.trim().toLowerCase())
  return value === true || (typeof value === 'number' && value !== 0)
}

/** Removes HTML tags, because names and notes are shown in web pages. */
const withoutTags = (value: string | null) => value?.replaceAll(/<\/?[a-z!][^>]*>/gi, '') ?? null

const severityOf = (value: unknown): Severity | undefined =>
  SEVERITIES.find((severity) => severity === String(value ?? '').toLowerCase())

/** Maximum number of devices, groups, locations or rules in one request. */
const MAX_ITEMS = 10_000

/** Ids from a list or a single value. Invalid ids become -1, which no row has. */
const ids = (body: Body, name: string): number[] => items(body, name).map((item) => rowId(item))

/** Throws 400 if the list is too long. */
function items(body: Body, name: string): string[] {
  const value = body[name]
  if (value === undefined || value === null || value === '') return []
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (list.length > MAX_ITEMS) throw invalid(`${name} must not have more than ${MAX_ITEMS} items`)
  return list.map((item) => (typeof item === 'string' || typeof item === 'number' ? String(item).trim() : ''))
}

/** The filter of list_alerts and get_alert; state 1 by default. */
export function alertFilter(query: {
  readonly state?: string | undefined
  readonly severity?: string | undefined
  readonly alert_rule?: string | undefined
}): AlertFilter {
  const severity = severityOf(query.severity)
  const rule = query.alert_rule
  const states = (query.state ?? '1').split(',').map((state) => state.trim())
  return {
    states: states.filter((state) => /^\d{1,4}$/.test(state)).map(Number),
    ...(severity !== undefined && { severity }),
    ...(rule !== undefined && /^\d+$/.test(rule) && { ruleId: rowId(rule) }),
  }
}

/** `column`, `column ASC` or `column desc`. Throws 400 for a column that alerts do not have. */
export function alertOrder(order: string | undefined): AlertOrder {
  if (order === undefined) return { column: 'timestamp', descending: true }
  const [, name = '', direction = 'asc'] = /^(\w+)(?:\s+(asc|desc))?$/i.exec(order) ?? []
  const column = alertColumn(name)
  if (column === null) throw invalid(`Invalid columns: ${order}`)
  return { column, descending: direction.toLowerCase() === 'desc' }
}

/** Parses the body of add_rule and edit_rule. Checks in the order, and with the messages, of the contract. */
export function ruleDraft(json: unknown, isNew: boolean): RuleDraft {
  if (typeof json !== 'object' || json === null) throw unusable("We couldn't parse the provided json")
  const body = members(json)
  const devices = items(body, (body['devices'] ?? null) === null ? 'device_id' : 'devices')
  if (isNew && devices.length === 0) throw invalid('Missing the devices or global device (-1)')
  const builder = builderJson(body['builder'] ?? body['rule'])
  if (builder === null) throw invalid('Missing the alert builder rule')
  const name = withoutTags(text(body, 'name'))?.trim() ?? ''
  if (name === '') throw invalid('Missing the alert rule name')
  if (name.length > MAX_NAME) throw invalid(`The alert rule name has more than ${MAX_NAME} characters`)
  const severity = severityOf(body['severity'])
  if (severity === undefined) throw invalid('Missing the severity')
  const override = flag(body['override_query'])
  const own = text(body, 'adv_query')
  return {
    name,
    severity,
    builder,
    ownQuery: override && own !== null && own.trim() !== '' ? own : null,
    extra: extraOf(body, override),
    disabled: String(body['disabled']) === '1' || body['disabled'] === true,
    proc: text(body, 'proc')?.slice(0, 80) ?? null,
    notes: withoutTags(text(body, 'notes')),
    invertMap: flag(body['invert_map']),
    notify: notifyOf(body),
    stepDurationS: durationS(body['default_operation_step_duration']) || null,
    devices: devices.filter((device) => device !== '-1'),
    groups: ids(body, 'groups'),
    locations: ids(body, 'locations'),
  }
}

function extraOf(body: Body, override: boolean): RuleExtra {
  return {
    mute: flag(body['mute']),
    count: integer(body['count']) ?? -1,
    delay: durationS(body['delay']),
    invert: flag(body['invert']),
    interval: durationS(body['interval']),
    recovery: flag(body['recovery'], true),
    acknowledgement: flag(body['acknowledgement'], true),
    options: { override_query: override },
  }
}

/** The builder as JSON text; text is unchanged. Null if missing. */
function builderJson(builder: unknown): string | null {
  if (typeof builder === 'string') return builder.trim() === '' ? null : builder.toWellFormed()
  if (typeof builder !== 'object' || builder === null) return null
  return Object.keys(builder).length === 0 ? null : JSON.stringify(builder)
}

/** A 32-bit whole number, as number or text; null if invalid. */
function integer(value: unknown): number | null {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return null
  const number = Number(value)
  return Number.isInteger(number) && Math.abs(number) <= MAX_INTEGER ? number : null
}

/** The id of the object to change; null: none, so a new one is created. Invalid ids become -1. */
export function idToChange(json: unknown, member: 'rule_id' | 'template_id'): number | null {
  const value = members(json)[member]
  if (value === undefined || value === null || value === '') return null
  return typeof value === 'number' || typeof value === 'string' ? rowId(String(value).trim()) : -1
}

/**
 * Parses the body of add_alert_template. `check` throws for an invalid template; it runs before missing members are
 * reported.
 */
export function templateDraft(json: unknown, check: (texts: readonly (string | null)[]) => void): TemplateDraft {
  const body = members(json)
  const [name, template, title, titleRec] = ['name', 'template', 'title', 'title_rec'].map((n) => text(body, n)) as [
    string | null,
    string | null,
    string | null,
    string | null,
  ]
  check([template, title, titleRec])
  if (name === null || name.trim() === '') throw invalid('name variable must be set')
  if (template === null || template === '') throw invalid('template variable must be set')
  if (name.length > MAX_NAME) throw invalid('Could not create alert template')
  return { name, template, title, title_rec: titleRec, ruleIds: ids(body, 'alert_rules') }
}
