import { expect } from 'bun:test'
import { mint, type TestApi } from '../../support/api.ts'
import type { Seeded } from '../fixtures.ts'
import { get, member, message, type Row, send } from './row.ts'

const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })
const librenms = async (api: TestApi) => ({ token: (await api.token(['admin'], 'librenms')).token })

/** A new location with the seeded device. */
export async function located({ store: { sql } }: TestApi, { deviceId }: Seeded) {
  const name = `Room ${mint()}, 2nd floor`
  const [row] = await sql<{ id: number }[]>`
    with l as (insert into locations (location, lat, lng, fixed_coordinates)
      values (${name}, 51.5074123, -0.1278456, 1) returning id)
    update devices set location_id = l.id from l where device_id = ${deviceId} returning l.id`
  return { id: row?.id ?? 0, name, path: encodeURIComponent(name) }
}

/** What get_location returns afterwards, in dialect `librenms`. */
export async function readBack(api: TestApi, ref: string | number) {
  return member(await api.call('GET', `/api/v0/location/${ref}`, await librenms(api)), 'get_location')
}

export const LOCATION_ROWS: readonly Row[] = [
  {
    operation: 'list_locations',
    status: 200,
    name: 'coordinates are decimal text with eight places',
    request: async (s, api) => {
      await located(api, s)
      return get('/resources/locations')
    },
    check: (a) =>
      expect(member(a, 'locations')).toContainEqual({
        id: expect.any(Number),
        location: expect.stringContaining('Room'),
        lat: '51.50741230',
        lng: '-0.12784560',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        fixed_coordinates: 1,
      }),
  },
  {
    operation: 'list_locations',
    status: 404,
    name: 'a user without devices has no locations',
    request: async (s, api) => {
      await located(api, s)
      return get('/resources/locations', await user(api))
    },
    check: (a) => expect(message(a)).toBe('Locations do not exist'),
  },
  {
    operation: 'get_location',
    status: 200,
    name: 'by name in any case, coordinates are numbers',
    request: async (s, api) => get(`/location/${(await located(api, s)).path.toUpperCase()}`),
    check: (a) =>
      expect(a.json).toMatchObject({
        get_location: [{ lat: 51.5074123, lng: -0.1278456, fixed_coordinates: 1 }],
        count: 1,
      }),
  },
  {
    operation: 'get_location',
    status: 200,
    name: 'dialect librenms: one object, by id',
    request: async (s, api) => get(`/location/${(await located(api, s)).id}`, await librenms(api)),
    check: (a) => expect(member(a, 'get_location')).toMatchObject({ id: expect.any(Number), lng: -0.1278456 }),
  },
  {
    operation: 'get_location',
    status: 404,
    name: 'digits are an id',
    request: () => get('/location/99999999999'),
    check: (a) => expect(message(a)).toBe('Location does not exist'),
  },
  {
    operation: 'get_location',
    status: 404,
    name: 'a user that has no device there',
    request: async (s, api) => get(`/location/${(await located(api, s)).id}`, await user(api)),
  },
  {
    operation: 'add_location',
    status: 201,
    name: 'valid coordinates are fixed, and read back',
    request: () => send('POST', '/locations/', { location: `Site ${mint()}`, lat: '40.1234567', lng: -71.7654321 }),
    check: async (a, _s, api) => {
      expect(message(a)).toMatch(/^Location added with id #\d+$/)
      const id = String(message(a)).split('#').at(-1) ?? ''
      expect(await readBack(api, id)).toMatchObject({ lat: 40.1234567, lng: -71.7654321, fixed_coordinates: 1 })
    },
  },
  {
    operation: 'add_location',
    status: 201,
    name: 'without coordinates',
    request: () => send('POST', '/locations', { location: `Site ${mint()}` }),
    check: async (a, _s, api) => {
      const id = String(message(a)).split('#').at(-1) ?? ''
      expect(await readBack(api, id)).toMatchObject({ lat: null, lng: null, fixed_coordinates: 0 })
    },
  },
  {
    operation: 'add_location',
    status: 400,
    name: 'no name',
    request: () => send('POST', '/locations', { lat: 1, lng: 2 }),
    check: (a) => expect(message(a)).toBe('Required fields missing (location, lat and lng needed)'),
  },
  {
    operation: 'add_location',
    status: 400,
    name: 'invalid coordinates',
    request: () => send('POST', '/locations', { location: `Site ${mint()}`, lat: 'north', lng: 2 }),
  },
  {
    operation: 'add_location',
    status: 409,
    name: 'the name is in use, in another case',
    request: async (s, api) => {
      const { name } = await located(api, s)
      return send('POST', '/locations', { location: name.toUpperCase(), lat: 1, lng: 2 })
    },
    check: (a) => expect(message(a)).toMatch(/^Location ROOM \d+, 2ND FLOOR already exists$/),
  },
  {
    operation: 'edit_location',
    status: 201,
    name: 'one coordinate as text, the rest stays',
    request: async (s, api) => send('PATCH', `/locations/${(await located(api, s)).path}`, { lat: '1.0000001' }),
    check: async (a, { hostname }, api) => {
      expect(message(a)).toBe('Location updated successfully')
      const device = await api.call('GET', `/api/v0/devices/${hostname}`)
      expect(member(device, 'devices')).toMatchObject([{ lat: 1.0000001, lng: -0.1278456 }])
    },
  },
  {
    operation: 'edit_location',
    status: 201,
    name: 'name, coordinates removed, not fixed',
    request: async (s, api) =>
      send('PATCH', `/locations/${(await located(api, s)).id}`, {
        location: `Cellar ${mint()}`,
        lat: null,
        lng: '',
        fixed_coordinates: false,
      }),
    check: async (_a, { hostname }, api) => {
      const device = await api.call('GET', `/api/v0/devices/${hostname}`)
      expect(member(device, 'devices')).toMatchObject([
        { location: expect.stringContaining('Cellar'), lat: null, lng: null },
      ])
    },
  },
  {
    operation: 'edit_location',
    status: 400,
    name: 'unknown',
    request: () => send('PATCH', '/locations/nowhere', { lat: 1 }),
    check: (a) => expect(message(a)).toBe('Failed to update location'),
  },
  {
    operation: 'edit_location',
    status: 409,
    name: 'the name is in use',
    request: async (s, api) => {
      const [one, other] = [await located(api, s), await located(api, s)]
      return send('PATCH', `/locations/${one.id}`, { location: other.name })
    },
    check: (a) => expect(message(a)).toBe('Failed to update location'),
  },
  {
    operation: 'delete_location',
    status: 201,
    name: 'it is deleted, and its devices have no location',
    request: async (s, api) => send('DELETE', `/locations/${(await located(api, s)).path}`, []),
    check: async (a, { hostname }, api) => {
      const name = /^Location (.*) has been deleted successfully$/.exec(String(message(a)))?.[1] ?? ''
      expect((await api.call('GET', `/api/v0/location/${encodeURIComponent(name)}`)).status).toBe(404)
      const device = await api.call('GET', `/api/v0/devices/${hostname}`)
      expect(member(device, 'devices')).toMatchObject([{ location_id: null, location: null }])
    },
  },
  {
    operation: 'delete_location',
    status: 400,
    name: 'unknown',
    request: () => send('DELETE', '/locations/nowhere'),
    check: (a) => expect(message(a)).toBe('Failed to delete  (Does not exists)'),
  },
]
