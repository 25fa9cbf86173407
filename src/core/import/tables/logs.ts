import { inflateSync } from 'node:zlib'
import { utcOf } from '../clock.ts'
import type { Installation, TableSpec } from '../context.ts'
import { cellOf, intOf, type Row, textOf } from '../source.ts'
import { jsonOf } from '../values.ts'
import type { JsonValue } from '../write-tables.ts'

/** Limit of the unpacked details of an alert, in bytes. */
const MAX_DETAILS = 8_388_608
const DAY_MS = 86_400_000

/** How many days of each log are imported. */
export interface LogDays {
  readonly alerts: number
  readonly events: number
  readonly syslog: number
}

/** Logs, limited by age. They are read in order of their ids. */
export function logTables(days: LogDays): readonly TableSpec[] {
  let before = Number.NaN
  const within = (ms: number, of: Installation, kept: number): boolean => ms >= of.now - kept * DAY_MS
  const logs: TableSpec[] = [
    {
      table: 'alert_log',
      convert: (row, values, of) =>
        within(utcOf(textOf(row, 'time_logged')), of, days.alerts)
          ? { ...values, details: detailsOf(row) }
          : 'left out',
    },
    {
      table: 'eventlog',
      local: ['datetime'],
      convert(row, values, of) {
        const at = of.clock.instantAfter(textOf(row, 'datetime'), before)
        if (!within(at, of, days.events)) return 'left out'
        before = at
        return { ...values, datetime: new Date(at).toISOString(), device_id: deviceOf(row, of) }
      },
    },
    {
      table: 'authlog',
      convert: (row, values, of) => (within(utcOf(textOf(row, 'datetime')), of, days.events) ? values : 'left out'),
    },
    {
      table: 'component_statuslog',
      convert: (row, values, of) => (within(utcOf(textOf(row, 'timestamp')), of, days.events) ? values : 'left out'),
    },
  ]
  if (days.syslog > 0)
    logs.push({
      table: 'syslog',
      convert: (row, values, of) =>
        within(utcOf(textOf(row, 'timestamp')), of, days.syslog)
          ? { ...values, device_id: deviceOf(row, of) }
          : 'left out',
    })
  return logs
}

function deviceOf(row: Row, of: Installation): number | null {
  return of.idOf('devices', intOf(row, 'device_id'))
}

/** The details of an alert: JSON compressed with zlib (RFC 1950); null: empty or damaged. */
function detailsOf(row: Row): JsonValue {
  const cell = cellOf(row, 'details')
  if (!(cell instanceof Uint8Array) || cell.length === 0) return typeof cell === 'string' ? jsonOf(cell) : null
  try {
    return jsonOf(inflateSync(cell, { maxOutputLength: MAX_DETAILS }).toString())
  } catch {
    return null
  }
}
