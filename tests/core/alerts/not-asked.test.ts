import { expect, test } from 'bun:test'
import { readFamily } from '../../../src/core/dependencies/read-family.ts'
import { countDevices } from '../../../src/core/lists/read-device-list.ts'
import { search } from '../../../src/core/lists/read-search.ts'
import { addRule, database, later, MINUTE_MS, outbox, states, useEngine } from './engine-setup.ts'

useEngine()

test('a device at a site whose poller has never connected is unknown and raises nothing until it was asked', async () => {
  const { sql } = database.store
  const scope = { kind: 'all' } as const
  const rule = await addRule('down')
  await addRule('up', { rules: [['devices.status', 'equal', '1']], extra: { invert: true } })
  await sql`insert into poller_groups (id, group_name, descr) values (7, 'oslo', '')`
  await sql`insert into remote_pollers (name, public_key, poller_group) values ('oslo', 'key', 7)`
  // as `device add --force` stores it; the other one is polled from here
  await sql`update devices set status = 0, poller_group = 7 where device_id = 1`
  await sql`update devices set status = 0 where device_id = 2`
  const shown = async () => {
    const query = { text: '', state: null, location: null, os: null, type: null, groupId: null }
    const { down, unknown } = await countDevices(database.store, scope, query as Parameters<typeof countDevices>[2])
    const [hit] = await search(database.store, scope, 'sw1', 5)
    const { unasked } = await readFamily(database.store, scope, 1)
    return { down, unknown, found: hit?.state, unasked }
  }
  await later(MINUTE_MS)
  expect(await states()).toMatchObject({ [`${rule}/2`]: 1 })
  expect(Object.keys(await states()).filter((key) => key.endsWith('/1'))).toEqual([])
  expect(await shown()).toEqual({ down: 1, unknown: 1, found: 'unknown', unasked: true })
  // the poller connects, and the device does not answer it
  await sql`update devices set status_reason = 'snmp' where device_id = 1`
  await later(MINUTE_MS)
  expect(await states()).toMatchObject({ [`${rule}/1`]: 1 })
  expect(await shown()).toEqual({ down: 2, unknown: 0, found: 'down', unasked: false })
  // it answers, and later no longer does
  await sql`update devices set status = 1, status_reason = '', last_polled = now() where device_id = 1`
  await later(MINUTE_MS)
  expect(await states()).toMatchObject({ [`${rule}/1`]: 0 })
  await sql`update devices set status = 0 where device_id = 1`
  await later(MINUTE_MS)
  expect(await states()).toMatchObject({ [`${rule}/1`]: 1 })
  expect((await outbox()).length).toBeGreaterThan(0)
})
