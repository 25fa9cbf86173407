import { listedRecord, type Row } from './fields.ts'
import { localTime } from './forms.ts'
import { FDB, LINK, NAC, SENSOR } from './tables.ts'

/** A sensor, over `s`. */
export const SENSOR_RECORD = listedRecord(SENSOR, 's')

/** An entry of a forwarding database, over `f`. */
export const FDB_RECORD = listedRecord(FDB, 'f')

/** A session of network access control, over `n`. */
export const NAC_RECORD = listedRecord(NAC, 'n')

/** A link, over `l` and, as `r`, its remote device if that is monitored and in scope. */
export const LINK_RECORD = listedRecord(LINK, 'l')
/** What the neighbour reported is always shown. */
export type LinkRecord = Row<typeof LINK>

/** An alert, over `a`, with its device as `d` and its rule as `r`. Typed clients expect text and flags that are never null. */
export const ALERT_RECORD = `d.hostname, a.id, a.device_id, a.rule_id, a.state, coalesce(a.note, '') as note,
  ${localTime('a."timestamp"')} as "timestamp", a.info, r.severity, r.name, coalesce(r.proc, '') as proc,
  coalesce(r.notes, '') as notes, (a.alerted <> 0)::int as alerted, (a.open <> 0)::int as open`

/** A column of a log, over `x`. The time is local, and `host` repeats the device id. */
export function logColumn(column: string, time: string): string {
  if (column === 'host') return 'x.device_id as host'
  return column === time ? `${localTime(`x."${column}"`)} as "${column}"` : `x."${column}"`
}
