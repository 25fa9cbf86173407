/** A dashboard as described in src/grafana/dashboards; `compile.ts` turns it into JSON for Grafana. */
export interface Dashboard {
  /** Last part of the dashboard's uid, `portlight-NAME`, and name of its file. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** In order of dependency. */
  readonly variables: readonly VariableName[]
  /** Start of the initial time range, in the syntax of Grafana: `now-24h`. */
  readonly from?: string
  readonly panels: readonly Panel[]
}

export type VariableName = 'group' | 'device' | 'port' | 'bill'

/** Width in 24ths of the page; height in rows of 30 pixels. Panels are placed from left to right. */
interface Common {
  readonly title: string
  readonly sql: string
  readonly width: number
  readonly height?: number
  /** Id of a Grafana unit. */
  readonly unit?: string
}

/** `stat`: one number. */
export interface Stat extends Common {
  readonly type: 'stat'
  /** The number is red from this value on. */
  readonly badFrom?: number
}
/** Columns `time` (timestamptz), optionally `metric` (text), and numbers. */
export interface Lines extends Common {
  readonly type: 'timeseries'
  readonly max?: number
}
/** Any columns. */
export interface Table extends Common {
  readonly type: 'table'
  /** Units of columns, by name. */
  readonly units?: Readonly<Record<string, string>>
  /** Links of columns, by name. */
  readonly links?: Readonly<Record<string, Link>>
  /** Columns that are needed only for links and not shown. */
  readonly hidden?: readonly string[]
}
export type Panel = Stat | Lines | Table

export interface Link {
  readonly title: string
  readonly url: string
}

/** A panel with one count, red from `badFrom` on. */
export function count(title: string, width: number, sql: string, badFrom?: number): Stat {
  return { type: 'stat', title, width, sql, ...(badFrom === undefined ? {} : { badFrom }) }
}

/** For a link: the value of another column in the same row. */
export const field = (column: string): string => `\${__data.fields.${column}:percentencode}`

/** Link to the device's dashboard, from a row with `hostname`. */
export const TO_DEVICE: Link = {
  title: 'Device',
  url: `/d/portlight-device?var-device=${field('hostname')}&\${__url_time_range}`,
}
/** Link to the port's dashboard, from a row with `hostname` and `port_id`. */
export const TO_PORT: Link = {
  title: 'Port',
  url: `/d/portlight-port?var-device=${field('hostname')}&var-port=${field('port_id')}&\${__url_time_range}`,
}
/** Link to the API's graph of a port's traffic, from a row with `hostname` and `port`. */
export const TO_PORT_GRAPH: Link = {
  title: 'Graph in Portlight',
  url: `\${portlight}/api/v0/devices/${field('hostname')}/ports/${field('port')}/port_bits`,
}
/** Link to the API's graph of a bill's traffic, from a row with `bill_id`. */
export const TO_BILL_GRAPH: Link = {
  title: 'Graph in Portlight',
  url: `\${portlight}/api/v0/bills/${field('bill_id')}/graphs/bits`,
}
