import { HEIGHT, type Json, LINKS, OPTIONS, placed, thresholds } from './compile.ts'

/** A dashboard of `/metrics`, whose data source is a Prometheus server that the user selects. */
export interface MetricsDashboard {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly panels: readonly MetricsPanel[]
}

/** Like the panels of other dashboards, but with queries in PromQL. `$instance`: the selected processes. */
export interface MetricsPanel {
  readonly type: 'stat' | 'timeseries'
  readonly title: string
  readonly width: number
  readonly height?: number
  /** Id of a Grafana unit. */
  readonly unit?: string
  /** A `stat` is red from this value on. */
  readonly badFrom?: number
  readonly queries: readonly { readonly expr: string; readonly legend: string }[]
}

const SOURCE = { type: 'prometheus', uid: `\${prometheus}` } as const

/** The JSON of a dashboard of metrics for Grafana. */
export function compileMetricsDashboard({ name, title, description, panels }: MetricsDashboard): Json {
  return {
    uid: `portlight-${name}`,
    title,
    description,
    tags: ['portlight'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '1m',
    timezone: 'browser',
    time: { from: 'now-6h', to: 'now' },
    links: LINKS,
    templating: {
      list: [
        { name: 'prometheus', label: 'Prometheus', type: 'datasource', query: 'prometheus', refresh: 1 },
        {
          name: 'instance',
          label: 'Process',
          type: 'query',
          datasource: SOURCE,
          query: 'label_values(portlight_build_info, instance)',
          refresh: 2,
          sort: 1,
          multi: true,
          includeAll: true,
          allValue: '.+',
          current: { text: 'All', value: '$__all' },
        },
      ],
    },
    panels: placed(panels).map(({ panel, x, y }, i) => compilePanel(panel, i + 1, x, y)),
  }
}

function compilePanel(panel: MetricsPanel, id: number, x: number, y: number): Json {
  const { type, title, width, unit, badFrom, queries } = panel
  return {
    id,
    type,
    title,
    datasource: SOURCE,
    gridPos: { x, y, w: width, h: panel.height ?? HEIGHT[type] },
    targets: queries.map(({ expr, legend }, i) => ({
      refId: String.fromCharCode(65 + i),
      datasource: SOURCE,
      expr,
      legendFormat: legend,
      ...(type === 'stat' ? { instant: true } : { range: true }),
    })),
    fieldConfig: {
      defaults: {
        ...(unit === undefined ? {} : { unit }),
        ...(type === 'stat'
          ? { thresholds: thresholds(badFrom) }
          : { custom: { drawStyle: 'line', lineWidth: 1, fillOpacity: 8, spanNulls: false } }),
      },
      overrides: [],
    },
    options: OPTIONS[type],
  }
}
