import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'

/** Devices that have something in common; beyond this, it belongs to an image or to a cluster and not to one device. */
const MAX_SHARING = 16
/** Groups of devices that are compared in a round. */
const MAX_GROUPS = 5000

/** Two monitored devices that are one. */
export interface Double {
  readonly device_id: number
  readonly name: string
  readonly other_id: number
  readonly other: string
  /** Part of a sentence: `they have the serial number X1`. */
  readonly reason: string
  readonly first_seen: Date
}

/**
 * Ids of devices that have an engine ID, a serial number or a universally administered MAC address in common. Disabled
 * ones are not asked, so that they are no doubles.
 */
export async function devicesThatShare({ sql }: Pick<Store, 'sql'>): Promise<number[][]> {
  const rows = await sql<{ ids: number[] }[]>`
    with shown as (
      select lower("snmpEngineID") as what, device_id from devices where "snmpEngineID" <> ''
      union select 'serial ' || upper(serial), device_id from devices where serial <> ''
      union select 'serial ' || upper("entPhysicalSerialNum"), device_id from "entPhysical"
        where "entPhysicalClass" in ('chassis', 'stack') and "entPhysicalSerialNum" <> ''
      union select 'mac ' || "ifPhysAddress", device_id from ports where deleted = 0 and "ifPhysAddress" ~ '^[0-9a-f][048c][0-9a-f]{10}$'
    )
    select distinct ids from (
      select array_agg(s.device_id order by s.device_id) as ids from shown s join devices d using (device_id)
      where d.disabled = 0 group by s.what having count(*) between 2 and ${MAX_SHARING}) x order by ids limit ${MAX_GROUPS}`
  return rows.map(({ ids }) => ids)
}

/** The known doubles of a device, or of all (null); both devices of each are in scope. */
export async function listDoubles(
  { sql }: Store,
  scope: Scope,
  deviceId: number | null,
  limit: number,
): Promise<Double[]> {
  const seen = sql`select d.device_id from devices d where ${deviceInScope(sql, scope)}`
  return await sql<Double[]>`
    select x.device_id, a.hostname as name, x.other_id, b.hostname as other, x.reason, x.first_seen
    from device_doubles x join devices a on a.device_id = x.device_id join devices b on b.device_id = x.other_id
    where ${deviceId === null ? sql`true` : sql`(x.device_id = ${deviceId} or x.other_id = ${deviceId})`}
      and x.device_id in (${seen}) and x.other_id in (${seen})
    order by x.device_id, x.other_id limit ${limit}`
}
