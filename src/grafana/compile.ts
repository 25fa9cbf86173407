import type { Dashboard, Link, Panel, VariableName } from './description.ts'

/** The data source of deploy/grafana; dashboards refer to it. */
export const DATA_SOURCE = { type: 'grafana-postgresql-datasource', uid: 'portlight' } as const

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

export const HEIGHT = { stat: 4, timeseries: 9, table: 10 } as const
const PAGE = 24

/** Links to the other dashboards, with the same time range and variables. */
export const LINKS: Json = [
  {
    type: 'dashboards',
    title: 'Portlight',
    tags: ['portlight'],
    asDropdown: true,
    includeVars: true,
    keepTime: true,
  },
]

/** The JSON of a dashboard for Grafana. `portlight`: URL of the API, for links to its graphs. */
export function compileDashboard(dashboard: Dashboard, portlight: string): Json {
  const { name, title, description, variables, from = 'now-24h', panels } = dashboard
  return {
    uid: `portlight-${name}`,
    title,
    description,
    tags: ['portlight'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '5m',
    timezone: 'browser',
    time: { from, to: 'now' },
    links: LINKS,
    templating: {
      list: [
        ...variables.map((variable) => compileVariable(variable, variables)),
        {
          name: 'portlight',
          type: 'constant',
          hide: 2,
          skipUrlSync: true,
          query: portlight,
          current: { text: portlight, value: portlight },
        },
      ],
    },
    panels: placed(panels).map(({ panel, x, y }, i) => compilePanel(panel, i + 1, x, y)),
  }
}

/** Queries of the variables. `all`: several values, and all, can be selected. */
const VARIABLES: Readonly<
  Record<VariableName, { label: string; all: boolean; sql: (others: readonly VariableName[]) => string }>
> = {
  group: {
    label: 'Group',
    all: true,
    sql: () => 'select distinct device_group from grafana.device_groups order by 1',
  },
  device: {
    label: 'Device',
    all: false,
    sql: (others) =>
      others.includes('group')
        ? `select d.hostname from grafana.devices d where '*' in (\${group:sqlstring})
  or d.hostname in (select g.hostname from grafana.device_groups g where g.device_group in (\${group:sqlstring})) order by 1`
        : 'select hostname from grafana.devices order by 1',
  },
  port: {
    label: 'Port',
    all: false,
    sql: () =>
      `select port as __text, port_id::text as __value from grafana.ports where hostname = \${device:sqlstring} and not deleted order by if_index`,
  },
  bill: {
    label: 'Bill',
    all: false,
    sql: () => 'select bill as __text, bill_id::text as __value from grafana.bills order by bill, bill_id',
  },
}

function compileVariable(name: VariableName, others: readonly VariableName[]): Json {
  const { label, all, sql } = VARIABLES[name]
  const query = sql(others)
  return {
    name,
    label,
    type: 'query',
    datasource: DATA_SOURCE,
    definition: query,
    query,
    // 2: whenever the time range changes, because devices and ports come and go
    refresh: 2,
    sort: 0,
    multi: all,
    includeAll: all,
    // Grafana inserts allValue unquoted.
    ...(all ? { allValue: "'*'", current: { text: 'All', value: '$__all' } } : {}),
  }
}

interface Sized {
  readonly type: keyof typeof HEIGHT
  readonly width: number
  readonly height?: number
}

/** Places panels from left to right; a panel that does not fit begins a new row. */
export function placed<P extends Sized>(panels: readonly P[]): readonly { panel: P; x: number; y: number }[] {
  let [x, y, tallest] = [0, 0, 0]
  return panels.map((panel) => {
    if (x + panel.width > PAGE) [x, y, tallest] = [0, y + tallest, 0]
    const at = { panel, x, y }
    x += panel.width
    tallest = Math.max(tallest, heightOf(panel))
    return at
  })
}

const heightOf = (panel: Sized): number => panel.height ?? HEIGHT[panel.type]

function compilePanel(panel: Panel, id: number, x: number, y: number): Json {
  const { type, title, sql, width, unit } = panel
  return {
    id,
    type,
    title,
    datasource: DATA_SOURCE,
    gridPos: { x, y, w: width, h: heightOf(panel) },
    targets: [
      {
        refId: 'A',
        datasource: DATA_SOURCE,
        format: type === 'timeseries' ? 'time_series' : 'table',
        rawQuery: true,
        editorMode: 'code',
        rawSql: sql,
      },
    ],
    fieldConfig: {
      defaults: {
        ...(unit === undefined ? {} : { unit }),
        ...(panel.type === 'timeseries' ? linesDefaults(panel.max) : {}),
        ...(panel.type === 'stat' ? { thresholds: thresholds(panel.badFrom) } : {}),
      },
      overrides: panel.type === 'table' ? tableOverrides(panel) : [],
    },
    options: OPTIONS[type],
  }
}

/** Gaps are not connected, although a bucket without samples has no row. */
function linesDefaults(max: number | undefined): Record<string, Json> {
  return {
    ...(max === undefined ? {} : { max }),
    min: null,
    custom: {
      drawStyle: 'line',
      lineWidth: 1,
      fillOpacity: 8,
      showPoints: 'auto',
      spanNulls: false,
      insertNulls: 7_200_000,
    },
  }
}

export function thresholds(badFrom: number | undefined): Json {
  const steps = [{ color: 'green', value: null }, ...(badFrom === undefined ? [] : [{ color: 'red', value: badFrom }])]
  return { mode: 'absolute', steps }
}

function tableOverrides({ units = {}, links = {}, hidden = [] }: Panel & { readonly type: 'table' }): Json {
  const override = (column: string, id: string, value: Json): Json => ({
    matcher: { id: 'byName', options: column },
    properties: [{ id, value }],
  })
  const link = ({ title, url }: Link): Json => [{ title, url }]
  return [
    ...Object.entries(units).map(([column, unit]) => override(column, 'unit', unit)),
    ...Object.entries(links).map(([column, to]) => override(column, 'links', link(to))),
    ...hidden.map((column) => override(column, 'custom.hidden', true)),
  ]
}

export const OPTIONS: Readonly<Record<Panel['type'], Json>> = {
  stat: { reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false }, colorMode: 'value', graphMode: 'none' },
  timeseries: {
    legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull', 'mean', 'max'] },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
  table: { showHeader: true, cellHeight: 'sm' },
}
