import { asc, desc, eq } from 'drizzle-orm'
import { availability, deviceOutages } from '../../../db/schema/index.ts'
import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'

/** Share of time a device was up within the last `duration` seconds; percent as text with six decimals. */
export interface AvailabilityRecord {
  readonly duration: number
  readonly availability_perc: string
}

/** Availability of a device by window, shortest first. */
export function listAvailability({ db }: Store, deviceId: number): Promise<AvailabilityRecord[]> {
  return guarded(() =>
    db
      .select({ duration: availability.duration, availability_perc: availability.availability_perc })
      .from(availability)
      .where(eq(availability.device_id, deviceId))
      .orderBy(asc(availability.duration)),
  )
}

/** A time in which a device was down, epoch seconds; `up_again` null: it still is. */
export interface OutageRecord {
  readonly going_down: number
  readonly up_again: number | null
}

/** Outages of a device, latest first. */
export function listOutages({ db }: Store, deviceId: number): Promise<OutageRecord[]> {
  return guarded(() =>
    db
      .select({ going_down: deviceOutages.going_down, up_again: deviceOutages.up_again })
      .from(deviceOutages)
      .where(eq(deviceOutages.device_id, deviceId))
      .orderBy(desc(deviceOutages.going_down)),
  )
}
