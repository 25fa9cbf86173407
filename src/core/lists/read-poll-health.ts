import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'

/** How polling keeps up. */
export interface PollHealth {
  /** Devices that are polled. */
  readonly devices: number
  /** Devices that were not polled for three intervals, down ones included. */
  readonly late: number
  /** Mean duration of the last poll, seconds; null: none yet. */
  readonly mean_s: number | null
  readonly newest: Date | null
  /** The slowest, with the seconds that their last poll took. */
  readonly slowest: readonly { readonly device_id: number; readonly device: string; readonly seconds: number }[]
}

const INTERVALS = 3
const SLOWEST = 3

/** `intervalS`: that of devices without their own. */
export async function pollHealth({ sql }: Store, scope: Scope, intervalS: number): Promise<PollHealth> {
  const [row] = await sql<PollHealth[]>`
      with d as (select d.* from devices d where d.disabled = 0 and d.snmp_disable = 0 and ${deviceInScope(sql, scope)})
      select (select count(*)::int from d) as devices,
        (select count(*)::int from d where coalesce(last_polled, inserted, now()) < now() - make_interval(secs => ${INTERVALS * intervalS})) as late,
        (select avg(last_polled_timetaken)::float8 from d where last_polled is not null) as mean_s,
        (select max(last_polled) from d) as newest,
        (select coalesce(json_agg(s), '[]') from (
          select device_id, coalesce(nullif(display, ''), hostname) as device, last_polled_timetaken::float8 as seconds
          from d where last_polled_timetaken is not null order by last_polled_timetaken desc limit ${SLOWEST}) s) as slowest`
  if (row === undefined) throw new Error('counting returned no row')
  return row
}
