import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { documented, Ok } from '../envelope.ts'

const Degrees = t.Union([t.Number(), t.Null()])
const DecimalText = t.Union([t.String({ description: 'Degrees, eight decimals' }), t.Null()])

const shared = {
  id: whole(),
  location: t.String(),
  timestamp: t.String({ description: 'Y-m-d H:i:s, server time: the last change' }),
  fixed_coordinates: t.Union([t.Literal(0), t.Literal(1)]),
}

/** A location in a list: coordinates as decimal text. */
const LocationRow = t.Object({ ...shared, lat: DecimalText, lng: DecimalText }, { title: 'LocationRow' })
/** A single location: coordinates as numbers. */
const Location = t.Object({ ...shared, lat: Degrees, lng: Degrees }, { title: 'Location' })
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
