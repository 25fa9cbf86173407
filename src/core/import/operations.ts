import { intOf, type Row, type Source, textOf } from './source.ts'

/** The first segment for problems of an operation, in the form of rules before there were operations. */
export interface Operation {
  readonly name: string
  readonly delayS: number
  readonly intervalS: number
  /** -1: unlimited. */
  readonly count: number
  /** Nobody is notified: by choice, or because no receiver is named. */
  readonly mute: boolean
}

/** The installation's operations by id. */
export interface Operations {
  readonly byId: ReadonlyMap<number, Operation>
  /** Whether it says whom they notify; otherwise only their timing can be taken. */
  readonly whole: boolean
}

const RECEIVERS = 'alert_operation_transport_map'

/** The installation's operations; null: it has no such tables. */
export async function readOperations(source: Source): Promise<Operations | null> {
  if (!source.tables.has('alert_operations')) return null
  const all = async (table: string): Promise<Row[]> => {
    const rows: Row[] = []
    if (source.tables.has(table)) for await (const some of source.rows(table)) rows.push(...some)
    return rows
  }
  const segments = Map.groupBy(await all('alert_operation_segments'), (row) => intOf(row, 'alert_operation_id') ?? 0)
  const whole = source.tables.has(RECEIVERS)
  const maps = Map.groupBy(await all(RECEIVERS), (row) => intOf(row, 'segment_id') ?? 0)
  const operations = await all('alert_operations')
  const byId = new Map(
    operations.map((row) => {
      const id = intOf(row, 'id') ?? 0
      return [id, operationOf(row, segments.get(id) ?? [], whole ? maps : null)]
    }),
  )
  return { byId, whole }
}

function operationOf(row: Row, segments: readonly Row[], maps: ReadonlyMap<number, readonly Row[]> | null): Operation {
  const place = (segment: Row) => (intOf(segment, 'position') ?? 0) * 1e9 + (intOf(segment, 'id') ?? 0)
  const isProblem = (segment: Row) => ['', 'problem'].includes(textOf(segment, 'operation_phase'))
  const sorted = segments.toSorted((a, b) => place(a) - place(b))
  const first = sorted.find(isProblem)
  const of = (name: string): number | null => (first === undefined ? null : intOf(first, name))
  const to = of('escalation_step_to')
  const isHeard = (segment: Row) => maps === null || (maps.get(intOf(segment, 'id') ?? 0) ?? []).length > 0
  const name = textOf(row, 'name')
  return {
    name,
    delayS: of('start_in_seconds') ?? 0,
    intervalS: of('step_duration_seconds') || (intOf(row, 'default_operation_step_duration_seconds') ?? 0),
    count: to === null ? -1 : to - (of('escalation_step_from') ?? 1) + 1,
    mute: textOf(row, 'notifications_suppressed') === '1' || !sorted.some((one) => isProblem(one) && isHeard(one)),
  }
}

const MAP = 'alert_transport_map'

/** The installation without the receivers of rules where operations have taken their place. */
export function withoutReceivers(source: Source, operations: Operations | null): Source {
  if (operations === null || !operations.whole) return source
  const tables = new Map(source.tables)
  tables.delete(MAP)
  return { ...source, tables }
}
