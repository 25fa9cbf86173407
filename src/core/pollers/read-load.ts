import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'

/** What polling costs, by the last poll of each device. */
export interface PollLoad {
  readonly devices: number
  /** Seconds, over all devices. */
  readonly spent_s: number
  readonly longest_s: number
  /** Devices that answer but were not polled for longer than 1.2 times their interval. */
  readonly late: number
  readonly never: number
}

/** Load of active devices in scope. `intervalS`: the interval of devices without their own. */
export async function pollLoad({ sql }: Store, scope: Scope, intervalS: number): Promise<PollLoad> {
  const [row] = await sql<PollLoad[]>`
      select count(*)::int as devices, coalesce(sum(last_polled_timetaken), 0)::float8 as spent_s,
        coalesce(max(last_polled_timetaken), 0)::float8 as longest_s,
        (count(*) filter (where status = 1 and last_polled < now()
          - make_interval(secs => 1.2 * coalesce(poll_interval, ${intervalS}::int))))::int as late,
        (count(*) filter (where last_polled is null))::int as never
      from devices d where disabled = 0 and ${deviceInScope(sql, scope)}`
  return row ?? { devices: 0, spent_s: 0, longest_s: 0, late: 0, never: 0 }
}

/** How many devices in scope each poller group has, by its id; 0 is the general group. */
export async function pollerGroupSizes({ sql }: Store, scope: Scope): Promise<ReadonlyMap<number, number>> {
  const rows = await sql<{ id: number; n: number }[]>`
      select coalesce(poller_group, 0)::int as id, count(*)::int as n from devices d where ${deviceInScope(sql, scope)} group by 1`
  return new Map(rows.map(({ id, n }) => [id, n]))
}

/** A device and its last poll. */
export interface PolledDevice {
  readonly device_id: number
  readonly name: string
  readonly last_polled: Date | null
  readonly took_s: number | null
  readonly interval_s: number
}

/** Active devices in scope: those that answer and are late (`late`), the latest first, or the slowest. */
export async function slowDevices(
  { sql }: Store,
  scope: Scope,
  { intervalS, late, limit }: { readonly intervalS: number; readonly late: boolean; readonly limit: number },
): Promise<PolledDevice[]> {
  const interval = sql`coalesce(d.poll_interval, ${intervalS}::int)`
  return await sql<PolledDevice[]>`
      select d.device_id, coalesce(nullif(d.display, ''), d.hostname) as name, d.last_polled,
        d.last_polled_timetaken::float8 as took_s, ${interval} as interval_s
      from devices d where d.disabled = 0 and ${deviceInScope(sql, scope)}
        and ${late ? sql`d.status = 1 and (d.last_polled is null or d.last_polled < now() - make_interval(secs => 1.2 * ${interval}))` : sql`d.last_polled_timetaken is not null`}
      order by ${late ? sql`coalesce(d.last_polled, d.inserted)` : sql`d.last_polled_timetaken desc`}, d.device_id
      limit ${limit}`
}

/** What a module cost at the last discovery of all devices. */
export interface ModuleCost {
  readonly module: string
  readonly devices: number
  readonly rows: number
  readonly requests: number
  readonly took_ms: number
}

/** Cost of modules over devices in scope, the most requests first. */
export async function moduleCosts({ sql }: Store, scope: Scope): Promise<ModuleCost[]> {
  return await sql<ModuleCost[]>`
      select m.module, count(*)::int as devices, sum(m.rows)::float8 as rows, sum(m.requests)::float8 as requests,
        sum(m.took_ms)::float8 as took_ms
      from device_modules m join devices d using (device_id)
      where d.disabled = 0 and ${deviceInScope(sql, scope)}
      group by m.module order by requests desc, m.module`
}
