import { type links, sensors } from '../../../db/schema/index.ts'
import { columnNames } from '../columns.ts'
import { isoTime, localTime } from './forms.ts'

/** Records of long lists as select lists. A single record of the kind is read with the same select list. */

/** A sensor, over `s`. */
export const SENSOR_RECORD = columnNames(sensors)
  .map((name) => (name === 'lastupdate' ? `${localTime('s.lastupdate')} as lastupdate` : `s."${name}"`))
  .join(', ')
export type SensorRecord = Readonly<Omit<typeof sensors.$inferSelect, 'lastupdate'>> & {
  /** Local `Y-m-d H:i:s`. */
  readonly lastupdate: string
}

/** An entry of a forwarding database, over `f`. `port_id` 0: unknown port; `vlan_id` 0: unknown VLAN. */
export const FDB_RECORD = `f.ports_fdb_id, coalesce(f.port_id, 0) as port_id, f.mac_address, coalesce(f.vlan_id, 0) as vlan_id,
  f.device_id, ${isoTime('f.created_at')} as created_at, ${isoTime('f.updated_at')} as updated_at`

/** A session of network access control, over `n`. */
export const NAC_RECORD = `n.ports_nac_id, n.auth_id, n.device_id, n.port_id, n.domain, n.username, n.mac_address, n.ip_address,
  n.host_mode, n.authz_status, n.authz_by, n.authc_status, n.method, n.timeout, n.time_left, n.vlan, n.time_elapsed,
  ${isoTime('n.created_at')} as created_at, ${isoTime('n.updated_at')} as updated_at, n.historical`

/** A link, over `l` and, as `r`, its remote device if that is monitored and in scope. */
export const LINK_RECORD = `l.id, l.local_port_id, l.local_device_id,
  case when r.device_id is not null then l.remote_port_id end as remote_port_id, l.active, l.protocol, l.remote_hostname,
  coalesce(r.device_id, 0) as remote_device_id, l.remote_port, l.remote_platform, l.remote_version`
/** What the neighbour reported is always shown; `remote_device_id` 0: it is not monitored. */
export type LinkRecord = Readonly<typeof links.$inferSelect>

/** A row of a log, over `x`: its time is local, and `host` repeats the device id. */
export function logColumn(column: string, time: string): string {
  if (column === 'host') return 'x.device_id as host'
  return column === time ? `${localTime(`x."${column}"`)} as "${column}"` : `x."${column}"`
}
