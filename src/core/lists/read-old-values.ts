import type { Store } from '../database/client.ts'

/**
 * SQL condition on alias `d`: the device is polled and answers, so its values are current. Those of other devices are
 * from its last poll, and belong in no ranking.
 */
export const ANSWERS = '(d.status = 1 and d.disabled = 0)'

/** SQL condition on alias `p`: the device does not report whether the port is up, or does not know (RFC 2863, ifOperStatus). */
export const UNREPORTED = `coalesce(p."ifOperStatus", 'unknown') = 'unknown'`

/** SQL for the time that a device's values are from if they are no longer current; null: they are current. */
export const OLD_SINCE = `case when not ${ANSWERS} then coalesce(d.last_polled, d.inserted, to_timestamp(0)) end`

/** When a device was added; before, there is nothing of it. null: unknown, or there is no such device. */
export async function addedAt({ sql }: Store, deviceId: number): Promise<Date | null> {
  const [row] = await sql<{ at: Date | null }[]>`select inserted as at from devices where device_id = ${deviceId}`
  return row?.at ?? null
}

/** When a device last answered, if it no longer does; null: it does, or there is no such device. */
export async function oldSince({ sql }: Store, deviceId: number): Promise<Date | null> {
  const [row] = await sql<{ at: Date | null }[]>`
      select ${sql.unsafe(OLD_SINCE)} as at from devices d where d.device_id = ${deviceId}`
  return row?.at ?? null
}
