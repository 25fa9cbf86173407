import { type Actor, scopeOf } from '../base/actor.ts'
import { conflict } from '../base/errors.ts'
import { requireGrants } from '../base/grants-check.ts'
import type { Store } from '../database/client.ts'
import { toStoreError } from '../database/errors.ts'
import { findLocation, type LocationRow, listLocations } from './read.ts'
import { deleteLocation, insertLocation, type LocationValues, updateLocation } from './write.ts'

export type { LocationRow, LocationValues }

/** Operations on locations. `ref` is an id (digits) or a name, regardless of case. */
export function createLocationService({ store }: { readonly store: Store }) {
  return {
    /** Locations in order of id. Role `user` sees those of granted devices. */
    async list(actor: Actor): Promise<LocationRow[]> {
      return await listLocations(store, scopeOf(actor))
    },

    /** One location; null: it does not exist, or the actor may not see it. */
    async find(actor: Actor, ref: string): Promise<LocationRow | null> {
      return await findLocation(store, scopeOf(actor), ref)
    },

    /**
     * Stores a new location; returns its id. Valid coordinates are marked as fixed unless the request states otherwise.
     * Throws `conflict` (name in use).
     */
    async add(values: LocationValues & { readonly location: string }): Promise<number> {
      const fixed = values.fixed_coordinates ?? (isPlace(values) ? 1 : 0)
      return await unique(values.location, () => insertLocation(store, { ...values, fixed_coordinates: fixed }))
    },

    /** Changes the given values. Throws `conflict` (name in use), `forbidden` when a device there is not granted. */
    async edit(actor: Actor, location: LocationRow, values: LocationValues): Promise<void> {
      await requireGrants(store, actor, { locations: [location.id] })
      await unique(values.location ?? location.location, () => updateLocation(store, location.id, values))
    },

    /** Deletes a location; its devices are left without one. Throws `forbidden` when a device there is not granted. */
    async delete(actor: Actor, location: LocationRow): Promise<void> {
      await requireGrants(store, actor, { locations: [location.id] })
      await deleteLocation(store, location.id)
    },
  }
}

export type LocationService = ReturnType<typeof createLocationService>

/** Whether coordinates are usable, which means in range and not 0 (unknown). */
function isPlace({ lat, lng }: LocationValues): boolean {
  const [x, y] = [Number(lat ?? 0), Number(lng ?? 0)]
  return x !== 0 && y !== 0 && Math.abs(x) <= 90 && Math.abs(y) <= 180
}

async function unique<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const known = toStoreError(error)
    if (known.code === '23505') throw conflict(`Location ${name} already exists`)
    throw known
  }
}
