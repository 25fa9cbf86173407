import { links, portsFdb, portsNac } from '../../../db/schema/index.ts'
import { selectList } from '../database/columns.ts'
import { listed, membersSql, selectMembers } from './fields.ts'
import { isoTime, localTime } from './forms.ts'
import { SENSOR } from './tables.ts'

/** A sensor, over `s`. */
export const SENSOR_RECORD = selectMembers(membersSql(SENSOR, 's', listed))

/** An entry of a forwarding database, over `f`. `port_id` 0: unknown port; `vlan_id` 0: unknown VLAN. */
export const FDB_RECORD = selectList(portsFdb, 'f', {
  port_id: 'coalesce(f.port_id, 0)',
  vlan_id: 'coalesce(f.vlan_id, 0)',
  created_at: isoTime('f.created_at'),
  updated_at: isoTime('f.updated_at'),
})

/** A session of network access control, over `n`. */
export const NAC_RECORD = selectList(portsNac, 'n', {
  created_at: isoTime('n.created_at'),
  updated_at: isoTime('n.updated_at'),
})

/** A link, over `l` and, as `r`, its remote device if that is monitored and in scope. */
export const LINK_RECORD = selectList(links, 'l', {
  remote_port_id: 'case when r.device_id is not null then l.remote_port_id end',
  remote_device_id: 'coalesce(r.device_id, 0)',
})
/** What the neighbour reported is always shown; `remote_device_id` 0: it is not monitored. */
export type LinkRecord = Readonly<typeof links.$inferSelect>

/** An alert, over `a`, with its device as `d` and its rule as `r`. Typed clients expect text and flags that are never null. */
export const ALERT_RECORD = `d.hostname, a.id, a.device_id, a.rule_id, a.state, coalesce(a.note, '') as note,
  ${localTime('a."timestamp"')} as "timestamp", a.info, r.severity, r.name, coalesce(r.proc, '') as proc,
  coalesce(r.notes, '') as notes, (a.alerted <> 0)::int as alerted, (a.open <> 0)::int as open`

/** A column of a log, over `x`. The time is local, and `host` repeats the device id. */
export function logColumn(column: string, time: string): string {
  if (column === 'host') return 'x.device_id as host'
  return column === time ? `${localTime(`x."${column}"`)} as "${column}"` : `x."${column}"`
}
