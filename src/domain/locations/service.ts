import type { Store } from '../../store/client.ts'
import { toStoreError } from '../../store/errors.ts'
import { findLocation, type LocationRecord, listLocations } from '../../store/readers/locations.ts'
import { deleteLocation, insertLocation, type LocationValues, updateLocation } from '../../store/writers/locations.ts'
import { type Actor, scopeOf } from '../actor.ts'
import { conflict } from '../errors.ts'

export type { LocationRecord, LocationValues }

/** The verbs on locations. `ref` is an id (digits alone) or a name in any case. */
export function createLocationService({ store }: { readonly store: Store }) {
  return {
    /** Locations by id; a user's are those of the granted devices. */
    async list(actor: Actor): Promise<LocationRecord[]> {
      return await listLocations(store, scopeOf(actor))
    },

    /** One location; null: there is none that the actor may see. */
    async find(actor: Actor, ref: string): Promise<LocationRecord | null> {
      return await findLocation(store, scopeOf(actor), ref)
    },

    /** Stores a new location; returns its id. Coordinates on this Earth are fixed unless it is said. Throws `conflict` (name taken). */
    async add(values: LocationValues & { readonly location: string }): Promise<number> {
      const fixed = values.fixed_coordinates ?? (isPlace(values) ? 1 : 0)
      return await unique(values.location, () => insertLocation(store, { ...values, fixed_coordinates: fixed }))
    },

    /** Changes what `values` names. Throws `conflict` (name taken). */
    async edit(location: LocationRecord, values: LocationValues): Promise<void> {
      await unique(values.location ?? location.location, () => updateLocation(store, location.id, values))
    },

    /** Removes a location; its devices have none then. */
    async delete(location: LocationRecord): Promise<void> {
      await deleteLocation(store, location.id)
    },
  }
}

export type LocationService = ReturnType<typeof createLocationService>

/** Coordinates that say a place: within range, and not the 0 that stands for «unknown». */
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
