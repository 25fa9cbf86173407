import { expect } from 'bun:test'
import type { TestApi } from '../../support/api.ts'
import type { Seeded } from '../fixtures.ts'
import { get, member, message, type Row, send } from './row.ts'

const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })
const MISSING = 2_147_483_000

/** A user who may see the first port, not its device. */
async function portUser(api: TestApi, { portIds }: Seeded) {
  const { token, username } = await api.token(['user'])
  await api.store.sql`insert into ports_perms (user_id, port_id)
    select user_id, ${portIds[0]} from users where username = ${username}`
  return { token }
}

/** An SFP on each of the first two ports. */
async function optics({ store: { sql } }: TestApi, { deviceId, portIds }: Seeded): Promise<void> {
  await sql`insert into transceivers (device_id, port_id, index, type, vendor, serial, ddm, wavelength) values
    (${deviceId}, ${portIds[0]}, '1001', 'SFP', 'ACME', 'S1', 1, 1310),
    (${deviceId}, ${portIds[1]}, '1002', 'SFP', 'ACME', 'S2', null, null)`
}

/** Two wireless sensors; one is deleted. */
async function wirelessSensors({ store: { sql } }: TestApi, { deviceId }: Seeded): Promise<void> {
  await sql`insert into wireless_sensors
    (device_id, sensor_class, sensor_type, sensor_index, sensor_descr, sensor_current, sensor_oids, sensor_deleted) values
    (${deviceId}, 'rssi', 'test', '2', 'Radio 2', -61, '[".1.3.2"]', 0),
    (${deviceId}, 'clients', 'test', '1', 'Radio 1', 7, '[".1.3.1",".1.3.3"]', 0),
    (${deviceId}, 'clients', 'test', '9', 'Gone', 1, '[".1.3.9"]', 1)`
}

export const OPTICS_ROWS: readonly Row[] = [
  {
    operation: 'get_device_transceivers',
    status: 200,
    name: 'in the order of their ids, as typed values',
    request: async (d, api) => {
      await optics(api, d)
      return get(`/devices/${d.hostname}/transceivers`)
    },
    check: (a, d) => {
      expect(member(a, 'count')).toBe(2)
      expect(member(a, 'transceivers')).toMatchObject([
        {
          port_id: d.portIds[0],
          index: '1001',
          ddm: true,
          wavelength: 1310,
          channels: 1,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        },
        { port_id: d.portIds[1], index: '1002', ddm: null, wavelength: null },
      ])
    },
  },
  {
    operation: 'get_device_transceivers',
    status: 200,
    name: 'only those of ports that a user may see',
    request: async (d, api) => {
      await optics(api, d)
      return get(`/devices/${d.hostname}/transceivers`, await portUser(api, d))
    },
    check: (a) => expect(member(a, 'transceivers')).toMatchObject([{ index: '1001' }]),
  },
  {
    operation: 'get_device_transceivers',
    status: 200,
    name: 'an unknown device has none',
    request: () => get('/devices/nowhere.example.net/transceivers'),
    check: (a) => expect(a.json).toEqual({ status: 'ok', transceivers: [], count: 0 }),
  },
  {
    operation: 'update_transceiver_metric_thresholds',
    status: 404,
    name: 'always',
    request: () => send('PATCH', '/ports/transceiver/metric/1', { value: 1 }),
    check: (a) => expect(message(a)).toBe('Thresholds of optics are those of their sensors'),
  },
  {
    operation: 'update_transceiver_metric_thresholds',
    status: 403,
    name: 'users',
    request: async (_, api) => send('PATCH', '/ports/transceiver/metric/1', {}, await user(api)),
  },
  {
    operation: 'get_port_transceiver',
    status: 200,
    name: 'one port',
    request: async (d, api) => {
      await optics(api, d)
      return get(`/ports/${d.portIds[1]}/transceiver`)
    },
    check: (a) => expect(member(a, 'transceivers')).toMatchObject([{ serial: 'S2' }]),
  },
  {
    operation: 'get_port_transceiver',
    status: 200,
    name: 'none is an empty list',
    request: (d) => get(`/ports/${d.portIds[0]}/transceiver`),
    check: (a) => expect(member(a, 'transceivers')).toEqual([]),
  },
  {
    operation: 'get_port_transceiver',
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/ports/${d.portIds[0]}/transceiver`, await user(api)),
    check: (a) => expect(message(a)).toBe('Insufficient permissions to access this port'),
  },
  {
    operation: 'get_port_transceiver',
    status: 404,
    name: 'unknown port',
    request: () => get(`/ports/${MISSING}/transceiver`),
    check: (a) => expect(message(a)).toBe(`Port ${MISSING} does not exist`),
  },
  {
    operation: 'get_device_wireless_sensors',
    status: 200,
    name: 'by class, without deleted ones, every column',
    request: async (d, api) => {
      await wirelessSensors(api, d)
      return get(`/devices/${d.hostname}/wireless-sensors`)
    },
    check: (a, d) => {
      expect(member(a, 'count')).toBe(2)
      expect(member(a, 'wireless_sensors')).toMatchObject([
        { device_id: d.deviceId, sensor_class: 'clients', sensor_current: 7, sensor_oids: '[".1.3.1",".1.3.3"]' },
        { sensor_class: 'rssi', sensor_current: -61, sensor_aggregator: 'sum', access_point_id: null },
      ])
    },
  },
  {
    operation: 'get_device_wireless_sensors',
    status: 200,
    name: 'one class, chosen columns',
    request: async (d, api) => {
      await wirelessSensors(api, d)
      return get(`/devices/${d.hostname}/wireless-sensors?class=rssi&columns=sensor_descr,sensor_current`)
    },
    check: (a) => expect(member(a, 'wireless_sensors')).toEqual([{ sensor_descr: 'Radio 2', sensor_current: -61 }]),
  },
  {
    operation: 'get_device_wireless_sensors',
    status: 400,
    name: 'an invalid class',
    request: (d) => get(`/devices/${d.hostname}/wireless-sensors?class=warmth`),
    check: (a) => expect(message(a)).toBe("Invalid wireless sensor class 'warmth'"),
  },
  {
    operation: 'get_device_wireless_sensors',
    status: 400,
    name: 'unknown columns',
    request: (d) => get(`/devices/${d.hostname}/wireless-sensors?columns=sensor_id,color,size`),
    check: (a) => expect(message(a)).toBe('Invalid columns: color,size'),
  },
  {
    operation: 'get_device_wireless_sensors',
    status: 404,
    name: 'none of a class',
    request: async (d, api) => {
      await wirelessSensors(api, d)
      return get(`/devices/${d.hostname}/wireless-sensors?class=snr`)
    },
    check: (a) => expect(message(a)).toBe("No wireless sensors found for class 'snr'"),
  },
  {
    operation: 'get_device_wireless_sensors',
    status: 404,
    name: 'none that a user may see',
    request: async (d, api) => {
      await wirelessSensors(api, d)
      return get(`/devices/${d.hostname}/wireless-sensors`, await user(api))
    },
    check: (a) => expect(message(a)).toBe('No wireless sensors found'),
  },
]
