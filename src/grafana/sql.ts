/** Parts of the panels' SQL. Variables are always `:sqlstring`, quoted by Grafana whatever a user types. */

/** Condition that the device of `column` is in one of the chosen groups; all: also devices in no group. */
export function inGroups(column = 'hostname'): string {
  return `('*' in (\${group:sqlstring}) or ${column} in (select g.hostname from grafana.device_groups g where g.device_group in (\${group:sqlstring})))`
}

/** Ports of the chosen groups as an array; null: all. */
export const GROUP_PORTS = `case when '*' in (\${group:sqlstring}) then null::int[]
  else array(select p.port_id from grafana.ports p where not p.deleted and ${inGroups('p.hostname')}) end`

/** The device that is chosen. */
export const DEVICE = `\${device:sqlstring}`
/** The port that is chosen. */
export const PORT = `\${port:sqlstring}::int`

/**
 * Rows of a view of the series, from the level that fits the range. `columns`: SQL over the view, the first one its time.
 * Levels that are not read cost nothing, because their condition is decided before they are.
 */
export function levels(view: string, kind: string, columns: string, where: string): string {
  const level = `grafana.level_for($__timeFrom(), grafana.step_for($__timeFrom(), $__timeTo(), 400), '${kind}')`
  return ['', '_1h', '_1d']
    .map(
      (suffix) =>
        `select ${columns} from grafana.${view}${suffix} where $__timeFilter("time") and ${where} and ${level} = '${suffix}'`,
    )
    .join('\nunion all\n')
}

/** The same with the columns `time`, `metric` and `value`, ordered by time. */
export function lines(view: string, kind: string, metric: string, value: string, where: string): string {
  return `${levels(view, kind, `"time", ${metric} as metric, (${value})::float8 as value`, where)}\norder by 1, 2`
}
