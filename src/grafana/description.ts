/** A dashboard as it is written in src/grafana/dashboards; `compile.ts` makes Grafana's JSON of it. */
export interface Dashboard {
  /** Last part of the dashboard's uid, `portlight-NAME`, and of its file. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** In the order in which they depend on each other. */
  readonly variables: readonly VariableName[]
  /** Range at first, as Grafana writes it: `now-24h`. */
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
  /** Id of a unit of Grafana. */
  readonly unit?: string
}

/** `stat`: one number. */
export interface Stat extends Common {
  readonly type: 'stat'
  /** From this value on the number is red. */
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
  /** Where the text of a column leads. */
  readonly links?: Readonly<Record<string, Link>>
  /** Columns that links need but nobody reads. */
  readonly hidden?: readonly string[]
}
export type Panel = Stat | Lines | Table

export interface Link {
  readonly title: string
  readonly url: string
}

/** A panel of one count; with `badFrom` it is red from that value on. */
export function count(title: string, width: number, sql: string, badFrom?: number): Stat {
  return { type: 'stat', title, width, sql, ...(badFrom === undefined ? {} : { badFrom }) }
}

/** Value of another column of the same row, in a link. */
export const field = (column: string): string => `\${__data.fields.${column}:percentencode}`

/** To the device's dashboard, from a row with `hostname`. */
export const TO_DEVICE: Link = {
  title: 'Device',
  url: `/d/portlight-device?var-device=${field('hostname')}&\${__url_time_range}`,
}
/** To the port's dashboard, from a row with `hostname` and `port_id`. */
export const TO_PORT: Link = {
  title: 'Port',
  url: `/d/portlight-port?var-device=${field('hostname')}&var-port=${field('port_id')}&\${__url_time_range}`,
}
/** The picture of a port's traffic that the API draws, from a row with `hostname` and `port`. */
export const TO_PORT_GRAPH: Link = {
  title: 'Graph of Portlight',
  url: `\${portlight}/api/v0/devices/${field('hostname')}/ports/${field('port')}/port_bits`,
}
/** The picture of a bill's traffic that the API draws, from a row with `bill_id`. */
export const TO_BILL_GRAPH: Link = {
  title: 'Graph of Portlight',
  url: `\${portlight}/api/v0/bills/${field('bill_id')}/graphs/bits`,
}
