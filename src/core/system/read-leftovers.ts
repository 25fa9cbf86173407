import { livingLocks } from '../cluster/session.ts'
import type { Store } from '../database/client.ts'

/** Days to keep what is over; 0: forever. */
export interface LeftoverLimits {
  /** Ended outages of devices, and times in which they were unreachable. */
  readonly outageDays: number
  /** Changes of the status of components. */
  readonly eventDays: number
}

/** Processes and places that nothing refers to are kept for this long, days. */
const UNUSED_DAYS = 90
const AT_ONCE = 10_000
/** Most rounds for rows that earlier versions stored in large numbers. */
const MAX_ROUNDS = 10

/**
 * Removes rows that are over: ended outages, changes of components, processes that have not run for months, places that
 * only devices named and that no device is at any more, networks without addresses, and empty rows of bills. At most
 * `atOnce` rows of a table at a time, of bills ten times as many. Throws StoreError.
 */
export async function dropLeftovers(
  { sql }: Store,
  { outageDays, eventDays }: LeftoverLimits,
  atOnce = AT_ONCE,
): Promise<void> {
  if (outageDays > 0) {
    await sql`delete from device_outages where id in (select id from device_outages
        where up_again < extract(epoch from now()) - ${outageDays}::int * 86400 limit ${atOnce})`
    await sql`delete from device_unreachable where id in (select id from device_unreachable
        where up_again < extract(epoch from now()) - ${outageDays}::int * 86400 limit ${atOnce})`
  }
  if (eventDays > 0) {
    await sql`delete from component_statuslog where id in (select id from component_statuslog
        where "timestamp" < now() - make_interval(days => ${eventDays}) limit ${atOnce})`
  }
  await sql`delete from poller_cluster where last_report < now() - make_interval(days => ${UNUSED_DAYS})
      and id not in (select objid from (${livingLocks(sql)}) l)`
  // a place with coordinates was entered by a person or looked up for one
  await sql`delete from locations where id in (select l.id from locations l
      where l.lat is null and l.lng is null and l.fixed_coordinates = 0
        and l."timestamp" < now() - make_interval(days => ${UNUSED_DAYS})
        and not exists (select from devices d where d.location_id = l.id)
        and not exists (select from alert_location_map m where m.location_id = l.id)
        and not exists (select from alert_schedulables s where s.location_id = l.id) limit ${atOnce})`
  for (const family of ['ipv4', 'ipv6'] as const) await dropNetworks(sql, family, atOnce)
  for (let round = 0; round < MAX_ROUNDS; round++) if ((await dropEmptyBillRows(sql, atOnce)) < atOnce) break
}

/**
 * Removes networks that no address lies in; imported ones keep their ids. Discovery locks the networks that it is about
 * to use: those are passed over, and one that it has used meanwhile is seen by the second statement.
 */
async function dropNetworks(sql: Store['sql'], family: 'ipv4' | 'ipv6', atOnce: number): Promise<void> {
  const [table, id] = [sql(`${family}_networks`), sql(`${family}_network_id`)]
  const unused = sql`not exists (select from ${sql(`${family}_addresses`)} a where a.${id} = n.${id})
    and not exists (select from import_ids i where i.table_name = ${`${family}_networks`} and i.target_id = n.${id})`
  await sql.begin(async (tx) => {
    const found = await tx<{ id: number }[]>`
      select n.${id} as id from ${table} n where ${unused} limit ${atOnce} for update skip locked`
    if (found.length > 0)
      await tx`delete from ${table} n where n.${id} = any(${found.map((row) => row.id)}::int[]) and ${unused}`
  })
}

/**
 * Removes rows without traffic that earlier versions stored for the time before any port of a bill was monitored, and
 * returns how many. Rows of other programs, and those after the first known one, stay.
 */
async function dropEmptyBillRows(sql: Store['sql'], atOnce: number): Promise<number> {
  const empty = sql`r.period = 0 and r.delta = 0 and r.unknown_s is not null`
  const removed = await sql`
    delete from bill_data where id in (
      select r.id from (
        select m.bill_id, min(coalesce(d.inserted, '-infinity')) as since
        from (select bill_id, port_id from bill_ports union select bill_id, port_id from bill_ports_past) m
          join ports p using (port_id) join devices d using (device_id) group by m.bill_id) b
      cross join lateral (
        select r."timestamp" as at from bill_data r where r.bill_id = b.bill_id and not (${empty})
        order by r."timestamp" limit 1) k
      join bill_data r on r.bill_id = b.bill_id and r."timestamp" <= least(b.since, k.at) and ${empty}
      limit ${atOnce})`
  return removed.count
}
