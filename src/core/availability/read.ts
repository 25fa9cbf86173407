import { desc, eq } from 'drizzle-orm'
import { deviceOutages } from '../../../db/schema/index.ts'
import type { Store } from '../database/client.ts'
import { availabilityOf } from './availability.ts'

/** Share of time a device was up within the last `duration` seconds; percent as text with six decimals. */
export interface AvailabilityRecord {
  readonly duration: number
  readonly availability_perc: string
}

/** As AvailabilityRecord, with the seconds that it is about: less than the window if the device was added within it. */
export interface MeasuredAvailability extends AvailabilityRecord {
  readonly spanS: number
}

/**
 * Availability of a device by window, shortest first. During an outage, and shortly after it, it is calculated now,
 * because the stored values are minutes old.
 */
export async function listAvailability(
  { sql }: Store,
  deviceId: number,
  options: { readonly withoutUnreachable: boolean } = { withoutUnreachable: false },
): Promise<MeasuredAvailability[]> {
  return await sql<MeasuredAvailability[]>`
      with w as (select device_id, duration from availability where device_id = ${deviceId}),
      d as (
        select status = 0 or exists (select from device_outages o where o.device_id = ${deviceId} and (o.up_again is null or to_timestamp(o.up_again) > now() - interval '10 minutes')) as changing
        from devices where device_id = ${deviceId})
      select a.duration::float8 as duration, m.span::float8 as "spanS",
        (case when d.changing then m.perc else a.availability_perc end)::numeric(9, 6)::text as availability_perc
      from availability a join (${availabilityOf(sql, sql`w`, options)}) m using (device_id, duration) cross join d
      order by a.duration`
}

/** A time in which a device was down, epoch seconds; `up_again` null: it still is. */
export interface OutageRecord {
  readonly going_down: number
  readonly up_again: number | null
}

/** Outages of a device, latest first. */
export async function listOutages({ db }: Store, deviceId: number): Promise<OutageRecord[]> {
  return await db
    .select({ going_down: deviceOutages.going_down, up_again: deviceOutages.up_again })
    .from(deviceOutages)
    .where(eq(deviceOutages.device_id, deviceId))
    .orderBy(desc(deviceOutages.going_down))
}
