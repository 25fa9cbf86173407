import { services } from '../../../db/schema/index.ts'
import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { selectList } from '../database/columns.ts'

/** A service of a device. */
export type ServiceRow = Readonly<typeof services.$inferSelect>

/** Filter of services; empty: all. */
export interface ServiceFilter {
  readonly deviceId?: number
  /** If set, disabled and ignored services are excluded. */
  readonly state?: number
  /** An SQL LIKE pattern for the type. */
  readonly typePattern?: string
}

const COLUMNS = selectList(services, 's')

/** Services in scope, by service_ip. */
export async function listHostServices(
  { sql }: Store,
  scope: Scope,
  { deviceId, state, typePattern }: ServiceFilter,
): Promise<ServiceRow[]> {
  const inState =
    state === undefined
      ? sql`true`
      : sql`s.service_status = ${state} and s.service_disabled = 0 and s.service_ignore = 0`
  return await sql<ServiceRow[]>`
    select ${sql.unsafe(COLUMNS)}
    from services s join devices d on d.device_id = s.device_id
    where ${deviceInScope(sql, scope)} and ${inState}
      and ${deviceId === undefined ? sql`true` : sql`s.device_id = ${deviceId}`}
      and ${typePattern === undefined ? sql`true` : sql`s.service_type like ${likePattern(typePattern)}`}
    order by s.service_ip, s.service_id`
}

/** PostgreSQL rejects a pattern that ends in its escape character, so that character is taken literally. */
function likePattern(pattern: string): string {
  const escapes = /\\+$/.exec(pattern)?.[0].length ?? 0
  return escapes % 2 === 1 ? `${pattern}\\` : pattern
}

/** A data set of a service, and the device that the service belongs to. */
export interface ServiceDataset {
  readonly service_dataset_id: number
  readonly service_ds: string | null
}

/** The data set with this name; null: not a service of the device, or the service never measured it. */
export async function serviceDataset(
  { sql }: Store,
  of: { readonly deviceId: number; readonly serviceId: number; readonly ds: string },
): Promise<ServiceDataset | null> {
  const [row] = await sql<ServiceDataset[]>`
    select x.service_dataset_id, s.service_ds
    from service_datasets x join services s using (service_id)
    where s.device_id = ${of.deviceId} and s.service_id = ${of.serviceId} and x.ds = ${of.ds}`
  return row ?? null
}

/** The address of a service's device; null: no such device. */
export async function deviceAddress({ sql }: Store, deviceId: number): Promise<string | null> {
  const [row] = await sql<{ address: string }[]>`
    select coalesce(nullif(overwrite_ip, ''), hostname) as address from devices where device_id = ${deviceId}`
  return row?.address ?? null
}

/** A service; null: there is none. */
export async function findHostService({ sql }: Store, serviceId: number): Promise<ServiceRow | null> {
  const [row] = await sql<ServiceRow[]>`
    select ${sql.unsafe(COLUMNS)} from services s where s.service_id = ${serviceId}`
  return row ?? null
}

/**
 * Whether an address is the name of a device, the address it is polled at, or one found on its ports, except loopback
 * and link-local ones, because agents can report anything.
 */
export async function isDeviceAddress({ sql }: Store, deviceId: number, address: string): Promise<boolean> {
  const [row] = await sql`
    select 1 from devices d where d.device_id = ${deviceId} and (lower(${address}) in (lower(d.hostname), lower(d.overwrite_ip))
      or exists (select from ports p join ipv4_addresses a using (port_id)
        where p.device_id = d.device_id and a.ipv4_address = ${address} and a.ipv4_address !~ '^(0|127|169\\.254)\\.')
      or exists (select from ports p join ipv6_addresses a using (port_id)
        where p.device_id = d.device_id and lower(${address}) in (lower(a.ipv6_address), lower(a.ipv6_compressed))
          and lower(a.ipv6_address) !~ '^(0000:0000:0000:0000:0000:|fe[89ab])'))`
  return row !== undefined
}

/**
 * Number of services that were due in the last `seconds` and were not checked, except those of devices that are down.
 */
export async function overdueServices({ sql }: Store, seconds: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count
    from services s join devices d on d.device_id = s.device_id left join service_checks c on c.service_id = s.service_id
    where s.service_disabled = 0 and d.disabled = 0 and (d.status = 1 or d.status_reason = '')
      and coalesce(c.checked_at < now() - make_interval(secs => ${seconds}), true)`
  return row?.count ?? 0
}
