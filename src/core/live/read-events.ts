import type { Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'

/** NOTIFY channel: changes for live events were stored. */
export const LIVE_CHANNEL = 'portlight_live'
/** NOTIFY channel: grants, or members of groups, may have changed. */
export const GRANTS_CHANNEL = 'portlight_grants'

/** A change as it was stored. */
export interface StoredEvent {
  /** Ascending, in the order in which changes became visible. */
  readonly position: number
  readonly kind: 'device' | 'port' | 'alert' | 'fault'
  /** Epoch ms. */
  readonly at: number
  readonly data: Readonly<Record<string, unknown>> & { readonly device_id: number; readonly port_id?: number }
}

/**
 * Gives positions to newly committed changes, at most `limit`; returns how many. Processes take turns, so that reading
 * on from the last position misses nothing.
 */
export async function placeEvents({ sql }: Store, limit: number): Promise<number> {
  return await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('portlight.live'))`
    const placed = await tx`
        with given as materialized (
          select id, nextval('live_events_positions') as position
          from (select id from live_events where position is null order by id limit ${limit}) n)
        update live_events e set position = g.position from given g where e.id = g.id`
    return placed.count
  })
}

/** Placed changes after a position, in order, at most `limit`. */
export async function eventsAfter({ sql }: Store, position: number, limit: number): Promise<StoredEvent[]> {
  return await sql<StoredEvent[]>`
      select position::float8, kind, (extract(epoch from at) * 1000)::float8 as at, data
      from live_events where position > ${position} order by live_events.position limit ${limit}`
}

/** The positions still stored. `last` is that of the last change ever; `first` null: none is stored. */
export async function livePositions({ sql }: Store): Promise<{ first: number | null; last: number }> {
  const [row] = await sql<{ first: number | null; last: number }[]>`
      select (select min(position)::float8 from live_events) as first,
        (select case when is_called then last_value else 0 end::float8 from live_events_positions) as last`
  return row ?? { first: null, last: 0 }
}

/** Deletes changes up to a position. */
export async function dropEvents({ sql }: Store, upTo: number): Promise<void> {
  await sql`delete from live_events where position <= ${upTo}`
}

/** A device's last poll. */
export interface LastPoll {
  readonly device_id: number
  /** Epoch ms. */
  readonly at: number
  readonly answered: boolean
  /** Seconds; null: it was not answered. */
  readonly duration: number | null
  readonly uptime: number | null
}

/** Columns of LastPoll. */
const LAST_POLL = `device_id, (extract(epoch from last_poll_attempted) * 1000)::float8 as at,
  coalesce(last_polled >= last_poll_attempted, false) as answered,
  case when last_polled >= last_poll_attempted then last_polled_timetaken::float8 end as duration,
  case when last_polled >= last_poll_attempted then uptime::float8 end as uptime`

/** Last polls of devices that were polled after an instant (epoch ms), by time. */
export async function pollsSince({ sql }: Store, sinceMs: number): Promise<LastPoll[]> {
  return await sql<LastPoll[]>`
      select ${sql.unsafe(LAST_POLL)} from devices where last_poll_attempted > to_timestamp(${sinceMs / 1000})
      order by last_poll_attempted, device_id`
}

/** Last polls of these devices, by time; devices that were never polled are absent. */
export async function lastPolls({ sql }: Store, deviceIds: readonly number[]): Promise<LastPoll[]> {
  return await sql<LastPoll[]>`
      select ${sql.unsafe(LAST_POLL)} from devices
      where device_id = any(${integers(deviceIds)}::int[]) and last_poll_attempted is not null
      order by last_poll_attempted, device_id`
}
