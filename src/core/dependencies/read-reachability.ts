import { ALERT_IS_OPEN } from '../base/alert-states.ts'
import type { Store } from '../database/client.ts'
import { type Observed, type Reachability, reachabilityOf } from './reachability.ts'

/** Outages that ended longer ago are ignored, seconds: nothing waits that long. */
const RECENT_S = 3600

const NOTHING: Reachability = reachabilityOf([], [], 0)

interface Row {
  readonly id: number
  readonly status: number
  readonly disabled: number
  readonly mute: boolean
  readonly told: boolean
  readonly heard: number | null
  readonly down: number | null
  readonly up: number | null
}

/** An outage that begins later than this after now was stored with a wrong clock, seconds. */
const CLOCKS_S = 5
/** A device that has been down for this long without an alert counts as one for which none is sent, seconds. */
const UNTOLD_S = 300

export interface ReachabilityOptions {
  /** See `reachabilityOf`. */
  readonly waitS: number
  /** Devices in maintenance without alerts. */
  readonly maintained: ReadonlySet<number>
  /** Epoch ms. */
  readonly now: number
  /** True, for alerts: a device that has been down for UNTOLD_S without one, because no rule applies to it, silences nobody. */
  readonly told: boolean
}

/**
 * Which devices are unreachable now, by the parents in force. Reads next to nothing while no device with parents or
 * children is down. Throws StoreError.
 */
export async function readReachability({ sql }: Store, options: ReachabilityOptions): Promise<Reachability> {
  const down = await sql`
    select from devices d where d.status = 0 and d.disabled = 0 and (
      exists (select from device_relationships r where r.child_device_id = d.device_id)
      or exists (select from device_relationships r where r.parent_device_id = d.device_id)) limit 1`
  if (down.length === 0) return NOTHING
  const [rows, relations] = await Promise.all([
    sql<Row[]>`
      select d.device_id as id, d.status, d.disabled, (d.ignore = 1 or d.disable_notify = 1) as mute,
        d.device_id in (select a.device_id from alerts a where ${sql.unsafe(ALERT_IS_OPEN)}) as told,
        extract(epoch from greatest(d.last_polled, d.last_ping))::float8 * 1000 as heard,
        coalesce(o.going_down * 1000.0, extract(epoch from coalesce(greatest(d.last_polled, d.last_ping), d.inserted)) * 1000)::float8 as down,
        u.up_again::float8 * 1000 as up
      from devices d
        left join (select device_id, max(going_down) as going_down from device_outages where up_again is null group by 1) o
          on o.device_id = d.device_id
        left join (select device_id, max(up_again) as up_again from device_outages
          where up_again > extract(epoch from now())::bigint - ${RECENT_S} group by 1) u on u.device_id = d.device_id
      where exists (select from device_relationships r where r.child_device_id = d.device_id)
        or exists (select from device_relationships r where r.parent_device_id = d.device_id)`,
    sql<{ child: number; parent: number }[]>`
      select child_device_id as child, parent_device_id as parent from device_relationships`,
  ])
  return reachabilityOf(
    rows.map((row) => observed(row, options)),
    relations.map(({ child, parent }) => [child, parent] as const),
    options.waitS * 1000,
  )
}

function observed(row: Row, { maintained, now, told }: ReachabilityOptions): Observed {
  const { id, status, disabled, heard, down, up } = row
  const isDown = disabled === 0 && status === 0
  const downFor = down === null ? 0 : (now - down) / 1000
  const isUnknown = disabled === 1 || (isDown && downFor < -CLOCKS_S)
  return {
    id,
    status: isUnknown ? 'unknown' : isDown ? 'down' : 'up',
    mute: row.mute || disabled === 1 || maintained.has(id) || (told && isDown && !row.told && downFor >= UNTOLD_S),
    heardAt: heard,
    downAt: isDown ? down : null,
    upAt: isDown ? null : up,
  }
}
