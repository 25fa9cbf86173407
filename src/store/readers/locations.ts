import type { Sql, Store } from '../client.ts'
import { instantSql } from './device-columns.ts'
import { deviceInScope, type Scope } from './scope.ts'

/** A place where devices are. */
export interface LocationRecord {
  readonly id: number
  readonly location: string
  /** Degrees as decimal text with eight places; null: unknown. */
  readonly lat: string | null
  readonly lng: string | null
  /** Local `Y-m-d H:i:s` of the last change. */
  readonly timestamp: string
  /** 1: a person fixed the coordinates, discovery leaves them alone. */
  readonly fixed_coordinates: number
}

/** All locations in scope by id: for a user those at which a granted device is. */
export async function listLocations({ sql }: Store, scope: Scope): Promise<LocationRecord[]> {
  return await sql<LocationRecord[]>`
    select ${columns(sql)} from locations l where ${inScope(sql, scope)} order by l.id`
}

/** The location a client names: digits alone are an id, anything else a name in any case. null: none in scope. */
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
