import type { Store } from '../client.ts'

/** Share of time a device was up within the last `duration` seconds; percent as text with six decimals. */
export interface AvailabilityRecord {
  readonly duration: number
  readonly availability_perc: string
}

/** Availability of a device by window, the shortest first. */
export async function listAvailability({ sql }: Store, deviceId: number): Promise<AvailabilityRecord[]> {
  return await sql<AvailabilityRecord[]>`
    select duration, availability_perc::text from availability where device_id = ${deviceId} order by duration`
}

/** A time of not answering, epoch seconds; `up_again` null: it still lasts. */
export interface OutageRecord {
  readonly going_down: number
  readonly up_again: number | null
}

/** Outages of a device, the latest first. */
export async function listOutages({ sql }: Store, deviceId: number): Promise<OutageRecord[]> {
  return await sql<OutageRecord[]>`
    select going_down, up_again from device_outages where device_id = ${deviceId} order by going_down desc`
}
