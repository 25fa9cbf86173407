import { dashboardView } from '../series/grafana.ts'
import { KIND_LIST } from '../series/kinds.ts'
import type { GraphType } from './catalogue/graph-type.ts'

/** The objects whose values a query reads. */
export interface QuerySubject {
  /** Port ids; null if the kind is not ports. */
  readonly ports: readonly number[] | null
  /** The device; null if `only` identifies the object. */
  readonly deviceId: number | null
  /** The single object; null: all objects of the device. */
  readonly only: number | null
}

/** Most port ids in a query; graphs of more ports have none. */
const MAX_IDS = 500

/**
 * A query on schema `grafana` that returns the values of a graph. `{from}` and `{to}` stand for the range, epoch
 * seconds. Null: no view has these values. `level`: the level of detail that the graph read.
 */
export function chartSql(type: GraphType, of: QuerySubject, level: string | null): string | null {
  const name = type.data === 'ports' ? 'port' : type.data
  const kind = KIND_LIST.find((one) => one.name === name)
  const view = kind === undefined ? null : dashboardView(kind)
  if (kind === undefined || view === null || (of.ports?.length ?? 0) > MAX_IDS) return null
  const columns = linesOf(type, kind.lines).flatMap((line) => {
    const source = kind.lines.find((one) => one.name === line)?.sample ?? line
    return view.columns.get(/^"?(\w+)/.exec(source)?.[1] ?? '') ?? view.columns.get(line) ?? []
  })
  if (columns.length === 0) return null
  const isOne = of.only !== null || of.ports?.length === 1
  const wanted = ['"time"', ...(isOne || view.subject === null ? [] : [view.subject]), ...new Set(columns)]
  const where = [
    ...(of.ports === null
      ? []
      : [of.ports.length === 1 ? `port_id = ${of.ports[0]}` : `port_id in (${of.ports.join()})`]),
    ...(of.ports === null && of.only !== null ? [`${view.key} = ${of.only}`] : []),
    ...(of.ports === null && of.only === null && of.deviceId !== null ? [`device_id = ${of.deviceId}`] : []),
    ...(type.sensorClass !== undefined && of.only === null ? [`sensor_class = '${type.sensorClass}'`] : []),
    '"time" between to_timestamp({from}) and to_timestamp({to})',
  ]
  const suffix = level === '1h' || level === '1d' ? `_${level}` : ''
  return `select ${wanted.join(', ')} from grafana.${view.name}${suffix} where ${where.join(' and ')} order by "time"`
}

/** Names of the lines that a graph draws. */
function linesOf(type: GraphType, all: readonly { readonly name: string }[]): readonly string[] {
  if (type.lines !== undefined) return type.lines
  if (type.elements === 'lines') return all.map(({ name }) => name)
  return type.elements.flatMap(({ series, base }) => (base === undefined ? [series] : [series, base]))
}
