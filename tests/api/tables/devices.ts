import { expect } from 'bun:test'
import { mint } from '../../support/api.ts'
import { get, member, message, type Row, send } from './row.ts'

const NOBODY = '/devices/nobody.example.net'

export const DEVICE_ROWS: readonly Row[] = [
  {
    operation: 'list_devices',
    status: 200,
    name: 'lists raw records and counts them',
    request: (d) => get(`/devices?type=device_id&query=${d.deviceId}`),
    check: (a, d) => {
      expect(member(a, 'count')).toBe(1)
      expect(member(a, 'devices')).toMatchObject([
        {
          device_id: d.deviceId,
          hostname: d.hostname,
          status: 1,
          ignore: 0,
          icon: 'linux.svg',
          ip: expect.any(String),
        },
      ])
    },
  },
  {
    operation: 'list_devices',
    status: 200,
    name: 'an empty result is a list',
    request: () => get('/devices?type=os&query=no-such-os'),
    check: (a) => expect(a.json).toEqual({ status: 'ok', devices: [], count: 0 }),
  },
  {
    operation: 'list_devices',
    status: 400,
    name: 'an order by a column that devices do not have is refused',
    request: () => get('/devices?order=no_such_column'),
    check: (a) => expect(message(a)).toBe('Devices cannot be ordered by no_such_column'),
  },
  {
    operation: 'add_device',
    status: 200,
    name: 'a forced device is stored and returned',
    request: () => send('POST', '/devices', { hostname: `forced${mint()}`, community: 'c', force_add: true }),
    check: (a) => {
      expect(message(a)).toMatch(/^Device forced\d+ \(\d+\) has been added successfully$/)
      expect(member(a, 'devices')).toMatchObject([{ community: 'c', snmpver: 'v2c', port: 161, transport: 'udp' }])
    },
  },
  {
    operation: 'add_device',
    status: 400,
    name: 'a body without hostname',
    request: () => send('POST', '/devices', { community: 'c' }),
    check: (a) => expect(a.json).toEqual({ status: 'error', message: 'Missing the device hostname' }),
  },
  {
    operation: 'add_device',
    status: 409,
    name: 'a hostname in use, in any letter case',
    request: (d) => send('POST', '/devices', { hostname: d.hostname.toUpperCase(), community: 'c', force_add: 1 }),
    check: (a, d) => expect(message(a)).toBe(`Device ${d.hostname.toUpperCase()} already exists`),
  },
  {
    operation: 'get_device',
    status: 200,
    name: 'the model form: booleans, ISO times, path of the icon',
    request: (d) => get(`/devices/${d.hostname}`),
    check: (a, d) =>
      expect(member(a, 'devices')).toMatchObject([
        {
          device_id: d.deviceId,
          status: true,
          disabled: false,
          mtu_status: true,
          last_polled: '2026-08-14T12:00:00.250000Z',
          icon: 'images/os/linux.svg',
          community: 'secret',
          location: null,
        },
      ]),
  },
  {
    operation: 'get_device',
    status: 200,
    name: 'by its address',
    request: async (d, api) => {
      const [row] = await api.store.sql<
        { ip: string }[]
      >`select host(ip) as ip from devices where device_id = ${d.deviceId}`
      return get(`/devices/${row?.ip}`)
    },
    check: (a, d) => expect(member(a, 'devices')).toMatchObject([{ device_id: d.deviceId }]),
  },
  {
    operation: 'get_device',
    status: 404,
    name: 'unknown',
    request: () => get(NOBODY),
    check: (a) => expect(message(a)).toBe('Device nobody.example.net does not exist'),
  },
  {
    operation: 'get_device',
    status: 404,
    name: 'an id above the integer range is not found',
    request: () => get('/devices/99999999999999999999'),
  },
  {
    operation: 'get_device',
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/devices/${d.deviceId}`, { token: (await api.token(['user'])).token }),
    check: (a) =>
      expect(a.json).toEqual({ status: 'error', message: 'Insufficient permissions to access this device' }),
  },
  {
    operation: 'del_device',
    status: 200,
    name: 'returns the record of the deleted device',
    request: (d) => send('DELETE', `/devices/${d.deviceId}`),
    check: async (a, d, api) => {
      expect(message(a)).toBe(`Removed device ${d.hostname}\n`)
      expect(member(a, 'devices')).toMatchObject([{ hostname: d.hostname }])
      expect((await api.call('GET', `/api/v0/devices/${d.deviceId}`)).status).toBe(404)
    },
  },
  {
    operation: 'del_device',
    status: 404,
    name: 'unknown',
    request: () => send('DELETE', NOBODY),
    check: (a) => expect(message(a)).toBe('Device nobody.example.net not found'),
  },
  {
    operation: 'update_device_field',
    status: 200,
    name: 'one field reads back',
    request: (d) => send('PATCH', `/devices/${d.hostname}`, { field: 'notes', data: 'in the cellar' }),
    check: async (a, d, api) => {
      expect(a.json).toEqual([{ status: 'ok', message: 'Device notes field has been updated' }])
      const after = await api.call('GET', `/api/v0/devices/${d.deviceId}`)
      expect(member(after, 'devices')).toMatchObject([{ notes: 'in the cellar' }])
    },
  },
  {
    operation: 'update_device_field',
    status: 200,
    name: 'lists of fields; a location is a name and is created',
    request: (d) =>
      send('PATCH', `/devices/${d.deviceId}`, { field: ['location', 'ignore'], data: [`Rack ${d.deviceId}`, true] }),
    check: async (a, d, api) => {
      expect(a.json).toEqual([{ status: 'ok', message: 'Device fields have been updated' }])
      const after = await api.call('GET', `/api/v0/devices/${d.deviceId}`)
      expect(member(after, 'devices')).toMatchObject([{ location: `Rack ${d.deviceId}`, ignore: true }])
    },
  },
  {
    operation: 'update_device_field',
    status: 200,
    name: 'dialect librenms answers with the object itself',
    request: async (d, api) => {
      const { token } = await api.token(['admin'], 'librenms')
      return send('PATCH', `/devices/${d.deviceId}`, { field: 'purpose', data: null }, { token })
    },
    check: (a) => expect(a.json).toEqual({ status: 'ok', message: 'Device purpose field has been updated' }),
  },
  {
    operation: 'update_device_field',
    status: 400,
    name: 'no field',
    request: (d) => send('PATCH', `/devices/${d.deviceId}`, 'no json'),
    check: (a) => expect(message(a)).toBe('Device field to patch has not been supplied'),
  },
  {
    operation: 'update_device_field',
    status: 404,
    name: 'unknown device',
    request: () => send('PATCH', NOBODY, { field: 'notes', data: 'x' }),
    check: (a) => expect(message(a)).toBe('Device nobody.example.net not found'),
  },
  {
    operation: 'update_device_field',
    status: 400,
    name: 'the hostname is not changed this way',
    request: (d) => send('PATCH', `/devices/${d.deviceId}`, { field: 'hostname', data: 'other' }),
    check: (a) => expect(message(a)).toBe('Device field is not allowed to be updated'),
  },
  {
    operation: 'update_device_field',
    status: 400,
    name: 'lists of different length',
    request: (d) => send('PATCH', `/devices/${d.deviceId}`, { field: ['notes', 'serial'], data: ['x'] }),
    check: (a) =>
      expect(message(a)).toBe(
        'Device fields failed to be updated as the number of fields (2) does not match the supplied data (1)',
      ),
  },
  {
    operation: 'update_device_field',
    status: 400,
    name: 'a value that does not fit its column',
    request: (d) => send('PATCH', `/devices/${d.deviceId}`, { field: 'port', data: 'many' }),
    check: (a) => expect(message(a)).toBe('Device port field failed to be updated'),
  },
  {
    operation: 'rename_device',
    status: 200,
    name: 'has the new name afterwards',
    request: (d) => send('PATCH', `/devices/${d.hostname}/rename/new-${d.deviceId}.example.net`),
    check: async (a, d, api) => {
      expect(a.json).toEqual([{ status: 'ok', message: 'Device has been renamed' }])
      const after = await api.call('GET', `/api/v0/devices/new-${d.deviceId}.example.net`)
      expect(member(after, 'devices')).toMatchObject([
        { device_id: d.deviceId, display: `new-${d.deviceId}.example.net` },
      ])
    },
  },
  {
    operation: 'rename_device',
    status: 404,
    name: 'unknown',
    request: () => send('PATCH', `${NOBODY}/rename/other`),
    check: (a) => expect(message(a)).toBe('Existing device not found'),
  },
  {
    operation: 'rename_device',
    status: 400,
    name: 'to an invalid name',
    request: (d) => send('PATCH', `/devices/${d.deviceId}/rename/not%20a%20name`),
    check: (a) => expect(message(a)).toBe('Device failed to be renamed'),
  },
  {
    operation: 'discover_device',
    status: 200,
    name: 'counts the change: 1, then 0',
    request: (d) => get(`/devices/${d.hostname}/discover`),
    check: async (a, d, api) => {
      expect(a.json).toEqual({ status: 'ok', result: { status: 1, message: 'Device will be rediscovered' }, count: 2 })
      const again = await api.call('GET', `/api/v0/devices/${d.hostname}/discover`)
      expect(member(again, 'result')).toMatchObject({ status: 0 })
    },
  },
  {
    operation: 'discover_device',
    status: 403,
    name: 'a user who must not learn that the device does not exist',
    request: async (_, api) => get(`${NOBODY}/discover`, { token: (await api.token(['user'])).token }),
  },
  { operation: 'discover_device', status: 404, name: 'unknown', request: () => get(`${NOBODY}/discover`) },
  {
    operation: 'availability',
    status: 200,
    name: 'the shortest window first, percent as text',
    request: (d) => get(`/devices/${d.hostname}/availability`),
    check: (a) =>
      expect(member(a, 'availability')).toEqual([
        { duration: 86_400, availability_perc: '100.000000' },
        // it is down, so its outages are counted now; they began before or after both windows
        { duration: 604_800, availability_perc: '100.000000' },
      ]),
  },
  {
    operation: 'availability',
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/devices/${d.deviceId}/availability`, { token: (await api.token(['user'])).token }),
  },
  { operation: 'availability', status: 404, name: 'unknown', request: () => get(`${NOBODY}/availability`) },
  {
    operation: 'outages',
    status: 200,
    name: 'the latest first, null for a current outage',
    request: (d) => get(`/devices/${d.hostname}/outages`),
    check: (a) =>
      expect(member(a, 'outages')).toEqual([
        { going_down: 1_800_000_000, up_again: null },
        { going_down: 1_700_000_000, up_again: 1_700_000_600 },
      ]),
  },
  {
    operation: 'outages',
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/devices/${d.deviceId}/outages`, { token: (await api.token(['user'])).token }),
  },
  { operation: 'outages', status: 404, name: 'unknown', request: () => get(`${NOBODY}/outages`) },
]
