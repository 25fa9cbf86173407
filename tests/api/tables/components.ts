import { expect } from 'bun:test'
import type { TestApi } from '../../support/api.ts'
import type { Seeded } from '../fixtures.ts'
import { get, member, message, type Row, send } from './row.ts'

const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })
const NOWHERE = 'nowhere.example.net'

/** Adds a component with an attribute; returns its id. */
async function stored({ store: { sql } }: TestApi, { deviceId }: Seeded): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into component (device_id, type, label, status, error) values (${deviceId}, 'otv', 'Overlay 1', 1, 'slow')
    returning id`
  await sql`insert into component_prefs (component, attribute, value) values (${row?.id ?? 0}, 'vlan', '7')`
  return row?.id ?? 0
}

export const COMPONENT_ROWS: readonly Row[] = [
  {
    operation: 'get_components',
    status: 200,
    name: 'by id, attributes beside the members',
    request: async (d, api) => {
      await stored(api, d)
      return get(`/devices/${d.hostname}/components?type=otv&label=overlay&status=1&disabled=0&ignore=0&whatever=1`)
    },
    check: (a) => {
      expect(Object.values(member(a, 'components') as object)).toEqual([
        { vlan: '7', type: 'otv', label: 'Overlay 1', status: 1, ignore: 0, disabled: 0, error: 'slow' },
      ])
      expect(member(a, 'count')).toBe(1)
    },
  },
  {
    operation: 'get_components',
    status: 200,
    name: 'none',
    request: async (d, api) => {
      await stored(api, d)
      return get(`/devices/${d.hostname}/components?id=x`)
    },
    check: (a) => expect(a.json).toEqual({ status: 'ok', components: {}, message: '', count: 0 }),
  },
  {
    operation: 'get_components',
    status: 403,
    name: 'a device that was not granted',
    request: async (d, api) => get(`/devices/${d.hostname}/components`, await user(api)),
    check: (a) => expect(message(a)).toBe('Insufficient permissions to access this device'),
  },
  {
    operation: 'get_components',
    status: 404,
    name: 'an unknown device',
    request: () => get(`/devices/${NOWHERE}/components`),
  },
  {
    operation: 'add_components',
    status: 200,
    name: 'an empty one, with a first entry in its status log',
    request: (d) => send('POST', `/devices/${d.hostname}/components/ntp`),
    check: async (a, d, api) => {
      const [[id, value]] = Object.entries(member(a, 'components') as object) as [[string, object]]
      expect(value).toEqual({ type: 'ntp', label: '', status: 0, ignore: 0, disabled: 0, error: '' })
      expect(member(await api.call('GET', `/api/v0/devices/${d.hostname}/components`), 'components')).toEqual({
        [id]: value,
      })
      const log = await api.store.sql`select status, message from component_statuslog where component_id = ${id}`
      expect([...log]).toEqual([{ status: 0, message: 'Component Created' }])
    },
  },
  {
    operation: 'add_components',
    status: 403,
    name: 'users',
    request: async (d, api) => send('POST', `/devices/${d.hostname}/components/ntp`, undefined, await user(api)),
  },
  {
    operation: 'add_components',
    status: 404,
    name: 'an unknown device',
    request: () => send('POST', `/devices/${NOWHERE}/components/ntp`),
  },
  {
    operation: 'edit_components',
    status: 200,
    name: 'what was read, changed and written back reads the same; omitted attributes are deleted',
    request: async (d, api) => {
      const id = await stored(api, d)
      const component = {
        type: 'other',
        label: 'New',
        status: '2',
        ignore: true,
        disabled: 0,
        error: 'down',
        peer: 'b',
        n: 5,
      }
      return send('PUT', `/devices/${d.hostname}/components`, { [id]: component, 2147483000: { label: 'unknown' } })
    },
    check: async (a, d, api) => {
      expect(a.json).toEqual({ status: 'ok', message: '', count: 2 })
      const path = `/api/v0/devices/${d.hostname}/components`
      const components = member(await api.call('GET', path), 'components') as Record<string, object>
      expect(Object.values(components)).toEqual([
        { type: 'otv', label: 'New', status: 2, ignore: 1, disabled: 0, error: 'down', peer: 'b', n: '5' },
      ])
      expect((await api.call('PUT', path, { body: components })).status).toBe(200)
      expect(member(await api.call('GET', path), 'components')).toEqual(components)
      const [id] = Object.keys(components)
      const log = await api.store
        .sql`select status, message from component_statuslog where component_id = ${Number(id)}`
      expect([...log]).toEqual([{ status: 2, message: 'down' }])
      const events = await api.store
        .sql`select message from eventlog where type = 'component' and reference = ${String(id)}`
      expect(events).toHaveLength(1)
    },
  },
  {
    operation: 'edit_components',
    status: 200,
    name: 'leaves components of other devices unchanged',
    request: async (d, api) => {
      const id = await stored(api, d)
      await api.store.sql`update component set device_id = (select min(device_id) from devices) where id = ${id}`
      return send('PUT', `/devices/${d.hostname}/components`, { [id]: { label: 'stolen' } })
    },
    check: async (_, __, api) => {
      expect([...(await api.store.sql`select 1 from component where label = 'stolen'`)]).toEqual([])
    },
  },
  {
    operation: 'edit_components',
    status: 400,
    name: 'an invalid component',
    request: (d) => send('PUT', `/devices/${d.hostname}/components`, { 1: 'text' }),
    check: (a) => expect(message(a)).toBe('Components could not be edited.'),
  },
  {
    operation: 'edit_components',
    status: 403,
    name: 'users',
    request: async (d, api) => send('PUT', `/devices/${d.hostname}/components`, {}, await user(api)),
  },
  {
    operation: 'edit_components',
    status: 404,
    name: 'an unknown device',
    request: () => send('PUT', `/devices/${NOWHERE}/components`, {}),
  },
  {
    operation: 'delete_components',
    status: 200,
    name: 'is deleted',
    request: async (d, api) => send('DELETE', `/devices/${d.hostname}/components/${await stored(api, d)}`),
    check: async (a, d, api) => {
      expect(a.json).toEqual({ status: 'ok', message: '' })
      expect(member(await api.call('GET', `/api/v0/devices/${d.hostname}/components`), 'count')).toBe(0)
    },
  },
  {
    operation: 'delete_components',
    status: 404,
    name: 'an unknown id',
    request: (d) => send('DELETE', `/devices/${d.hostname}/components/abc`),
    check: (a) => expect(message(a)).toBe('Components could not be deleted.'),
  },
  {
    operation: 'delete_components',
    status: 403,
    name: 'users',
    request: async (d, api) => send('DELETE', `/devices/${d.hostname}/components/1`, undefined, await user(api)),
  },
]
