import { ruleExtra } from '../../../core/alerts/rules/extra.ts'
import type { RuleNotify } from '../../../core/alerts/rules/notify.ts'
import type { RulePreset } from '../../../core/alerts/rules/presets.ts'
import type { AlertRule } from '../../../core/alerts/rules/service.ts'
import type { RuleDraft } from '../../../core/alerts/rules/values.ts'
import { invalid } from '../../../core/base/errors.ts'
import type { Form } from '../../page.ts'
import { secondsOf, shortDuration } from './durations.ts'

/** A rule as its form shows it: text as users enter it. */
export interface RuleFields {
  readonly name: string
  readonly severity: string
  readonly builder: string
  /** '': the ticked transports, or the default ones; `nobody`; or the id of an operation. */
  readonly operation: string
  readonly delay: string
  readonly interval: string
  readonly count: string
  readonly mute: boolean
  readonly invert: boolean
  readonly recovery: boolean
  readonly acknowledgement: boolean
  readonly disabled: boolean
  readonly invertMap: boolean
  readonly proc: string
  readonly runbook: string
  readonly notes: string
  /** Names, one per line. */
  readonly devices: string
  readonly groups: string
  readonly locations: string
}

const SEVERITIES = ['ok', 'warning', 'critical'] as const
const MAX_NAME = 255
const MAX_PROC = 80
const MAX_COUNT = 1_000_000
const MAX_LINES = 20_000

const EMPTY_BUILDER = {
  condition: 'AND',
  rules: [{ id: 'macros.device_down', field: 'macros.device_down', operator: 'equal', value: '1' }],
  valid: true,
}

export const EMPTY: RuleFields = {
  name: '',
  severity: 'critical',
  builder: JSON.stringify(EMPTY_BUILDER),
  operation: '',
  delay: '1m',
  interval: '0',
  count: '-1',
  mute: false,
  invert: false,
  recovery: true,
  acknowledgement: true,
  disabled: false,
  invertMap: false,
  proc: '',
  runbook: '',
  notes: '',
  devices: '',
  groups: '',
  locations: '',
}

export function ofPreset({ name, severity, builder, delay, about }: RulePreset): RuleFields {
  return { ...EMPTY, name, severity, builder: JSON.stringify(builder), delay: shortDuration(delay), notes: about }
}

/** A stored rule. `names`: what it is limited to, by name, one per line. */
export function ofRule(rule: AlertRule, names: Pick<RuleFields, 'devices' | 'groups' | 'locations'>): RuleFields {
  const extra = ruleExtra(rule.extra)
  return {
    ...EMPTY,
    ...names,
    name: rule.name,
    severity: rule.severity,
    builder: rule.builder,
    operation: rule.silenced === 1 ? 'nobody' : String(rule.alert_operation_id ?? ''),
    delay: shortDuration(extra.delay),
    interval: shortDuration(extra.interval),
    count: String(extra.count),
    mute: extra.mute,
    invert: extra.invert,
    recovery: extra.recovery,
    acknowledgement: extra.acknowledgement,
    disabled: rule.disabled === 1,
    invertMap: rule.invert_map === 1,
    proc: rule.proc ?? '',
    runbook: rule.runbook ?? '',
    notes: rule.notes ?? '',
  }
}

/** The form exactly as sent. */
export function ofForm(form: Form): RuleFields {
  const text = (name: string) => (form.get(name) ?? '').replaceAll('\r\n', '\n')
  const isOn = (name: string) => form.get(name) === '1'
  return {
    name: text('name'),
    severity: text('severity'),
    builder: text('builder'),
    operation: text('operation'),
    delay: text('delay'),
    interval: text('interval'),
    count: text('count'),
    mute: isOn('mute'),
    invert: isOn('invert'),
    recovery: isOn('recovery'),
    acknowledgement: isOn('acknowledgement'),
    disabled: isOn('disabled'),
    invertMap: isOn('invert_map'),
    proc: text('proc'),
    runbook: text('runbook'),
    notes: text('notes'),
    devices: text('devices'),
    groups: text('groups'),
    locations: text('locations'),
  }
}

/** Trimmed, non-empty lines. Throws `invalid` if there are too many. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  if (lines.length > MAX_LINES) throw invalid(`At most ${MAX_LINES} lines`)
  return lines
}

/** Ids of the names, regardless of case. Throws `invalid` for unknown names. */
export function idsOf(what: string, lines: readonly string[], known: ReadonlyMap<string, number>): number[] {
  const absent = lines.filter((line) => !known.has(line.toLowerCase()))
  if (absent.length > 0) throw invalid(`There is no ${what} ${absent.slice(0, 5).join(', ')}`)
  return lines.flatMap((line) => known.get(line.toLowerCase()) ?? [])
}

/** The rule in a form, without groups and locations. `before`: the stored rule; null: a new one. Throws `invalid`. */
export function wantedOf(fields: RuleFields, before: AlertRule | null): Omit<RuleDraft, 'groups' | 'locations'> {
  const name = fields.name.trim()
  if (name === '' || name.length > MAX_NAME) throw invalid(`A name has 1 to ${MAX_NAME} characters`)
  const severity = SEVERITIES.find((one) => one === fields.severity)
  if (severity === undefined) throw invalid('Choose a severity')
  const most = Number(fields.count.trim() === '' ? '-1' : fields.count)
  if (!Number.isInteger(most) || most < -1 || most > MAX_COUNT)
    throw invalid('Maximum: enter a whole number, or -1 for no limit')
  if (fields.proc.length > MAX_PROC) throw invalid(`What to do has at most ${MAX_PROC} characters`)
  const old = before === null ? null : ruleExtra(before.extra)
  return {
    name,
    severity,
    builder: fields.builder,
    // Hand-written SQL stays until it is removed through the API.
    ownQuery: old?.options.override_query === true ? (before?.query ?? null) : null,
    extra: {
      mute: fields.mute,
      count: most,
      delay: secondsOf('Delay', fields.delay),
      invert: fields.invert,
      interval: secondsOf('Repeat every', fields.interval),
      recovery: fields.recovery,
      acknowledgement: fields.acknowledgement,
      options: old?.options ?? { override_query: false },
    },
    disabled: fields.disabled,
    proc: fields.proc.trim() === '' ? null : fields.proc.trim(),
    notes: fields.notes.trim() === '' ? null : fields.notes.trim(),
    invertMap: fields.invertMap,
    notify: notifyOf(fields.operation),
    stepDurationS: null,
    runbook: fields.runbook,
    devices: linesOf(fields.devices),
  }
}

function notifyOf(operation: string): RuleNotify {
  if (operation === '') return { kind: 'transports' }
  if (operation === 'nobody') return { kind: 'nobody' }
  if (!/^\d{1,9}$/.test(operation)) throw invalid('Choose who is notified')
  return { kind: 'operation', id: Number(operation) }
}
