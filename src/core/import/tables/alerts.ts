import { type Conditions, convertedTemplate } from '../conditions.ts'
import type { Installation, TableSpec } from '../context.ts'
import type { Operation } from '../operations.ts'
import { intOf, type Row, textOf } from '../source.ts'
import { isoOf, jsonOf } from '../values.ts'

/** Tables that maintenance targets refer to, by type. */
const TARGETS: Readonly<Record<string, string>> = {
  device: 'devices',
  device_group: 'device_groups',
  location: 'locations',
}

/**
 * Rules, templates, transports, alerts and maintenance. `operations`: null if the installation does not have them yet.
 */
export function alertTables(
  operations: ReadonlyMap<number, Operation> | null,
  conditions: Conditions,
): readonly TableSpec[] {
  return [
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
        noteReceivers(row, operations, of)
        if (problem !== null) of.note(`rule ${name} is disabled: ${problem}`)
        const notes = [textOf(row, 'notes'), problem === null ? '' : `import: ${problem}`]
        return {
          ...values,
          severity: ['ok', 'warning', 'critical'].includes(severity) ? severity : 'critical',
          extra: extraOf(row, operations),
          query: textOf(row, 'query'),
          builder,
          disabled: problem === null ? (intOf(row, 'disabled') ?? 0) : 1,
          notes: notes.filter((text) => text !== '').join('\n') || null,
          alert_operation_id: intOf(row, 'alert_operation_id'),
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
      table: 'alert_transport_map',
      key: ['rule_id', 'target_type', 'transport_or_group_id'],
      convert(row, values, of) {
        const group = textOf(row, 'target_type') === 'group'
        const table = group ? 'alert_transport_groups' : 'alert_transports'
        const target = of.idOf(table, intOf(row, 'transport_or_group_id'))
        if (target === null) return null
        return { ...values, transport_or_group_id: target, target_type: group ? 'group' : 'single' }
      },
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

function noteReceivers(row: Row, operations: ReadonlyMap<number, Operation> | null, of: Installation): void {
  if (operations === null || row['alert_operation_id'] === undefined) return
  const name = textOf(row, 'name')
  const operation = operations.get(intOf(row, 'alert_operation_id') ?? 0)
  if (operation === undefined) of.note(`rule ${name} notifies nobody: it has no operation in the installation either`)
  else if (operation.mute) of.note(`rule ${name} notifies nobody: its operation ${operation.name} does not`)
  for (const lost of operation?.lost ?? [])
    of.note(`rule ${name}: of its operation ${operation?.name} this is not imported: ${lost}`)
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

function extraOf(row: Row, operations: ReadonlyMap<number, Operation> | null): string {
  const text = textOf(row, 'extra')
  if (operations === null || row['alert_operation_id'] === undefined) return text || '{}'
  const given = jsonOf(text)
  const extra = typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {}
  const operation = operations.get(intOf(row, 'alert_operation_id') ?? 0)
  // Without an operation nobody is notified.
  if (operation === undefined) return JSON.stringify({ ...extra, mute: true })
  const { delayS, intervalS, count, mute } = operation
  return JSON.stringify({ ...extra, mute, count, delay: delayS, interval: intervalS })
}
