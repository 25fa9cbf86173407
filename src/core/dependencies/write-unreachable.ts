import type { Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import type { Reachability } from './reachability.ts'

/** A child that went down at most this long before the last of its ways went down because of them, seconds. */
const EARLY_S = 120

/**
 * Stores which devices are unreachable now, and that others no longer are; `now`: epoch ms. A device that becomes the
 * cause gets an event. Throws StoreError.
 */
export async function storeUnreachable({ sql }: Store, reachability: Reachability, now: number): Promise<void> {
  const seen = [...reachability.unreachable].filter(([, { presumed }]) => !presumed)
  const atS = Math.floor(now / 1000)
  await sql.begin(async (tx) => {
    const open = await tx`select from device_unreachable where up_again is null limit 1`
    if (open.length === 0 && seen.length === 0) return
    const ids = integers(seen.map(([id]) => id))
    const causesOf = integers(seen.map(([, { cause }]) => cause))
    await tx`
      update device_unreachable set up_again = greatest(going_down, ${atS})
      where up_again is null and device_id <> all(${ids}::text::int[])`
    const begun = await tx<{ cause: number }[]>`
      with given as (
        select g.id, g.cause, least(${atS}, coalesce(case when o.going_down > g.since - ${EARLY_S} then o.going_down end, g.since)) as since
        from unnest(${ids}::text::int[], ${causesOf}::text::int[],
          ${integers(seen.map(([, { since }]) => Math.floor(since / 1000)))}::text::bigint[]) as g(id, cause, since)
          join devices d on d.device_id = g.id join devices c on c.device_id = g.cause
          left join device_outages o on o.device_id = g.id and o.up_again is null
        where not exists (select from device_unreachable u where u.device_id = g.id and u.up_again is null))
      insert into device_unreachable (device_id, going_down, cause_device_id)
      select id, min(since), min(cause) from given group by id order by id
      on conflict (device_id, going_down) do update set up_again = null, cause_device_id = excluded.cause_device_id
      returning cause_device_id as cause`
    await tx`
      update device_unreachable u set cause_device_id = g.cause
      from unnest(${ids}::text::int[], ${causesOf}::text::int[]) as g(id, cause)
      where u.device_id = g.id and u.up_again is null and u.cause_device_id is distinct from g.cause
        and exists (select from devices where device_id = g.cause)`
    if (begun.length > 0)
      await tx`
        insert into eventlog (device_id, datetime, message, type, reference, severity)
        select d.device_id, to_timestamp(${now / 1000}), 'Device is down: ' || case count(*)
          when 1 then '1 device behind it is' else count(*) || ' devices behind it are' end || ' unreachable',
          'dependency', d.device_id::text, 4
        from unnest(${integers(begun.map(({ cause }) => cause))}::text::int[]) as x(cause)
          join devices d on d.device_id = x.cause
        group by d.device_id order by d.device_id`
  })
}
