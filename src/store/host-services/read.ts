import { deviceInScope, type Scope } from '../access/scope.ts'
import type { Store } from '../client.ts'

/** A service as the API shows it; unset texts are empty. */
export interface ServiceRecord {
  readonly service_id: number
  readonly device_id: number
  readonly service_ip: string
  readonly service_type: string
  readonly service_desc: string
  readonly service_param: string
  readonly service_ignore: number
  readonly service_status: number
  readonly service_changed: number
  readonly service_message: string
  readonly service_disabled: number
  readonly service_ds: string
  readonly service_template_id: number
  readonly service_name: string
}

/** Filter of services; empty: all. */
export interface ServiceFilter {
  readonly deviceId?: number
  /** If set, disabled and ignored services are excluded. */
  readonly state?: number
  /** An SQL LIKE pattern for the type. */
  readonly typePattern?: string
}

/** Services in scope, by service_ip. */
export async function listHostServices(
  { sql }: Store,
  scope: Scope,
  { deviceId, state, typePattern }: ServiceFilter,
): Promise<ServiceRecord[]> {
  const inState =
    state === undefined
      ? sql`true`
      : sql`s.service_status = ${state} and s.service_disabled = 0 and s.service_ignore = 0`
  return await sql<ServiceRecord[]>`
    select s.service_id, s.device_id, coalesce(s.service_ip, '') as service_ip, s.service_type,
      coalesce(s.service_desc, '') as service_desc, coalesce(s.service_param, '') as service_param, s.service_ignore,
      s.service_status, s.service_changed, coalesce(s.service_message, '') as service_message, s.service_disabled,
      coalesce(s.service_ds, '') as service_ds, s.service_template_id, coalesce(s.service_name, '') as service_name
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
  readonly service_ds: string
}

/** The data set with this name; null: not a service of the device, or the service never measured it. */
export async function serviceDataset(
  { sql }: Store,
  of: { readonly deviceId: number; readonly serviceId: number; readonly ds: string },
): Promise<ServiceDataset | null> {
  const [row] = await sql<ServiceDataset[]>`
    select x.service_dataset_id, coalesce(s.service_ds, '') as service_ds
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
