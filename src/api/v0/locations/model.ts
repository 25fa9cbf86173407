import { LOCATION } from '../../../core/records/tables.ts'
import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { documented, Ok } from '../envelope.ts'
import { listModel, singleModel } from '../records/model.ts'

/** A location in a list: coordinates as decimal text. */
const LocationRow = listModel(LOCATION, 'LocationRow')
/** A single location: coordinates as numbers. */
const Location = singleModel(LOCATION, 'Location')
export type Location = typeof Location.static

const Coordinate = t.Optional(t.Union([t.Number(), t.String(), t.Null()]))
const Fixed = t.Optional(t.Union([t.Boolean(), whole(), t.String()]))
const Message = t.Object({ status: Ok, message: t.String() }, { title: 'Done' })

export const LocationModel = {
  params: documented(t.Object({ location: t.String({ description: 'Name, or numeric id' }) })),
  list: documented(t.Object({ status: Ok, locations: t.Array(LocationRow), count: whole() })),
  one: documented(
    t.Union([
      t.Object({ status: Ok, get_location: t.Array(Location), count: whole() }),
      t.Object({ status: Ok, get_location: Location }),
    ]),
  ),
  add: documented(t.Object({ location: t.String(), lat: Coordinate, lng: Coordinate, fixed_coordinates: Fixed })),
  edit: documented(
    t.Object({ location: t.Optional(t.String()), lat: Coordinate, lng: Coordinate, fixed_coordinates: Fixed }),
  ),
  done: documented(Message),
}
