import { and, asc, eq, sql } from 'drizzle-orm'
import { entPhysical } from '../../../db/schema/index.ts'
import type { Store } from '../database/client.ts'

/** A physical entity. */
export type EntityRow = Readonly<typeof entPhysical.$inferSelect>

/**
 * Physical entities of a device by id. `containedIn` is the parent's entPhysicalIndex; `entClass` is case-insensitive;
 * absent: all.
 */
export async function listEntities(
  { db }: Store,
  deviceId: number,
  { containedIn, entClass }: { readonly containedIn?: number; readonly entClass?: string },
): Promise<EntityRow[]> {
  return await db
    .select()
    .from(entPhysical)
    .where(
      and(
        eq(entPhysical.device_id, deviceId),
        containedIn === undefined ? undefined : eq(entPhysical.entPhysicalContainedIn, containedIn),
        entClass === undefined ? undefined : sql`lower(${entPhysical.entPhysicalClass}) = lower(${entClass})`,
      ),
    )
    .orderBy(asc(entPhysical.entPhysical_id))
}
