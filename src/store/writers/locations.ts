import { eq, sql } from 'drizzle-orm'
import { locations } from '../../../db/schema/index.ts'
import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'

/** What a person says of a location; degrees as decimal text. Absent members stay as they are. */
export interface LocationValues {
  readonly location?: string
  readonly lat?: string | null
  readonly lng?: string | null
  readonly fixed_coordinates?: 0 | 1
}

/** Stores a new location; returns its id. Throws a unique violation (23505) when the name is taken. */
export function insertLocation({ db }: Store, values: LocationValues & { readonly location: string }): Promise<number> {
  return guarded(async () => {
    const [row] = await db.insert(locations).values(values).returning({ id: locations.id })
    if (!row) throw new Error('insert returned no row')
    return row.id
  })
}

/** Changes a location. Returns false when there is none any more. Throws a unique violation (23505) when the name is taken. */
export function updateLocation({ db }: Store, id: number, values: LocationValues): Promise<boolean> {
  return guarded(async () => {
    const changed = await db
      .update(locations)
      .set({ ...values, timestamp: sql`now()` })
      .where(eq(locations.id, id))
      .returning({ id: locations.id })
    return changed.length > 0
  })
}

/** Removes a location; its devices have none then. Returns false when there was none. */
export function deleteLocation({ db }: Store, id: number): Promise<boolean> {
  return guarded(async () => {
    const gone = await db.delete(locations).where(eq(locations.id, id)).returning({ id: locations.id })
    return gone.length > 0
  })
}
