import { expect } from 'bun:test'
import { mint } from '../../support/api.ts'
import { member, message, type Row, send } from './row.ts'

/** A value for every column that clients may change, and what get_device shows if that differs. */
const FIELDS: readonly (readonly [field: string, value: unknown, shown?: unknown])[] = [
  ['authalgo', 'SHA'],
  ['authlevel', 'authPriv'],
  ['authname', 'a'],
  ['authpass', 'b'],
  ['community', 'c'],
  ['cryptoalgo', 'AES'],
  ['cryptopass', 'd'],
  ['disable_notify', 1, true],
  ['disabled', '1', true],
  ['features', 'f'],
  ['hardware', 'g'],
  ['display_template', '{{ $sysName }} up'],
  ['icon', 'h.svg', 'images/os/h.svg'],
  ['ignore', true],
  ['ignore_status', 'true', true],
  ['ip', '192.0.2.77'],
  ['notes', 'i\nj'],
  ['os', 'ios'],
  ['override_sysLocation', 1, true],
  ['overwrite_ip', '192.0.2.78'],
  ['poller_group', '3', 3],
  ['port', '1161', 1161],
  ['port_association_mode', 'ifName', 2],
  ['purpose', 'k'],
  ['retries', 2],
  ['serial', 'l'],
  ['snmp_disable', 1, true],
  ['snmpver', 'v3'],
  ['status', 0, false],
  ['status_reason', 'snmp'],
  ['sysDescr', 'm'],
  ['sysName', ' Upper.Case ', 'upper.case'],
  ['sysObjectID', '.1.3.6.1.4.1.9'],
  ['snmpEngineID', '80001f88'],
  ['timeout', '4', 4],
  ['transport', 'udp6'],
  ['type', 'network'],
  ['version', 'n'],
  ['uptime', 12],
  ['location', 'Field 51'],
]

export const DEVICE_FIELD_ROWS: readonly Row[] = [
  {
    operation: 'update_device_field',
    status: 200,
    name: 'every field that can be changed reads back',
    request: ({ hostname }) =>
      send('PATCH', `/devices/${hostname}`, {
        field: FIELDS.map(([field]) => field),
        data: FIELDS.map(([, value]) => value),
      }),
    check: async (_a, { deviceId }, api) => {
      const after = await api.call('GET', `/api/v0/devices/${deviceId}`)
      const shown = FIELDS.map(([field, value, seen = value]) => [field, seen])
      expect(member(after, 'devices')).toMatchObject([{ ...Object.fromEntries(shown), display: 'upper.case up' }])
    },
  },
  {
    operation: 'update_device_field',
    status: 400,
    name: 'an unknown location',
    request: ({ hostname }) => send('PATCH', `/devices/${hostname}`, { field: 'location_id', data: 2147483647 }),
    check: (a) => expect(message(a)).toBe('Device location_id field failed to be updated'),
  },
  {
    operation: 'add_device',
    status: 400,
    name: 'an unknown location',
    request: () =>
      send('POST', '/devices', {
        hostname: `located${mint()}.example.net`,
        force_add: 1,
        community: 'x',
        location_id: 2147483647,
      }),
    check: (a) => expect(message(a)).toBe('Location 2147483647 does not exist'),
  },
]
