import { expect } from 'bun:test'
import type { TestApi } from '../../support/api.ts'
import { get, member, message, type Row } from './row.ts'

let oxidized: { stop(): Promise<void> } | undefined

async function stopOxidized(): Promise<void> {
  await oxidized?.stop()
  oxidized = undefined
}

/** An Oxidized server on loopback that has the device in group `lab`. It runs until the response was checked. */
async function startOxidized({ settings }: TestApi, hostname: string): Promise<void> {
  await stopOxidized()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === `/ox/node/fetch/lab/${hostname}`) return new Response('hostname one\n')
      if (pathname !== '/ox/nodes/conf_search' || searchParams.get('format') !== 'json') {
        return new Response('node not found')
      }
      const text = (await request.formData()).get('search_in_conf_textbox')
      const nodes = [
        { node: hostname, full_name: `lab/${hostname}` },
        { node: 'unknown', full_name: 'unknown' },
      ]
      return Response.json(text === 'snmp server' ? nodes : [])
    },
  })
  settings.applyStored(
    new Map<string, unknown>([
      ['oxidized.url', `http://127.0.0.1:${server.port}/ox/`],
      ['oxidized.group_support', true],
      ['oxidized.default_group', 'lab'],
    ]),
  )
  oxidized = {
    async stop() {
      settings.applyStored(new Map())
      await server.stop(true)
    },
  }
}

export const BACKUP_ROWS: readonly Row[] = [
  {
    operation: 'list_backup_targets',
    status: 200,
    name: 'a bare list without disabled devices',
    request: async (_s, api) => {
      await api.store.sql`insert into devices (hostname, os, disabled) values (gen_random_uuid(), 'ios', 1)`
      return get('/oxidized')
    },
    check: (a, { hostname }) => {
      const list = a.json as Record<string, unknown>[]
      expect(list.find((d) => d['hostname'] === hostname)).toEqual({
        hostname,
        os: 'linux',
        ip: expect.stringMatching(/^10\.7\./),
      })
      expect(list.every((d) => d['os'] !== 'ios')).toBe(true)
    },
  },
  {
    operation: 'list_oxidized_host',
    status: 200,
    name: 'one: ports of attributes, and the name that Oxidized has for the system',
    request: async ({ hostname, deviceId }, api) => {
      await api.store.sql`update devices set os = 'arista_eos', ip = null where device_id = ${deviceId}`
      await api.store.sql`insert into devices_attribs (device_id, attrib_type, attrib_value) values
        (${deviceId}, 'override_device_ssh_port', '2222'), (${deviceId}, 'override_device_telnet_port', '2323')`
      return get(`/oxidized/${hostname.toUpperCase()}`)
    },
    check: (a, { hostname }) =>
      expect(a.json).toEqual([{ hostname, os: 'eos', ip: null, ssh_port: '2222', telnet_port: '2323' }]),
  },
  {
    operation: 'list_oxidized_host',
    status: 200,
    name: 'left out by its attribute',
    request: async ({ hostname, deviceId }, api) => {
      await api.store.sql`insert into devices_attribs (device_id, attrib_type, attrib_value)
        values (${deviceId}, 'override_Oxidized_disable', 'true')`
      return get(`/oxidized/${hostname}`)
    },
    check: (a) => expect(a.json).toEqual([]),
  },
  {
    operation: 'list_oxidized_host',
    status: 200,
    name: 'an id is not a hostname',
    request: ({ deviceId }) => get(`/oxidized/${deviceId}`),
    check: (a) => expect(a.json).toEqual([]),
  },
  {
    operation: 'list_oxidized_host',
    status: 200,
    name: 'maps: the first match of each member, over columns and the location',
    request: async ({ hostname, deviceId }, api) => {
      await api.store.sql`with l as (insert into locations (location) values (${`Lab ${hostname}`}) returning id)
        update devices set location_id = l.id from l where device_id = ${deviceId}`
      return get(`/oxidized/${hostname}`)
    },
    check: async (_a, { hostname }, api) => {
      const maps = {
        group: {
          hardware: [{ match: 'BOX', value: 'wrong' }],
          location: [{ regex: '/^lab /i', value: 'lab' }],
          hostname: [{ regex: '.', value: 'late' }],
        },
        os: { os: [{ match: 'linux', value: 'linuxgeneric' }] },
        ip: { community: [{ regex: '.', value: 'secrets are not compared' }] },
      }
      const read = async (settings: Readonly<Record<string, unknown>>) => {
        api.settings.applyStored(new Map(Object.entries({ 'oxidized.maps': maps, ...settings })))
        const { json } = await api.call('GET', `/api/v0/oxidized/${hostname}`)
        api.settings.applyStored(new Map())
        return json
      }
      const ip = expect.any(String)
      const grouped = { 'oxidized.group_support': true, 'oxidized.default_group': 'rest' }
      expect(await read({})).toEqual([{ hostname, ip, os: 'linuxgeneric' }])
      expect(await read(grouped)).toEqual([{ hostname, ip, os: 'linuxgeneric', group: 'lab' }])
      expect(await read({ ...grouped, 'oxidized.maps': {} })).toEqual([{ hostname, ip, os: 'linux', group: 'rest' }])
      expect(await read({ ...grouped, 'oxidized.ignore_groups': ['lab'] })).toEqual([])
      expect(await read({ 'oxidized.ignore_os': ['linux'] })).toEqual([])
      expect(await read({ 'oxidized.ignore_types': [''] })).toEqual([])
    },
  },
  {
    operation: 'search_oxidized',
    status: 404,
    name: 'there is no Oxidized',
    request: () => get('/oxidized/config/search/snmp'),
    check: (a) => expect(message(a)).toBe('Received no data from Oxidized'),
  },
  {
    operation: 'search_oxidized',
    status: 200,
    name: 'nodes with the ids of their devices',
    request: async ({ hostname }, api) => {
      await startOxidized(api, hostname)
      return get('/oxidized/config/search/snmp%20server')
    },
    check: async (a, { hostname, deviceId }) => {
      await stopOxidized()
      expect(a.json).toEqual({
        status: 'ok',
        nodes: [
          { node: hostname, full_name: `lab/${hostname}`, dev_id: deviceId },
          { node: 'unknown', full_name: 'unknown', dev_id: false },
        ],
        count: 2,
      })
    },
  },
  {
    operation: 'search_oxidized',
    status: 404,
    name: 'no match',
    request: async ({ hostname }, api) => {
      await startOxidized(api, hostname)
      return get('/oxidized/config/search/nothing')
    },
    check: stopOxidized,
  },
  {
    operation: 'get_oxidized_config',
    status: 200,
    name: 'the text, by id and group',
    request: async ({ hostname, deviceId }, api) => {
      await startOxidized(api, hostname)
      return get(`/oxidized/config/${deviceId}`)
    },
    check: async (a) => {
      await stopOxidized()
      expect(member(a, 'config')).toBe('hostname one\n')
    },
  },
  {
    operation: 'get_oxidized_config',
    status: 404,
    name: 'Oxidized does not know the device',
    request: async ({ hostname }, api) => {
      await startOxidized(api, 'another')
      return get(`/oxidized/config/${hostname}`)
    },
    check: stopOxidized,
  },
  {
    operation: 'get_oxidized_config',
    status: 404,
    name: 'there is no Oxidized',
    request: ({ hostname }) => get(`/oxidized/config/${hostname}`),
    check: (a) => expect(message(a)).toBe('Received no data from Oxidized'),
  },
  {
    operation: 'get_oxidized_config',
    status: 403,
    name: 'an unknown device',
    request: () => get('/oxidized/config/nobody.example.net'),
    check: (a) => expect(message(a)).toBe('Insufficient permissions'),
  },
  {
    operation: 'get_oxidized_config',
    status: 403,
    name: 'a user without the permission, though the device was granted',
    request: async ({ hostname, deviceId }, api) => {
      const { token, username } = await api.token(['user'])
      await api.services.users.grant(username, { deviceIds: [deviceId] })
      return get(`/oxidized/config/${hostname}`, { token })
    },
  },
]
