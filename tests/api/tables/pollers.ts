import { expect } from 'bun:test'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { joinCluster } from '../../../src/core/cluster/session.ts'
import { listRemotePollers } from '../../../src/core/pollers/remote/read.ts'
import { deleteRemotePoller, insertRemotePoller, writeRemoteReport } from '../../../src/core/pollers/remote/write.ts'
import { writePollerReport, writeQueueReport } from '../../../src/core/pollers/write.ts'
import { mint, type TestApi } from '../../support/api.ts'
import { get, member, message, type Row } from './row.ts'

const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })

const forget = (api: TestApi) => api.store.sql`delete from poller_cluster`

/** A new poller group. */
async function group({ services }: TestApi) {
  const name = `Group ${mint()}`
  return { name, id: await services.pollers.addGroup(SYSTEM, name, 'far away') }
}

export const POLLER_ROWS: readonly Row[] = [
  {
    operation: 'list_pollers',
    status: 200,
    name: 'the table form',
    request: async (_s, api) => {
      await forget(api)
      await writePollerReport(api.store, { name: 'here', devices: 12, seconds: 3.5 })
      return get('/pollers')
    },
    check: (a) =>
      expect(member(a, 'pollers')).toEqual([
        {
          id: expect.any(Number),
          poller_name: 'here',
          last_polled: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
          devices: 12,
          time_taken: 3.5,
        },
      ]),
  },
  {
    operation: 'list_pollers',
    status: 200,
    name: 'the cluster form while there are several',
    request: async (_s, api) => {
      await forget(api)
      const queue = {
        poller_type: 'poller',
        depth: 1,
        devices: 7,
        worker_seconds: 1.5,
        workers: 2,
        frequency: 300,
      } as const
      const facts = { host: 'here', pid: 1, version: '1.0.0', mayBeLeader: true, leaseMs: 8000 }
      const one = await joinCluster(api.store.url, { ...facts, name: 'node', roles: ['poller'], groups: null })
      const two = await joinCluster(api.store.url, { ...facts, name: 'node', roles: ['api', 'poller'], groups: [0, 7] })
      const three = await joinCluster(api.store.url, { ...facts, name: 'web', roles: ['api'], groups: null })
      await writeQueueReport(api.store, one.id, { ...queue, devices: 6 })
      await writeQueueReport(api.store, one.id, queue)
      await one.beat(true, {})
      await Promise.all([one.leave(), two.leave(), three.leave()])
      return get('/pollers')
    },
    check: async (a, _s, api) => {
      await forget(api)
      expect(a.json).toMatchObject({ count: 2 })
      expect(member(a, 'pollers')).toMatchObject([
        {
          node_id: 'node',
          poller_name: 'node',
          poller_version: '1.0.0',
          poller_groups: expect.stringMatching(/^0(,\d+)*$/),
          last_report: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
          master: 0,
          stats: [{ poller_type: 'poller', depth: 1, devices: 7, worker_seconds: 1.5, workers: 2, frequency: 300 }],
        },
        { node_id: 'node-2', poller_groups: '0,7', stats: [] },
      ])
    },
  },
  {
    operation: 'list_pollers',
    status: 200,
    name: 'a remote poller with its version and load',
    request: async (_s, api) => {
      await forget(api)
      const { id } = await group(api)
      await insertRemotePoller(api.store, { name: 'oslo', public_key: 'key', poller_group: id, domain: 'oslo' })
      const [row] = await listRemotePollers(api.store)
      const load = { pollsAMinute: 40, secondsAMinute: 2.5, due: 3, lagS: 4, workers: 2, intervalS: 60 }
      const stream = { waiting: 5, waitingOctets: 600, lagS: 7 }
      const report = { version: '1.2.3', answers: true, devices: 40, late: 1, refused: 0, rows: 90, load, ...stream }
      await writeRemoteReport(api.store, row?.id ?? 0, report)
      const one = await joinCluster(api.store.url, {
        ...{ host: 'here', pid: 1, version: '1.0.0', mayBeLeader: true, leaseMs: 8000 },
        ...{ name: 'node', roles: ['poller'], groups: null },
      })
      await one.leave()
      return get('/pollers')
    },
    check: async (a, _s, api) => {
      await deleteRemotePoller(api.store, 'oslo')
      await forget(api)
      expect(a.json).toMatchObject({ count: 2 })
      const [own, remote] = member(a, 'pollers') as Record<string, unknown>[]
      expect(own).toMatchObject({ node_id: 'node' })
      expect(remote).toMatchObject({
        ...{ node_id: 'oslo', poller_name: 'oslo', poller_version: '1.2.3', master: 0 },
        poller_groups: expect.stringMatching(/^\d+$/),
        last_report: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        stats: [{ poller_type: 'poller', depth: 3, devices: 40, worker_seconds: 2.5, workers: 2, frequency: 60 }],
      })
    },
  },
  {
    operation: 'list_poller_log',
    status: 200,
    name: 'active devices, the slowest first; numbers are numbers',
    request: async ({ deviceId }, api) => {
      const { id } = await group(api)
      await api.store.sql`
        update devices set last_polled_timetaken = 99999.128, poller_group = ${id} where device_id = ${deviceId}`
      return get('/pollers/log')
    },
    check: async (a, { deviceId, hostname }, api) => {
      const [first] = member(a, 'log') as Record<string, unknown>[]
      expect(first).toEqual({
        hostname,
        display_name: hostname,
        last_polled: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        last_polled_timetaken: 99999.13,
        poller_group: expect.stringMatching(/^Group \d+$/),
        poller_group_id: expect.any(Number),
      })
      await api.store.sql`update devices set last_polled_timetaken = 0 where device_id = ${deviceId}`
    },
  },
  {
    operation: 'list_poller_log',
    status: 200,
    name: 'unpolled: only overdue ones, group 0 is General, a user sees granted ones',
    request: async (s, api) => {
      const { token, username } = await api.token(['user'])
      const [fresh] = await api.store.sql<{ device_id: number }[]>`
        insert into devices (hostname, last_polled) values (${`fresh${mint()}`}, now() - interval '350 seconds')
        returning device_id`
      await api.store.sql`
        update devices set last_polled = now() - interval '370 seconds' where device_id = ${s.deviceId}`
      await api.services.users.grant(username, { deviceIds: [s.deviceId, fresh?.device_id ?? 0] })
      return get('/pollers/log?unpolled=1', { token })
    },
    check: (a, { hostname }) => {
      expect(member(a, 'log')).toMatchObject([{ hostname, poller_group: 'General', poller_group_id: 0 }])
      expect(member(a, 'count')).toBe(1)
    },
  },
  {
    operation: 'list_poller_log',
    status: 200,
    name: 'empty for a user without devices',
    request: async (_s, api) => get('/pollers/log', await user(api)),
    check: (a) => expect(a.json).toEqual({ status: 'ok', log: [], count: 0 }),
  },
  {
    operation: 'get_poller_group',
    status: 200,
    name: 'all',
    request: async (_s, api) => {
      await group(api)
      return get('/poller_group')
    },
    check: (a) =>
      expect(member(a, 'get_poller_group')).toContainEqual({
        id: expect.any(Number),
        group_name: expect.stringMatching(/^Group/),
        descr: 'far away',
      }),
  },
  {
    operation: 'get_poller_group_one',
    status: 200,
    name: 'one object, by name in any case',
    request: async (_s, api) => get(`/poller_group/${encodeURIComponent((await group(api)).name.toUpperCase())}`),
    check: (a) => expect(member(a, 'get_poller_group')).toMatchObject({ descr: 'far away' }),
  },
  {
    operation: 'get_poller_group_one',
    status: 200,
    name: 'one object, by id, after it was changed',
    request: async (_s, api) => {
      const { id } = await group(api)
      await api.services.pollers.editGroup(SYSTEM, String(id), { descr: 'near' })
      return get(`/poller_group/${id}`)
    },
    check: (a) => expect(member(a, 'get_poller_group')).toMatchObject({ descr: 'near' }),
  },
  {
    operation: 'get_poller_group_one',
    status: 404,
    name: 'deleted; its devices are in the general group',
    request: async ({ deviceId }, api) => {
      const { id } = await group(api)
      await api.store.sql`update devices set poller_group = ${id} where device_id = ${deviceId}`
      await api.services.pollers.deleteGroup(SYSTEM, String(id))
      return get(`/poller_group/${id}`)
    },
    check: async (a, { deviceId }, api) => {
      expect(message(a)).toBe('Poller Group does not exist')
      const device = await api.call('GET', `/api/v0/devices/${deviceId}`)
      expect(member(device, 'devices')).toMatchObject([{ poller_group: 0 }])
    },
  },
]
