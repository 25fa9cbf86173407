import type { LocationRow } from '../../../core/locations/service.ts'
import { localTime } from '../../../lib/record-times.ts'
import type { Location } from '../locations/model.ts'

/** A location in list_locations: coordinates as decimal text. */
export const presentListedLocation = (row: LocationRow) => ({
  ...row,
  timestamp: localTime(row.timestamp),
  fixed_coordinates: row.fixed_coordinates === 1 ? (1 as const) : (0 as const),
})

/** The location in get_location: coordinates as numbers. */
export function presentLocation(row: LocationRow): Location {
  return {
    ...presentListedLocation(row),
    lat: row.lat === null ? null : Number(row.lat),
    lng: row.lng === null ? null : Number(row.lng),
  }
}
