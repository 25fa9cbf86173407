import { expect } from 'bun:test'
import type { TestApi } from '../../support/api.ts'
import type { Seeded } from '../fixtures.ts'
import { message, type Row, send } from './row.ts'

async function notesOf({ store: { sql } }: TestApi, { portIds }: Seeded) {
  const [row] = await sql`select attrib_value from devices_attribs where attrib_type = ${`port_id_notes:${portIds[0]}`}`
  return row?.['attrib_value'] ?? null
}

export const PORT_NOTES_ROWS: readonly Row[] = [
  {
    operation: 'update_device_port_notes',
    status: 200,
    name: 'kept, replaced and removed',
    request: ({ hostname, portIds }) => send('PATCH', `/devices/${hostname}/port/${portIds[0]}`, { notes: 'first' }),
    check: async (a, s, api) => {
      expect(message(a)).toBe('Port notes field has been updated')
      expect(await notesOf(api, s)).toBe('first')
      const path = `/api/v0/devices/${s.deviceId}/port/${s.portIds[0]}`
      await api.call('PATCH', path, { body: { notes: 'second' } })
      expect(await notesOf(api, s)).toBe('second')
      await api.call('PATCH', path, { body: { notes: '' } })
      expect(await notesOf(api, s)).toBe(null)
    },
  },
  {
    operation: 'update_device_port_notes',
    status: 400,
    name: 'nothing to write',
    request: ({ hostname, portIds }) => send('PATCH', `/devices/${hostname}/port/${portIds[0]}`, {}),
    check: (a) => expect(message(a)).toBe('Port field to patch has not been supplied.'),
  },
  {
    operation: 'update_device_port_notes',
    status: 404,
    name: 'unknown device',
    request: ({ portIds }) => send('PATCH', `/devices/nobody.example.net/port/${portIds[0]}`, { notes: 'x' }),
  },
  {
    operation: 'update_device_port_notes',
    status: 404,
    name: "another device's port",
    request: ({ hostname }) => send('PATCH', `/devices/${hostname}/port/2147483648`, { notes: 'x' }),
  },
]
