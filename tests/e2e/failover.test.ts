import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { portlight } from '../cli/support.ts'
import { type DatabaseRelay, databaseRelay } from '../support/database-relay.ts'
import { type ReplicatedServer, replicatedServer } from '../support/streaming-replica.ts'
import { startTestServer, type TestServer, until } from './server.ts'

// A server whose database fails over to a standby: first the address leads to the standby, then that is promoted.

setDefaultTimeout(180_000)

let servers: ReplicatedServer
let relay: DatabaseRelay
let server: TestServer

beforeAll(async () => {
  servers = await replicatedServer()
  relay = await databaseRelay(servers.primary)
  server = await startTestServer(['--set', 'icmp_check=false', '--set', 'poller.workers=1'], { url: relay.url })
}, 180_000)
afterAll(async () => {
  await server?.stop()
  relay?.stop()
  await servers?.stop()
})

const readyz = (status: number) =>
  until(60, `/readyz is ${status}`, async () => {
    const answer = await fetch(`${server.url}/readyz`)
    return answer.status === status && ((await answer.json()) as { problems?: string[] })
  })

/** Stores a setting from another process, and waits until the server uses it. */
async function obeys(enabled: boolean): Promise<void> {
  const at = ['--data-dir', server.dataDir, '--database-url', relay.url]
  expect(await portlight(['config', 'set', 'api.v1.enabled', String(enabled), ...at])).toMatchObject({ code: 0 })
  await until(30, `api.v1.enabled is ${enabled}`, async () => {
    const { status } = await fetch(`${server.url}/api/v1/health`)
    return status === (enabled ? 200 : 404)
  })
}

test('a server that met the standby before it was promoted is not ready, and hears everything afterwards', async () => {
  await readyz(200)
  await obeys(true)

  await servers.stopPrimary()
  relay.to(servers.replica)
  expect(await readyz(503)).toMatchObject({
    problems: ['The database accepts no writes: it is a standby that has not been promoted.'],
  })
  // every session has been refused by then
  await until(30, 'the refusal is logged', async () => server.log().includes('cannot hear notifications'))

  await servers.promote()
  await readyz(200)
  await obeys(false)
  await obeys(true)
})

test('after connections were cut, it hears again', async () => {
  relay.cut()
  await readyz(200)
  await obeys(false)
})
