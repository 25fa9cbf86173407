import { expect } from 'bun:test'
import { raiseAlert, storeRule } from '../../support/alerts.ts'
import { mint, type TestApi } from '../../support/api.ts'
import type { Seeded } from '../fixtures.ts'
import { get, member, message, type Row, send } from './row.ts'

const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })
const granted = async (api: TestApi, d: Seeded) => {
  const { token, username } = await api.token(['user'])
  await api.services.users.grant(username, { deviceIds: [d.deviceId] })
  return { token, username }
}
const LOCAL = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

/** Five rows in each log of the device, an hour apart. */
async function logged({ store }: TestApi, d: Seeded): Promise<void> {
  const { sql } = store
  const { ruleId } = await storeRule(store)
  await sql`insert into eventlog (device_id, datetime, message, type, reference)
    select ${d.deviceId}, '2026-08-01 00:00:00+00'::timestamptz + n * interval '1 hour', 'event ' || n, 'interface', '7'
    from generate_series(1, 5) n`
  await sql`insert into syslog (device_id, "timestamp", program, msg)
    select ${d.deviceId}, '2026-08-01 00:00:00+00'::timestamptz + n * interval '1 hour', 'SSHD', 'message ' || n
    from generate_series(1, 5) n`
  await raiseAlert(store, { deviceId: d.deviceId, ruleId, faults: [{ ifName: 'Gi0/1' }] })
}

const messages = (a: { json: unknown }, name = 'message') =>
  (a.json as { logs: Record<string, unknown>[] }).logs.map((row) => row[name])

const LISTS = [
  { operation: 'list_eventlog', path: 'eventlog' },
  { operation: 'list_syslog', path: 'syslog' },
  { operation: 'list_alertlog', path: 'alertlog' },
] as const

/** Rows common to the four lists. */
const shared = LISTS.flatMap(({ operation, path }): Row[] => [
  {
    operation: `${operation}_all`,
    status: 200,
    name: 'a user sees rows of granted devices',
    request: async (d, api) => {
      await logged(api, d)
      return get(`/logs/${path}?limit=1`, await granted(api, d))
    },
    check: (a, d) => {
      expect(a.json).toMatchObject({ message: '', count: 1, total: path === 'alertlog' ? 1 : 5 })
      expect(member(a, 'logs')).toMatchObject([{ device_id: d.deviceId, hostname: d.hostname }])
    },
  },
  {
    operation: `${operation}_all`,
    status: 400,
    name: 'from that is neither an id nor a time',
    request: () => get(`/logs/${path}?from=yesterday`),
    check: (a) => expect(message(a)).toBe('Invalid from: yesterday'),
  },
  {
    operation,
    status: 400,
    name: 'a day that does not exist',
    request: (d) => get(`/logs/${path}/${d.deviceId}?to=2026-02-30`),
    check: (a) => expect(message(a)).toBe('Invalid to: 2026-02-30'),
  },
  {
    operation,
    status: 403,
    name: 'a device that was not granted',
    request: async (d, api) => get(`/logs/${path}/${d.hostname}`, await user(api)),
    check: (a) => expect(message(a)).toBe('Insufficient permissions to access this device'),
  },
  {
    operation,
    status: 404,
    name: 'no such device',
    request: () => get(`/logs/${path}/nobody.example.net`),
    check: (a) => expect(message(a)).toBe('Device nobody.example.net does not exist'),
  },
])

export const LOG_ROWS: readonly Row[] = [
  ...shared,
  {
    operation: 'list_eventlog',
    status: 200,
    name: 'oldest first; start is the page; total counts all',
    request: async (d, api) => {
      await logged(api, d)
      return get(`/logs/eventlog/${d.hostname}?start=1&limit=2`)
    },
    check: (a, d) => {
      expect(a.json).toMatchObject({ count: 2, total: 5 })
      const row = {
        ...names(d),
        host: d.deviceId,
        device_id: d.deviceId,
        event_id: expect.any(Number),
        datetime: LOCAL,
      }
      const rest = { type: 'interface', reference: '7', username: null, severity: 2 }
      expect(member(a, 'logs')).toEqual([
        { ...row, ...rest, message: 'event 3' },
        { ...row, ...rest, message: 'event 4' },
      ])
    },
  },
  {
    operation: 'list_eventlog',
    status: 200,
    name: 'dialect librenms: start is a row; newest first',
    request: async (d, api) => {
      await logged(api, d)
      const { token } = await api.token(['admin'], 'librenms')
      return get(`/logs/eventlog/${d.deviceId}?start=1&limit=2&sortorder=DESC`, { token })
    },
    check: (a) => {
      expect(messages(a)).toEqual(['event 4', 'event 3'])
      expect(member(a, 'total')).toBe(5)
    },
  },
  {
    operation: 'list_eventlog',
    status: 200,
    name: 'from and to are ids or times, both included; a non-number is 0',
    request: async (d, api) => {
      await logged(api, d)
      return get(`/logs/eventlog/${d.deviceId}?from=2026-08-01T02:00:00Z&to=2026-08-01T04:00:00%2B00:00`)
    },
    check: async (a, d, api) => {
      expect(messages(a)).toEqual(['event 2', 'event 3', 'event 4'])
      const id = (a.json as { logs: { event_id: number }[] }).logs[1]?.event_id
      const list = async (query: string) => await api.call('GET', `/api/v0/logs/eventlog/${d.deviceId}?${query}`)
      expect(messages(await list(`from=${id}`))).toEqual(['event 3', 'event 4', 'event 5'])
      expect(messages(await list(`to=${id}&sortorder=DESC`))).toEqual(['event 3', 'event 2', 'event 1'])
      expect((await list('from=99999999999999999999')).json).toMatchObject({ logs: [], count: 0, total: 0 })
      expect((await list('limit=x')).json).toMatchObject({ logs: [], count: 0, total: 5 })
      expect((await list('start=99999999999999999999')).json).toMatchObject({ logs: [], count: 0, total: 5 })
      expect((await list('sortorder=desc&limit=1')).json).toMatchObject({ logs: [{ message: 'event 1' }] })
    },
  },
  {
    operation: 'list_syslog',
    status: 200,
    name: 'messages of the device',
    request: async (d, api) => {
      await logged(api, d)
      return get(`/logs/syslog/${d.hostname}?sortorder=DESC&limit=1`)
    },
    check: (a, d) =>
      expect(a.json).toEqual({
        status: 'ok',
        message: '',
        count: 1,
        total: 5,
        logs: [
          {
            ...names(d),
            device_id: d.deviceId,
            facility: null,
            priority: null,
            level: null,
            tag: null,
            timestamp: LOCAL,
            program: 'SSHD',
            msg: 'message 5',
            seq: expect.any(Number),
          },
        ],
      }),
  },
  {
    operation: 'list_alertlog',
    status: 200,
    name: 'changes of alerts with the rows that matched, as an object',
    request: async (d, api) => {
      await logged(api, d)
      return get(`/logs/alertlog/${d.hostname}`)
    },
    check: (a, d) =>
      expect(member(a, 'logs')).toEqual([
        {
          ...names(d),
          device_id: d.deviceId,
          id: expect.any(Number),
          rule_id: expect.any(Number),
          state: 1,
          details: { rule: [{ ifName: 'Gi0/1' }] },
          time_logged: LOCAL,
        },
      ]),
  },
  {
    operation: 'list_authlog',
    status: 200,
    name: 'logins; a user sees its own',
    request: async (_, api) => {
      const { token, username } = await api.token(['user'])
      await api.store.sql`insert into authlog ("user", address, result) values
        (${username}, '192.0.2.1', 'Logged In'), ('somebody', '192.0.2.1', 'Logged In')`
      return get('/logs/authlog', { token })
    },
    check: async (a, _, api) => {
      const own = (a.json as { logs: { user: string }[] }).logs
      expect(new Set(own.map((row) => row.user)).size).toBe(1)
      expect(own).toContainEqual({
        id: expect.any(Number),
        datetime: LOCAL,
        user: own[0]?.user,
        address: '192.0.2.1',
        result: 'Logged In',
      } as never)
      const all = await api.call('GET', '/api/v0/logs/authlog?sortorder=DESC&limit=1000')
      expect(messages(all, 'user')).toContain('somebody')
    },
  },
  {
    operation: 'list_authlog',
    status: 400,
    name: 'a time that does not exist',
    request: () => get('/logs/authlog?to=2026-13-01'),
  },
  {
    operation: 'add_eventlog',
    status: 200,
    name: 'is read back, with the name of the user',
    request: async (d, api) => {
      const { token } = await granted(api, d)
      const body = { text: 'cable changed', severity: '4', type: 'works', reference: 12 }
      return send('POST', `/devices/${d.hostname}/eventlog`, body, { token })
    },
    check: async (a, d, api) => {
      expect(a.json).toEqual({ status: 'ok', message: `Eventlog received for ${d.hostname}` })
      const read = await api.call('GET', `/api/v0/logs/eventlog/${d.hostname}`)
      expect(member(read, 'logs')).toMatchObject([
        { message: 'cable changed', severity: 4, type: 'works', reference: '12', username: expect.any(String) },
      ])
    },
  },
  {
    operation: 'add_eventlog',
    status: 200,
    name: 'severity 2 and type API by default',
    request: (d) => send('POST', `/devices/${d.deviceId}/eventlog`, { text: 'x' }),
    check: async (_, d, api) => {
      const read = await api.call('GET', `/api/v0/logs/eventlog/${d.hostname}`)
      expect(member(read, 'logs')).toMatchObject([{ message: 'x', severity: 2, type: 'API', reference: null }])
    },
  },
  {
    operation: 'add_eventlog',
    status: 400,
    name: 'no text',
    request: (d) => send('POST', `/devices/${d.hostname}/eventlog`, { severity: 1 }),
    check: (a) => expect(message(a)).toBe('No Eventlog text provided.'),
  },
  {
    operation: 'add_eventlog',
    status: 403,
    name: 'a device that was not granted',
    request: async (d, api) => send('POST', `/devices/${d.hostname}/eventlog`, { text: 'x' }, await user(api)),
  },
  {
    operation: 'add_eventlog',
    status: 404,
    name: 'no such device',
    request: () => send('POST', '/devices/nobody.example.net/eventlog', { text: 'x' }),
    check: (a) => expect(message(a)).toBe('nobody.example.net device does not exist'),
  },
  {
    operation: 'add_eventlog',
    status: 400,
    name: 'an unknown severity',
    request: (d) => send('POST', `/devices/${d.hostname}/eventlog`, { text: 'x', severity: 6 }),
    check: (a) => expect(message(a)).toBe('Invalid severity: 6, expected 0 to 5'),
  },
  {
    operation: 'syslogsink',
    status: 200,
    name: 'one message; a list; unknown senders are counted but not stored',
    request: (d) => send('POST', '/syslogsink', { host: d.hostname, msg: 'hello', program: 'sshd', facility: 4 }),
    check: async (a, d, api) => {
      expect(a.json).toEqual({ status: 'ok', message: 'Syslog received: 1' })
      const body = [
        { host: d.hostname.toUpperCase(), msg: 'second', program: 'cron' },
        { host: `nobody${mint()}`, msg: 'x', program: 'y' },
        'nonsense',
      ]
      expect(message(await api.call('POST', '/api/v0/syslogsink/', { body }))).toBe('Syslog received: 3')
      const read = await api.call('GET', `/api/v0/logs/syslog/${d.hostname}`)
      expect(member(read, 'logs')).toMatchObject([
        { msg: 'hello', program: 'SSHD', facility: '4' },
        { msg: 'second', program: 'CRON' },
      ])
    },
  },
  {
    operation: 'syslogsink',
    status: 400,
    name: 'not JSON',
    request: () => send('POST', '/syslogsink', 'x'),
    check: (a) => expect(message(a)).toBe('Not valid json'),
  },
]

const names = (d: Seeded) => ({ hostname: d.hostname, sysName: d.hostname.split('.')[0] })
