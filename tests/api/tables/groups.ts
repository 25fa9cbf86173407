import { expect } from 'bun:test'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { mint, type TestApi } from '../../support/api.ts'
import type { Seeded } from '../fixtures.ts'
import { get, member, message, type Row, send } from './row.ts'

/** A rule that matches only the device. */
export const rulesFor = (hostname: string) => ({
  condition: 'AND',
  rules: [
    {
      id: 'devices.hostname',
      field: 'devices.hostname',
      type: 'string',
      input: 'text',
      operator: 'equal',
      value: hostname,
    },
    {
      condition: 'OR',
      rules: [
        { id: 'ports.ifName', field: 'ports.ifName', type: 'string', input: 'text', operator: 'equal', value: 'Gi0/1' },
        {
          id: 'macros.device_down',
          field: 'macros.device_down',
          type: 'integer',
          input: 'radio',
          operator: 'equal',
          value: '1',
        },
      ],
    },
  ],
  valid: true,
})

/** A static group with the device; its name has a space and a slash. */
async function staticGroup(api: TestApi, { deviceId }: Seeded) {
  const name = `core / ${mint()}`
  const { id } = await api.services.deviceGroups.create(SYSTEM, { name, type: 'static', devices: [deviceId] })
  return { id, name, path: `/devicegroups/${encodeURIComponent(name)}` }
}

async function dynamicGroup(api: TestApi, { hostname }: Seeded) {
  const name = `rule ${mint()}`
  const rules = JSON.stringify(rulesFor(hostname))
  const { id } = await api.services.deviceGroups.create(SYSTEM, { name, type: 'dynamic', rules })
  return { id, name, path: `/devicegroups/${encodeURIComponent(name)}` }
}

export const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })
const librenms = async (api: TestApi) => ({ token: (await api.token(['admin'], 'librenms')).token })

export function wrong(operation: string, name: string, body: unknown, fields: unknown): Row {
  return {
    operation,
    status: 422,
    name,
    request: () => send('POST', operation === 'add_devicegroup' ? '/devicegroups' : '/port_groups', body),
    check: (answer) => expect(answer.json).toEqual({ status: 'error', message: fields }),
  }
}

const refused: Row[] = [
  ['add_devicegroup', 'POST', '/devicegroups'],
  ['update_devicegroup', 'PATCH', '/devicegroups/1'],
  ['delete_devicegroup', 'DELETE', '/devicegroups/1'],
  ['add_devices_to_group', 'POST', '/devicegroups/1/devices'],
  ['remove_devices_from_group', 'DELETE', '/devicegroups/1/devices'],
  ['add_port_group', 'POST', '/port_groups'],
  ['assign_port_group', 'POST', '/port_groups/1/assign'],
  ['remove_port_group', 'POST', '/port_groups/1/remove'],
].map(([operation = '', method = '', path = '']) => ({
  operation,
  status: 403,
  name: 'role user',
  request: async (_, api) => send(method, path, {}, await user(api)),
  check: (answer) => expect(answer.json).toEqual({ message: 'This action is unauthorized.' }),
}))

const notJson: Row[] = [
  ['add_devicegroup', 'POST', '/devicegroups'],
  ['update_devicegroup', 'PATCH', '/devicegroups/1'],
  ['add_devices_to_group', 'POST', '/devicegroups/1/devices'],
  ['remove_devices_from_group', 'DELETE', '/devicegroups/1/devices'],
  ['add_port_group', 'POST', '/port_groups'],
  ['assign_port_group', 'POST', '/port_groups/1/assign'],
  ['remove_port_group', 'POST', '/port_groups/1/remove'],
].map(([operation = '', method = '', path = '']) => ({
  operation,
  status: 400,
  name: 'not JSON',
  request: () => send(method, path, '{'),
  check: (answer) => expect(message(answer)).toBe("We couldn't parse the provided json. Syntax error"),
}))

const unknownGroup: Row[] = [
  ['update_devicegroup', 'PATCH', '/devicegroups/nope', 'Device group nope not found'],
  ['delete_devicegroup', 'DELETE', '/devicegroups/nope', 'Device group nope not found'],
  ['add_devices_to_group', 'POST', '/devicegroups/99999999999/devices', 'Device group 99999999999 not found'],
  ['remove_devices_from_group', 'DELETE', '/devicegroups/nope/devices', 'Device group nope not found'],
  ['get_devices_by_group', 'GET', '/devicegroups/nope', 'Device group not found'],
  ['get_ports_by_group', 'GET', '/port_groups/nope', 'Port group not found'],
  ['assign_port_group', 'POST', '/port_groups/0/assign', 'Port Group ID 0 not found'],
  ['remove_port_group', 'POST', '/port_groups/x/remove', 'Port Group ID x not found'],
].map(([operation = '', method = '', path = '', text = '']) => ({
  operation,
  status: 404,
  name: 'unknown group',
  request: () => (method === 'GET' ? get(path) : send(method, path, { devices: [1], port_ids: [1] })),
  check: (answer) => expect(answer.json).toEqual({ status: 'error', message: text }),
}))

export const GROUP_ROWS: readonly Row[] = [
  ...refused,
  ...notJson,
  ...unknownGroup,
  {
    operation: 'get_devicegroups',
    status: 200,
    name: 'all, as a list with one object; rules have the helper joins',
    request: async (seeded, api) => {
      await dynamicGroup(api, seeded)
      return get('/devicegroups')
    },
    check: (answer, { hostname }) => {
      const [body] = answer.json as { groups: { rules: { joins: unknown; rules: { value?: string }[] } | null }[] }[]
      const mine = body?.groups.find((group) => group.rules?.rules[0]?.value === hostname)
      expect(mine).toMatchObject({
        desc: null,
        pattern: null,
        type: 'dynamic',
        rules: { joins: [['ports', 'devices.device_id', 'ports.device_id']] },
      })
    },
  },
  {
    operation: 'get_devicegroups',
    status: 200,
    name: 'dialect librenms: the object, and rules equal to what was sent',
    request: async (seeded, api) => {
      await dynamicGroup(api, seeded)
      return get('/devicegroups', await librenms(api))
    },
    check: (answer, { hostname }) => {
      const groups = member(answer, 'groups') as { rules: { rules: { value?: string }[] } | null }[]
      expect(groups.map((group) => group.rules)).toContainEqual(rulesFor(hostname))
      expect(message(answer)).toBe(`Found ${groups.length} device groups`)
      expect(member(answer, 'count')).toBe(groups.length)
    },
  },
  {
    operation: 'get_devicegroups',
    status: 404,
    name: 'none the user may see',
    request: async (seeded, api) => {
      await staticGroup(api, seeded)
      return get('/devicegroups', await user(api))
    },
    check: (answer) => expect(answer.json).toEqual({ status: 'error', message: 'No device groups found' }),
  },
  {
    operation: 'get_device_groups',
    status: 200,
    name: 'groups of a device by name',
    request: async (seeded, api) => {
      await staticGroup(api, seeded)
      await dynamicGroup(api, seeded)
      return get(`/devices/${seeded.hostname}/groups`)
    },
    check: (answer) =>
      expect(answer.json).toMatchObject([
        { message: 'Found 2 device groups', count: 2, groups: [{ type: 'static', rules: null }, { type: 'dynamic' }] },
      ]),
  },
  {
    operation: 'get_device_groups',
    status: 404,
    name: 'in none',
    request: ({ hostname }) => get(`/devices/${hostname}/groups`),
    check: (answer) => expect(message(answer)).toBe('No device groups found'),
  },
  {
    operation: 'get_device_groups',
    status: 404,
    name: 'unknown device',
    request: () => get('/devices/nope/groups'),
    check: (answer) => expect(message(answer)).toBe('Device not found'),
  },
  {
    operation: 'get_device_groups',
    status: 403,
    name: 'device not granted',
    request: async ({ hostname }, api) => get(`/devices/${hostname}/groups`, await user(api)),
  },
  {
    operation: 'add_devicegroup',
    status: 201,
    name: 'static, ids as text too',
    request: ({ deviceId }) =>
      send('POST', '/devicegroups', { name: `s ${deviceId}`, type: 'static', devices: [String(deviceId)] }),
    check: async (answer, { deviceId }, api) => {
      expect(answer.json).toEqual({
        status: 'ok',
        id: expect.any(Number),
        message: `Device group s ${deviceId} created`,
      })
      const read = await api.call('GET', `/api/v0/devicegroups/${member(answer, 'id')}`)
      expect(read.json).toMatchObject([{ devices: [{ device_id: deviceId }], count: 1 }])
    },
  },
  {
    operation: 'add_devicegroup',
    status: 201,
    name: 'dynamic: its members are found at once',
    request: ({ hostname }) =>
      send('POST', '/devicegroups', { name: hostname, type: 'dynamic', rules: JSON.stringify(rulesFor(hostname)) }),
    check: async (_, { hostname, deviceId }, api) => {
      const read = await api.call('GET', `/api/v0/devicegroups/${hostname}`)
      expect(read.json).toMatchObject([{ devices: [{ device_id: deviceId }] }])
    },
  },
  wrong(
    'add_devicegroup',
    'nothing sent',
    {},
    {
      name: ['The name field is required.'],
      type: ['The type field is required.'],
    },
  ),
  wrong('add_devicegroup', 'unknown type', { name: 'x', type: 'odd' }, { type: ['The selected type is invalid.'] }),
  wrong(
    'add_devicegroup',
    'static without devices',
    { name: 'x', type: 'static' },
    {
      devices: ['The devices field must be present when type is static.'],
    },
  ),
  wrong(
    'add_devicegroup',
    'devices no list',
    { name: 'x', type: 'static', devices: 5 },
    {
      devices: ['The devices field must be an array.'],
    },
  ),
  wrong(
    'add_devicegroup',
    'device no number',
    { name: 'x', type: 'static', devices: ['a'] },
    {
      'devices.0': ['The devices.0 field must be an integer.'],
    },
  ),
  wrong(
    'add_devicegroup',
    'unknown devices',
    { name: 'x', type: 'static', devices: [99999999, 2 ** 40] },
    {
      'devices.0': ['The selected devices.0 is invalid.'],
      'devices.1': ['The selected devices.1 is invalid.'],
    },
  ),
  wrong(
    'add_devicegroup',
    'dynamic without rules',
    { name: 'x', type: 'dynamic' },
    {
      rules: ['The rules field is required when type is dynamic.'],
    },
  ),
  wrong(
    'add_devicegroup',
    'rules no JSON text',
    { name: 'x', type: 'dynamic', rules: '{' },
    {
      rules: ['The rules field must be a valid JSON string.'],
    },
  ),
  {
    operation: 'add_devicegroup',
    status: 422,
    name: 'name in use, in any case',
    request: async (seeded, api) => {
      const { name } = await staticGroup(api, seeded)
      return send('POST', '/devicegroups', { name: name.toUpperCase(), type: 'static', devices: [] })
    },
    check: (answer) => expect(message(answer)).toEqual({ name: ['The name has already been taken.'] }),
  },
  {
    operation: 'add_devicegroup',
    status: 400,
    name: 'rules without a condition',
    request: () => send('POST', '/devicegroups', { name: 'x', type: 'dynamic', rules: '{"rules":[]}' }),
    check: (answer) => expect(message(answer)).toBe("We couldn't parse your rule"),
  },
  {
    operation: 'add_devicegroup',
    status: 400,
    name: 'a bad regular expression',
    request: () =>
      send('POST', '/devicegroups', {
        name: 'x',
        type: 'dynamic',
        rules: '{"condition":"AND","rules":[{"field":"devices.os","operator":"regex","value":"(("}]}',
      }),
    check: (answer) => expect(message(answer)).toBe("We couldn't parse your rule"),
  },
  {
    operation: 'get_devices_by_group',
    status: 200,
    name: 'whole records',
    request: async (seeded, api) => get(`${(await staticGroup(api, seeded)).path}?full=1`),
    check: (answer, { hostname }) =>
      expect(answer.json).toMatchObject([{ count: 1, devices: [{ hostname, status: true, disabled: false }] }]),
  },
  {
    operation: 'get_devices_by_group',
    status: 404,
    name: 'empty group',
    request: async (_, api) => {
      await api.services.deviceGroups.create(SYSTEM, { name: `empty ${mint()}`, type: 'static', devices: [] })
      const { id } = await api.services.deviceGroups.create(SYSTEM, {
        name: `empty ${mint()}`,
        type: 'static',
        devices: [],
      })
      return get(`/devicegroups/${id}`)
    },
    check: (answer) => expect(message(answer)).toMatch(/^No devices found in group \d+$/),
  },
  {
    operation: 'update_devicegroup',
    status: 200,
    name: 'all members; its own name is not a conflict',
    request: async (seeded, api) => {
      const { name, path } = await staticGroup(api, seeded)
      return send('PATCH', path, { name, desc: 'all', type: 'static', devices: [] })
    },
    check: (answer) => expect(message(answer)).toMatch(/^Device group core \/ \d+ updated$/),
  },
  {
    operation: 'update_devicegroup',
    status: 422,
    name: 'static without devices',
    request: async (seeded, api) => send('PATCH', (await staticGroup(api, seeded)).path, { type: 'static' }),
  },
  {
    operation: 'update_devicegroup',
    status: 400,
    name: 'unusable rules',
    request: async (seeded, api) => send('PATCH', (await dynamicGroup(api, seeded)).path, { rules: '[]' }),
    check: (answer) => expect(message(answer)).toBe("We couldn't parse your rule"),
  },
  {
    operation: 'delete_devicegroup',
    status: 200,
    name: 'then it is deleted',
    request: async (seeded, api) => send('DELETE', (await staticGroup(api, seeded)).path),
    check: (answer) => expect(message(answer)).toMatch(/^Device group core \/ \d+ deleted$/),
  },
  {
    operation: 'add_devices_to_group',
    status: 200,
    name: 'the same twice',
    request: async (seeded, api) => {
      const { path } = await staticGroup(api, seeded)
      return send('POST', `${path}/devices`, { devices: [seeded.deviceId, seeded.deviceId] })
    },
    check: (answer) => expect(answer.json).toEqual({ status: 'ok', message: 'Devices added' }),
  },
  {
    operation: 'add_devices_to_group',
    status: 422,
    name: 'dynamic group',
    request: async (seeded, api) => send('POST', `${(await dynamicGroup(api, seeded)).path}/devices`, { devices: [1] }),
    check: (answer) => expect(message(answer)).toBe('Only static device group can have devices added'),
  },
  {
    operation: 'add_devices_to_group',
    status: 422,
    name: 'nothing sent',
    request: async (seeded, api) => send('POST', `${(await staticGroup(api, seeded)).path}/devices`, {}),
    check: (answer) => expect(message(answer)).toEqual({ devices: ['The devices field is required.'] }),
  },
  {
    operation: 'remove_devices_from_group',
    status: 200,
    name: 'devices that are not members are ignored',
    request: async (seeded, api) => {
      const { path } = await staticGroup(api, seeded)
      return send('DELETE', `${path}/devices`, { devices: [seeded.deviceId, 99999999] })
    },
    check: (answer) => expect(answer.json).toEqual({ status: 'ok', message: 'Devices removed' }),
  },
  {
    operation: 'remove_devices_from_group',
    status: 422,
    name: 'dynamic group',
    request: async (seeded, api) =>
      send('DELETE', `${(await dynamicGroup(api, seeded)).path}/devices`, { devices: [1] }),
  },
]
