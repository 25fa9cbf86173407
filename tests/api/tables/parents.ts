import { expect } from 'bun:test'
import type { TestApi } from '../../support/api.ts'
import { type Seeded, seed } from '../fixtures.ts'
import { member, message, type Row, send } from './row.ts'

/** The device's dependencies as list_devices shows them. */
async function place(api: TestApi, deviceId: number) {
  const answer = await api.call('GET', `/api/v0/devices?type=device_id&query=${deviceId}`)
  const [device] = member(answer, 'devices') as Record<string, unknown>[]
  return { parents: device?.['dependency_parent_id'] ?? null, depth: device?.['max_depth'] }
}

/** The device depends on another, which depends on a third. */
async function chain(api: TestApi, { deviceId }: Seeded): Promise<readonly [middle: Seeded, top: Seeded]> {
  const [middle, top] = [await seed(api), await seed(api)]
  for (const [child, parent] of [
    [deviceId, middle.deviceId],
    [middle.deviceId, top.deviceId],
  ]) {
    await api.call('POST', `/api/v0/devices/${child}/parents`, { body: { parent_ids: String(parent) } })
  }
  return [middle, top]
}

export const PARENT_ROWS: readonly Row[] = [
  {
    operation: 'add_parents_to_host',
    status: 201,
    name: 'ids and hostnames replace the parents, depths follow',
    request: async (s, api) => {
      const [middle, top] = await chain(api, s)
      expect(await place(api, s.deviceId)).toEqual({ parents: String(middle.deviceId), depth: 3 })
      const other = await seed(api)
      return send('POST', `/devices/${s.hostname}/parents`, { parent_ids: `${top.hostname}, ${other.deviceId}` })
    },
    check: async (a, s, api) => {
      expect(message(a)).toBe('Device dependencies have been saved')
      const { parents, depth } = await place(api, s.deviceId)
      expect({ count: String(parents).split(',').length, depth }).toEqual({ count: 2, depth: 2 })
    },
  },
  {
    operation: 'add_parents_to_host',
    status: 400,
    name: 'an unknown parent',
    request: ({ hostname }) => send('POST', `/devices/${hostname}/parents`, { parent_ids: 'nobody.example.net' }),
    check: (a) => expect(message(a)).toBe('Parent device IDs/Hostname does not exist: nobody.example.net'),
  },
  {
    operation: 'add_parents_to_host',
    status: 400,
    name: 'its own parent',
    request: ({ hostname, deviceId }) => send('POST', `/devices/${hostname}/parents`, { parent_ids: deviceId }),
    check: (a) => expect(message(a)).toBe('Check your parent and device IDs'),
  },
  {
    operation: 'add_parents_to_host',
    status: 400,
    name: 'a loop over two others changes nothing',
    request: async (s, api) => {
      const [, top] = await chain(api, s)
      return send('POST', `/devices/${top.deviceId}/parents`, { parent_ids: `${s.deviceId}` })
    },
    check: async (a, s, api) => {
      expect(message(a)).toBe('Check your parent and device IDs')
      expect((await place(api, s.deviceId)).depth).toBe(3)
    },
  },
  {
    operation: 'add_parents_to_host',
    status: 400,
    name: 'an unknown device',
    request: ({ deviceId }) => send('POST', '/devices/nobody.example.net/parents', { parent_ids: deviceId }),
    check: (a) => expect(message(a)).toBe('Check your parent and device IDs'),
  },
  {
    operation: 'del_parents_from_host',
    status: 201,
    name: 'all without a body',
    request: async (s, api) => {
      await chain(api, s)
      return send('DELETE', `/devices/${s.hostname}/parents`, [])
    },
    check: async (a, s, api) => {
      expect(message(a)).toBe('All device dependencies have been removed')
      expect(await place(api, s.deviceId)).toEqual({ parents: null, depth: 0 })
    },
  },
  {
    operation: 'del_parents_from_host',
    status: 201,
    name: 'one of them; a deleted device is not a parent',
    request: async (s, api) => {
      const [middle, top] = await chain(api, s)
      await api.call('DELETE', `/api/v0/devices/${top.hostname}`)
      expect(await place(api, s.deviceId)).toEqual({ parents: String(middle.deviceId), depth: 2 })
      return send('DELETE', `/devices/${s.hostname}/parents`, { parent_ids: middle.hostname })
    },
    check: async (_a, s, api) => expect((await place(api, s.deviceId)).depth).toBe(0),
  },
  {
    operation: 'del_parents_from_host',
    status: 400,
    name: 'it has none',
    request: ({ hostname }) => send('DELETE', `/devices/${hostname}/parents`),
    check: (a) => expect(message(a)).toBe('Device dependency cannot be deleted check device and parents ids'),
  },
  {
    operation: 'del_parents_from_host',
    status: 400,
    name: 'an unknown device',
    request: () => send('DELETE', '/devices/nobody.example.net/parents'),
    check: (a) => expect(message(a)).toBe('Check your device ID!'),
  },
]
