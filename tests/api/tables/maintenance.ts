import { expect } from 'bun:test'
import { mint, type TestApi } from '../../support/api.ts'
import { type Seeded, seed } from '../fixtures.ts'
import { located } from './locations.ts'
import { get, member, message, type Row, send } from './row.ts'

const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })

/** Expects that the device is, or is not, under maintenance now. */
async function expectUnder(api: TestApi, { hostname }: Seeded, under: boolean): Promise<void> {
  const answer = await api.call('GET', `/api/v0/devices/${hostname}/maintenance`)
  expect(answer.json).toEqual({ status: 'ok', is_under_maintenance: under })
}

/** A new static group with the seeded device. */
async function grouped({ store: { sql } }: TestApi, { deviceId }: Seeded) {
  const name = `Edge ${mint()}`
  await sql`
    with g as (insert into device_groups (name, type) values (${name}, 'static') returning id)
    insert into device_group_device (device_group_id, device_id) select id, ${deviceId} from g`
  return { name }
}

/** The newest schedule; instants in epoch seconds. */
async function lastSchedule({ store: { sql } }: TestApi) {
  const [row] = await sql`
    select title, notes, behavior, recurring, extract(epoch from start)::int as start, extract(epoch from "end")::int as "end"
    from alert_schedule order by schedule_id desc limit 1`
  return row
}

export const MAINTENANCE_ROWS: readonly Row[] = [
  {
    operation: 'device_under_maintenance',
    status: 200,
    name: 'not without a maintenance window',
    request: ({ hostname }) => get(`/devices/${hostname}/maintenance`),
    check: (a) => expect(member(a, 'is_under_maintenance')).toBe(false),
  },
  {
    operation: 'device_under_maintenance',
    status: 200,
    name: 'an unknown device is not',
    request: () => get('/devices/nothing.example.net/maintenance'),
    check: (a) => expect(a.json).toEqual({ status: 'ok', is_under_maintenance: false }),
  },
  {
    operation: 'device_under_maintenance',
    status: 403,
    name: 'not granted',
    request: async ({ hostname }, api) => get(`/devices/${hostname}/maintenance`, await user(api)),
  },
  {
    operation: 'maintenance_device',
    status: 201,
    name: 'from now on, more than a day long',
    request: ({ hostname }) =>
      send('POST', `/devices/${hostname}/maintenance`, { notes: 'new fans', duration: '30:5', behavior: '2' }),
    check: async (a, s, api) => {
      expect(message(a)).toBe(`Device ${s.hostname} (${s.deviceId}) moved into maintenance mode for 30:5h`)
      await expectUnder(api, s, true)
      const schedule = await lastSchedule(api)
      expect(schedule).toMatchObject({ title: s.hostname, notes: 'new fans', behavior: 2, recurring: 0 })
      expect(Number(schedule?.['end']) - Number(schedule?.['start'])).toBe(30 * 3600 + 300)
      expect(Number(schedule?.['start']) % 60).toBe(0)
    },
  },
  {
    operation: 'maintenance_device',
    status: 201,
    name: 'later: server time, only hours',
    request: ({ hostname }) =>
      send('POST', `/devices/${hostname}/maintenance`, {
        start: '2031-02-28 23:30:00',
        duration: 2,
        behavior: 9,
        title: 'x',
      }),
    check: async (a, s, api) => {
      expect(message(a)).toBe(
        `Device ${s.hostname} (${s.deviceId}) will begin maintenance mode at 2031-02-28 23:30:00 for 2h`,
      )
      await expectUnder(api, s, false)
      const start = new Date(2031, 1, 28, 23, 30).getTime() / 1000
      expect(await lastSchedule(api)).toMatchObject({ title: 'x', behavior: 1, start, end: start + 7200 })
    },
  },
  {
    operation: 'maintenance_device',
    status: 400,
    name: 'an empty body',
    request: () => send('POST', '/devices/nothing.example.net/maintenance', {}),
    check: (a) => expect(message(a)).toBe('No information has been provided to set this device into maintenance'),
  },
  {
    operation: 'maintenance_device',
    status: 400,
    name: 'no duration',
    request: ({ hostname }) => send('POST', `/devices/${hostname}/maintenance`, { title: 'x' }),
    check: (a) => expect(message(a)).toBe('Duration not provided'),
  },
  {
    operation: 'maintenance_device',
    status: 400,
    name: 'a start that is not a time',
    request: ({ hostname }) =>
      send('POST', `/devices/${hostname}/maintenance`, { start: '2031-02-30 10:00:00', duration: '1:00' }),
    check: (a) => expect(message(a)).toContain('Invalid start'),
  },
  {
    operation: 'maintenance_device',
    status: 400,
    name: 'an invalid duration',
    request: ({ hostname }) => send('POST', `/devices/${hostname}/maintenance`, { duration: 'long' }),
    check: (a) => expect(message(a)).toContain('Invalid duration'),
  },
  {
    operation: 'maintenance_device',
    status: 404,
    name: 'unknown',
    request: () => send('POST', '/devices/nothing.example.net/maintenance', { duration: '1:00' }),
    check: (a) => expect(message(a)).toBe('Device nothing.example.net not found'),
  },
  {
    operation: 'maintenance_devicegroup',
    status: 201,
    name: 'by name, the members are under maintenance',
    request: async (s, api) => {
      const { name } = await grouped(api, s)
      return send('POST', `/devicegroups/${encodeURIComponent(name)}/maintenance`, { duration: '0:30' })
    },
    check: async (a, s, api) => {
      expect(message(a)).toMatch(/^Device group Edge \d+ \(\d+\) moved into maintenance mode for 0:30h$/)
      await expectUnder(api, s, true)
      await expectUnder(api, await seed(api), false)
      expect(await lastSchedule(api)).toMatchObject({ title: expect.stringMatching(/^Edge/) })
    },
  },
  {
    operation: 'maintenance_devicegroup',
    status: 400,
    name: 'an empty body',
    request: () => send('POST', '/devicegroups/nothing/maintenance'),
    check: (a) => expect(message(a)).toBe('No information has been provided to set this device into maintenance'),
  },
  {
    operation: 'maintenance_devicegroup',
    status: 404,
    name: 'unknown',
    request: () => send('POST', '/devicegroups/nothing/maintenance', { duration: '0:30' }),
    check: (a) => expect(message(a)).toBe('Device group nothing not found'),
  },
  {
    operation: 'maintenance_location',
    status: 201,
    name: 'the devices there are under maintenance; users with the preference get notes',
    request: async (s, api) => {
      const { token, username } = await api.token(['admin'])
      await api.store.sql`
        insert into users_prefs (user_id, pref, value)
        select user_id, 'add_schedule_note_to_device', '1' from users where username = ${username}`
      await api.store.sql`update devices set notes = 'old' where device_id = ${s.deviceId}`
      const { path } = await located(api, s)
      return send('POST', `/locations/${path}/maintenance`, { duration: '01:00', notes: 'new floor' }, { token })
    },
    check: async (a, s, api) => {
      expect(message(a)).toMatch(/^Location Room .* \(\d+\) moved into maintenance mode for 01:00h$/)
      await expectUnder(api, s, true)
      const device = await api.call('GET', `/api/v0/devices/${s.hostname}`)
      expect(member(device, 'devices')).toMatchObject([
        { notes: expect.stringMatching(/^old\n\d{4}-\d\d-\d\d \d\d:\d\d Alerts delayed: new floor$/) },
      ])
    },
  },
  {
    operation: 'maintenance_location',
    status: 400,
    name: 'a missing duration is reported before an unknown location',
    request: () => send('POST', '/locations/nowhere/maintenance', { title: 'x' }),
    check: (a) => expect(message(a)).toBe('Duration not provided'),
  },
  {
    operation: 'maintenance_location',
    status: 400,
    name: 'an empty body',
    request: () => send('POST', '/locations/nowhere/maintenance'),
    check: (a) => expect(message(a)).toBe('No information has been provided to set this location into maintenance'),
  },
  {
    operation: 'maintenance_location',
    status: 404,
    name: 'unknown',
    request: () => send('POST', '/locations/nowhere/maintenance', { duration: '1:00' }),
    check: (a) => expect(message(a)).toBe('Location nowhere does not exist'),
  },
]
