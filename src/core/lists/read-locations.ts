import { NOT_ASKED } from '../base/not-asked.ts'
import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { containing } from '../database/patterns.ts'

/** A location with its devices. */
export interface LocationListRow {
  readonly id: number
  readonly location: string
  /** Degrees; null: unknown. */
  readonly lat: number | null
  readonly lng: number | null
  readonly devices: number
  readonly down: number
}

/**
 * Locations with devices in scope and, if the scope is unlimited, those without devices; those with devices down first.
 */
export async function listLocationPage(
  { sql }: Store,
  scope: Scope,
  of: { readonly text: string; readonly offset: number; readonly limit: number },
): Promise<{ rows: LocationListRow[]; total: number }> {
  const like = containing(of.text)
  const rows = await sql<(LocationListRow & { total: number })[]>`
      select l.id, l.location, l.lat::float8 as lat, l.lng::float8 as lng, count(d.device_id)::int as devices,
        count(*) filter (where d.status = 0 and d.disabled = 0 and d.ignore = 0 and not ${sql.unsafe(NOT_ASKED)})::int as down, count(*) over ()::int as total
      from locations l left join devices d on d.location_id = l.id and ${deviceInScope(sql, scope)}
      where ${of.text === '' ? sql`true` : sql`l.location ilike ${like}`}
      group by l.id having ${scope.kind === 'all' ? sql`true` : sql`count(d.device_id) > 0`}
      order by down desc, natural_key(l.location), l.id limit ${of.limit} offset ${of.offset}`
  return { rows, total: rows[0]?.total ?? 0 }
}
