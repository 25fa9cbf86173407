import { expect } from 'bun:test'
import { mint, type TestApi } from '../../support/api.ts'
import type { Seeded } from '../fixtures.ts'
import { get, member, message, type Row, send } from './row.ts'

/** A rule that only the device meets. */
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
  const { id } = await api.services.deviceGroups.create({ name, type: 'static', devices: [deviceId] })
  return { id, name, path: `/devicegroups/${encodeURIComponent(name)}` }
}

async function dynamicGroup(api: TestApi, { hostname }: Seeded) {
  const name = `rule ${mint()}`
  const rules = JSON.stringify(rulesFor(hostname))
  const { id } = await api.services.deviceGroups.create({ name, type: 'dynamic', rules })
  return { id, name, path: `/devicegroups/${encodeURIComponent(name)}` }
}

async function portGroup(api: TestApi, { portIds }: Seeded) {
  const name = `uplinks ${mint()}`
  const { id } = await api.services.portGroups.create({ name })
  await api.call('POST', `/api/v0/port_groups/${id}/assign`, { body: { port_ids: [portIds[0], String(portIds[1])] } })
  return { id, name, path: `/port_groups/${id}` }
}

const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })
const librenms = async (api: TestApi) => ({ token: (await api.token(['admin'], 'librenms')).token })

function wrong(operation: string, name: string, body: unknown, fields: unknown): Row {
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
  name: 'no JSON',
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
    name: 'none that the user may see',
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
    name: 'dynamic: its members are there at once',
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
    name: 'name taken, whatever its case',
    request: async (seeded, api) => {
      const { name } = await staticGroup(api, seeded)
      return send('POST', '/devicegroups', { name: name.toUpperCase(), type: 'static', devices: [] })
    },
    check: (answer) => expect(message(answer)).toEqual({ name: ['The name has already been taken.'] }),
  },
  {
    operation: 'add_devicegroup',
    status: 500,
    name: 'rules without a condition',
    request: () => send('POST', '/devicegroups', { name: 'x', type: 'dynamic', rules: '{"rules":[]}' }),
    check: (answer) => expect(message(answer)).toBe("We couldn't parse your rule"),
  },
  {
    operation: 'add_devicegroup',
    status: 500,
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
      await api.services.deviceGroups.create({ name: `empty ${mint()}`, type: 'static', devices: [] })
      const { id } = await api.services.deviceGroups.create({ name: `empty ${mint()}`, type: 'static', devices: [] })
      return get(`/devicegroups/${id}`)
    },
    check: (answer) => expect(message(answer)).toMatch(/^No devices found in group \d+$/),
  },
  {
    operation: 'update_devicegroup',
    status: 200,
    name: 'everything; its own name is no conflict',
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
    status: 500,
    name: 'unusable rules',
    request: async (seeded, api) => send('PATCH', (await dynamicGroup(api, seeded)).path, { rules: '[]' }),
    check: (answer) => expect(message(answer)).toBe("We couldn't parse your rule"),
  },
  {
    operation: 'delete_devicegroup',
    status: 200,
    name: 'then it is gone',
    request: async (seeded, api) => send('DELETE', (await staticGroup(api, seeded)).path),
    check: (answer) => expect(message(answer)).toMatch(/^Device group core \/ \d+ deleted$/),
  },
  {
    operation: 'add_devices_to_group',
    status: 200,
    name: 'twice the same',
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
    name: 'also who is no member',
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
  {
    operation: 'get_port_groups',
    status: 200,
    name: 'all',
    request: async (seeded, api) => {
      await portGroup(api, seeded)
      return get('/port_groups')
    },
    check: (answer) => expect(answer.json).toMatchObject([{ status: 'ok', groups: expect.any(Array) }]),
  },
  {
    operation: 'get_port_groups',
    status: 404,
    name: 'none that the user may see',
    request: async (seeded, api) => {
      await portGroup(api, seeded)
      return get('/port_groups', await user(api))
    },
    check: (answer) => expect(message(answer)).toBe('No port groups found'),
  },
  {
    operation: 'get_ports_by_group',
    status: 200,
    name: 'ids, by the name of the group',
    request: async (seeded, api) => get(`/port_groups/${encodeURIComponent((await portGroup(api, seeded)).name)}`),
    check: (answer, { portIds }) =>
      expect(answer.json).toEqual({
        status: 'ok',
        ports: [{ port_id: portIds[0] }, { port_id: portIds[1] }],
        count: 2,
      }),
  },
  {
    operation: 'get_ports_by_group',
    status: 200,
    name: 'whole records',
    request: async (seeded, api) => get(`${(await portGroup(api, seeded)).path}?full=true`),
    check: (answer) => expect(member(answer, 'ports')).toMatchObject([{ ifName: 'Gi0/1' }, { ifName: 'Gi0/2' }]),
  },
  {
    operation: 'get_ports_by_group',
    status: 404,
    name: 'empty group',
    request: async (_, api) =>
      get(`/port_groups/${(await api.services.portGroups.create({ name: `e ${mint()}` })).id}`),
  },
  {
    operation: 'add_port_group',
    status: 201,
    name: 'with a description',
    request: ({ deviceId }) => send('POST', '/port_groups', { name: `p ${deviceId}`, desc: 'x' }),
    check: (answer, { deviceId }) => expect(message(answer)).toBe(`Port group p ${deviceId} created`),
  },
  wrong('add_port_group', 'nothing sent', {}, { name: ['The name field is required.'] }),
  {
    operation: 'add_port_group',
    status: 422,
    name: 'name taken',
    request: async (seeded, api) => send('POST', '/port_groups', { name: (await portGroup(api, seeded)).name }),
    check: (answer) => expect(message(answer)).toEqual({ name: ['The name has already been taken.'] }),
  },
  {
    operation: 'assign_port_group',
    status: 200,
    name: 'twice the same is no error',
    request: async (seeded, api) => {
      const { path } = await portGroup(api, seeded)
      return send('POST', `${path}/assign`, { port_ids: [seeded.portIds[0], String(seeded.portIds[1])] })
    },
    check: (answer, { portIds }) => {
      const [[key, value] = []] = Object.entries(answer.json as object).filter(([name]) => name !== 'status')
      expect(key).toMatch(new RegExp(`^Port Ids ${portIds[0]}, ${portIds[1]} have been added to Port Group Id \\d+$`))
      expect(value).toBe(200)
    },
  },
  {
    operation: 'assign_port_group',
    status: 400,
    name: 'no port_ids',
    request: async (seeded, api) => send('POST', `${(await portGroup(api, seeded)).path}/assign`, {}),
    check: (answer) => expect(message(answer)).toBe("Missing data field 'port_ids' No error"),
  },
  {
    operation: 'assign_port_group',
    status: 422,
    name: 'unknown port',
    request: async (seeded, api) =>
      send('POST', `${(await portGroup(api, seeded)).path}/assign`, { port_ids: [99999999] }),
    check: (answer) => expect(message(answer)).toEqual({ 'port_ids.0': ['The selected port_ids.0 is invalid.'] }),
  },
  {
    operation: 'remove_port_group',
    status: 200,
    name: 'then the group is empty',
    request: async (seeded, api) =>
      send('POST', `${(await portGroup(api, seeded)).path}/remove`, { port_ids: seeded.portIds }),
    check: (answer) => expect(answer.text).toContain('have been removed from Port Group Id'),
  },
  {
    operation: 'remove_port_group',
    status: 422,
    name: 'no number',
    request: async (seeded, api) => send('POST', `${(await portGroup(api, seeded)).path}/remove`, { port_ids: ['x'] }),
  },
  ...['/portgroups/TRAN@,nothing', '/portgroups/multiport/bits/PORT,x,0'].flatMap((path, at): Row[] => {
    const operation = at === 0 ? 'get_graph_by_portgroup' : 'get_graph_by_portgroup_multiport_bits'
    const drawn = async ({ portIds }: Seeded, api: TestApi) => {
      await api.store.sql`update ports set port_descr_type = 'transit' where port_id = ${portIds[0]}`
      await api.store.sql`select ts.ensure_partitions('ts.port_samples'::regclass, now() - interval '1 day')`
      await api.store.sql`insert into ts.port_samples ("time", port_id, period_ms, in_octets, out_octets)
        values (date_trunc('minute', now()) - interval '10 minutes', ${portIds[0]}, 300000, 300000000, 150000000)`
      return path.replace('PORT', String(portIds[0]))
    }
    return [
      {
        operation,
        status: 200,
        name: 'a picture',
        request: async (seeded, api) => get(`${await drawn(seeded, api)}?output=base64&width=300&height=100`),
        check: (answer) => expect(member(answer, 'image')).toMatchObject({ 'content-type': 'image/png' }),
      },
      {
        operation,
        status: 400,
        name: 'a time that is none',
        request: async (seeded, api) => get(`${await drawn(seeded, api)}?from=yonder`),
      },
      {
        operation,
        status: 500,
        name: 'no port that the user may see',
        request: async (seeded, api) => get(await drawn(seeded, api), await user(api)),
        check: (answer) => expect(message(answer)).toBe('No Data file multiport_bits_separate'),
      },
    ]
  }),
]
