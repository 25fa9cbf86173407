import { eq, sql } from 'drizzle-orm'
import { locations } from '../../../db/schema/index.ts'
import type { Store } from '../database/client.ts'

/** Values of a location set by a person; degrees as decimal text. Absent members stay unchanged. */
export interface LocationValues {
  readonly location?: string
  readonly lat?: string | null
  readonly lng?: string | null
  readonly fixed_coordinates?: 0 | 1
}

/** Stores a new location; returns its id. Throws a unique violation (23505) when the name is taken. */
export async function insertLocation(
  { db }: Store,
  values: LocationValues & { readonly location: string },
): Promise<number> {
  const [row] = await db.insert(locations).values(values).returning({ id: locations.id })
  if (!row) throw new Error('insert returned no row')
  return row.id
}

/**
 * Changes a location. Returns false when it no longer exists. Throws a unique violation (23505) when the name is taken.
 */
export async function updateLocation({ db }: Store, id: number, values: LocationValues): Promise<boolean> {
  const changed = await db
    .update(locations)
    .set({ ...values, timestamp: sql`now()` })
    .where(eq(locations.id, id))
    .returning({ id: locations.id })
  return changed.length > 0
}

/** Deletes a location; its devices are left without one. Returns false when it did not exist. */
export async function deleteLocation({ db }: Store, id: number): Promise<boolean> {
  return await db.transaction(async (tx) => {
    // before its devices, as whoever gives one a location does
    await tx.execute(sql`select from locations where id = ${id} for update`)
    await tx.execute(sql`select from devices where location_id = ${id} order by device_id for no key update`)
    const gone = await tx.delete(locations).where(eq(locations.id, id)).returning({ id: locations.id })
    return gone.length > 0
  })
}
