import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createCheckPool } from '../../../src/core/checks/run/pool.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { makeDevice } from '../../support/samples.ts'
import { hasPlugins, type Listening, type RunningChecker, serveTcp, startChecker } from './support.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
const running: RunningChecker[] = []
const servers: Listening[] = []
beforeAll(async () => {
  database = await testDatabase()
})
afterEach(async () => {
  for (const { stop } of running.splice(0)) await stop()
  for (const server of servers.splice(0)) server.close()
  await database.store.sql`delete from services`
})
afterAll(() => database.drop())

interface NewService {
  readonly type: string
  readonly param: string
  readonly ip?: string
  readonly status?: number
  readonly disabled?: number
}

async function addService({ type, param, ip = '127.0.0.1', status = 3, disabled = 0 }: NewService) {
  const { store } = database
  const { deviceId } = await makeDevice(store, 0)
  // without a reason the device does not count as down, so its services are checked
  await store.sql`update devices set status = 0, status_reason = '' where device_id = ${deviceId}`
  const [row] = await store.sql<{ id: number }[]>`
    insert into services (device_id, service_ip, service_type, service_param, service_status, service_disabled, service_message)
    values (${deviceId}, ${ip}, ${type}, ${param}, ${status}, ${disabled}, 'Service not yet checked')
    returning service_id as id`
  return { deviceId, id: row?.id ?? 0 }
}

interface Row {
  readonly status: number
  readonly message: string
  readonly changed: number
  readonly ds: string | null
  readonly attempt: number | null
  readonly last: number | null
}

async function rowOf(id: number): Promise<Row> {
  const [row] = await database.store.sql<Row[]>`
    select service_status as status, service_message as message, service_changed as changed, service_ds as ds,
      attempt, last_status as last
    from services left join service_checks using (service_id) where service_id = ${id}`
  if (row === undefined) throw new Error('the service is gone')
  return row
}

/** The row of the service after its first check. */
function firstResult(id: number): Promise<Row> {
  return eventually(async () => {
    const row = await rowOf(id)
    return row.last === null ? null : row
  })
}

async function start(flags: Readonly<Record<string, string>> = {}): Promise<RunningChecker> {
  const started = await startChecker(database.store, flags)
  running.push(started)
  return started
}

async function listener(): Promise<Listening> {
  const server = await serveTcp((socket) => socket.end('hello\n'))
  servers.push(server)
  return server
}

test('a new service is checked at once: state, message, data sets, samples and an event are stored, and rules are evaluated', async () => {
  const { port } = await listener()
  const { id, deviceId } = await addService({ type: 'tcp', param: `-p ${port}` })
  const { written } = await start()
  const row = await eventually(async () => {
    const found = await rowOf(id)
    return found.status === 0 ? found : null
  })
  expect(row.message).toStartWith('TCP OK - ')
  expect(JSON.parse(row.ds ?? '')).toEqual({ time: 's' })
  const { sql } = database.store
  const values = await eventually(async () => {
    const found = await sql`select ds, value from ts.service_values where service_id = ${id}`
    return found.length > 0 ? found : null
  })
  expect(values).toMatchObject([{ ds: 'time', value: expect.any(Number) }])
  const events = await sql`select message, severity from eventlog where device_id = ${deviceId} and type = 'service'`
  expect(events).toMatchObject([{ message: expect.stringContaining('changed from unknown to ok'), severity: 1 }])
  expect(written).toContainEqual({ devices: [deviceId], what: ['services'] })
})

test('a service that was ok changes its state after the third failed check, and recovers at once', async () => {
  const server = await listener()
  const { id } = await addService({ type: 'tcp', param: `-p ${server.port}` })
  const { checker } = await start({ 'services.interval': '86400', 'services.retry_interval': '86400' })
  const ok = await firstResult(id)
  expect(ok).toMatchObject({ status: 0, attempt: 0 })
  server.close()
  await checker.checkNow(id)
  await checker.checkNow(id)
  expect(await rowOf(id)).toMatchObject({ status: 0, message: ok.message, attempt: 2, last: 2 })
  await checker.checkNow(id)
  expect(await rowOf(id)).toMatchObject({ status: 2, message: 'TCP CRITICAL: Connection refused', attempt: 0 })
  const again = await serveTcp((socket) => socket.end('hello'), null, server.port)
  servers.push(again)
  await checker.checkNow(id)
  expect(await rowOf(id)).toMatchObject({ status: 0, attempt: 0 })
})

test('a failed check is repeated after the retry interval until the state changes', async () => {
  const server = await listener()
  const { id } = await addService({ type: 'tcp', param: `-p ${server.port}` })
  const { checker } = await start({ 'services.interval': '86400', 'services.retry_interval': '1' })
  await firstResult(id)
  server.close()
  await checker.checkNow(id)
  const row = await eventually(async () => {
    const found = await rowOf(id)
    return found.status === 2 ? found : null
  })
  expect(row.last).toBe(2)
})

test('failed checks before a restart count', async () => {
  const { id } = await addService({ type: 'tcp', param: '-p 1', status: 0 })
  const { sql } = database.store
  await sql`insert into service_checks (service_id, checked_at, took_ms, attempt, last_status, last_message)
    values (${id}, now(), 1, 2, 2, '')`
  const { checker } = await start({ 'services.interval': '86400' })
  await checker.checkNow(id)
  expect(await rowOf(id)).toMatchObject({ status: 2, attempt: 0 })
})

test('disabled services, and services of devices that are disabled or down, are not checked', async () => {
  const { sql } = database.store
  const off = await addService({ type: 'tcp', param: '-p 1', disabled: 1 })
  const ofDisabled = await addService({ type: 'tcp', param: '-p 1' })
  const ofDown = await addService({ type: 'tcp', param: '-p 1' })
  const checked = await addService({ type: 'tcp', param: '-p 1' })
  await sql`update devices set disabled = 1 where device_id = ${ofDisabled.deviceId}`
  await sql`update devices set status = 0, status_reason = 'icmp' where device_id = ${ofDown.deviceId}`
  const { checker } = await start()
  await eventually(async () => ((await rowOf(checked.id)).status === 2 ? true : null))
  for (const { id } of [off, ofDisabled, ofDown]) expect(await rowOf(id)).toMatchObject({ status: 3, last: null })
  expect(checker.stats().held).toBe(1)
  // up again: checked soon, because the poller reports that its status was stored
  await sql`update devices set status = 1, status_reason = '' where device_id = ${ofDown.deviceId}`
  checker.changed([ofDown.deviceId], ['status'])
  await eventually(async () => ((await rowOf(ofDown.id)).status === 2 ? true : null))
})

test('changed parameters are checked at once and the result counts at once; a deleted service is no longer checked', async () => {
  const { port } = await listener()
  const { id } = await addService({ type: 'tcp', param: `-p ${port}` })
  const { checker } = await start()
  await eventually(async () => ((await rowOf(id)).status === 0 ? true : null))
  const { sql } = database.store
  await sql`update services set service_param = '-p 1' where service_id = ${id}`
  checker.reload({ services: [id] })
  await eventually(async () => ((await rowOf(id)).status === 2 ? true : null))
  await sql`delete from services where service_id = ${id}`
  checker.reload({ services: [id] })
  await eventually(async () => (checker.stats().byStatus[2] === 0 ? true : null))
})

test('checks of a thread that dies are lost without a result, and another thread replaces it', async () => {
  const pool = createCheckPool(createLog('silent'))
  try {
    const slow = { kind: 'plugin', path: '/bin/sleep', args: ['3'] } as const
    const lost = pool.run({ plan: slow, timeoutMs: 20_000, agent: null })
    const refused = { plan: { kind: 'refused', reason: 'why' }, timeoutMs: 20_000, agent: null } as const
    // the thread is running
    expect(await pool.run(refused)).toMatchObject({ result: { status: 3, message: 'why' } })
    pool.kill()
    expect(await lost).toBeNull()
    expect(await pool.run(refused)).toMatchObject({ result: { status: 3 } })
    expect(pool.died).toBe(1)
  } finally {
    await pool.stop()
  }
})

test.skipIf(!hasPlugins())('a type without a built-in check runs the plugin check_TYPE', async () => {
  const { id } = await addService({ type: 'dummy', param: '1 "a b; c|x=3s;5;7 \'y z\'=U"' })
  await start()
  const row = await firstResult(id)
  expect(row).toMatchObject({ status: 1, message: 'WARNING: a b; c' })
  expect(JSON.parse(row.ds ?? '')).toEqual({ x: 's', 'y z': '' })
})
