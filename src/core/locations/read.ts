import type { locations } from '../../../db/schema/index.ts'
import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Sql, Store } from '../database/client.ts'

/** A location of devices. Degrees are decimal text with eight decimals; null: unknown. */
export type LocationRow = Readonly<typeof locations.$inferSelect>

/** Locations in scope by id. A user sees those of granted devices. */
export async function listLocations({ sql }: Store, scope: Scope): Promise<LocationRow[]> {
  return await sql<LocationRow[]>`
    select l.id, l.location, l.lat, l.lng, l.timestamp, l.fixed_coordinates from locations l where ${inScope(sql, scope)} order by l.id`
}

/** The location that a client names: digits are an id, other text a case-insensitive name. null: none in scope. */
export async function findLocation({ sql }: Store, scope: Scope, ref: string): Promise<LocationRow | null> {
  const named = /^\d+$/.test(ref) ? byId(sql, ref) : sql`lower(l.location) = lower(${ref})`
  const [row] = await sql<LocationRow[]>`
    select l.id, l.location, l.lat, l.lng, l.timestamp, l.fixed_coordinates from locations l where ${named} and ${inScope(sql, scope)}`
  return row ?? null
}

function byId(sql: Sql, digits: string) {
  const id = Number(digits)
  return id <= 2_147_483_647 ? sql`l.id = ${id}` : sql`false`
}

function inScope(sql: Sql, scope: Scope) {
  if (scope.kind === 'all') return sql`true`
  return sql`exists (select from devices d where d.location_id = l.id and ${deviceInScope(sql, scope)})`
}
