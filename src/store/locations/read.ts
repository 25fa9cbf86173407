import { deviceInScope, type Scope } from '../access/scope.ts'
import type { Sql, Store } from '../client.ts'
import { instantSql } from '../devices/columns.ts'

/** A location of devices. */
export interface LocationRecord {
  readonly id: number
  readonly location: string
  /** Degrees as decimal text with eight decimals; null: unknown. */
  readonly lat: string | null
  readonly lng: string | null
  /** Time of the last change, local `Y-m-d H:i:s`. */
  readonly timestamp: string
  /** 1: a person fixed the coordinates, and discovery does not change them. */
  readonly fixed_coordinates: number
}

/** Locations in scope by id. A user sees those of granted devices. */
export async function listLocations({ sql }: Store, scope: Scope): Promise<LocationRecord[]> {
  return await sql<LocationRecord[]>`
    select ${columns(sql)} from locations l where ${inScope(sql, scope)} order by l.id`
}

/** The location that a client names: digits are an id, other text a case-insensitive name. null: none in scope. */
export async function findLocation({ sql }: Store, scope: Scope, ref: string): Promise<LocationRecord | null> {
  const named = /^\d+$/.test(ref) ? byId(sql, ref) : sql`lower(l.location) = lower(${ref})`
  const [row] = await sql<LocationRecord[]>`
    select ${columns(sql)} from locations l where ${named} and ${inScope(sql, scope)}`
  return row ?? null
}

function byId(sql: Sql, digits: string) {
  const id = Number(digits)
  return id <= 2_147_483_647 ? sql`l.id = ${id}` : sql`false`
}

function columns(sql: Sql) {
  return sql`l.id, l.location, l.lat::text as lat, l.lng::text as lng,
    ${sql.unsafe(instantSql('l.timestamp', 'local'))} as timestamp, l.fixed_coordinates`
}

function inScope(sql: Sql, scope: Scope) {
  if (scope.kind === 'all') return sql`true`
  return sql`exists (select from devices d where d.location_id = l.id and ${deviceInScope(sql, scope)})`
}
