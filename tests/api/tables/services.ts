import { expect } from 'bun:test'
import type { TestApi } from '../../support/api.ts'
import { type Seeded, seed } from '../fixtures.ts'
import { get, member, message, type Row, send } from './row.ts'

const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })
const librenms = async (api: TestApi) => ({ token: (await api.token(['admin'], 'librenms')).token })
const NOWHERE = 'nowhere.example.net'

/** A service that was checked and is critical, and a disabled one. */
async function checked({ store: { sql } }: TestApi, { deviceId }: Seeded): Promise<[number, number]> {
  const rows = await sql<{ service_id: number }[]>`
    insert into services (device_id, service_ip, service_type, service_status, service_disabled, service_ds) values
      (${deviceId}, '10.0.0.1', 'http', 2, 0, '{"time":"s"}'), (${deviceId}, '10.0.0.2', 'https', 2, 1, '{}')
    returning service_id`
  return [rows[0]?.service_id ?? 0, rows[1]?.service_id ?? 0]
}

async function sampled(api: TestApi, seeded: Seeded): Promise<number> {
  const [id] = await checked(api, seeded)
  const { sql } = api.store
  const [dataset] = await sql<{ id: number }[]>`
    insert into service_datasets (service_id, ds) values (${id}, 'time') returning service_dataset_id as id`
  await sql`insert into ts.service_samples ("time", service_dataset_id, value)
    select now() - n * interval '5 minutes', ${dataset?.id ?? 0}, 0.2 from generate_series(1, 5) n`
  return id
}

export const SERVICE_ROWS: readonly Row[] = [
  {
    operation: 'list_services',
    status: 200,
    name: 'each in its own list',
    request: async (d, api) => {
      await api.store.sql`delete from services`
      await checked(api, d)
      return get('/services')
    },
    check: (a, d) => {
      expect(a.json).toMatchObject({ count: 2, message: '' })
      expect(member(a, 'services')).toEqual([
        [expect.objectContaining({ device_id: d.deviceId, service_type: 'http', service_desc: '', service_name: '' })],
        [expect.objectContaining({ service_type: 'https', service_disabled: 1 })],
      ])
    },
  },
  {
    operation: 'list_services',
    status: 200,
    name: 'none',
    request: async (_, api) => {
      await api.store.sql`delete from services`
      return get('/services')
    },
    check: (a) => expect(a.json).toEqual({ status: 'ok', services: [], message: '', count: 0 }),
  },
  {
    operation: 'list_services',
    status: 200,
    name: 'dialect librenms: one list with all',
    request: async (d, api) => {
      await api.store.sql`delete from services`
      await checked(api, d)
      return get('/services', await librenms(api))
    },
    check: (a) => expect(member(a, 'services')).toEqual([[expect.anything(), expect.anything()]]),
  },
  {
    operation: 'list_services',
    status: 200,
    name: 'dialect librenms: none',
    request: async (_, api) => {
      await api.store.sql`delete from services`
      return get('/services', await librenms(api))
    },
    check: (a) => expect(member(a, 'services')).toEqual([[]]),
  },
  {
    operation: 'list_services',
    status: 200,
    name: 'a state leaves out what is disabled, a type is a pattern',
    request: async (d, api) => {
      await api.store.sql`delete from services`
      await checked(api, d)
      return get('/services?state=2&type=http%25')
    },
    check: (a) => expect(member(a, 'services')).toMatchObject([[{ service_type: 'http' }]]),
  },
  {
    operation: 'list_services',
    status: 200,
    name: 'a pattern without wildcards is the whole type; one ending in a backslash matches nothing',
    request: async (d, api) => {
      await api.store.sql`delete from services`
      await checked(api, d)
      expect(member(await api.call('GET', '/api/v0/services?type=htt%5C'), 'count')).toBe(0)
      return get('/services?type=htt')
    },
    check: (a) => expect(member(a, 'count')).toBe(0),
  },
  {
    operation: 'list_services',
    status: 400,
    name: 'a non-numeric state',
    request: () => get('/services?state=ok'),
    check: (a) =>
      expect(message(a)).toBe('No valid service state provided, valid option is 0=Ok, 1=Warning, 2=Critical'),
  },
  {
    operation: 'list_services',
    status: 403,
    name: 'users while setting show_services is off',
    request: async (_, api) => get('/services', await user(api)),
  },
  {
    operation: 'list_services',
    status: 200,
    name: 'a user sees those of granted devices',
    request: async (d, api) => {
      await checked(api, d)
      await checked(api, await seed(api))
      const { token, username } = await api.token(['user'])
      await api.services.users.grant(username, { deviceIds: [d.deviceId] })
      await api.services.settings.set('show_services', 'true')
      api.settings.applyStored(await api.services.settings.stored())
      return get('/services', { token })
    },
    check: async (a, d, api) => {
      await api.services.settings.set('show_services', 'false')
      api.settings.applyStored(await api.services.settings.stored())
      expect(member(a, 'services')).toMatchObject([[{ device_id: d.deviceId }], [{ device_id: d.deviceId }]])
    },
  },
  {
    operation: 'get_service_for_host',
    status: 200,
    name: 'of one device',
    request: async (d, api) => {
      await checked(api, d)
      return get(`/services/${d.deviceId}`)
    },
    check: (a) => expect(member(a, 'services')).toMatchObject([[{ service_ip: '10.0.0.1' }], [{}]]),
  },
  {
    operation: 'get_service_for_host',
    status: 400,
    name: 'a non-numeric state',
    request: (d) => get(`/services/${d.hostname}?state=x`),
  },
  {
    operation: 'get_service_for_host',
    status: 403,
    name: 'users while setting show_services is off',
    request: async (d, api) => get(`/services/${d.hostname}`, await user(api)),
  },
  {
    operation: 'get_service_for_host',
    status: 404,
    name: 'an unknown device',
    request: () => get(`/services/${NOWHERE}`),
    check: (a) => expect(message(a)).toBe('No valid hostname or device id provided'),
  },
  {
    operation: 'add_service_for_host',
    status: 201,
    name: 'ends in the id, and reads back as it was written',
    request: (d) => send('POST', `/services/${d.hostname}`, { type: 'http', desc: 'web', param: '-S', ignore: true }),
    check: async (a, d, api) => {
      const id = /^Service http has been added to device .* \(#(\d+)\)$/.exec(String(message(a)))?.[1]
      const list = await api.call('GET', `/api/v0/services/${d.hostname}`)
      expect(member(list, 'services')).toEqual([
        [
          {
            service_id: Number(id),
            device_id: d.deviceId,
            service_ip: d.hostname,
            service_type: 'http',
            service_desc: 'web',
            service_param: '-S',
            service_ignore: 1,
            service_status: 3,
            service_changed: expect.any(Number),
            service_message: 'Service not yet checked',
            service_disabled: 0,
            service_ds: '{}',
            service_template_id: 0,
            service_name: '',
          },
        ],
      ])
    },
  },
  {
    operation: 'add_service_for_host',
    status: 400,
    name: 'without a type',
    request: (d) => send('POST', `/services/${d.hostname}`, { ip: '10.0.0.1' }),
    check: (a) => expect(message(a)).toBe('Required fields missing (hostname and type needed)'),
  },
  {
    operation: 'add_service_for_host',
    status: 400,
    name: 'a type that does not exist',
    request: (d) => send('POST', `/services/${d.hostname}`, { type: 'nonsense' }),
    check: (a) =>
      expect(message(a)).toMatch(/^The service nonsense does not exist\.\n Available service types: apt, .*, wave$/),
  },
  {
    operation: 'add_service_for_host',
    status: 403,
    name: 'users',
    request: async (d, api) => send('POST', `/services/${d.hostname}`, { type: 'http' }, await user(api)),
  },
  {
    operation: 'add_service_for_host',
    status: 404,
    name: 'an unknown device',
    request: () => send('POST', `/services/${NOWHERE}`, { type: 'http' }),
  },
  {
    operation: 'edit_service_from_host',
    status: 201,
    name: 'changes columns and nothing else',
    request: async (d, api) => {
      const [id] = await checked(api, d)
      return send('PATCH', `/services/${id}`, {
        service_disabled: '1',
        service_desc: 'shop',
        service_ds: { time: 's' },
      })
    },
    check: async (a, d, api) => {
      expect(message(a)).toBe('Service updated successfully')
      const list = await api.call('GET', `/api/v0/services/${d.hostname}`)
      expect(member(list, 'services')).toMatchObject([
        [{ service_disabled: 1, service_desc: 'shop', service_ds: '{"time":"s"}', service_type: 'http' }],
        [{ service_desc: '' }],
      ])
    },
  },
  {
    operation: 'edit_service_from_host',
    status: 404,
    name: 'no change, unknown columns, invalid values, unknown ids',
    request: async (d, api) => {
      const [id] = await checked(api, d)
      for (const body of [
        { service_type: 'http' },
        { 'service_ip"': 'x' },
        { service_status: 'bad' },
        { service_type: null },
        { device_id: 2_147_483_000 },
        {},
        [],
      ]) {
        const answer = await api.call('PATCH', `/api/v0/services/${id}`, { body })
        expect({ body, status: answer.status, message: message(answer) }).toEqual({
          body,
          status: 'device_id' in body ? 404 : 400,
          message: `Failed to update the service with id ${id}`,
        })
      }
      return send('PATCH', '/services/x', { service_desc: 'y' })
    },
    check: (a) => expect(message(a)).toBe('Failed to update the service with id x'),
  },
  {
    operation: 'edit_service_from_host',
    status: 403,
    name: 'users',
    request: async (_, api) => send('PATCH', '/services/1', { service_desc: 'y' }, await user(api)),
  },
  {
    operation: 'delete_service_from_host',
    status: 201,
    name: 'is deleted with its samples',
    request: async (d, api) => send('DELETE', `/services/${await sampled(api, d)}`),
    check: async (a, d, api) => {
      expect(message(a)).toBe('Service has been deleted successfully')
      const list = await api.call('GET', `/api/v0/services/${d.hostname}`)
      expect(member(list, 'services')).toMatchObject([[{ service_type: 'https' }]])
      const [gone] = await api.store.sql<{ n: number }[]>`select count(*)::int as n from ts.gone where base = 'service'`
      expect(gone?.n).toBeGreaterThan(0)
    },
  },
  {
    operation: 'delete_service_from_host',
    status: 404,
    name: 'an unknown id',
    request: () => send('DELETE', '/services/2147483000'),
    check: (a) => expect(message(a)).toBe('Failed to delete the service'),
  },
  {
    operation: 'delete_service_from_host',
    status: 403,
    name: 'users',
    request: async (_, api) => send('DELETE', '/services/1', undefined, await user(api)),
  },
  {
    operation: 'get_graph_by_service',
    status: 200,
    name: 'a data set with samples',
    request: async (d, api) => get(`/devices/${d.hostname}/services/${await sampled(api, d)}/graphs/time`),
    check: (a) => expect(a.headers.get('content-type')).toBe('image/png'),
  },
  {
    operation: 'get_graph_by_service',
    status: 400,
    name: 'an invalid time',
    request: async (d, api) =>
      get(`/devices/${d.hostname}/services/${await sampled(api, d)}/graphs/time?from=nonsense`),
  },
  {
    operation: 'get_graph_by_service',
    status: 403,
    name: 'a device that was not granted',
    request: async (d, api) => get(`/devices/${d.hostname}/services/1/graphs/time`, await user(api)),
  },
  {
    operation: 'get_graph_by_service',
    status: 404,
    name: 'an unknown device',
    request: () => get(`/devices/${NOWHERE}/services/1/graphs/time`),
  },
  {
    operation: 'get_graph_by_service',
    status: 404,
    name: 'a data set that was never measured',
    request: async (d, api) => get(`/devices/${d.hostname}/services/${(await checked(api, d))[0]}/graphs/time`),
    check: (a) => expect(message(a)).toBe('No Data file service_graph'),
  },
]
