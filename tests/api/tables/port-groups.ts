import { expect } from 'bun:test'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { mint, type TestApi } from '../../support/api.ts'
import type { Seeded } from '../fixtures.ts'
import { user, wrong } from './groups.ts'
import { get, member, message, type Row, send } from './row.ts'

async function portGroup(api: TestApi, { portIds }: Seeded) {
  const name = `uplinks ${mint()}`
  const { id } = await api.services.portGroups.create(SYSTEM, { name })
  await api.call('POST', `/api/v0/port_groups/${id}/assign`, { body: { port_ids: [portIds[0], String(portIds[1])] } })
  return { id, name, path: `/port_groups/${id}` }
}

export const PORT_GROUP_ROWS: readonly Row[] = [
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
    name: 'none the user may see',
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
      get(`/port_groups/${(await api.services.portGroups.create(SYSTEM, { name: `e ${mint()}` })).id}`),
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
    name: 'name in use',
    request: async (seeded, api) => send('POST', '/port_groups', { name: (await portGroup(api, seeded)).name }),
    check: (answer) => expect(message(answer)).toEqual({ name: ['The name has already been taken.'] }),
  },
  {
    operation: 'assign_port_group',
    status: 200,
    name: 'repeating it is not an error',
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
        name: 'an image',
        request: async (seeded, api) => get(`${await drawn(seeded, api)}?output=base64&width=300&height=100`),
        check: (answer) => expect(member(answer, 'image')).toMatchObject({ 'content-type': 'image/png' }),
      },
      {
        operation,
        status: 400,
        name: 'an invalid time',
        request: async (seeded, api) => get(`${await drawn(seeded, api)}?from=yonder`),
      },
      {
        operation,
        status: 404,
        name: 'no port that the user may see',
        request: async (seeded, api) => get(await drawn(seeded, api), await user(api)),
        check: (answer) => expect(message(answer)).toBe('No Data file multiport_bits_separate'),
      },
    ]
  }),
]
