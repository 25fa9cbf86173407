import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../../src/config/settings.ts'
import { type Actor, SYSTEM } from '../../../src/core/base/actor.ts'
import type { Store } from '../../../src/core/database/client.ts'
import { devicesUnderMaintenance, partsInMaintenance } from '../../../src/core/maintenance/read.ts'
import { createMaintenanceService } from '../../../src/core/maintenance/service.ts'
import { insertSchedule } from '../../../src/core/maintenance/write.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { makeDevice } from '../../support/samples.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await testDatabase()
  store = database.store
})
afterAll(() => database.drop())

const window = { title: 'cable', notes: '', start: new Date(1000), end: new Date(3000) }

test('a window of a port or sensor covers it, and neither the others nor the device', async () => {
  const { portIds, sensorId } = await makeDevice(store, 2)
  const [id = 0] = portIds
  await insertSchedule(store, { ...window, behavior: 2, target: { kind: 'port', id } }, null)
  await insertSchedule(store, { ...window, behavior: 1, target: { kind: 'sensor', id: sensorId } }, null)
  expect((await partsInMaintenance(store, 2000)).port).toEqual(new Map([[id, 2]]))
  expect((await partsInMaintenance(store, 2000)).sensor).toEqual(new Map([[sensorId, 1]]))
  expect(await devicesUnderMaintenance(store, 2000)).toEqual(new Map())
  await insertSchedule(store, { ...window, behavior: 1, target: { kind: 'port', id } }, null)
  expect((await partsInMaintenance(store, 2000)).port).toEqual(new Map([[id, 1]]))
  for (const at of [999, 3001]) expect((await partsInMaintenance(store, at)).port).toEqual(new Map())
  await store.sql`delete from ports where port_id = ${id}`
  await store.sql`delete from sensors where sensor_id = ${sensorId}`
  expect([...(await store.sql`select from alert_schedule where title = 'cable'`)]).toEqual([])
})

test('alerts are marked by the windows of their devices, and of the ports and sensors of their open faults', async () => {
  const { deviceId, portIds, sensorId } = await makeDevice(store, 2)
  const [covered = 0, free = 0] = portIds
  const alertOn = async (kind: string | null, subject: number | null, state = 1) => {
    const [row] = await store.sql<{ id: number }[]>`
      with r as (insert into alert_rules (name, severity, extra, query, builder) values (${crypto.randomUUID()}, 'critical', '{}', '', '{}') returning id),
        a as (insert into alerts (device_id, rule_id, state, began_at) select ${deviceId}, id, 1, now() from r returning id, rule_id)
      insert into faults (rule_id, device_id, alert_id, key, kind, subject_id, state, severity, began_at, message, ended_at)
      select rule_id, ${deviceId}, id, '7', ${kind}, ${subject}, ${state}, 'critical', now(), 'x', case when ${state} = 0 then now() end
      from a returning alert_id as id`
    return row?.id ?? 0
  }
  const ids = [
    await alertOn('port', covered),
    await alertOn('port', free),
    await alertOn('sensor', sensorId),
    // the same number, of another kind
    await alertOn('storage', covered),
    await alertOn('port', covered, 0),
    await alertOn(null, null),
  ]
  const service = createMaintenanceService({ store, settings: createSettings({}) })
  const at = async (ms: number) => {
    const found = await service.ofAlerts(ids, ms)
    return ids.map((id) => {
      const one = found.get(id)
      return one === undefined ? null : `${one.of} ${one.until.getTime()}`
    })
  }
  await insertSchedule(store, { ...window, behavior: 3, target: { kind: 'port', id: covered } }, null)
  await insertSchedule(store, { ...window, behavior: 2, target: { kind: 'sensor', id: sensorId } }, null)
  expect(await at(2000)).toEqual(['port 3000', null, 'sensor 3000', null, null, null])
  expect(await at(3001)).toEqual(ids.map(() => null))
  await insertSchedule(
    store,
    { ...window, end: new Date(9000), behavior: 2, target: { kind: 'device', id: deviceId } },
    null,
  )
  expect(await at(2000)).toEqual(ids.map(() => 'device 9000'))
  expect([...(await service.ofAlerts([], 2000))]).toEqual([])
  await store.sql`delete from alert_schedule`
})

test('the list names the port with its device', async () => {
  const { name, portIds, sensorId } = await makeDevice(store, 1)
  const service = createMaintenanceService({ store, settings: createSettings({}) })
  await insertSchedule(
    store,
    { ...window, title: 'p', behavior: 1, target: { kind: 'port', id: portIds[0] ?? 0 } },
    null,
  )
  await insertSchedule(store, { ...window, title: 's', behavior: 1, target: { kind: 'sensor', id: sensorId } }, null)
  const named = (await service.list()).map(({ title, target }) => [title, target])
  expect(named).toContainEqual(['p', `port ${name} Gi0/1`])
  expect(named).toContainEqual(['s', `sensor ${name} Inlet`])
})

test('a port or sensor is found by id or by name, and only where the actor may see it', async () => {
  const { deviceId, name, portIds, sensorId } = await makeDevice(store, 2)
  const [first = 0, second = 0] = portIds
  const service = createMaintenanceService({ store, settings: createSettings({}) })
  const port = { kind: 'port', id: second, name: `${name} Gi0/2` } as const
  expect(await service.requirePart(SYSTEM, 'port', String(second))).toEqual(port)
  expect(await service.requirePart(SYSTEM, 'port', ` ${name.toUpperCase()}  gi0/2 `)).toEqual(port)
  expect(await service.requirePart(SYSTEM, 'sensor', `${name} inlet`)).toMatchObject({ kind: 'sensor', id: sensorId })
  for (const ref of ['', '0', '-1', '99999999999', 'x', `${name}`, `${name} Gi0/3`, `${name} %`, 'a\0b c'])
    await expect(service.requirePart(SYSTEM, 'port', ref)).rejects.toThrow('There is no single port')
  const [user] = await store.sql<{ id: number }[]>`
    insert into users (username, password) values (${name.slice(0, 60)}, '') returning user_id as id`
  const userId = user?.id ?? 0
  await store.sql`insert into ports_perms (user_id, port_id) values (${userId}, ${first})`
  const actor: Actor = { ...SYSTEM, userId, username: 'u', roles: new Set(['user']) }
  expect(await service.requirePart(actor, 'port', String(first))).toMatchObject({ id: first })
  await expect(service.requirePart(actor, 'port', String(second))).rejects.toThrow('There is no single port')
  await expect(service.requirePart(actor, 'sensor', String(sensorId))).rejects.toThrow('There is no single sensor')
  const wanted = { title: null, behavior: null, notes: '', start: null, duration: '1' }
  expect(await service.schedule(actor, { kind: 'port', id: first, name: 'a' }, wanted)).toBeGreaterThan(0)
  for (const target of [
    { kind: 'port', id: second, name: 'b' },
    { kind: 'sensor', id: sensorId, name: 'c' },
  ] as const)
    await expect(service.schedule(actor, target, wanted)).rejects.toThrow('Insufficient permissions')
  await store.sql`insert into devices_perms (user_id, device_id) values (${userId}, ${deviceId})`
  expect(await service.schedule(actor, { kind: 'sensor', id: sensorId, name: 'c' }, wanted)).toBeGreaterThan(0)
  expect(await service.ofPart('sensor', sensorId, Date.now())).toMatchObject({ title: 'c', behavior: 1 })
  expect(await service.ofPart('port', second, Date.now())).toBeNull()
})
