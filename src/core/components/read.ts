import type { Store } from '../database/client.ts'

/** A component of a device with its attributes. */
export interface ComponentRow {
  readonly id: number
  readonly type: string
  readonly label: string | null
  /** 0 ok, 1 warning, 2 critical. */
  readonly status: number
  readonly ignore: number
  readonly disabled: number
  readonly error: string | null
  readonly attributes: Readonly<Record<string, string>>
}

/** Filter of a device's components; empty: all. `label` matches any part of the label, case-insensitive. */
export interface ComponentFilter {
  readonly type?: string
  readonly id?: number
  readonly label?: string
  readonly status?: number
  readonly disabled?: number
  readonly ignore?: number
  readonly error?: string
}

/** Components of a device by id. */
export async function listComponents(
  { sql }: Store,
  deviceId: number,
  { type, id, label, status, disabled, ignore, error }: ComponentFilter,
): Promise<ComponentRow[]> {
  return await sql<ComponentRow[]>`
    select c.id, c.type, c.label, c.status, c.ignore, c.disabled, c.error,
      coalesce((select json_object_agg(a.attribute, a.value order by a.id) from component_prefs a where a.component = c.id),
        '{}') as attributes
    from component c
    where c.device_id = ${deviceId}
      and ${type === undefined ? sql`true` : sql`c.type = ${type}`}
      and ${id === undefined ? sql`true` : sql`c.id = ${id}`}
      and ${label === undefined ? sql`true` : sql`strpos(lower(c.label), lower(${label})) > 0`}
      and ${status === undefined ? sql`true` : sql`c.status = ${status}`}
      and ${disabled === undefined ? sql`true` : sql`c.disabled = ${disabled}`}
      and ${ignore === undefined ? sql`true` : sql`c.ignore = ${ignore}`}
      and ${error === undefined ? sql`true` : sql`c.error = ${error}`}
    order by c.id`
}
