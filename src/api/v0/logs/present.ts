import type { LogRows } from '../../../domain/logs/service.ts'
import type { LogModel } from './model.ts'

/** Guaranteed by the column lists of the reader; the tests hold every answer against its model. */
const page = <T>({ rows, total }: LogRows, logs: readonly unknown[] = rows) => ({
  status: 'ok' as const,
  message: '' as const,
  count: rows.length,
  total,
  logs: logs as T,
})

type Logs<N extends 'eventlog' | 'syslog' | 'alertlog' | 'authlog'> = (typeof LogModel)[N]['static']['logs']

/** Events; `host` repeats the id of the device. */
export const presentEventLog = (found: LogRows) =>
  page<Logs<'eventlog'>>(
    found,
    found.rows.map((row) => ({ ...row, host: row['device_id'] })),
  )
export const presentSyslog = (found: LogRows) => page<Logs<'syslog'>>(found)
export const presentAlertLog = (found: LogRows) => page<Logs<'alertlog'>>(found)
export const presentAuthLog = (found: LogRows) => page<Logs<'authlog'>>(found)
