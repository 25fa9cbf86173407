import { MAX_STEP, MAX_TIME_S, PHASES } from '../../alerts/operations/operation.ts'
import { type Conditions, convertedTemplate } from '../conditions.ts'
import type { Converted, Installation, TableSpec } from '../context.ts'
import type { Operations } from '../operations.ts'
import { intOf, type Row, textOf } from '../source.ts'
import { isoOf, jsonOf } from '../values.ts'
import type { JsonValue } from '../write-tables.ts'

/** Tables that maintenance targets refer to, by type. */
const TARGETS: Readonly<Record<string, string>> = {
  device: 'devices',
  device_group: 'device_groups',
  location: 'locations',
}

/**
 * Rules, templates, transports, alerts and maintenance. `operations`: null if the installation does not have them yet.
 * `rulesDisabled`: all rules arrive disabled.
 */
export function alertTables(
  operations: Operations | null,
  conditions: Conditions,
  rulesDisabled: boolean,
): readonly TableSpec[] {
  return [
    ...operationTables(operations),
    {
      table: 'alert_rules',
      known: true,
      key: ['name'],
      caseless: true,
      rename: { column: 'name', same: ['builder'] },
      convert(row, values, of) {
        const name = textOf(row, 'name')
        const severity = textOf(row, 'severity')
        const { builder, problem } = ruleConditions(row, conditions)
        const own = operationOf(row, operations, of)
        if (problem !== null) of.note(`rule ${name} is disabled: ${problem}`)
        const notes = [textOf(row, 'notes'), problem === null ? '' : `import: ${problem}`]
        return {
          ...values,
          severity: ['ok', 'warning', 'critical'].includes(severity) ? severity : 'critical',
          extra: extraOf(row, operations),
          silenced: own === 'nobody' ? 1 : 0,
          query: textOf(row, 'query'),
          builder,
          disabled: problem === null && !rulesDisabled ? (intOf(row, 'disabled') ?? 0) : 1,
          notes: notes.filter((text) => text !== '').join('\n') || null,
          alert_operation_id: own === 'nobody' ? null : own,
        }
      },
    },
    { table: 'alert_device_map' },
    { table: 'alert_group_map' },
    { table: 'alert_location_map' },
    {
      table: 'alert_templates',
      known: true,
      key: ['name'],
      caseless: true,
      rename: { column: 'name', same: ['template'] },
      convert(row, values, of) {
        const converted = convertedTemplate(row, conditions.beforeBothReasons, of)
        return { ...values, ...converted }
      },
    },
    { table: 'alert_template_map' },
    {
      table: 'alert_transports',
      known: true,
      key: ['transport_name'],
      caseless: true,
      rename: { column: 'transport_name', same: ['transport_type'] },
      convert: (row, values) => ({ ...values, transport_config: jsonOf(textOf(row, 'transport_config')) ?? {} }),
    },
    { table: 'alert_transport_groups', known: true, key: ['transport_group_name'], caseless: true },
    { table: 'transport_group_transport' },
    {
      table: 'alert_operation_transport_map',
      key: ['segment_id', 'target_type', 'transport_or_group_id'],
      convert: (row, values, of) => targetOf(row, values, of),
    },
    {
      table: 'alert_transport_map',
      key: ['rule_id', 'target_type', 'transport_or_group_id'],
      convert: (row, values, of) => targetOf(row, values, of),
    },
    {
      table: 'alerts',
      key: ['device_id', 'rule_id'],
      // Alerts that were already notified are not notified again.
      convert: (row, values) => ({
        ...values,
        alerted: intOf(row, 'state') ?? 0,
        open: 0,
        info: textOf(row, 'info'),
      }),
    },
    {
      table: 'alert_schedule',
      known: true,
      convert: (row, values) => ({
        ...values,
        start: isoOf(textOf(row, 'start')),
        end: isoOf(textOf(row, 'end')) ?? '9000-01-01T00:00:00Z',
        notes: textOf(row, 'notes'),
      }),
    },
    {
      table: 'alert_schedulables',
      convert(row, values, of) {
        const type = textOf(row, 'alert_schedulable_type')
        const target = of.idOf(TARGETS[type] ?? '', intOf(row, 'alert_schedulable_id'))
        return target === null ? null : { ...values, alert_schedulable_id: target }
      },
    },
  ]
}

function ruleConditions(row: Row, conditions: Conditions): { builder: string; problem: string | null } {
  const builder = textOf(row, 'builder')
  const extra = jsonOf(textOf(row, 'extra'))
  const override = member(member(extra, 'options'), 'override_query')
  if (['on', 'true', '1'].includes(String(override)))
    return { builder: builder || '{}', problem: 'its condition is hand-written SQL' }
  if (builder === '' || builder === '[]' || builder === '{}')
    return { builder: '{}', problem: 'it has no conditions, or conditions in an old format' }
  return conditions.convert(builder, `rule ${textOf(row, 'name')}`)
}

/** Operations and their segments. Whom these notify comes after transports. */
function operationTables(operations: Operations | null): readonly TableSpec[] {
  if (operations === null || !operations.whole) return []
  return [
    {
      table: 'alert_operations',
      known: true,
      convert: (row, values) => ({
        ...values,
        default_operation_step_duration_seconds:
          within(intOf(row, 'default_operation_step_duration_seconds'), 0, MAX_TIME_S) || null,
        notifications_suppressed: textOf(row, 'notifications_suppressed') === '1' ? 1 : 0,
      }),
    },
    {
      table: 'alert_operation_segments',
      convert(row, values) {
        const phase = textOf(row, 'operation_phase')
        const from = within(intOf(row, 'escalation_step_from'), 1, MAX_STEP) ?? 1
        return {
          ...values,
          position: within(intOf(row, 'position'), -32_768, 32_767) ?? 0,
          operation_phase: PHASES.find((known) => known === phase) ?? 'problem',
          escalation_step_from: from,
          escalation_step_to: within(intOf(row, 'escalation_step_to'), from, MAX_STEP),
          start_in_seconds: within(intOf(row, 'start_in_seconds'), 0, MAX_TIME_S) ?? 0,
          step_duration_seconds: within(intOf(row, 'step_duration_seconds'), 0, MAX_TIME_S) ?? 0,
        }
      },
    },
  ]
}

const within = (value: number | null, least: number, most: number) =>
  value === null ? null : Math.min(most, Math.max(least, value))

/** A transport or group as the target of a rule or of a segment. */
function targetOf(row: Row, values: Readonly<Record<string, JsonValue>>, of: Installation): Converted {
  const group = textOf(row, 'target_type') === 'group'
  const table = group ? 'alert_transport_groups' : 'alert_transports'
  const target = of.idOf(table, intOf(row, 'transport_or_group_id'))
  if (target === null) return null
  return { ...values, transport_or_group_id: target, target_type: group ? 'group' : 'single' }
}

/**
 * The id here of a rule's operation. `nobody`: it has none in an installation that has operations, and there only these
 * notify. null: operations are not imported.
 */
function operationOf(row: Row, operations: Operations | null, of: Installation): number | 'nobody' | null {
  if (operations === null || row['alert_operation_id'] === undefined) return null
  const name = textOf(row, 'name')
  const id = intOf(row, 'alert_operation_id')
  const operation = operations.byId.get(id ?? 0)
  if (operation === undefined) of.note(`rule ${name} notifies nobody: it has no operation in the installation either`)
  else if (operation.mute) of.note(`rule ${name} notifies nobody: its operation ${operation.name} does not`)
  if (operation === undefined) return 'nobody'
  if (!operations.whole) {
    of.note(
      `rule ${name}: its operation ${operation.name} is not imported, because the installation does not say whom it notifies`,
    )
    return null
  }
  return of.idOf('alert_operations', id) ?? 'nobody'
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

function extraOf(row: Row, operations: Operations | null): string {
  const text = textOf(row, 'extra')
  if (operations === null || row['alert_operation_id'] === undefined) return text || '{}'
  const given = jsonOf(text)
  const extra = typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {}
  const operation = operations.byId.get(intOf(row, 'alert_operation_id') ?? 0)
  // what it says of these is out of date
  if (operation === undefined) return JSON.stringify({ ...extra, mute: false })
  const { delayS, intervalS, count, mute } = operation
  return JSON.stringify({ ...extra, mute: mute && !operations.whole, count, delay: delayS, interval: intervalS })
}
