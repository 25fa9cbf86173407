import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { DEVICE_SECRETS, deviceColumnOrder } from '../records/device.ts'

/** A device as a backup tool needs it. */
export interface BackupDevice {
  readonly hostname: string
  readonly os: string
  readonly ip: string | null
  /** Device attributes `override_device_ssh_port` and `override_device_telnet_port`; null: not set. */
  readonly ssh_port: string | null
  readonly telnet_port: string | null
  /** Columns that maps compare, as text, in the requested order. */
  readonly compared: readonly (string | null)[]
}

export interface BackupFilter {
  /** One device by hostname, case-insensitive; null: all. */
  readonly hostname: string | null
  readonly ignoreTypes: readonly string[]
  readonly ignoreOs: readonly string[]
  /** Columns that `isComparable` allows. */
  readonly columns: readonly string[]
}

/** Whether maps can compare the column: any column of the device record except secrets, or the name of the location. */
export function isComparable(column: string): boolean {
  return column === 'location' || (deviceColumnOrder(column) !== null && !DEVICE_SECRETS.has(column))
}

/**
 * Devices in scope, by id, except disabled ones and those excluded by type, OS or attribute
 * `override_Oxidized_disable`.
 */
export async function listBackupDevices({ sql }: Store, scope: Scope, filter: BackupFilter): Promise<BackupDevice[]> {
  const { hostname, ignoreTypes, ignoreOs, columns } = filter
  const compared = columns.filter(isComparable).map((name) => {
    if (name === 'location') return 'l.location'
    return name === 'ip' ? 'host(d.ip)' : `d."${name}"::text`
  })
  // as JSON, because the driver reads NULL in an array as a word
  return await sql<BackupDevice[]>`
    select d.hostname, coalesce(d.os, '') as os, host(d.ip) as ip, s.attrib_value as ssh_port, t.attrib_value as telnet_port,
      to_jsonb(array[${sql.unsafe(compared.join(', '))}]::text[]) as compared
    from devices d
    left join locations l on l.id = d.location_id
    left join devices_attribs s on s.device_id = d.device_id and s.attrib_type = 'override_device_ssh_port'
    left join devices_attribs t on t.device_id = d.device_id and t.attrib_type = 'override_device_telnet_port'
    where d.disabled = 0 and ${deviceInScope(sql, scope)}
      and ${hostname === null ? sql`true` : sql`lower(d.hostname) = lower(${hostname})`}
      and d.type <> all(${[...ignoreTypes]}::text[]) and coalesce(d.os, '') <> all(${[...ignoreOs]}::text[])
      and not exists (
        select from devices_attribs x
        where x.device_id = d.device_id and x.attrib_type = 'override_Oxidized_disable' and x.attrib_value = 'true')
    order by d.device_id`
}
