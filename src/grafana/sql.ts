/** Parts of the panels' SQL. Variables are always in the form `:sqlstring`, so that Grafana quotes what users type. */

/** Condition that the device in `column` is in one of the selected groups; with all, it may be in no group. */
export function inGroups(column = 'hostname'): string {
  return `('*' in (\${group:sqlstring}) or ${column} in (select g.hostname from grafana.device_groups g where g.device_group in (\${group:sqlstring})))`
}

/** Ids of the ports in the selected groups as an array; null: all. */
export const GROUP_PORTS = `case when '*' in (\${group:sqlstring}) then null::int[]
  else array(select p.port_id from grafana.ports p where not p.deleted and ${inGroups('p.hostname')}) end`

/** The selected device. */
export const DEVICE = `\${device:sqlstring}`
/** The selected port. */
export const PORT = `\${port:sqlstring}::int`

/**
 * Rows of a series view, from the level that fits the time range. `columns`: SQL over the view, beginning with its
 * time. The other levels cost nothing, because their condition is evaluated before they are read.
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

/** Like `levels`, with the columns `time`, `metric` and `value`, ordered by time. */
export function lines(view: string, kind: string, metric: string, value: string, where: string): string {
  return `${levels(view, kind, `"time", ${metric} as metric, (${value})::float8 as value`, where)}\norder by 1, 2`
}
