import type { Store } from '../database/client.ts'
import { DEMO_BILL, DEMO_GROUP, DEMO_RULES, DEMO_SITE, DEMO_WINDOWS, SWITCH_GROUP } from './objects.ts'
import { DEMO_ATTRIBUTE } from './read.ts'

/** What the demo adds besides devices, by name. */
export interface DemoObject {
  readonly kind: 'rule' | 'group' | 'bill' | 'maintenance' | 'service'
  readonly id: number
  readonly name: string
}

/** Objects with the names of the demo's, its service only on its device. Throws StoreError. */
export async function demoObjects({ sql }: Store): Promise<DemoObject[]> {
  const names = [DEMO_GROUP, SWITCH_GROUP, DEMO_BILL.bill_name, ...DEMO_RULES.map(({ name }) => name), ...DEMO_WINDOWS]
  return await sql<DemoObject[]>`
    select 'rule' as kind, id::int, name from alert_rules where name = any(${names}::text[])
    union all select 'group', id::int, name from device_groups where name = any(${names}::text[])
    union all select 'bill', bill_id::int, bill_name from bills where bill_name = any(${names}::text[])
    union all select 'maintenance', schedule_id::int, title from alert_schedule where title = any(${names}::text[])
    union all select 'service', s.service_id::int, s.service_name from services s
      join devices_attribs a on a.device_id = s.device_id and a.attrib_type = ${DEMO_ATTRIBUTE}
      where s.service_name = ${DEMO_SITE.name}`.then((rows) => [...rows])
}

/** Id of a port of a demo device; null: not discovered yet. Throws StoreError. */
export async function demoPort({ sql }: Store, hostname: string, ifName: string): Promise<number | null> {
  const rows = await sql<{ port_id: number }[]>`
    select p.port_id::int from ports p join devices d using (device_id)
      join devices_attribs a on a.device_id = d.device_id and a.attrib_type = ${DEMO_ATTRIBUTE}
    where d.hostname = ${hostname} and p."ifName" = ${ifName} and p.deleted = 0 limit 1`
  return rows[0]?.port_id ?? null
}

/** Whether there are devices of the demo. Throws StoreError. */
export async function hasDemo({ sql }: Store): Promise<boolean> {
  const rows = await sql`select from devices_attribs where attrib_type = ${DEMO_ATTRIBUTE} limit 1`
  return rows.length > 0
}
