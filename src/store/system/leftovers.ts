import type { Store } from '../client.ts'
import { livingLocks } from '../cluster/session.ts'
import { guarded } from '../errors.ts'

/** Days to keep what is over; 0: forever. */
export interface LeftoverLimits {
  /** Ended outages of devices. */
  readonly outageDays: number
  /** Changes of the status of components. */
  readonly eventDays: number
}

/** Processes and places that nothing refers to are kept for this long, days. */
const UNUSED_DAYS = 90
const AT_ONCE = 10_000

/**
 * Removes rows that are over: ended outages, changes of components, processes that have not run for months, and places
 * that only devices named and that no device is at any more. At most 10,000 rows of a table at a time. Throws
 * StoreError.
 */
export async function dropLeftovers({ sql }: Store, { outageDays, eventDays }: LeftoverLimits): Promise<void> {
  await guarded(async () => {
    if (outageDays > 0) {
      await sql`delete from device_outages where id in (select id from device_outages
        where up_again < extract(epoch from now()) - ${outageDays}::int * 86400 limit ${AT_ONCE})`
    }
    if (eventDays > 0) {
      await sql`delete from component_statuslog where id in (select id from component_statuslog
        where "timestamp" < now() - make_interval(days => ${eventDays}) limit ${AT_ONCE})`
    }
    await sql`delete from poller_cluster where last_report < now() - make_interval(days => ${UNUSED_DAYS})
      and id not in (select objid from (${livingLocks(sql)}) l)`
    // a place with coordinates was entered by a person or looked up for one
    await sql`delete from locations where id in (select l.id from locations l
      where l.lat is null and l.lng is null and l.fixed_coordinates = 0
        and l."timestamp" < now() - make_interval(days => ${UNUSED_DAYS})
        and not exists (select from devices d where d.location_id = l.id)
        and not exists (select from alert_location_map m where m.location_id = l.id)
        and not exists (select from alert_schedulables s where s.location_id = l.id) limit ${AT_ONCE})`
  })
}
