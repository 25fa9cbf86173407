import type { TableSpec } from '../context.ts'
import { intOf, type Row, type Source, textOf } from '../source.ts'
import { isoOf, jsonOf } from '../values.ts'

/** Timing of a rule in the form that installations use since April 2026. */
export interface Operation {
  readonly delayS: number
  readonly intervalS: number
  /** -1: unlimited. */
  readonly count: number
  readonly mute: boolean
}

/** Tables that maintenance targets refer to, by type. */
const TARGETS: Readonly<Record<string, string>> = {
  device: 'devices',
  device_group: 'device_groups',
  location: 'locations',
}

/** Why a rule cannot be evaluated here; null: it can. */
export type RuleCheck = (builder: unknown) => string | null

/**
 * Rules, templates, transports, alerts and maintenance. `operations`: null if the installation does not have them yet.
 */
export function alertTables(operations: ReadonlyMap<number, Operation> | null, check: RuleCheck): readonly TableSpec[] {
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
        const problem = ruleProblem(row, check)
        if (problem !== null) of.note(`rule ${name} is disabled: ${problem}`)
        const notes = [textOf(row, 'notes'), problem === null ? '' : `import: ${problem}`]
        return {
          ...values,
          severity: ['ok', 'warning', 'critical'].includes(severity) ? severity : 'critical',
          extra: extraOf(row, operations),
          query: textOf(row, 'query'),
          builder: textOf(row, 'builder') || '{}',
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

function ruleProblem(row: Row, check: RuleCheck): string | null {
  const extra = jsonOf(textOf(row, 'extra'))
  const override = member(member(extra, 'options'), 'override_query')
  if (['on', 'true', '1'].includes(String(override))) return 'its condition is hand-written SQL'
  const builder = textOf(row, 'builder')
  if (builder === '' || builder === '[]' || builder === '{}')
    return 'it has no conditions, or conditions in an old format'
  return check(jsonOf(builder))
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

/** The installation's operations by id; null: it has no such tables. */
export async function readOperations(source: Source): Promise<ReadonlyMap<number, Operation> | null> {
  if (!source.tables.has('alert_operations')) return null
  const all = async (table: string): Promise<Row[]> => {
    const rows: Row[] = []
    if (source.tables.has(table)) for await (const some of source.rows(table)) rows.push(...some)
    return rows
  }
  const segments = Map.groupBy(await all('alert_operation_segments'), (row) => intOf(row, 'alert_operation_id') ?? 0)
  const place = (row: Row) => (intOf(row, 'position') ?? 0) * 1e9 + (intOf(row, 'id') ?? 0)
  return new Map(
    (await all('alert_operations')).map((row) => {
      const id = intOf(row, 'id') ?? 0
      const first = (segments.get(id) ?? []).toSorted((a, b) => place(a) - place(b))[0]
      const of = (name: string): number | null => (first === undefined ? null : intOf(first, name))
      const to = of('escalation_step_to')
      return [
        id,
        {
          delayS: of('start_in_seconds') ?? 0,
          intervalS: of('step_duration_seconds') || (intOf(row, 'default_operation_step_duration_seconds') ?? 0),
          count: to === null ? -1 : to - (of('escalation_step_from') ?? 1) + 1,
          mute: textOf(row, 'notifications_suppressed') === '1' || first === undefined,
        },
      ]
    }),
  )
}
