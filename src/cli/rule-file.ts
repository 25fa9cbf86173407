import { ruleExtra } from '../core/alerts/rules/extra.ts'
import type { RuleDraft } from '../core/alerts/rules/values.ts'
import { CliError } from './errors.ts'

/** Members of a rule in a file, which are those that `rule show --json` prints. */
const MEMBERS = new Set([
  ...['name', 'severity', 'builder', 'extra', 'disabled', 'proc', 'notes', 'invert_map', 'alert_operation_id'],
  ...['silenced', 'runbook'],
  ...['devices', 'groups', 'locations'],
])
/** Printed too, but given by the program. */
const DERIVED = new Set(['id', 'device_id', 'rule', 'query', 'operation'])
const SEVERITIES = ['ok', 'warning', 'critical'] as const

/** The rules of a JSON file, which holds one or a list. Throws CliError that names the rule and the member. */
export function rulesOf(file: string, content: unknown): readonly RuleDraft[] {
  const list: readonly unknown[] = Array.isArray(content) ? content : [content]
  if (list.length === 0) throw new CliError(`${file} has no rules`)
  return list.map((one, i) => ruleOf(one, `${file}${list.length > 1 ? `, rule ${i + 1}` : ''}`))
}

function ruleOf(value: unknown, where: string): RuleDraft {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CliError(`${where}: expected an object`)
  const given = value as Readonly<Record<string, unknown>>
  const unknown = Object.keys(given).filter((name) => !MEMBERS.has(name) && !DERIVED.has(name))
  if (unknown.length > 0)
    throw new CliError(`${where}: unknown members ${unknown.join(', ')}; known ones: ${[...MEMBERS].join(', ')}`)
  const { name, severity, builder, extra, devices, groups, locations } = given
  if (typeof name !== 'string' || name.trim() === '') throw new CliError(`${where}: name is missing`)
  const known = SEVERITIES.find((one) => one === severity)
  if (known === undefined) throw new CliError(`${where}: severity must be ${SEVERITIES.join(', ')}`)
  if (builder === undefined || builder === null || builder === '') throw new CliError(`${where}: builder is missing`)
  const operation = given['alert_operation_id']
  return {
    name,
    severity: known,
    builder: jsonText(builder),
    ownQuery: null,
    extra: ruleExtra(extra == null ? '' : jsonText(extra)),
    disabled: isOn(given['disabled']),
    proc: textOrNull(given['proc']),
    notes: textOrNull(given['notes']),
    invertMap: isOn(given['invert_map']),
    notify: isOn(given['silenced'])
      ? { kind: 'nobody' }
      : typeof operation === 'number'
        ? { kind: 'operation', id: operation }
        : { kind: 'transports' },
    stepDurationS: null,
    runbook: textOrNull(given['runbook']),
    devices: idsOf(devices, `${where}: devices`).map(String),
    groups: idsOf(groups, `${where}: groups`).map(Number),
    locations: idsOf(locations, `${where}: locations`).map(Number),
  }
}

const jsonText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const isOn = (value: unknown): boolean => value === true || value === 1

function idsOf(value: unknown, where: string): readonly (string | number)[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || !value.every((id) => typeof id === 'number' || typeof id === 'string'))
    throw new CliError(`${where} must be a list`)
  return value
}
