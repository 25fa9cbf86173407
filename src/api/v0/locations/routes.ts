import { conflict, DomainError, invalid, notFound } from '../../../core/base/errors.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { Unexplained } from '../present-error.ts'
import { presentListedLocation, presentLocation } from '../records/location.ts'
import { refusals } from '../statuses.ts'
import { LocationModel } from './model.ts'
import { locationChanges, newLocation } from './requests.ts'

/** Locations of devices: list, add, get, edit, delete. */
export const locationRoutes = ({ locations }: Pick<Services, 'locations'>) =>
  new Elysia({ name: 'v0.locations' })
    .use(v0Context)
    .get(
      '/resources/locations',
      async ({ actor }) => {
        const list = await locations.list(actor)
        if (list.length === 0) throw notFound('Locations do not exist')
        return { status: 'ok' as const, locations: list.map(presentListedLocation), count: list.length }
      },
      {
        ...operation({ id: 'list_locations', gate: 'Location.viewAny', summary: 'Locations' }),
        response: { 200: LocationModel.list, 404: ErrorModel },
      },
    )
    .get(
      '/location/:location',
      async ({ actor, dialect, params }) => {
        const found = await locations.find(actor, params.location)
        if (!found) throw notFound('Location does not exist')
        const one = presentLocation(found)
        return dialect === 'documented'
          ? { status: 'ok' as const, get_location: [one], count: 1 }
          : { status: 'ok' as const, get_location: one }
      },
      {
        ...operation({ id: 'get_location', gate: 'Location.viewAny', summary: 'One location' }),
        params: LocationModel.params,
        response: { 200: LocationModel.one, 404: ErrorModel },
      },
    )
    .post(
      '/locations',
      async ({ body, status }) => {
        const id = await locations.add(newLocation(body)).catch((error: unknown) => {
          throw isTaken(error) ? new Unexplained(error) : error
        })
        return status(201, { status: 'ok' as const, message: `Location added with id #${id}` })
      },
      {
        ...operation({ id: 'add_location', gate: 'Location.create', summary: 'Adds a location' }),
        body: LocationModel.add,
        response: { 201: LocationModel.done, ...refusals('invalid', 'conflict') },
      },
    )
    .patch(
      '/locations/:location',
      async ({ actor, params, body, status }) => {
        const found = await locations.find(actor, params.location)
        const values = locationChanges(body)
        if (!found || Object.keys(values).length === 0) throw invalid('Failed to update location')
        await locations.edit(actor, found, values).catch((error: unknown) => {
          throw isTaken(error) ? conflict('Failed to update location', error) : error
        })
        return status(201, { status: 'ok' as const, message: 'Location updated successfully' })
      },
      {
        ...operation({ id: 'edit_location', gate: 'Location.update', summary: 'Changes name or coordinates' }),
        params: LocationModel.params,
        body: LocationModel.edit,
        response: { 201: LocationModel.done, ...refusals('invalid', 'conflict') },
      },
    )
    .delete(
      '/locations/:location',
      async ({ actor, params, status }) => {
        const found = await locations.find(actor, params.location)
        // LibreNMS prints the name of the location it did not find, which is empty: hence the two spaces.
        if (!found) throw invalid('Failed to delete  (Does not exists)')
        await locations.delete(actor, found)
        const message = `Location ${found.location} has been deleted successfully`
        return status(201, { status: 'ok' as const, message })
      },
      {
        ...operation({
          id: 'delete_location',
          route: 'del_location',
          gate: 'Location.delete',
          summary: 'Deletes a location; its devices are left without one',
        }),
        params: LocationModel.params,
        response: { 201: LocationModel.done, 400: ErrorModel },
      },
    )

function isTaken(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code === 'conflict'
}
