import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { portRates } from '../series/rates.ts'
import { DEVICE_STATE, type DeviceState } from './read-device-list.ts'
import { ANSWERS, UNREPORTED } from './read-old-values.ts'

/** A device on the map. */
export interface MapDevice {
  readonly device_id: number
  readonly name: string
  readonly hardware: string
  readonly type: string
  readonly location: string | null
  readonly state: DeviceState
}

/** A link between two devices of the map, seen from end `a`, with its traffic at the last poll. null: unknown. */
export interface MapLink {
  readonly id: number
  readonly a: number
  readonly b: number
  readonly port_id: number | null
  readonly port: string | null
  readonly remote_port_id: number | null
  readonly remote_port: string
  readonly protocol: string | null
  /** bit/s. */
  readonly speed: number | null
  readonly in_bps: number | null
  readonly out_bps: number | null
  /** The port is administratively up, but not operationally; false also where that is unknown. */
  readonly down: boolean
}

/** More are not drawn. */
const MAX_MAP_DEVICES = 2000
const MAX_LINKS = 10_000

/**
 * Devices in scope that have a link, those with a link to another one in scope first, their links to each other, and how
 * many neighbours are not monitored.
 */
export async function readMap(
  { sql }: Store,
  scope: Scope,
): Promise<{ devices: MapDevice[]; links: MapLink[]; unknown: number; unlinked: number }> {
  const links = await sql<MapLink[]>`
      select n.id, n.local_device_id as a, n.remote_device_id as b, n.local_port_id as port_id, p."ifName" as port,
        n.remote_port_id, n.remote_port, n.protocol, p."ifSpeed"::float8 as speed,
        ${sql.unsafe(portRates('x'))},
        coalesce(${sql.unsafe(ANSWERS)} and p."ifAdminStatus" <> 'down' and not ${sql.unsafe(UNREPORTED)} and p."ifOperStatus" <> 'up', false) as down
      from links n join devices d on d.device_id = n.local_device_id
        left join ports p on p.port_id = n.local_port_id and p.deleted = 0
        left join ts.port_state s on s.device_id = p.device_id
        left join ts.port_samples x on x.port_id = p.port_id and x."time" = s."time" and ${sql.unsafe(ANSWERS)}
      where n.active = 1 and n.remote_device_id <> 0 and n.remote_device_id <> n.local_device_id and ${deviceInScope(sql, scope)}
        and n.remote_device_id in (select d.device_id from devices d where ${deviceInScope(sql, scope)})
      order by n.id limit ${MAX_LINKS}`
  const linked = sql`(select local_device_id from links where active = 1 and remote_device_id <> 0
    union select remote_device_id from links where active = 1)`
  const devices = await sql<MapDevice[]>`
      select d.device_id, coalesce(nullif(d.display, ''), d.hostname) as name, coalesce(d.hardware, '') as hardware,
        coalesce(d.type, '') as type, l.location,
        ${sql.unsafe(DEVICE_STATE)} as state
      from devices d left join locations l on l.id = d.location_id
      where (d.device_id in ${linked} or d.device_id in (select local_device_id from links where active = 1))
        and ${deviceInScope(sql, scope)}
      order by d.device_id not in ${linked}, d.device_id limit ${MAX_MAP_DEVICES}`
  const [left] = await sql<{ unknown: number; unlinked: number }[]>`
      select (select count(distinct n.remote_hostname)::int from links n join devices d on d.device_id = n.local_device_id
          where n.active = 1 and n.remote_device_id = 0 and ${deviceInScope(sql, scope)}) as unknown,
        (select count(*)::int from devices d where d.disabled = 0 and ${deviceInScope(sql, scope)} and d.device_id not in ${linked}) as unlinked`
  return { devices: [...devices], links: [...links], unknown: left?.unknown ?? 0, unlinked: left?.unlinked ?? 0 }
}
