export type LogName = 'eventlog' | 'syslog' | 'alertlog' | 'authlog'

/** An inclusive bound: an id, or local time as `Y-m-d H:i:s`. */
export type LogBound = { readonly kind: 'id'; readonly id: number } | { readonly kind: 'time'; readonly local: string }

/** Which rows of a log; `offset` and `limit` count rows. */
export interface LogPage {
  /** Only rows of this device; null: all rows, also those without a device. */
  readonly deviceId: number | null
  readonly from: LogBound | null
  readonly to: LogBound | null
  /** Only rows whose text contains this, regardless of case; null: all rows. */
  readonly search: string | null
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

export interface LogTable {
  readonly table: string
  readonly id: string
  readonly time: string
  /** `host` repeats the device id. */
  readonly columns: readonly string[]
  /** Column that is searched; null: none. */
  readonly text: string | null
  /** Rows belong to devices. */
  readonly ofDevices: boolean
}

/** Names are our own constants, so they are safe in SQL text. */
export const LOGS: Readonly<Record<LogName, LogTable>> = {
  eventlog: {
    table: 'eventlog',
    id: 'event_id',
    time: 'datetime',
    columns: ['event_id', 'device_id', 'datetime', 'message', 'type', 'reference', 'username', 'severity', 'host'],
    text: 'message',
    ofDevices: true,
  },
  syslog: {
    table: 'syslog',
    id: 'seq',
    time: 'timestamp',
    columns: ['device_id', 'facility', 'priority', 'level', 'tag', 'timestamp', 'program', 'msg', 'seq'],
    text: 'msg',
    ofDevices: true,
  },
  alertlog: {
    table: 'alert_log',
    id: 'id',
    time: 'time_logged',
    columns: ['id', 'rule_id', 'device_id', 'state', 'details', 'time_logged'],
    text: null,
    ofDevices: true,
  },
  authlog: {
    table: 'authlog',
    id: 'id',
    time: 'datetime',
    columns: ['id', 'datetime', 'user', 'address', 'result'],
    text: null,
    ofDevices: false,
  },
}
