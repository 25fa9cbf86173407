import { intOf, type Row, type Source, textOf } from './source.ts'

/** Timing and receivers of a rule in the form that installations use since April 2026. */
export interface Operation {
  readonly name: string
  readonly delayS: number
  readonly intervalS: number
  /** -1: unlimited. */
  readonly count: number
  /** Nobody is notified: by choice, or because no receiver is named. */
  readonly mute: boolean
  /** Transports and groups of the first segment for problems, in the installation's ids. Empty also if unknown. */
  readonly targets: readonly { readonly id: number; readonly type: 'single' | 'group' }[]
  /** What of it has no equivalent here, in words. */
  readonly lost: readonly string[]
}

const RECEIVERS = 'alert_operation_transport_map'

const PHASES: Readonly<Record<string, string>> = { problem: 'problems', recovery: 'recoveries', update: 'updates' }

/** The installation's operations by id; null: it has no such tables. */
export async function readOperations(source: Source): Promise<ReadonlyMap<number, Operation> | null> {
  if (!source.tables.has('alert_operations')) return null
  const all = async (table: string): Promise<Row[]> => {
    const rows: Row[] = []
    if (source.tables.has(table)) for await (const some of source.rows(table)) rows.push(...some)
    return rows
  }
  const segments = Map.groupBy(await all('alert_operation_segments'), (row) => intOf(row, 'alert_operation_id') ?? 0)
  const isKnown = source.tables.has(RECEIVERS)
  const maps = Map.groupBy(await all(RECEIVERS), (row) => intOf(row, 'segment_id') ?? 0)
  const operations = await all('alert_operations')
  return new Map(
    operations.map((row) => {
      const id = intOf(row, 'id') ?? 0
      return [id, operationOf(row, segments.get(id) ?? [], isKnown ? maps : null)]
    }),
  )
}

function operationOf(row: Row, segments: readonly Row[], maps: ReadonlyMap<number, readonly Row[]> | null): Operation {
  const place = (segment: Row) => (intOf(segment, 'position') ?? 0) * 1e9 + (intOf(segment, 'id') ?? 0)
  const isProblem = (segment: Row) => ['', 'problem'].includes(textOf(segment, 'operation_phase'))
  const sorted = segments.toSorted((a, b) => place(a) - place(b))
  const first = sorted.find(isProblem)
  const of = (name: string): number | null => (first === undefined ? null : intOf(first, name))
  const to = of('escalation_step_to')
  const targets = (first === undefined ? [] : (maps?.get(intOf(first, 'id') ?? 0) ?? [])).flatMap((target) => {
    const id = intOf(target, 'transport_or_group_id')
    const type = textOf(target, 'target_type') === 'group' ? 'group' : 'single'
    return id === null ? [] : [{ id, type } as const]
  })
  const name = textOf(row, 'name')
  return {
    name,
    delayS: of('start_in_seconds') ?? 0,
    intervalS: of('step_duration_seconds') || (intOf(row, 'default_operation_step_duration_seconds') ?? 0),
    count: to === null ? -1 : to - (of('escalation_step_from') ?? 1) + 1,
    mute:
      textOf(row, 'notifications_suppressed') === '1' || first === undefined || (maps !== null && targets.length === 0),
    targets,
    lost: sorted
      .filter((segment) => segment !== first)
      .map((segment) => {
        const phase = textOf(segment, 'operation_phase') || 'problem'
        const from = intOf(segment, 'escalation_step_from') ?? 1
        const last = intOf(segment, 'escalation_step_to')
        const steps = last === null ? `from step ${from}` : `steps ${from} to ${last}`
        return `its segment for ${PHASES[phase] ?? phase}, ${steps}, starting after ${intOf(segment, 'start_in_seconds') ?? 0} s`
      }),
  }
}

const MAP = 'alert_transport_map'

/**
 * The installation with the receivers of each rule in table alert_transport_map, as before there were operations. In
 * installations that have them, that table is out of force.
 */
export function withReceivers(source: Source, operations: ReadonlyMap<number, Operation> | null): Source {
  if (operations === null || !source.tables.has(RECEIVERS)) return source
  const tables = new Map(source.tables)
  tables.set(MAP, ['rule_id', 'transport_or_group_id', 'target_type'])
  async function* receivers(): AsyncGenerator<readonly Row[]> {
    for await (const rules of source.rows('alert_rules')) {
      yield rules.flatMap((rule) => {
        const operation = operations?.get(intOf(rule, 'alert_operation_id') ?? 0)
        return (operation?.targets ?? []).map(({ id, type }) => ({
          rule_id: textOf(rule, 'id'),
          transport_or_group_id: String(id),
          target_type: type,
        }))
      })
    }
  }
  return { ...source, tables, rows: (table, options) => (table === MAP ? receivers() : source.rows(table, options)) }
}
