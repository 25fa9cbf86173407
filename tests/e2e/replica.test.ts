import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { connect, type Store } from '../../src/core/database/client.ts'
import { writeSamples } from '../../src/core/series/write.ts'
import { portlight } from '../cli/support.ts'
import { batch, makeDevice } from '../support/samples.ts'
import { metricOf } from '../support/site.ts'
import { type ReplicatedServer, replicatedServer } from '../support/streaming-replica.ts'
import { startTestServer, type TestServer, until } from './server.ts'

// A server that reads graphs and series from a hot standby, whose replay the test pauses to see what is read from
// where.

setDefaultTimeout(120_000)

let servers: ReplicatedServer
let server: TestServer
let store: Store
let sensorId = 0
let deviceId = 0

beforeAll(async () => {
  servers = await replicatedServer()
  server = await startTestServer(
    [
      ...['--set', `database_read_url=${servers.replica}`, '--set', 'api.v1.enabled=true'],
      ...['--set', 'icmp_check=false', '--set', 'poller.workers=1'],
    ],
    { url: servers.primary },
  )
  store = connect(servers.primary, { max: 2 })
  const made = await makeDevice(store, 0)
  deviceId = made.deviceId
  sensorId = made.sensorId
  await store.sql`update devices set disabled = 1 where device_id = ${deviceId}`
  await mayBeBehind(3600)
  await used(1)
}, 120_000)
afterAll(async () => {
  await store?.close()
  await server?.stop()
  await servers?.stop()
})

const metric = async (name: string): Promise<number> =>
  metricOf(await (await fetch(`${server.url}/metrics`)).text(), name)

const used = (wanted: 0 | 1) =>
  until(60, `portlight_replica_used ${wanted}`, async () => (await metric('portlight_replica_used')) === wanted)

/** Sets the seconds by which the replica may be behind. */
async function mayBeBehind(seconds: number): Promise<void> {
  const at = ['--data-dir', server.dataDir, '--database-url', servers.primary]
  expect(await portlight(['config', 'set', 'database_read_lag', String(seconds), ...at])).toMatchObject({ code: 0 })
}

const sample = (value: number) => writeSamples(store, batch({ sensors: [{ id: sensorId, time: Date.now(), value }] }))

/** The values of the sensor as returned to a client; null: the database did not answer. */
async function values(): Promise<number[] | null> {
  const answer = await fetch(`${server.url}/api/v1/series?kind=sensor&id=${sensorId}&from=-1h&max_points=4000&fn=max`, {
    headers: { Authorization: `Bearer ${server.token}` },
  })
  if (answer.status >= 500) return null
  expect(answer.status).toBe(200)
  const { data } = (await answer.json()) as { data: { series: { values: (number | null)[] }[] } }
  return [...new Set(data.series[0]?.values.filter((value) => value !== null))]
}

const said = (text: string): number => server.log().split(text).length - 1
const TO_PRIMARY = 'graphs and series are read from the primary'

test('series are read from the replica, and a read that follows a write sees the write', async () => {
  await sample(11)
  await until(30, 'the replica has the first sample', async () => (await values())?.includes(11) === true)
  await servers.pauseReplay()
  await sample(22)
  expect(await values()).toEqual([11])
  const patched = await server.call('PATCH', `/devices/${deviceId}`, { field: 'notes', data: 'read after write' })
  expect(patched.status).toBe(200)
  const { json } = await server.call('GET', `/devices/${deviceId}`)
  expect(json).toMatchObject({ devices: [{ notes: 'read after write' }] })
  expect(await values()).toEqual([11])
  expect(said(TO_PRIMARY)).toBe(0)
})

test('a replica too far behind is not used, which is logged once, until it has caught up', async () => {
  await mayBeBehind(1)
  await used(0)
  expect((await values())?.toSorted()).toEqual([11, 22])
  expect(await metric('portlight_replica_lag_seconds')).toBeGreaterThan(1)
  await servers.resumeReplay()
  await used(1)
  expect(said(TO_PRIMARY)).toBe(1)
})

test('a replica that is down is not used, which is logged once, and readiness is not affected', async () => {
  await servers.stopReplica()
  await used(0)
  await sample(33)
  await until(10, 'the primary’s samples', async () => (await values())?.includes(33) === true)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(said(TO_PRIMARY)).toBe(2)
  await servers.startReplica()
  await used(1)
  await until(30, 'the replica’s samples', async () => (await values())?.includes(33) === true)
  expect(said(TO_PRIMARY)).toBe(2)
})
